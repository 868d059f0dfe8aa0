"""A round that is interrupted ends at once, whatever has become of the service."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import time
from collections.abc import Sequence

import pytest
from faults.kinds import Kind
from faults.rounds import play_round
from faults.world import OneStore, World
from support.store import PATIENCE


def send(workers: Sequence[int], number: signal.Signals) -> None:
    for worker in workers:
        with contextlib.suppress(ProcessLookupError):  # one that hangs for long is replaced
            os.kill(worker, number)


def test_nobody_waits_for_a_service_that_hangs():
    """Else the clients would, until their time was up."""
    with OneStore(workers=2) as world:
        workers = sorted(world.service.workers())

        def hang(_: World, __: random.Random) -> float:
            send(workers, signal.SIGSTOP)
            time.sleep(1)  # each of the clients asks for something
            raise KeyboardInterrupt

        began = time.monotonic()
        try:
            with pytest.raises(KeyboardInterrupt):
                play_round(world, Kind("service hangs", hang, 1), "0", 1)
        finally:
            send(workers, signal.SIGCONT)
        assert time.monotonic() - began < PATIENCE / 2
