"""How much the rules compute for a move, as a number of calls of functions: it is the same on every machine.

The number differs a little between versions of Python, hence the room above what was counted. `make bench` measures
what it amounts to in time.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest

from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.randomness import Randomness

SEATS = 4
MATCHES = 10
ROOM = 1.08

CALLS = {
    "verraeter": 80,
    "kabale": 129,
    "inside_job": 81,
}
"""Counted per move with CPython 3.11: listing the legal moves, the view of the seat that decides, and playing one."""


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_move_takes_no_more_calls_than_it_did(game: AnyGame):
    calls, moves = counted(game)
    assert calls / moves <= CALLS[game.id] * ROOM


def counted(game: AnyGame) -> tuple[int, int]:
    """The calls of functions, of C and of Python, in the same random matches every time, and the moves in these."""
    happened: Counter[str] = Counter()

    def count(_frame: object, event: str, _argument: Any) -> None:
        happened[event] += 1

    moves = 0
    before = sys.getprofile()
    for number in range(MATCHES):
        randomness = Randomness(f"match {number}", bytes(32))
        state, _ = game.deal(SEATS, game.options_type(), randomness.deal())
        while deciding := game.deciding(state):
            seat, moves = deciding[0], moves + 1
            sys.setprofile(count)
            legal = game.legal_moves(state, seat)
            game.table(state)
            game.hand(state, seat)
            sys.setprofile(before)
            move = randomness.stand_in(moves).choice(legal)
            sys.setprofile(count)
            game.play(state, seat, move, randomness.move(moves))
            sys.setprofile(before)
    return happened["call"] + happened["c_call"], moves
