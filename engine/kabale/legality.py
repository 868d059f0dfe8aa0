"""Which answers to a decision are legal (rules, sections 5, 6 and 14).

:func:`check` says why a move is refused. The list of legal moves is what it lets through, but made directly: to try
out every candidate would be most of the work of a move. The tests compare the two over all moves that there are.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

from engine.game import IllegalMove, Seat
from engine.kabale.components import CHARACTERS, MOST_SEATS
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

_PLACINGS: Final = {card: [PlaceCard(card=card, column=number) for number in range(MOST_SEATS)] for card in CHARACTERS}
"""Every way to place a card, by card and column."""


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
    hand = state.players[seat].hand
    match state.phase:
        case "place_card":
            open_columns = [number for number, column in enumerate(state.columns) if not column.closed]
            return [_PLACINGS[card][number] for card in hand for number in open_columns]
        case "swap_goals":
            return [*(SwapGoals(columns=pair) for pair in _swaps(state)), DeclineSwap()]
        case "tuck_card":
            return [*(TuckCard(card=card) for card in hand), DeclineTuck()]
        case "over":
            return []


def _swaps(state: KabaleState) -> list[tuple[int, int]]:
    """The pairs of columns whose goals the Traitor may swap (ruling D2)."""
    assert state.pending is not None
    pairs = combinations(range(len(state.columns)), 2)
    if state.options.traitor_swap == "any_two":
        return list(pairs)
    return [pair for pair in pairs if state.pending.column in pair]
