"""What may be chosen when a match of the marker game is created."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from engine.game import BadOptions, Options


class MarkerGameOptions(Options, frozen=True, kw_only=True):
    """How long it takes.

    Attributes:
        rounds: how many are played; four players have patience for two only.
    """

    rounds: Annotated[int, Meta(ge=1, le=3)] = 2


def check_options(options: MarkerGameOptions, seats: int) -> None:
    """Refuse a match that is too long.

    Raises:
        BadOptions: it is.
    """
    if seats == 4 and options.rounds > 2:
        raise BadOptions("too-many-rounds", "rounds")
