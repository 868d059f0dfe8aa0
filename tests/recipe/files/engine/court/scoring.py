"""Who wins: everybody on the side whose favours are worth more."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.court.components import SIDES, Side
from engine.court.state import CourtState
from engine.game import Result, SeatResult

Ending: TypeAlias = Literal["more_favours", "equal_favours"]
Reason: TypeAlias = Literal["side_won", "side_lost"]


def result(state: CourtState) -> Result | None:
    """``None`` before the end."""
    if state.phase() != "over":
        return None
    crown, rebels = (_worth(state, side) for side in SIDES)
    ending: Ending = "equal_favours" if crown == rebels else "more_favours"
    winner = state.options.tie if crown == rebels else "crown" if crown > rebels else "rebels"
    seats = []
    for seat, player in enumerate(state.players):
        won = player.side == winner
        reason: Reason = "side_won" if won else "side_lost"
        seats.append(SeatResult(seat=seat, won=won, reason=reason))
    return Result(ending=ending, seats=seats)


def _worth(state: CourtState, side: Side) -> int:
    return sum(player.laid or 0 for player in state.players if player.side == side)
