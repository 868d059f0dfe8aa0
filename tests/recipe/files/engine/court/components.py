"""What is printed on the cards of Court, and how many there are."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

Side: TypeAlias = Literal["crown", "rebels"]
SIDES: Final[tuple[Side, ...]] = get_args(Side)

HIGHEST: Final = 9
Favour: TypeAlias = Annotated[int, Meta(ge=1, le=HIGHEST)]
"""A favour card is worth its number; each number is there once."""

REBELS: Final = 2
"""All other allegiance cards, of which there is one more than players, are of the crown."""


class CourtComponents(msgspec.Struct, frozen=True, kw_only=True):
    """What a client may want to know of the box.

    Attributes:
        highest: the favour cards are numbered from 1 to this.
        rebels: the allegiance cards of the rebels.
        hand_size: the favour cards that every seat begins with.
    """

    highest: int
    rebels: int
    hand_size: int


COMPONENTS: Final = CourtComponents(highest=HIGHEST, rebels=REBELS, hand_size=2)
