"""The answers to the decisions of the marker game."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta

from engine.game import Move
from support.marker_game.components import Mark

DecisionKind: TypeAlias = Literal["lay_mark", "peek_mark", "cast_ballot"]
KINDS: Final[tuple[DecisionKind, ...]] = ("lay_mark", "peek_mark", "cast_ballot")


class LayMark(Move, frozen=True, tag="lay_mark"):
    """Lay a card from the hand face down."""

    mark: Mark


class PeekMark(Move, frozen=True, tag="peek_mark"):
    """Look at the card that another seat has laid in this round."""

    seat: Annotated[int, Meta(ge=0, le=3)]


class CastBallot(Move, frozen=True, tag="cast_ballot"):
    """Put one of the own papers into the urn."""

    ballot: Mark


MarkerGameMove: TypeAlias = LayMark | PeekMark | CastBallot
