"""What happens in a match of Inside Job, as its readers are told.

Each event is public but for ``you``: what the seat that reads it learns beyond the others.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.game import Learned, PublicEvent, Seat
from engine.inside_job.ids import Card, Mission, Role, SpecialRole
from engine.inside_job.state import Ending, Winner


class DealtRoleAndHand(Learned, frozen=True, kw_only=True):
    """The role card and the cards that a seat was dealt, by suit and rank."""

    role: Role
    hand: list[Card]


class InsideJobDealt(PublicEvent, frozen=True, kw_only=True, tag="inside_job_dealt"):
    """The match is set up.

    Attributes:
        special_roles: those in play, sorted; nobody is told who has them.
        tokens: the intel that each seat begins with, in seat order.
        hand_size: cards dealt to each seat.
        undealt_size: cards that stay out of the game.
    """

    start_seat: Seat
    special_roles: list[SpecialRole]
    tokens: list[int]
    supply: int
    hand_size: int
    undealt_size: int
    mission_deck_size: int
    tricks: int
    missions_needed: int
    intel_limit: int
    you: DealtRoleAndHand | None = None


TurnedUpBy: TypeAlias = Literal["set_up", "intel"]


class RoleTurnedUp(PublicEvent, frozen=True, kw_only=True, tag="role_turned_up"):
    """A role card lies face-up from now on: at the set-up, or because its owner has collected too much intel."""

    seat: Seat
    role: Role
    cause: TurnedUpBy


class PartnerRole(Learned, frozen=True, kw_only=True):
    """What the role card of the Accomplice's partner shows."""

    role: Role


class PartnerChosen(PublicEvent, frozen=True, kw_only=True, tag="partner_chosen"):
    """The Accomplice pointed at a partner, and has looked at the partner's role card."""

    seat: Seat
    partner: Seat
    you: PartnerRole | None = None


class DrawnMissions(Learned, frozen=True, kw_only=True):
    """The two missions that the start player drew, sorted."""

    missions: list[Mission]


class MissionsDrawn(PublicEvent, frozen=True, kw_only=True, tag="missions_drawn"):
    """A trick begins: its start player drew two missions, and alone sees which."""

    trick: int
    seat: Seat
    mission_deck_size: int
    you: DrawnMissions | None = None


class DiscardedMission(Learned, frozen=True, kw_only=True):
    """The mission that the start player did not choose."""

    discarded: Mission


class MissionChosen(PublicEvent, frozen=True, kw_only=True, tag="mission_chosen"):
    """The start player chose the mission of this trick; the other one is out of the game, unseen."""

    seat: Seat
    mission: Mission
    you: DiscardedMission | None = None


class TrickCardPlayed(PublicEvent, frozen=True, kw_only=True, tag="trick_card_played"):
    """A seat played a card.

    Attributes:
        wager: it laid one of its intel tokens on the card.
    """

    seat: Seat
    card: Card
    wager: bool


class TrickCompleted(PublicEvent, frozen=True, kw_only=True, tag="trick_completed"):
    """All have played.

    Attributes:
        winner: who won the trick.
        succeeded: whether the mission did.
        intel: the tokens that the winner took, wagered ones included; the Accomplice takes none.
        supply: the tokens left in the supply.
    """

    trick: int
    mission: Mission
    winner: Seat
    succeeded: bool
    intel: int
    supply: int


class IntelStolen(PublicEvent, frozen=True, kw_only=True, tag="intel_stolen"):
    """Tim Shady was revealed and took a token from the player on his right."""

    seat: Seat
    victim: Seat


class VoteOpened(PublicEvent, frozen=True, kw_only=True, tag="vote_opened"):
    """The last trick is played and no side has won: these seats vote, all at the same time."""

    voters: list[Seat]


class OwnVote(Learned, frozen=True, kw_only=True):
    """The seats that a seat voted for, ascending."""

    targets: list[Seat]


class VoteCast(PublicEvent, frozen=True, kw_only=True, tag="vote_cast"):
    """A seat has voted; for whom, it alone knows."""

    seat: Seat
    you: OwnVote | None = None


class VotesShown(PublicEvent, frozen=True, kw_only=True, tag="votes_shown"):
    """All have voted: the seats that each voted for, in seat order; null for who had no vote."""

    votes: list[list[Seat] | None]


class InsideJobEnded(PublicEvent, frozen=True, kw_only=True, tag="inside_job_ended"):
    """The match is over.

    Attributes:
        winner: the side that has won; neutral roles may win with it or against it.
        roles: what every role card shows, in seat order.
    """

    ending: Ending
    winner: Winner
    roles: list[Role]


InsideJobEvent: TypeAlias = (
    InsideJobDealt
    | RoleTurnedUp
    | PartnerChosen
    | MissionsDrawn
    | MissionChosen
    | TrickCardPlayed
    | TrickCompleted
    | IntelStolen
    | VoteOpened
    | VoteCast
    | VotesShown
    | InsideJobEnded
)
