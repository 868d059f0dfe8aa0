"""What the viewers of a match of Court may see, made field by field: nothing is copied and then blanked."""

from __future__ import annotations

import msgspec

from engine.court.components import Favour, Side
from engine.court.state import CourtState, Phase
from engine.game import Hand, Seat


class CourtSeat(msgspec.Struct, frozen=True, kw_only=True):
    """What lies open of one seat.

    Attributes:
        has_laid: null before its turn.
        side: null before the end.
        laid: null before the end, and for nothing.
    """

    seat: Seat
    has_laid: bool | None
    side: Side | None
    laid: Favour | None


class CourtTable(msgspec.Struct, frozen=True, kw_only=True):
    """What lies open for everybody.

    Attributes:
        turn: the seat that is due; null after the end.
    """

    phase: Phase
    turn: Seat | None
    seats: list[CourtSeat]


class CourtHand(Hand, frozen=True, kw_only=True):
    """What one seat alone knows.

    Attributes:
        hand: sorted.
        laid: the favour that it has laid; null for none.
    """

    side: Side
    hand: list[Favour]
    laid: Favour | None


def table(state: CourtState) -> CourtTable:
    """What lies open for everybody."""
    over = state.phase() == "over"
    seats = [
        CourtSeat(
            seat=seat,
            has_laid=player.laid is not None if seat < state.turn else None,
            side=player.side if over else None,
            laid=player.laid if over else None,
        )
        for seat, player in enumerate(state.players)
    ]
    return CourtTable(phase=state.phase(), turn=None if over else state.turn, seats=seats)


def hand(state: CourtState, seat: Seat) -> CourtHand:
    """What this seat alone knows."""
    player = state.players[seat]
    return CourtHand(seat=seat, side=player.side, hand=list(player.hand), laid=player.laid)
