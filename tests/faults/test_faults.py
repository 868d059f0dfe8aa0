"""A share of `make faults`: each kind of fault a few times, while clients play, and nothing is lost or doubled."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from faults.kinds import SINGLE, Kind
from faults.rounds import play_round
from faults.several import CLUSTERED, WATCHED, Cluster, WatchedPrimary
from faults.world import OneStore, World

FAULTS = int(os.environ.get("FAULTS", "3"))
"""Of each kind; `make faults` has many more."""
FAILOVERS = max(1, FAULTS * 2 // 3)
"""Of each kind where several servers have to agree upon something, which takes them seconds."""


@pytest.fixture(scope="module")
def one_store() -> Iterator[World]:
    with OneStore() as world:
        yield world


@pytest.fixture(scope="module")
def watched() -> Iterator[World]:
    with WatchedPrimary(workers=2) as world:
        yield world


@pytest.fixture(scope="module")
def cluster() -> Iterator[World]:
    with Cluster(workers=2) as world:
        yield world


def name_of(kind: Kind) -> str:
    return kind.name.replace(" ", "-")


@pytest.mark.parametrize("kind", SINGLE, ids=name_of)
def test_one_store(one_store: World, kind: Kind):
    nothing_is_lost_and_nothing_is_doubled(one_store, kind, FAULTS)


@pytest.mark.parametrize("kind", WATCHED, ids=name_of)
def test_a_primary_that_sentinels_watch_over(watched: World, kind: Kind):
    nothing_is_lost_and_nothing_is_doubled(watched, kind, FAILOVERS)


@pytest.mark.parametrize("kind", CLUSTERED, ids=name_of)
def test_a_cluster(cluster: World, kind: Kind):
    nothing_is_lost_and_nothing_is_doubled(cluster, kind, FAILOVERS)


def nothing_is_lost_and_nothing_is_doubled(world: World, kind: Kind, faults: int) -> None:
    count = play_round(world, kind, "0", faults)
    assert not count.findings, "\n".join(map(str, count.findings[:20]))
    assert count.faults == faults
    assert count.moves > 0
