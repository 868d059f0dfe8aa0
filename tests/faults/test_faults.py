"""A share of `make faults`: each kind of fault a few times, while clients play, and nothing is lost or doubled."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from faults.kinds import SINGLE, Kind
from faults.rounds import play_round
from faults.world import World

FAULTS = int(os.environ.get("FAULTS", "3"))
"""Of each kind; `make faults` has many more."""


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World() as world:
        yield world


@pytest.mark.parametrize("kind", SINGLE, ids=lambda kind: kind.name.replace(" ", "-"))
def test_nothing_is_lost_and_nothing_is_doubled(world: World, kind: Kind):
    count = play_round(world, kind, "0", FAULTS)
    assert not count.findings, "\n".join(map(str, count.findings[:20]))
    assert count.faults == FAULTS
    assert count.moves > 0
