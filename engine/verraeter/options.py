"""What may be chosen when a match of Verräter is created (rules, section 11)."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from engine.game import Options
from engine.verraeter.components import COMPONENTS

Points: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
PointsRow: TypeAlias = Annotated[tuple[Points, ...], Meta(min_length=4, max_length=4)]
"""What each winner scores when there are 1, 2, 3 and 4 of them."""
PointsTable: TypeAlias = Annotated[tuple[PointsRow, ...], Meta(min_length=6, max_length=6)]
"""Wasteland, meadow, river, forest, village, city."""

RECONSTRUCTED_POINTS: PointsTable = tuple(card.points for card in COMPONENTS.landscapes)


class VerraeterOptions(Options, frozen=True, kw_only=True):
    """The disputed rulings, and the points of the printed cards for whoever owns them.

    Attributes:
        first_strategist: who holds the Strategy card in round 1 (ruling Q1).
        traitor_point_in_draw: the Traitor scores 1 after equal totals too (Q3).
        trading_posts_need_own_house: only posts under a landscape of the own house pay at the end (Q6).
        early_end: when a match ends in which one house lost its last landscape (Q9).
        landscape_points: rows from wasteland to city (Q2). The default is reconstructed, not printed.
    """

    first_strategist: Literal["start_player", "left_of_start_player"] = "start_player"
    traitor_point_in_draw: bool = False
    trading_posts_need_own_house: bool = False
    early_end: Literal["after_round", "at_once"] = "after_round"
    landscape_points: PointsTable = RECONSTRUCTED_POINTS
