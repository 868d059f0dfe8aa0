"""What happens in a match of Verräter, as its readers are told.

Each event is public but for ``you``: what the seat that reads it learns beyond the others.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.game import Learned, PublicEvent, Seat
from engine.verraeter.components import Action, House, LandscapeType, Side, Supply
from engine.verraeter.state import Ending

DrawSource: TypeAlias = Literal["diplomat_2", "farmer", "farms"]
PointSource: TypeAlias = Literal["landscapes", "traitor", "strategist", "trading_posts"]


class DealtLandscape(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A landscape as it was laid out."""

    type: LandscapeType
    house: House


class VerraeterDealt(PublicEvent, frozen=True, kw_only=True, tag="verraeter_dealt"):
    """The match is set up. Everybody's first hand is the same and known to all.

    Attributes:
        landscapes: the circle, by position.
        houses: what each seat's allegiance card shows, in seat order.
        hand: the supply cards that every seat begins with.
        draw_pile_size: how many cards are left face down.
    """

    start_seat: Seat
    strategist_seat: Seat
    landscapes: list[DealtLandscape]
    houses: list[House]
    hand: list[Supply]
    draw_pile_size: int


class FarmPlaced(PublicEvent, frozen=True, kw_only=True, tag="farm_placed"):
    """Set-up: a seat laid its first farm."""

    seat: Seat
    landscape: int


class ConflictDeclared(PublicEvent, frozen=True, kw_only=True, tag="conflict_declared"):
    """Phase 1. One action card has been put face down in the middle, seen by nobody."""

    seat: Seat
    border: int


class OfferedActions(Learned, frozen=True, kw_only=True):
    """The action cards that a seat may choose from, sorted."""

    actions: list[Action]


class ActionsOffered(PublicEvent, frozen=True, kw_only=True, tag="actions_offered"):
    """Phase 2: action cards were handed to a seat, which alone sees which."""

    seat: Seat
    count: int
    you: OfferedActions | None = None


class KeptAction(Learned, frozen=True, kw_only=True):
    """The action card that a seat kept."""

    action: Action


class ActionDrafted(PublicEvent, frozen=True, kw_only=True, tag="action_drafted"):
    """Phase 2: a seat kept one action card, face down."""

    seat: Seat
    middle_size: int
    you: KeptAction | None = None


class SuppliesPlayed(PublicEvent, frozen=True, kw_only=True, tag="supplies_played"):
    """Phase 3: a seat played supply cards, face up; none at all is possible."""

    seat: Seat
    cards: list[Supply]


class ActionsRevealed(PublicEvent, frozen=True, kw_only=True, tag="actions_revealed"):
    """Phase 4: the chosen action cards, in seat order. The middle stays hidden for good."""

    actions: list[Action]


class AllegianceChanged(PublicEvent, frozen=True, kw_only=True, tag="allegiance_changed"):
    """Phase 4: the Traitor's owner went over to the other house."""

    seat: Seat
    house: House


class ConflictResolved(PublicEvent, frozen=True, kw_only=True, tag="conflict_resolved"):
    """Phase 5: the totals, and the winning house; null after equal totals."""

    border: int
    eagle: int
    rose: int
    winner: House | None


class DrawnSupplies(Learned, frozen=True, kw_only=True):
    """The supply cards that a seat drew, ascending: as the hand shows them, which tells no order either."""

    cards: list[Supply]


class SuppliesDrawn(PublicEvent, frozen=True, kw_only=True, tag="supplies_drawn"):
    """A seat drew supply cards; it alone sees which. ``count`` is what it really got."""

    seat: Seat
    source: DrawSource
    count: int
    you: DrawnSupplies | None = None


class DiscardPileShuffled(PublicEvent, frozen=True, kw_only=True, tag="discard_pile_shuffled"):
    """The draw pile was empty when a card had to be drawn: the discard pile became the new one."""

    draw_pile_size: int


class PointsScored(PublicEvent, frozen=True, kw_only=True, tag="points_scored"):
    """A seat scored victory points; ``score`` is what it has now."""

    seat: Seat
    source: PointSource
    points: int
    score: int


class LandscapeTurned(PublicEvent, frozen=True, kw_only=True, tag="landscape_turned"):
    """Phase 6: the defeated landscape now belongs to the other house."""

    landscape: int
    house: House


class BuildingPlaced(PublicEvent, frozen=True, kw_only=True, tag="building_placed"):
    """Phase 7: a building from the reserve was laid."""

    seat: Seat
    landscape: int
    side: Side


class BuildingMoved(PublicEvent, frozen=True, kw_only=True, tag="building_moved"):
    """Phase 7: a building was moved."""

    seat: Seat
    origin: int = msgspec.field(name="from")
    to: int


class BuildingTurned(PublicEvent, frozen=True, kw_only=True, tag="building_turned"):
    """Phase 7: a building was turned; ``side`` is what it shows now."""

    seat: Seat
    landscape: int
    side: Side


class BuildDeclined(PublicEvent, frozen=True, kw_only=True, tag="build_declined"):
    """Phase 7: the Builder's owner left it unused."""

    seat: Seat


class StrategyCardTaken(PublicEvent, frozen=True, kw_only=True, tag="strategy_card_taken"):
    """Phase 8: the Strategist's owner took the Strategy and the Conflict card."""

    seat: Seat


class RoundEnded(PublicEvent, frozen=True, kw_only=True, tag="round_ended"):
    """Phases 10 to 13 are done: what was played is discarded, the start player card has moved on.

    Attributes:
        round: the round that begins.
        start_seat: its start player.
    """

    round: int
    start_seat: Seat


class VerraeterEnded(PublicEvent, frozen=True, kw_only=True, tag="verraeter_ended"):
    """The match is over; the final scores, in seat order."""

    ending: Ending
    scores: list[int]


VerraeterEvent: TypeAlias = (
    VerraeterDealt
    | FarmPlaced
    | ConflictDeclared
    | ActionsOffered
    | ActionDrafted
    | SuppliesPlayed
    | ActionsRevealed
    | AllegianceChanged
    | ConflictResolved
    | SuppliesDrawn
    | DiscardPileShuffled
    | PointsScored
    | LandscapeTurned
    | BuildingPlaced
    | BuildingMoved
    | BuildingTurned
    | BuildDeclined
    | StrategyCardTaken
    | RoundEnded
    | VerraeterEnded
)
