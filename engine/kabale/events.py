"""What happens in a match of Kabale und Hiebe, as its readers are told.

Each event is public but for ``you``: what the seat that reads it learns beyond the others.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from engine.game import Learned, PublicEvent, Seat
from engine.kabale.column_scoring import KabaleScoredColumn
from engine.kabale.components import Character, Goal
from engine.kabale.moves import AbilityKind
from engine.kabale.state import RoundEnding


class KabaleCards(Learned, frozen=True, kw_only=True):
    """Own cards, in the order in which they were drawn."""

    cards: list[Character]


class KabaleCard(Learned, frozen=True, kw_only=True):
    """An own card that the others do not see."""

    card: Character


class KabaleDealt(PublicEvent, frozen=True, kw_only=True, tag="kabale_dealt"):
    """The match is set up; every seat has drawn its first hand.

    Attributes:
        hand_size: of every seat.
        draw_pile_size: of every seat.
        goal_stack_size: before the first goals are revealed.
    """

    seats: int
    hand_size: int
    draw_pile_size: int
    goal_stack_size: int
    you: KabaleCards | None = None


class GoalsRevealed(PublicEvent, frozen=True, kw_only=True, tag="goals_revealed"):
    """A round begins.

    Attributes:
        goals: each heads an empty column, from left to right.
    """

    round: int
    goals: list[Goal]
    goal_stack_size: int


class KabaleTurnBegun(PublicEvent, frozen=True, kw_only=True, tag="kabale_turn_begun"):
    """A seat is on turn."""

    seat: Seat


class KabaleSeatSkipped(PublicEvent, frozen=True, kw_only=True, tag="kabale_seat_skipped"):
    """A seat has no card and cannot get one."""

    seat: Seat


class CardPlaced(PublicEvent, frozen=True, kw_only=True, tag="card_placed"):
    """The seat on turn laid a card face down at the end of a column."""

    seat: Seat
    column: int
    slot: int
    you: KabaleCard | None = None


class CardTurnedUp(PublicEvent, frozen=True, kw_only=True, tag="card_turned_up"):
    """The card above a new one was turned up."""

    owner: Seat
    column: int
    slot: int
    character: Character


class CardKilled(PublicEvent, frozen=True, kw_only=True, tag="card_killed"):
    """An Assassin sent the card below it to its owner's discard pile, face down.

    Attributes:
        character: ``explorer`` if it had just arrived by moving; else null, for only the owner knows the card.
    """

    owner: Seat
    column: int
    slot: int
    character: Character | None
    you: KabaleCard | None = None


class ExplorerMoved(PublicEvent, frozen=True, kw_only=True, tag="explorer_moved"):
    """An Explorer left its column, where the cards below close up, and lies face down at the end of another.

    Attributes:
        origin: the column that it left.
        origin_slot: its place there.
        to: the column that it went to.
        slot: its new place.
    """

    owner: Seat
    origin: int = msgspec.field(name="from")
    origin_slot: int
    to: int
    slot: int


class ColumnClosed(PublicEvent, frozen=True, kw_only=True, tag="column_closed"):
    """A Storm closed its column."""

    column: int


class AbilityOffered(PublicEvent, frozen=True, kw_only=True, tag="ability_offered"):
    """The turn waits for the owner of a Traitor or Disguise that was turned up."""

    seat: Seat
    kind: AbilityKind
    column: int
    slot: int


class GoalsSwapped(PublicEvent, frozen=True, kw_only=True, tag="goals_swapped"):
    """The Traitor's owner let the goals of two columns change places."""

    seat: Seat
    columns: list[int]


class SwapDeclined(PublicEvent, frozen=True, kw_only=True, tag="swap_declined"):
    """The Traitor's owner left the goals where they are."""

    seat: Seat


class CardTucked(PublicEvent, frozen=True, kw_only=True, tag="card_tucked"):
    """The Disguise's owner laid a card face down under it."""

    seat: Seat
    column: int
    slot: int
    you: KabaleCard | None = None


class TuckDeclined(PublicEvent, frozen=True, kw_only=True, tag="tuck_declined"):
    """The Disguise's owner laid nothing under it."""

    seat: Seat


class OwnPileShuffled(PublicEvent, frozen=True, kw_only=True, tag="own_pile_shuffled"):
    """A seat's draw pile was empty when it had to draw: its discard pile became the new one."""

    seat: Seat
    draw_pile_size: int


class InfluenceDrawn(PublicEvent, frozen=True, kw_only=True, tag="influence_drawn"):
    """A seat drew influence cards; it alone sees which. ``count`` is what it really got."""

    seat: Seat
    count: int
    you: KabaleCards | None = None


class KabaleRoundEnded(PublicEvent, frozen=True, kw_only=True, tag="kabale_round_ended"):
    """A round is over; its columns are scored next.

    Attributes:
        ended_by: the seat whose turn was the last.
    """

    round: int
    ended_by: Seat
    ending: RoundEnding


class ColumnScored(PublicEvent, frozen=True, kw_only=True, tag="column_scored"):
    """A column was turned up and scored, and its influence cards went to their owners' discard piles."""

    column: int
    scored: KabaleScoredColumn


class KabaleEnded(PublicEvent, frozen=True, kw_only=True, tag="kabale_ended"):
    """The match is over; the final scores, in seat order."""

    scores: list[int]


KabaleEvent: TypeAlias = (
    KabaleDealt
    | GoalsRevealed
    | KabaleTurnBegun
    | KabaleSeatSkipped
    | CardPlaced
    | CardTurnedUp
    | CardKilled
    | ExplorerMoved
    | ColumnClosed
    | AbilityOffered
    | GoalsSwapped
    | SwapDeclined
    | CardTucked
    | TuckDeclined
    | OwnPileShuffled
    | InfluenceDrawn
    | KabaleRoundEnded
    | ColumnScored
    | KabaleEnded
)
