"""Where things break: each kind of store needs a set-up of its own."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from faults.kinds import SINGLE, Kind
from faults.world import World


@dataclass(frozen=True)
class Place:
    """A set-up, and what can break there.

    Attributes:
        make: sets it up, with so many workers of the service.
    """

    make: Callable[[int], AbstractContextManager[World]]
    kinds: tuple[Kind, ...]


PLACES = (Place(lambda workers: World(workers=workers), SINGLE),)
