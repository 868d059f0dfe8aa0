"""The answers to the decisions of Kabale und Hiebe (rules, section 14).

Columns are numbered from the left, beginning with 0; there are as many as seats.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from engine.game import Move
from engine.kabale.components import MOST_SEATS, Character

ColumnNumber: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_SEATS - 1)]

AbilityKind: TypeAlias = Literal["swap_goals", "tuck_card"]
DecisionKind: TypeAlias = Literal["place_card", "swap_goals", "tuck_card"]
KINDS: Final[tuple[DecisionKind, ...]] = ("place_card", "swap_goals", "tuck_card")


class PlaceCard(Move, frozen=True, tag="place_card"):
    """The seat on turn: lay a card of the hand face down at the end of a column that is not closed."""

    card: Character
    column: ColumnNumber


class SwapGoals(Move, frozen=True, tag="swap_goals"):
    """The Traitor's owner: let the goals of two columns, named in ascending order, change places."""

    columns: Annotated[tuple[ColumnNumber, ...], Meta(min_length=2, max_length=2)]


class DeclineSwap(Move, frozen=True, tag="decline_swap"):
    """The Traitor's owner: leave the goals where they are."""


class TuckCard(Move, frozen=True, tag="tuck_card"):
    """The Disguise's owner: lay a card of the hand face down under the Disguise."""

    card: Character


class DeclineTuck(Move, frozen=True, tag="decline_tuck"):
    """The Disguise's owner: lay nothing under it."""


KabaleMove: TypeAlias = PlaceCard | SwapGoals | DeclineSwap | TuckCard | DeclineTuck
