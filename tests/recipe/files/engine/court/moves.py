"""The answers to the decisions of Court."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from engine.court.components import Favour
from engine.game import Move

DecisionKind: TypeAlias = Literal["do_favour"]
KINDS: Final[tuple[DecisionKind, ...]] = ("do_favour",)


class LayFavour(Move, frozen=True, tag="lay_favour"):
    """Lay a favour of the hand face down."""

    favour: Favour


class DeclineFavour(Move, frozen=True, tag="decline_favour"):
    """Lay nothing, which everybody sees."""


CourtMove: TypeAlias = LayFavour | DeclineFavour
