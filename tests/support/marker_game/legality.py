"""Which answers to a decision are legal.

:func:`check` is the only place that knows; the list of legal moves is what it lets through.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.game import IllegalMove, Seat
from support.marker_game.moves import CastBallot, LayMark, MarkerGameMove, PeekMark
from support.marker_game.state import MarkerGameState, seats_in_turn

REFUSALS: Final = ("not-your-turn", "wrong-kind-of-move", "mark-not-in-hand", "no-such-neighbour", "ballot-not-held")
"""Every reason that :func:`check` gives, in the order in which it looks."""

_KIND_OF_MOVE: Final = {LayMark: "lay_mark", PeekMark: "peek_mark", CastBallot: "cast_ballot"}


def deciding(state: MarkerGameState) -> tuple[Seat, ...]:
    """The seats that owe a decision: one in turn, or in a vote all that have not voted."""
    match state.phase:
        case "lay_mark" | "peek_mark":
            return (seats_in_turn(state)[state.acted],)
        case "cast_ballot":
            return tuple(seat for seat, player in enumerate(state.players) if player.cast is None)
        case "over":
            return ()


def check(state: MarkerGameState, seat: Seat, move: MarkerGameMove) -> None:
    """Let a legal move pass.

    Raises:
        IllegalMove: with one of :data:`REFUSALS`. None of them tells where a mark is that the seat does not have.
    """
    if seat not in deciding(state):
        raise IllegalMove("not-your-turn")
    if _KIND_OF_MOVE[type(move)] != state.phase:
        raise IllegalMove("wrong-kind-of-move")
    player = state.players[seat]
    match move:
        case LayMark():
            if move.mark not in player.hand:
                raise IllegalMove("mark-not-in-hand")
        case PeekMark():
            if move.seat == seat or move.seat >= len(state.players):
                raise IllegalMove("no-such-neighbour")
        case CastBallot():
            if move.ballot not in player.ballots:
                raise IllegalMove("ballot-not-held")


def legal_moves(state: MarkerGameState, seat: Seat) -> list[MarkerGameMove]:
    """Every legal move of a seat, in a fixed order; empty unless the seat is deciding."""
    moves: list[MarkerGameMove] = []
    for move in _candidates(state, seat):
        try:
            check(state, seat, move)
        except IllegalMove:
            continue
        moves.append(move)
    return moves


def _candidates(state: MarkerGameState, seat: Seat) -> Iterator[MarkerGameMove]:
    """Moves of the kind that is due; among them every legal one, each once."""
    match state.phase:
        case "lay_mark":
            yield from (LayMark(mark=mark) for mark in state.players[seat].hand)
        case "peek_mark":
            yield from (PeekMark(seat=other) for other in range(len(state.players)))
        case "cast_ballot":
            yield from (CastBallot(ballot=ballot) for ballot in state.players[seat].ballots)
        case "over":
            pass
