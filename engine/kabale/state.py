"""Everything there is to know about a running match of Kabale und Hiebe, secrets included."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.game import Seat, State
from engine.kabale.components import VALUES, Character, Goal
from engine.kabale.options import KabaleOptions

Phase: TypeAlias = Literal["place_card", "swap_goals", "tuck_card", "over"]
"""What the match waits for: the kind of decision that is due, or ``over``."""

RoundEnding: TypeAlias = Literal["all_columns_fulfilled", "no_cards_left"]


class Slot(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """An influence card in a column.

    Attributes:
        moved: it lies face down, but everybody knows it: an Explorer that arrived here by moving.
        tucked: the card tucked under a Disguise; always the owner's.
    """

    owner: Seat
    character: Character
    face_up: bool = False
    moved: bool = False
    tucked: Character | None = None


class Column(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A goal and the influence cards below it.

    Attributes:
        closed: a Storm was turned up in it.
        slots: the first one is nearest the goal. Only the last one can be face down.
    """

    goal: Goal
    closed: bool = False
    slots: list[Slot] = []

    def fulfilled(self) -> bool:
        """Whether it has as many cards as its goal demands, or is closed (rules, section 7)."""
        return self.closed or len(self.slots) >= VALUES[self.goal]


class Player(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What belongs to one seat but lies in no column.

    Attributes:
        hand: sorted.
        draw_pile: the next card is the last one.
        discard_pile: sorted.
        goals: won, sorted.
    """

    hand: list[Character]
    draw_pile: list[Character]
    discard_pile: list[Character] = []
    goals: list[Goal] = []


class Pending(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """The Traitor or Disguise about which its owner has to decide."""

    seat: Seat
    column: int
    slot: int


class LaidCard(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A card of a column that has been scored; all of it is public."""

    owner: Seat
    character: Character
    tucked: Character | None = None


class LaidColumn(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A column that has been scored: the goal and the cards it was about. How it was scored follows from them."""

    goal: Goal
    cards: tuple[LaidCard, ...]


class LastRound(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True, cache_hash=True):
    """The latest round that has been scored. Views look its scoring up by it, hence the remembered hash.

    Attributes:
        ended_by: the seat whose turn ended it.
        columns: from left to right.
    """

    round: int
    ended_by: Seat
    ending: RoundEnding
    columns: tuple[LaidColumn, ...]


class KabaleState(State, kw_only=True):
    """A match of Kabale und Hiebe.

    Attributes:
        round: from 1 to 6.
        turn: the seat on turn; after the end, the one that played the last turn.
        pending: what somebody has to decide about before the turn goes on; null while a card is to be placed.
        columns: from left to right; none after the end.
        goal_stack: the next goal is the last one.
        unused_goals: put back unseen at the set-up, sorted.
        lost_goals: those that nobody could take, sorted.
    """

    options: KabaleOptions
    phase: Phase
    round: int
    turn: Seat
    pending: Pending | None
    columns: list[Column]
    players: list[Player]
    goal_stack: list[Goal]
    unused_goals: list[Goal]
    lost_goals: list[Goal]
    last_round: LastRound | None = None
