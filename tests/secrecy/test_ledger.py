"""The book of who has earned which mark agrees with what the game tells, to the last mark: neither more nor less."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from support.marker_game import MARKER_GAME
from support.marker_game.components import MARK_PATTERN
from support.marker_game.ledger import Ledger
from support.marker_game.options import MarkerGameOptions
from support.play import Playthrough


def marks(value: Any) -> set[str]:
    return set(re.findall(MARK_PATTERN, msgspec.json.encode(value).decode()))


@pytest.mark.parametrize("seats", MARKER_GAME.seats)
@pytest.mark.parametrize("rounds", [1, 2])
def test_what_was_earned_is_what_was_told(seats: int, rounds: int):
    for number in range(10):
        match = Playthrough(MARKER_GAME, seats, MarkerGameOptions(rounds=rounds), b"%032d" % number)
        ledger = Ledger(msgspec.to_builtins(match.state))
        seen: set[str] = set()
        for state in match.steps():
            if match.moves:
                seat, move = match.moves[-1]
                ledger.played(seat, msgspec.to_builtins(move), msgspec.to_builtins(state))
            seen |= marks(state)
            assert set(ledger.marks) == seen
            for viewer in match.viewers():
                assert ledger.earned(viewer) == marks(match.seen_by(viewer))
                assert ledger.earned(viewer) >= marks(MARKER_GAME.table(state))
        assert ledger.earned(None) == marks(MARKER_GAME.table(state)) | marks(match.seen_by(None))
        never_seen = seen - set().union(*map(ledger.earned, match.viewers()))
        assert len(never_seen) == 2 + 1 + 1, "two cards, a role and a plot"
