"""Which answers to a decision are legal (rules, sections 5, 6 and 14).

:func:`check` is the only place that knows; the list of legal moves is what it lets through.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from engine.game import IllegalMove, Seat, let_through
from engine.kabale.moves import DeclineSwap, DeclineTuck, KabaleMove, PlaceCard, SwapGoals, TuckCard
from engine.kabale.state import KabaleState

REFUSALS: Final = (
    "not-your-turn",
    "wrong-kind-of-move",
    "no-such-column",
    "column-closed",
    "card-not-in-hand",
    "same-column-twice",
    "columns-not-ascending",
    "not-the-traitors-column",
)
"""Every reason that :func:`check` gives, in the order in which it looks."""

_KIND_OF_MOVE: Final = {
    PlaceCard: "place_card",
    SwapGoals: "swap_goals",
    DeclineSwap: "swap_goals",
    TuckCard: "tuck_card",
    DeclineTuck: "tuck_card",
}


def deciding_seat(state: KabaleState) -> Seat | None:
    """The one seat that owes a decision; ``None`` after the end."""
    if state.phase == "over":
        return None
    return state.turn if state.pending is None else state.pending.seat


def check(state: KabaleState, seat: Seat, move: KabaleMove) -> None:
    """Let a legal move pass.

    Raises:
        IllegalMove: with one of :data:`REFUSALS`.
    """
    if seat != deciding_seat(state):
        raise IllegalMove("not-your-turn")
    if _KIND_OF_MOVE[type(move)] != state.phase:
        raise IllegalMove("wrong-kind-of-move")
    match move:
        case PlaceCard():
            if move.column >= len(state.columns):
                raise IllegalMove("no-such-column")
            if state.columns[move.column].closed:
                raise IllegalMove("column-closed")
            if move.card not in state.players[seat].hand:
                raise IllegalMove("card-not-in-hand")
        case SwapGoals():
            _check_swap(state, move)
        case TuckCard():
            if move.card not in state.players[seat].hand:
                raise IllegalMove("card-not-in-hand")
        case DeclineSwap() | DeclineTuck():
            pass


def _check_swap(state: KabaleState, move: SwapGoals) -> None:
    """Two different goals on the table, or the Traitor's and another one (ruling D2)."""
    one, other = move.columns
    if max(move.columns) >= len(state.columns):
        raise IllegalMove("no-such-column")
    if one == other:
        raise IllegalMove("same-column-twice")
    if one > other:
        raise IllegalMove("columns-not-ascending")
    assert state.pending is not None
    if state.options.traitor_swap == "own_column" and state.pending.column not in move.columns:
        raise IllegalMove("not-the-traitors-column")


def legal_moves(state: KabaleState, seat: Seat) -> list[KabaleMove]:
    """Every legal move of a seat, in a fixed order; empty unless the seat is deciding."""
    if seat != deciding_seat(state):
        return []
    return let_through(check, state, seat, _candidates(state, seat))


def _candidates(state: KabaleState, seat: Seat) -> Iterator[KabaleMove]:
    """Moves of the kind that is due; among them every legal one, each once."""
    hand = state.players[seat].hand
    columns = range(len(state.columns))
    match state.phase:
        case "place_card":
            yield from (PlaceCard(card=card, column=column) for card in hand for column in columns)
        case "swap_goals":
            yield from (SwapGoals(columns=pair) for pair in combinations(columns, 2))
            yield DeclineSwap()
        case "tuck_card":
            yield from (TuckCard(card=card) for card in hand)
            yield DeclineTuck()
        case "over":
            pass
