"""Who reads only the events has the table and the hand: nothing reaches a viewer by the view alone, or late."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from conformance.folds import Fold, plain
from conformance.folds.every import FOLDS
from hypothesis import given
from hypothesis import strategies as st
from playthroughs.option_sets import OPTION_SETS
from support.play import Playthrough, playthroughs, whole_matches

from engine.catalogue import GAMES
from engine.game import Seat

bounded = whole_matches(8)
every_fold = pytest.mark.parametrize("fold", FOLDS.values(), ids=FOLDS)


def shown(match: Playthrough, viewer: Seat | None) -> dict[str, Any]:
    """What a viewer is shown of a match now, but for legal moves."""
    result = match.game.result(match.state)
    seen = {
        "table": match.game.table(match.state),
        "waiting_on": match.game.deciding(match.state),
        "ending": result and result.ending,
    }
    if viewer is not None:
        seen["hand"] = match.game.hand(match.state, viewer)
    return plain(seen)


def told(match: Playthrough, since: int, viewer: Seat | None) -> list[dict[str, Any]]:
    """The events from a place in the log on, as a viewer reads them."""
    return [plain(event.seen_by(viewer)) for event in match.log[since:]]


def test_every_game_has_a_fold():
    assert set(FOLDS) >= set(GAMES)


@every_fold
def test_a_fold_knows_what_a_client_knows(fold: type[Fold]):
    """Of the engine it imports the game, for its options and components, and nothing else."""
    path = Path(__file__).parent / "folds" / f"{fold.game.id}.py"
    imports = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert all(isinstance(node, ast.ImportFrom) for node in imports)
    assert {node.module for node in imports} == {"__future__", "conformance.folds", f"engine.{fold.game.id}"}


@every_fold
@bounded
@given(data=st.data())
def test_events_give_table_and_hand(fold: type[Fold], data: st.DataObject):
    """After the set-up and after every move, for everybody."""
    match = data.draw(playthroughs(fold.game))
    folds = {viewer: fold(viewer, match.options) for viewer in match.viewers()}
    read = 0
    for _ in match.steps():
        for viewer, known in folds.items():
            for event in told(match, read, viewer):
                known.read(event)
            assert known.view() == shown(match, viewer), f"what {viewer} was told differs from what it is shown"
        read = len(match.log)


@every_fold
def test_events_are_what_they_are_declared_as(fold: type[Fold]):
    """No field is null or of another type where a client may count on it, with any recorded set of options."""
    for match in recorded(fold):
        for _ in match.steps():
            pass
        for event in match.log:
            for reader in match.viewers():
                seen = event.seen_by(reader)
                assert msgspec.json.decode(msgspec.json.encode(seen), type=fold.game.event_type) == seen


def recorded(fold: type[Fold]) -> Iterator[Playthrough]:
    """Some matches with every recorded set of options."""
    for sets in OPTION_SETS[fold.game.id].values():
        for seats, options in sets.items():
            for number in range(4):
                yield Playthrough(fold.game, seats, options, bytes([number, seats]) * 16)


# --- what is told and not shown ---


def leaves(value: Any, path: str) -> Iterator[str]:
    """The names of all fields in which an event tells something; lists are one field."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name != "type":
                yield from leaves(inner, f"{path}.{name}")
    elif value is not None:
        yield path
        if isinstance(value, list) and value != in_order(value):
            yield f"{path}[order]"


def in_order(value: list[Any]) -> list[Any]:
    """A list as it is if its order tells nothing."""
    return sorted(value, key=str)


def altered(event: dict[str, Any], path: str) -> dict[str, Any]:
    """The same event with something else in one field, or with another order of it."""
    event = copy.deepcopy(event)
    *outer, name = path.removesuffix("[order]").split(".")[1:]
    inner = event
    for step in outer:
        inner = inner[step]
    inner[name] = in_order(inner[name]) if path.endswith("[order]") else other_value(inner[name])
    return event


def other_value(value: Any) -> Any:
    """Something else of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1 if value == 0 else value - 1
        case list():
            return [other_value(value[0]), *value[1:]] if value else ["something"]
        case dict():
            return {name: other_value(inner) for name, inner in value.items()}
        case _:
            return {"eagle": "rose", "rose": "eagle"}.get(value, f"{value}?")


def view_after(known: Fold, events: list[dict[str, Any]]) -> Any:
    """What a fold shows after these events; null if it cannot make sense of them."""
    known = copy.deepcopy(known)
    try:
        for event in events:
            known.read(event)
        return known.view()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, StopIteration):
        return None


class Telling:
    """Which fields of a game's events the view after them shows: another value there gives another view."""

    TRIES = 20
    """How often a field is altered in a match before it counts as one that no view of this match shows."""

    def __init__(self, fold: type[Fold]) -> None:
        self.fold = fold
        self.tries: Counter[str] = Counter()
        self.shown: set[str] = set()

    def follow(self, match: Playthrough) -> None:
        """Play a match and alter its events, field by field."""
        folds = {viewer: self.fold(viewer, match.options) for viewer in match.viewers()}
        self.tries = Counter(dict.fromkeys(self.tries, 0))
        read = 0
        for _ in match.steps():
            for viewer, known in folds.items():
                events = told(match, read, viewer)
                self._alter(known, events)
                for event in events:
                    known.read(event)
            read = len(match.log)

    def not_shown(self) -> set[str]:
        """What no view showed; the order of a list is not named where nothing of the list is shown."""
        hidden = set(self.tries) - self.shown
        return {
            path
            for path in hidden
            if path.removesuffix("[order]") == path or path.removesuffix("[order]") not in hidden
        }

    def _alter(self, known: Fold, events: list[dict[str, Any]]) -> None:
        true: Any = None
        for place, event in enumerate(events):
            for path in leaves(event, event["type"]):
                if path in self.shown or self.tries[path] == self.TRIES:
                    continue
                true = true or view_after(known, events)
                self.tries[path] += 1
                if view_after(known, [*events[:place], altered(event, path), *events[place + 1 :]]) != true:
                    self.shown.add(path)


@every_fold
def test_what_is_told_and_not_shown_is_listed(fold: type[Fold]):
    """Exactly the fields that the fold lists, among the events that random play brings about."""
    telling = Telling(fold)
    for match in recorded(fold):
        telling.follow(match)
    happened = {path.split(".")[0] for path in telling.tries}
    every = {member.__struct_config__.tag for member in get_args(fold.game.event_type)}
    assert every - happened <= fold.rare, "these events happened in no match"
    listed = {*fold.not_shown, *fold.told_again}
    assert telling.not_shown() == {path for path in listed if path.split(".")[0] in happened}


@every_fold
def test_what_is_told_and_not_shown_is_documented(fold: type[Fold]):
    """The list in docs/secrecy.md is the folds' list."""
    text = (Path(__file__).parents[2] / "docs" / "secrecy.md").read_text()
    for path in fold.not_shown:
        assert f"`{path}`" in text
