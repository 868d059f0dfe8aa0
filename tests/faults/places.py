"""Where things break: each kind of store needs a set-up of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from faults.kinds import SINGLE, Kind
from faults.several import CLUSTERED, WATCHED, Cluster, WatchedPrimary
from faults.world import OneStore, World


@dataclass(frozen=True)
class Place:
    """A set-up, and what can break there.

    Attributes:
        make: sets it up, with so many ``workers`` of the service.
    """

    make: Callable[..., World]
    kinds: tuple[Kind, ...]


PLACES = (
    Place(WatchedPrimary, WATCHED),
    Place(Cluster, CLUSTERED),
    Place(OneStore, SINGLE),
)
"""All there are; those first of which there are few faults, so that a run whose time is up has had them."""
