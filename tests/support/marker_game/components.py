"""What lies in the box of the marker game: nothing is printed on its cards but a mark that no other card has.

Marks are dealt, not printed, so that nobody can guess one, not even from another match.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from engine.randomness import Stream

Kind: TypeAlias = Literal["card", "role", "plot", "vote"]

MARK_PATTERN: Final = r"zq7(?:card|role|plot|vote)[0-9a-f]{24}"
"""No ordinary text looks like this."""

Mark: TypeAlias = Annotated[str, Meta(pattern=f"^{MARK_PATTERN}$", max_length=31)]
"""The one thing on a card. Its kind shows on the back of the card too, so it is no secret."""


class MarkerGameComponents(msgspec.Struct, frozen=True, kw_only=True):
    """What a client may want to know of the box.

    Attributes:
        hand_size: the cards that every seat begins with, and has after each of its turns.
        undrawn: the cards that are left over in the draw pile, and never seen.
    """

    hand_size: int
    undrawn: int


COMPONENTS: Final = MarkerGameComponents(hand_size=3, undrawn=2)


def new_mark(kind: Kind, random: Stream) -> Mark:
    """A mark that was never there before."""
    return f"zq7{kind}" + "".join(f"{random.below(1 << 32):08x}" for _ in range(3))
