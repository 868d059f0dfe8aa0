"""States survive storing, looking changes nothing, matches end, and the same seed gives the same bytes everywhere."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.play import Playthrough, playthroughs, whole_matches

from engine.catalogue import GAMES
from engine.game import AnyGame, UnreadableState

bounded = whole_matches(8)


@bounded
@given(data=st.data())
def test_states_survive_storing(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for state in match.steps():
        stored = game.dump(state)
        again = game.load(stored)
        assert again == state
        assert game.dump(again) == stored
        assert state.rules_version == game.rules_version


@bounded
@given(data=st.data())
def test_looking_changes_nothing(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for state in match.steps():
        before = game.dump(state)
        game.table(state)
        for seat in range(match.seats):
            game.hand(state, seat)
            game.legal_moves(state, seat)
        game.deciding(state)
        game.result(state)
        assert game.dump(state) == before


@bounded
@given(data=st.data())
def test_there_is_a_result_when_nobody_is_asked_and_only_then(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    for state in match.steps():
        assert (game.result(state) is None) == bool(game.deciding(state))
    result = game.result(match.state)
    assert result is not None
    assert [entry.seat for entry in result.seats] == list(range(match.seats))
    assert result.ending in game.endings
    assert {entry.reason for entry in result.seats} <= set(game.reasons)


def test_other_states_are_refused(game: AnyGame):
    match = Playthrough(game, game.seats[0], game.options_type(), bytes(32))
    stored = msgspec.msgpack.decode(game.dump(match.state))
    for wrong in [
        {**stored, "rules_version": game.rules_version + 1},
        {**stored, "rules_version": "1"},
        {**stored, "unknown": 1},
        {name: value for name, value in stored.items() if name != "rules_version"},
        {},
        [],
    ]:
        with pytest.raises(UnreadableState):
            game.load(msgspec.msgpack.encode(wrong))
    for damaged in (b"", b"\xc1", game.dump(match.state)[:-1]):
        with pytest.raises(UnreadableState):
            game.load(damaged)


def digest(game_id: str) -> str:
    """A hash of every state, view, legal move and event of some matches."""
    game = GAMES[game_id]
    hashed = hashlib.sha256()
    for seats in game.seats:
        match = Playthrough(game, seats, game.options_type(), hashlib.sha256(b"%d" % seats).digest())
        for state in match.steps():
            hashed.update(game.dump(state))
            hashed.update(msgspec.json.encode(game.table(state)))
            for seat in range(seats):
                hashed.update(msgspec.json.encode([game.hand(state, seat), game.legal_moves(state, seat)]))
        hashed.update(msgspec.json.encode(match.log))
    return hashed.hexdigest()


def test_the_same_bytes_in_every_process(game: AnyGame):
    """Neither the hash seed nor the global random module makes a difference."""
    expected = digest(game.id)
    random.seed(99)
    assert digest(game.id) == expected
    for hash_seed in ("0", "1", "4242"):
        code = f"from test_states import digest; print(digest({game.id!r}))"
        folders = [Path(__file__).parent, Path(__file__).parents[1], Path(__file__).parents[2]]
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(map(str, folders))},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected
