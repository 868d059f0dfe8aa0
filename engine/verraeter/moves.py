"""The answers to the decisions of Verräter (rules, section 12).

A landscape is named by its position 0-11. Border ``b`` lies between positions ``b`` and ``(b + 1) mod 12``.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, field

from engine.game import Move
from engine.verraeter.components import MAX_PLAYED, POSITIONS, Action, Side, Supply

Position: TypeAlias = Annotated[int, Meta(ge=0, le=POSITIONS - 1)]

DecisionKind: TypeAlias = Literal["place_farm", "declare_conflict", "draft_action", "play_supplies", "build"]
KINDS: Final[tuple[DecisionKind, ...]] = (
    "place_farm",
    "declare_conflict",
    "draft_action",
    "play_supplies",
    "build",
)


class PlaceFarm(Move, frozen=True, tag="place_farm"):
    """Set-up: put the first building, farm side up, under a free landscape of the own house."""

    landscape: Position


class DeclareConflict(Move, frozen=True, tag="declare_conflict"):
    """Phase 1: name the border to fight over; its two landscapes show different houses."""

    border: Position


class DraftAction(Move, frozen=True, tag="draft_action"):
    """Phase 2: keep one of the action cards offered, pass the others on."""

    action: Action


class PlaySupplies(Move, frozen=True, tag="play_supplies"):
    """Phase 3: play 0 to 5 supply cards from the hand, listed in ascending order."""

    cards: Annotated[tuple[Supply, ...], Meta(max_length=MAX_PLAYED)]


class PlaceBuilding(Move, frozen=True, tag="place_building"):
    """Phase 7: lay a building from the reserve under a free landscape of the own house."""

    landscape: Position
    side: Side


class MoveBuilding(Move, frozen=True, tag="move_building"):
    """Phase 7: move an own building to a free landscape of the own house; it keeps its side."""

    origin: Position = field(name="from")
    to: Position


class TurnBuilding(Move, frozen=True, tag="turn_building"):
    """Phase 7: turn an own building from farm to trading post or back."""

    landscape: Position


class DeclineBuild(Move, frozen=True, tag="decline_build"):
    """Phase 7: leave the Builder unused."""


VerraeterMove: TypeAlias = (
    PlaceFarm
    | DeclareConflict
    | DraftAction
    | PlaySupplies
    | PlaceBuilding
    | MoveBuilding
    | TurnBuilding
    | DeclineBuild
)
