"""The harness finds a service that is at fault: one that acknowledges too early, or tries a write again blindly."""

from __future__ import annotations

import pytest
from faults.kinds import SINGLE
from faults.rounds import Count, play_round
from faults.several import WATCHED, WatchedPrimary
from faults.workers import PLANTS
from faults.world import OneStore

KINDS = {kind.name: kind for kind in SINGLE}
ROUNDS = 6
"""So many at most; where the machine is slow, one may not be enough."""


def found(planted: str, kind: str) -> Count:
    """What is found of a service with this fault."""
    assert planted in PLANTS
    every = Count()
    with OneStore(workers=2, planted=planted) as world:
        for seed in range(ROUNDS):
            every.add(play_round(world, KINDS[kind], str(seed), 5))
            if every.lost and every.doubled:
                break
    return every


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        ("first acknowledged", "worker killed after the write"),
        ("acknowledged in any case", "store full"),
        ("tried again", "connections to the store dropped"),
        ("in two steps", "worker killed after the write"),
    ],
)
def test_a_service_at_fault_is_found(planted: str, kind: str):
    count = found(planted, kind)
    assert count.lost
    assert count.doubled
    kinds = {finding.kind for finding in count.findings}
    assert {"lost-move", "half-written"} & kinds


class Hasty(WatchedPrimary):
    """A service that acknowledges what no replica has yet."""

    settings = {}


def test_a_service_that_asks_no_replica_is_found():
    every = Count()
    with Hasty(workers=2) as world:
        for seed in range(ROUNDS):
            every.add(play_round(world, WATCHED[0], str(seed), 2))
            if every.lost:
                break
    assert "lost-move" in {finding.kind for finding in every.findings}
