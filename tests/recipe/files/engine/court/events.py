"""What happens in a match of Court, as its readers are told."""

from __future__ import annotations

from typing import TypeAlias

from engine.court.components import Favour, Side
from engine.game import Learned, PublicEvent, Seat


class CourtDealtCards(Learned, frozen=True, kw_only=True):
    """What this seat was dealt."""

    side: Side
    hand: list[Favour]


class CourtDealt(PublicEvent, frozen=True, kw_only=True, tag="court_dealt"):
    """The match is set up."""

    seats: int
    you: CourtDealtCards | None = None


class CourtOneFavour(Learned, frozen=True, kw_only=True):
    """Which favour it was."""

    favour: Favour


class FavourLaid(PublicEvent, frozen=True, kw_only=True, tag="favour_laid"):
    """A seat laid a favour face down."""

    seat: Seat
    you: CourtOneFavour | None = None


class FavourDeclined(PublicEvent, frozen=True, kw_only=True, tag="favour_declined"):
    """A seat laid nothing."""

    seat: Seat


class CourtEnded(PublicEvent, frozen=True, kw_only=True, tag="court_ended"):
    """All is turned up, in seat order: who was on which side, and what they had laid, null for nothing."""

    sides: list[Side]
    laid: list[Favour | None]


CourtEvent: TypeAlias = CourtDealt | FavourLaid | FavourDeclined | CourtEnded
