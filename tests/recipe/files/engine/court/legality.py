"""Which answers are legal. :func:`check` alone knows; the list of legal moves is what it lets through."""

from __future__ import annotations

from typing import Final

from engine.court.moves import CourtMove, DeclineFavour, LayFavour
from engine.court.state import CourtState
from engine.game import IllegalMove, Seat, let_through

REFUSALS: Final = ("not-your-turn", "card-not-in-hand")
"""Every reason that :func:`check` gives, in the order in which it looks."""


def deciding(state: CourtState) -> tuple[Seat, ...]:
    """The seat that is due. That depends on nothing secret."""
    return (state.turn,) if state.phase() != "over" else ()


def check(state: CourtState, seat: Seat, move: CourtMove) -> None:
    """Let a legal move pass.

    Raises:
        IllegalMove: with one of :data:`REFUSALS`.
    """
    if seat not in deciding(state):
        raise IllegalMove("not-your-turn")
    if isinstance(move, LayFavour) and move.favour not in state.players[seat].hand:
        raise IllegalMove("card-not-in-hand")


def legal_moves(state: CourtState, seat: Seat) -> list[CourtMove]:
    """Every legal move of a seat; empty unless it is deciding."""
    favours = [LayFavour(favour=favour) for favour in state.players[seat].hand]
    return let_through(check, state, seat, [*favours, DeclineFavour()])
