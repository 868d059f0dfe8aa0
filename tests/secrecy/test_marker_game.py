"""The marker game is held to everything that games are held to, so what it shows of the service is no game's fault.

It is not in the catalogue, so the conformance tests do not find it by themselves: they are run once more here, with
another ``game``. A test that conformance gains is run here too.
"""

from __future__ import annotations

import importlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conformance.test_fold import shown, told
from conformance.test_states import digest
from hypothesis import given
from hypothesis import strategies as st
from support.marker_game import MARKER_GAME
from support.marker_game.components import MARK_PATTERN
from support.marker_game.fold import MarkerGameFold
from support.play import Playthrough, playthroughs, whole_matches

from engine import catalogue
from engine.game import AnyGame

TESTS = Path(__file__).parents[1]
IN_OTHER_PROCESSES = {"test_the_same_bytes_in_every_process"}
"""They look the game up in the catalogue of other processes, which it is not in; see below for what does that here."""

bounded = whole_matches(8)


@pytest.fixture
def game() -> AnyGame:
    return MARKER_GAME


def conformance() -> Iterator[tuple[str, Callable[..., None]]]:
    """The conformance tests that take any game, by name."""
    for file in sorted((TESTS / "conformance").glob("test_*.py")):
        for name, test in vars(importlib.import_module(f"conformance.{file.stem}")).items():
            if name.startswith("test_") and set(inspect.signature(test).parameters) == {"game"} and not _marks(test):
                yield name, test


def _marks(test: Callable[..., None]) -> list[Any]:
    """A test that chooses its games itself is marked so."""
    return getattr(test, "pytestmark", [])


globals().update({name: test for name, test in conformance() if name not in IN_OTHER_PROCESSES})


def test_conformance_is_run():
    here = {name for name, _ in conformance()}
    assert here > IN_OTHER_PROCESSES
    assert {"test_listed_moves_are_accepted", "test_other_states_look_the_same", "test_playing_on_tells_nothing"} < here
    assert here - IN_OTHER_PROCESSES < set(globals())


def test_the_same_bytes_in_other_processes(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(catalogue.GAMES, MARKER_GAME.id, MARKER_GAME)
    expected = digest(MARKER_GAME.id)
    code = (
        "from engine.catalogue import GAMES; from support.marker_game import MARKER_GAME as game;"
        "GAMES[game.id] = game; from conformance.test_states import digest; print(digest(game.id))"
    )
    for hash_seed in ("0", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ
            | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(map(str, (TESTS, TESTS.parent)))},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected


@bounded
@given(data=st.data())
def test_its_events_give_table_and_hand(data: st.DataObject):
    """Whoever reads only the events knows what the view shows, no less and no later."""
    match = data.draw(playthroughs(MARKER_GAME))
    folds = {viewer: MarkerGameFold(viewer, match.options) for viewer in match.viewers()}
    read = 0
    for _ in match.steps():
        for viewer, known in folds.items():
            for event in told(match, read, viewer):
                known.read(event)
            assert known.view() == shown(match, viewer)
        read = len(match.log)


@pytest.mark.parametrize("seats", MARKER_GAME.seats)
def test_every_hidden_thing_is_there_once(seats: int):
    """A mark lies in one place of a state, so one that turns up somewhere says whose it is."""
    match = Playthrough(MARKER_GAME, seats, MARKER_GAME.options_type(), bytes(32))
    for state in match.steps():
        marks = re.findall(MARK_PATTERN, msgspec.json.encode(state).decode())
        cast = [player.cast for player in state.players if player.cast]
        assert len(marks) - len(cast) == len(set(marks))
    other = Playthrough(MARKER_GAME, seats, MARKER_GAME.options_type(), b"another seed".ljust(32))
    assert not {*other.state.draw_pile} & {*match.state.draw_pile}


def test_the_product_does_not_have_it():
    assert MARKER_GAME.id not in catalogue.GAMES
