"""What the viewers of a match of Kabale und Hiebe may see (rules, section 13).

Everything here is built field by field from the state; nothing is copied and then blanked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec

from engine.game import Hand, Seat
from engine.kabale.column_scoring import KabaleScoredColumn, score_column
from engine.kabale.components import COMPONENTS, Character, Goal
from engine.kabale.scoring import score
from engine.kabale.state import (
    KabaleState,
    LastRound,
    Pending,
    Phase,
    RoundEnding,
)

_ROUNDS_REMEMBERED: Final = 512
"""For how many matches a process remembers how the latest round was scored: to score it takes longer than the rest."""


class KabaleSlot(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An influence card in a column; its slot is its place in the list.

    Attributes:
        character: null while it is hidden. A card that lies face down is named only if it is an Explorer that
            arrived here by moving: everybody has seen it.
        tucked: whether another card of the owner is tucked under it, hidden until scoring.
    """

    owner: Seat
    face_up: bool
    character: Character | None
    tucked: bool


class KabaleColumn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A goal and the influence cards below it; the column's number is its place in the list.

    Attributes:
        closed: a Storm was turned up in it; no card may be added.
        fulfilled: it has as many cards as its goal demands, or is closed.
        slots: the first one is nearest the goal.
    """

    goal: Goal
    closed: bool
    fulfilled: bool
    slots: list[KabaleSlot]


class KabaleSeat(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies open of one seat.

    Attributes:
        goals: the goal cards it has won, sorted.
        score: what they are worth, if it wins no more.
    """

    seat: Seat
    hand_size: int
    draw_pile_size: int
    discard_pile_size: int
    goals: list[Goal]
    score: int


class KabalePending(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The Traitor or Disguise about which its owner decides before the turn goes on.

    Attributes:
        seat: the owner.
        column: where the card lies.
        slot: its place in the column.
    """

    seat: Seat
    column: int
    slot: int


class KabaleLastRound(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How the latest round was scored.

    Attributes:
        ended_by: the seat whose turn was the last.
        columns: from left to right.
    """

    round: int
    ended_by: Seat
    ending: RoundEnding
    columns: list[KabaleScoredColumn]


class KabaleTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies open for everybody.

    Attributes:
        round: from 1 to ``rounds``.
        phase: what the match waits for.
        turn: the seat on turn; null after the end.
        pending: null unless the owner of a Traitor or Disguise has to decide.
        columns: from left to right; none after the end.
        lost_goals: the goals that nobody could take, sorted.
        last_round: null until a round has been scored.
    """

    round: int
    rounds: int
    phase: Phase
    turn: Seat | None
    pending: KabalePending | None
    columns: list[KabaleColumn]
    seats: list[KabaleSeat]
    goal_stack_size: int
    lost_goals: list[Goal]
    last_round: KabaleLastRound | None


class KabaleOwnCard(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An own card that lies face down in a column, or is tucked under another one."""

    column: int
    slot: int
    character: Character


class KabaleHand(Hand, frozen=True, kw_only=True):
    """What one seat alone knows.

    Attributes:
        hand: its cards, sorted.
        face_down: its cards that lie face down in columns, by column and slot.
        tucked: its cards that are tucked under a Disguise, by column and slot.
        discard_pile: its discard pile, sorted.
        undrawn: the cards left in its draw pile, sorted; nobody knows their order.
    """

    hand: list[Character]
    face_down: list[KabaleOwnCard]
    tucked: list[KabaleOwnCard]
    discard_pile: list[Character]
    undrawn: list[Character]


def table(state: KabaleState) -> KabaleTable:
    """What lies open for everybody."""
    last = state.last_round
    return KabaleTable(
        round=state.round,
        rounds=COMPONENTS.rounds,
        phase=state.phase,
        turn=None if state.phase == "over" else state.turn,
        pending=_pending(state.pending),
        columns=_columns(state),
        seats=_seats(state),
        goal_stack_size=len(state.goal_stack),
        lost_goals=sorted(state.lost_goals),
        last_round=None
        if last is None
        else _last_round(last, len(state.players), witch_spares_witches=state.options.witch_spares_witches),
    )


def hand(state: KabaleState, seat: Seat) -> KabaleHand:
    """What this seat alone knows."""
    player = state.players[seat]
    face_down: list[KabaleOwnCard] = []
    tucked: list[KabaleOwnCard] = []
    for number, column in enumerate(state.columns):
        for place, slot in enumerate(column.slots):
            if slot.owner == seat:
                if not slot.face_up:
                    face_down.append(KabaleOwnCard(column=number, slot=place, character=slot.character))
                if slot.tucked:
                    tucked.append(KabaleOwnCard(column=number, slot=place, character=slot.tucked))
    return KabaleHand(
        seat=seat,
        hand=sorted(player.hand),
        face_down=face_down,
        tucked=tucked,
        discard_pile=sorted(player.discard_pile),
        undrawn=sorted(player.draw_pile),
    )


def _pending(pending: Pending | None) -> KabalePending | None:
    if pending is None:
        return None
    return KabalePending(seat=pending.seat, column=pending.column, slot=pending.slot)


def _columns(state: KabaleState) -> list[KabaleColumn]:
    return [
        KabaleColumn(
            goal=column.goal,
            closed=column.closed,
            fulfilled=column.fulfilled(),
            slots=[
                KabaleSlot(
                    owner=slot.owner,
                    face_up=slot.face_up,
                    character=slot.character if slot.face_up or slot.moved else None,
                    tucked=slot.tucked is not None,
                )
                for slot in column.slots
            ],
        )
        for column in state.columns
    ]


def _seats(state: KabaleState) -> list[KabaleSeat]:
    return [
        KabaleSeat(
            seat=seat,
            hand_size=len(player.hand),
            draw_pile_size=len(player.draw_pile),
            discard_pile_size=len(player.discard_pile),
            goals=sorted(player.goals),
            score=score(player.goals, state.options),
        )
        for seat, player in enumerate(state.players)
    ]


@lru_cache(maxsize=_ROUNDS_REMEMBERED)
def _last_round(last: LastRound, seats: int, *, witch_spares_witches: bool) -> KabaleLastRound:
    """How the latest round was scored; every look at a match until the next one is scored shows it again."""
    return KabaleLastRound(
        round=last.round,
        ended_by=last.ended_by,
        ending=last.ending,
        columns=[score_column(column, seats, witch_spares_witches=witch_spares_witches) for column in last.columns],
    )
