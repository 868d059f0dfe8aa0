"""What cards do when they are turned up during a turn (rules, section 6).

They do nothing of this when they are turned up for scoring.
"""

from __future__ import annotations

from bisect import insort
from typing import TypeAlias

from engine.game import Event, Seat, openly, secretly
from engine.kabale.events import (
    AbilityOffered,
    CardKilled,
    CardTucked,
    CardTurnedUp,
    ColumnClosed,
    ExplorerMoved,
    GoalsSwapped,
    KabaleCard,
    KabaleEvent,
    SwapDeclined,
    TuckDeclined,
)
from engine.kabale.moves import AbilityKind, DeclineSwap, DeclineTuck, SwapGoals, TuckCard
from engine.kabale.state import KabaleState, Pending

Log: TypeAlias = list[Event[KabaleEvent]]


def turn_up(state: KabaleState, column: int) -> Log:
    """Turn up the card above the last one of a column, if it is face down, and resolve it with all that follows.

    ``state.pending`` says whether somebody has to decide before the turn can go on: at most one, as the last link.
    """
    log: Log = []
    moved: set[Seat] = set()
    here: int | None = column
    while here is not None:
        slots = state.columns[here].slots
        above = len(slots) - 2
        if above < 0 or slots[above].face_up:
            break
        card = slots[above]
        card.face_up = True
        card.moved = False
        log.append(openly(CardTurnedUp(owner=card.owner, column=here, slot=above, character=card.character)))
        if card.character == "explorer":
            here = _move_explorer(state, here, above, moved, log)
        else:
            log += _resolve(state, here, above)
            here = None
    return log


def _resolve(state: KabaleState, column: int, slot: int) -> Log:
    """The ability of a card that was turned up, if it has one that works now; any but the Explorer's."""
    card = state.columns[column].slots[slot]
    match card.character:
        case "assassin":
            return [_kill(state, column)]
        case "storm":
            state.columns[column].closed = True
            return [openly(ColumnClosed(column=column))]
        case "traitor":
            return [_ask(state, "swap_goals", column, slot)]
        case "disguise" if state.players[card.owner].hand:
            return [_ask(state, "tuck_card", column, slot)]
        case _:
            return []


def _ask(state: KabaleState, kind: AbilityKind, column: int, slot: int) -> Event[KabaleEvent]:
    """Let the turn wait for the owner of a card."""
    owner = state.columns[column].slots[slot].owner
    state.phase = kind
    state.pending = Pending(seat=owner, column=column, slot=slot)
    return openly(AbilityOffered(seat=owner, kind=kind, column=column, slot=slot))


def _kill(state: KabaleState, column: int) -> Event[KabaleEvent]:
    """The Assassin's: the last card goes to its owner's discard pile, as face down as it lay."""
    slots = state.columns[column].slots
    victim = slots.pop()
    insort(state.players[victim.owner].discard_pile, victim.character)
    killed = CardKilled(
        owner=victim.owner,
        column=column,
        slot=len(slots),
        character=victim.character if victim.moved else None,
    )
    return secretly(killed, {victim.owner: KabaleCard(card=victim.character)})


# --- the Explorer ---


def _move_explorer(state: KabaleState, column: int, slot: int, moved: set[Seat], log: Log) -> int | None:
    """Move an Explorer on; the column that it went to, or ``None`` if it stays, face up.

    Args:
        moved: the owners of the Explorers that have moved this turn; each moves at most once.
        log: is continued.
    """
    explorer = state.columns[column].slots[slot]
    target = _next_open_column(state, column)
    if target is None or explorer.owner in moved:
        return None
    moved.add(explorer.owner)
    del state.columns[column].slots[slot]
    explorer.face_up = False
    explorer.moved = True
    state.columns[target].slots.append(explorer)
    log.append(
        openly(
            ExplorerMoved(
                owner=explorer.owner,
                origin=column,
                origin_slot=slot,
                to=target,
                slot=len(state.columns[target].slots) - 1,
            )
        )
    )
    return target


def _next_open_column(state: KabaleState, column: int) -> int | None:
    """The next column to the right that no Storm closed, from the last on to the first; never the same one."""
    count = len(state.columns)
    for step in range(1, count):
        other = (column + step) % count
        if not state.columns[other].closed:
            return other
    return None


# --- the owners' decisions ---


def decide_swap(state: KabaleState, seat: Seat, move: SwapGoals | DeclineSwap) -> Event[KabaleEvent]:
    """The Traitor's: two goals change places, nothing else does; the move is legal."""
    state.pending = None
    match move:
        case SwapGoals():
            one, other = (state.columns[column] for column in move.columns)
            one.goal, other.goal = other.goal, one.goal
            return openly(GoalsSwapped(seat=seat, columns=list(move.columns)))
        case DeclineSwap():
            return openly(SwapDeclined(seat=seat))


def decide_tuck(state: KabaleState, seat: Seat, move: TuckCard | DeclineTuck) -> Event[KabaleEvent]:
    """The Disguise's: a card of the hand shares its slot, adding nothing to the column; the move is legal."""
    pending = state.pending
    assert pending is not None
    state.pending = None
    match move:
        case TuckCard():
            state.players[seat].hand.remove(move.card)
            state.columns[pending.column].slots[pending.slot].tucked = move.card
            tucked = CardTucked(seat=seat, column=pending.column, slot=pending.slot)
            return secretly(tucked, {seat: KabaleCard(card=move.card)})
        case DeclineTuck():
            return openly(TuckDeclined(seat=seat))
