"""What happens in a match of the marker game, as its readers are told.

Each event is public but for ``you``: what the seat that reads it learns beyond the others.
"""

from __future__ import annotations

from typing import TypeAlias

from engine.game import Learned, PublicEvent, Seat
from support.marker_game.components import Mark


class MarkerGameDealtCards(Learned, frozen=True, kw_only=True):
    """What a seat was dealt."""

    role: Mark
    hand: list[Mark]


class MarkerGameDealt(PublicEvent, frozen=True, kw_only=True, tag="marker_game_dealt"):
    """The match is set up."""

    seats: int
    rounds: int
    you: MarkerGameDealtCards | None = None


class MarkerGameOneMark(Learned, frozen=True, kw_only=True):
    """The mark that this is about."""

    mark: Mark


class MarkLaid(PublicEvent, frozen=True, kw_only=True, tag="mark_laid"):
    """A seat laid a card face down."""

    seat: Seat
    you: MarkerGameOneMark | None = None


class MarkDrawn(PublicEvent, frozen=True, kw_only=True, tag="mark_drawn"):
    """A seat drew a card, which it alone sees."""

    seat: Seat
    you: MarkerGameOneMark | None = None


class MarkPeeked(PublicEvent, frozen=True, kw_only=True, tag="mark_peeked"):
    """A seat looked at the card of another one; it alone reads which card it was."""

    seat: Seat
    target: Seat
    you: MarkerGameOneMark | None = None


class MarkerGameBallots(Learned, frozen=True, kw_only=True):
    """The papers of a seat, one for each candidate, in seat order."""

    ballots: list[Mark]


class BallotsHanded(PublicEvent, frozen=True, kw_only=True, tag="ballots_handed"):
    """Everybody was handed ballot papers, which nobody else can tell apart."""

    you: MarkerGameBallots | None = None


class BallotCast(PublicEvent, frozen=True, kw_only=True, tag="ballot_cast"):
    """A seat put one of its papers into the urn."""

    seat: Seat
    you: MarkerGameOneMark | None = None


class BallotsOpened(PublicEvent, frozen=True, kw_only=True, tag="ballots_opened"):
    """All have voted: the papers in the urn, and whom they name, in seat order."""

    ballots: list[Mark]
    votes: list[Seat]


class MarkExposed(PublicEvent, frozen=True, kw_only=True, tag="mark_exposed"):
    """The card of the seat that most papers name was turned up."""

    seat: Seat
    mark: Mark


class PlotGiven(PublicEvent, frozen=True, kw_only=True, tag="plot_given"):
    """The seat whose card was turned up was given a plot, which it alone reads."""

    seat: Seat
    you: MarkerGameOneMark | None = None


class MarkRoundBegun(PublicEvent, frozen=True, kw_only=True, tag="mark_round_begun"):
    """The next round began; ``round`` counts from 0."""

    round: int


class MarkerGameEnded(PublicEvent, frozen=True, kw_only=True, tag="marker_game_ended"):
    """The match is over: everybody's role, in seat order. What else is hidden stays so."""

    roles: list[Mark]


MarkerGameEvent: TypeAlias = (
    MarkerGameDealt
    | MarkLaid
    | MarkDrawn
    | MarkPeeked
    | BallotsHanded
    | BallotCast
    | BallotsOpened
    | MarkExposed
    | PlotGiven
    | MarkRoundBegun
    | MarkerGameEnded
)
