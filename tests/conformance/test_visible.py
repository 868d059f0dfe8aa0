"""Everybody sees what the rules say that they see: not less, and of each single secret not more."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from conformance.visible import Fact, plain_value
from conformance.visible.every import FACTS
from hypothesis import given
from hypothesis import strategies as st
from playthroughs.option_sets import GAMES as PLAYED
from playthroughs.option_sets import OPTION_SETS
from support.play import Playthrough, playthroughs, whole_matches

from engine.catalogue import GAMES
from engine.game import AnyGame, State
from engine.randomness import Stream

bounded = whole_matches(5)
every_table = pytest.mark.parametrize("game", [PLAYED[name] for name in FACTS], ids=FACTS)


class Views:
    """All views of a state, as they are sent: the table and the hand of each seat."""

    def __init__(self, game: AnyGame, state: State, seats: int) -> None:
        self.table = plain_value(game.table(state))
        self.hands = [plain_value(game.hand(state, seat)) for seat in range(seats)]


def wrong(facts: list[Fact], state: State, views: Views) -> Iterator[str]:
    """The facts that are not shown as they are."""
    for fact in facts:
        if fact.who == "everybody" and fact.shown(views.table) != fact.truth(state):
            yield f"{fact.section}: {fact.fact}"
        if fact.who == "owner":
            for seat, hand in enumerate(views.hands):
                if fact.shown(hand) != fact.truth(state, seat):
                    yield f"{fact.section}: {fact.fact}, of seat {seat}"


def test_every_game_has_a_table():
    assert set(FACTS) >= set(GAMES)


@every_table
@bounded
@given(data=st.data())
def test_what_must_be_seen_is_seen(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for state in match.steps():
        assert not list(wrong(FACTS[game.id], state, Views(game, state, match.seats)))


def change_noticed(match: Playthrough, fact: Fact, seat: int, random: Stream) -> set[int | None] | None:
    """Who sees another view, ``None`` for the table, after a fact was changed; null if that is impossible now."""
    other = match.copy()
    if fact.change is None or not fact.change(other, seat, random):
        return None
    before, after = (Views(match.game, state, match.seats) for state in (match.state, other))
    noticed: set[int | None] = {viewer for viewer in range(match.seats) if before.hands[viewer] != after.hands[viewer]}
    return noticed | ({None} if before.table != after.table else set())


@every_table
@bounded
@given(data=st.data())
def test_what_is_hidden_changes_no_other_view(game: AnyGame, data: st.DataObject):
    """Each secret by itself: who may see it sees the change, and nobody else does."""
    match = data.draw(playthroughs(game))
    random = Stream(data.draw(st.binary(min_size=8, max_size=8)))
    for state in match.steps():
        for fact in FACTS[game.id]:
            seat = random.below(match.seats)
            noticed = change_noticed(match, fact, seat, random)
            if noticed is not None:
                assert noticed == fact.watchers(state, seat), f"{fact.section}: {fact.fact}"


def steps_of_all_sets(game: AnyGame) -> Iterator[Playthrough]:
    """Matches with all recorded sets of options, at each of their states."""
    for sets in OPTION_SETS[game.id].values():
        for seats, options in sets.items():
            for number in range(2):
                match = Playthrough(game, seats, options, bytes([number, seats]) * 16)
                for _ in match.steps():
                    yield match


@every_table
def test_every_secret_is_put_to_the_test(game: AnyGame):
    """No row stands in the table without ever having been tried, and each shows to whom it may."""
    random = Stream(b"secrets")
    hidden = [fact for fact in FACTS[game.id] if fact.who != "everybody" and fact.fact != "whose hand it is"]
    tried: Counter[str] = Counter()
    for match in steps_of_all_sets(game):
        for fact in hidden:
            name = f"{fact.section}: {fact.fact}"
            for seat in range(match.seats) if tried[name] < 5 else ():
                noticed = change_noticed(match, fact, seat, random)
                if noticed is not None:
                    tried[name] += 1
                    assert noticed == fact.watchers(match.state, seat), name
    assert not [fact.section for fact in hidden if not tried[f"{fact.section}: {fact.fact}"]]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to everything in a view that is no container, and to everything empty."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def without(view: Any, path: tuple[Any, ...]) -> Any:
    """The view with this blanked; what is null already is filled."""
    view = copy.deepcopy(view)
    inner = view
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = None if inner[path[-1]] is not None else "something"
    return view


@every_table
def test_every_field_of_a_view_is_in_the_table(game: AnyGame):
    """Whatever is blanked or filled in a view, a row of the table notices."""
    facts = FACTS[game.id]
    tried: Counter[tuple[Any, ...]] = Counter()
    for match in steps_of_all_sets(game):
        views = Views(game, match.state, match.seats)
        for number, view in enumerate([views.table, *views.hands]):
            for path in leaves(view):
                name = (min(number, 1), *(step for step in path if isinstance(step, str)))
                if tried[name] >= 8:
                    continue
                tried[name] += 1
                blanked = copy.copy(views)
                blanked.hands = list(views.hands)
                if number:
                    blanked.hands[number - 1] = without(view, path)
                else:
                    blanked.table = without(view, path)
                assert notices(facts, match.state, blanked), f"nobody misses {path}"


def notices(facts: list[Fact], state: State, views: Views) -> bool:
    """Whether a row of the table does not find what it looks for."""
    try:
        return any(True for _ in wrong(facts, state, views))
    except (TypeError, KeyError):
        return True
