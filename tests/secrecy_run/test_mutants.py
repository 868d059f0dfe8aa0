"""The mutants: which there are, and that they are tried."""

from __future__ import annotations

from pathlib import Path

import pytest
from playthroughs.option_sets import GAMES
from secrecy_run import trying
from secrecy_run.explained import EXPLAINED
from secrecy_run.mutants import Mutant, mutants
from secrecy_run.trying import ROOT, NothingToGoBy, try_mutants

VIEW = '''
def size(state):
    return count(state, hidden=False)


def table(state):
    """Shown."""
    return Table(size=len(state.pile), open=sorted(state.open), card=state.card if state.turned else None)


def hand(state, seat):
    return [card for card in state.hands[seat] if card is not None and not card.gone]
'''
RULES = """
def deal(state, seat):
    cards = list(state.cards)
    return [secretly(Dealt(count=len(cards)), {seat: Cards(cards=cards)}), openly(Begun())]
"""
EVENTS = """
class Dealt: ...
class Cards: ...
class Begun: ...
"""


@pytest.fixture
def small(tmp_path: Path) -> list[Mutant]:
    folder = tmp_path / "engine" / "small"
    folder.mkdir(parents=True)
    for name, text in {
        "view": VIEW,
        "rules": RULES,
        "events": EVENTS,
        "other": "def nothing():\n    1 if 2 else 3\n",
    }.items():
        (folder / f"{name}.py").write_text(text)
    return mutants(tmp_path, "small", 3)


def changed(mutant: Mutant) -> str:
    original = (VIEW if mutant.file.endswith("view.py") else RULES).splitlines()
    new = mutant.source.splitlines()
    return next(after.strip() for before, after in zip(original, new, strict=True) if before != after)


def test_every_mutant_of_a_view(small):
    found = {mutant.name.split(" ", 1)[1]: changed(mutant) for mutant in small if mutant.file.endswith("view.py")}
    assert list(found) == [
        "size: count(state, hidden=False): count with another hidden",
        "table: Table(...): Table without size",
        "table: Table(...): Table without open",
        "table: Table(...): Table without card",
        "table: len(state.pile): the list itself",
        "table: len(state.pile): nothing",
        "table: sorted(state.open): the list itself",
        "table: sorted(state.open): nothing",
        "table: state.card if state.turned else None: always the first",
        "table: state.card if state.turned else None: always the last",
        "hand: for card in state.hands[seat] if card is not None and (not card.gone): no condition",
        "hand: state.hands[seat]: of another seat",
        "hand: card is not None and (not card.gone): only card is not None",
        "hand: card is not None and (not card.gone): only not card.gone",
        "hand: card is not None: not",
        "hand: card is not None: always",
        "hand: card is not None: never",
        "hand: card is not None: the value itself",
        "hand: not card.gone: not",
    ]
    assert found["size: count(state, hidden=False): count with another hidden"] == (
        "return (count(state, hidden=True))"
    )
    assert found["table: len(state.pile): the list itself"] == (
        "return Table(size=(list(state.pile)), open=sorted(state.open), card=state.card if state.turned else None)"
    )
    assert found["hand: state.hands[seat]: of another seat"] == (
        "return [card for card in (state.hands[(seat + 1) % len(state.hands)]) if card is not None and not card.gone]"
    )
    assert found["hand: for card in state.hands[seat] if card is not None and (not card.gone): no condition"] == (
        "return [card for card in state.hands[seat]]"
    )


def test_every_mutant_of_what_is_told(small):
    found = {mutant.what: changed(mutant) for mutant in small if mutant.file.endswith("rules.py")}
    secret = "secretly(Dealt(count=len(cards)), {seat: Cards(cards=cards)})"
    assert list(found) == [
        f"{secret}: told everybody",
        f"{secret}: told in public",
        f"{secret}: told nobody",
        f"{secret}: told a neighbour",
        "Dealt(count=len(cards)): Dealt without count",
        "len(cards): the list itself",
        "len(cards): nothing",
        "Cards(cards=cards): Cards without cards",
    ]
    assert found[f"{secret}: told nobody"] == "return [(openly(Dealt(count=len(cards)))), openly(Begun())]"
    assert "for seat in range(3)}" in found[f"{secret}: told everybody"]


@pytest.mark.parametrize("game_id", GAMES)
def test_mutants_of_a_game(game_id):
    found = mutants(ROOT, game_id, min(GAMES[game_id].seats))
    assert len(found) > 150
    assert len({mutant.name for mutant in found}) == len(found)
    for mutant in found:
        assert mutant.source != (ROOT / mutant.file).read_text(), mutant.name


def test_what_is_explained_exists_and_is_documented():
    """An explanation of a mutant that is there no longer is to be struck out."""
    names = {mutant.name for game in GAMES.values() for mutant in mutants(ROOT, game.id, min(game.seats))}
    assert set(EXPLAINED) <= names
    text = (ROOT / "docs" / "secrecy.md").read_text()
    for name in EXPLAINED:
        assert name.split(": ", 1)[1].split(":")[0] in text


def by_name(part: str) -> Mutant:
    return next(m for m in mutants(ROOT, "verraeter", 3) if part in m.name)


def test_mutants_are_tried(monkeypatch):
    """One that is killed, and one that changes nothing and survives."""
    monkeypatch.setattr(
        trying, "relevant_tests", lambda game, _=None: ["tests/conformance/test_visible.py", "-k", game]
    )
    original = (ROOT / "engine/verraeter/view.py").read_text()
    same = Mutant("verraeter", "engine/verraeter/view.py", "table", "nothing", original)
    seen = []
    tried = try_mutants([by_name("player.action if revealed else None: always the first"), same], 2, seen.append)
    assert tried.killed == 1
    assert tried.survivors == [same.name]
    assert len(seen) == 2
    assert (ROOT / "engine/verraeter/view.py").read_text() == original


def test_tests_that_fail_anyway_say_nothing(monkeypatch):
    monkeypatch.setattr(trying, "relevant_tests", lambda game, _=None: ["tests/no_such_test.py"])
    with pytest.raises(NothingToGoBy, match="verraeter"):
        try_mutants([by_name("VerraeterHand without hand")], 1, lambda _: None)
