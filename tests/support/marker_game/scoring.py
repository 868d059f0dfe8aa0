"""Who wins: the least exposed; among them, whose role comes first in the alphabet."""

from __future__ import annotations

from engine.game import Result, SeatResult
from support.marker_game.state import MarkerGameState


def result(state: MarkerGameState) -> Result | None:
    """``None`` before the end."""
    if state.phase != "over":
        return None
    seats = range(len(state.players))
    order = sorted(seats, key=lambda seat: (len(state.players[seat].exposed), state.roles[seat]))
    return Result(
        ending="all_rounds",
        seats=[
            SeatResult(
                seat=seat,
                won=seat == order[0],
                reason="least_exposed" if seat == order[0] else "more_exposed",
                rank=1 + order.index(seat),
            )
            for seat in seats
        ],
    )
