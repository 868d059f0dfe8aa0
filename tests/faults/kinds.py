"""The kinds of faults, on one machine with one store: each is brought about, and is over when it returns."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.world import STORE_TIMEOUT, WRITING, OneStore
from support.proxy import FaultProxy, Hold
from support.store import PATIENCE, eventually

HOUR = 3600.0
_TRIES = 20


@dataclass(frozen=True)
class Kind:
    """A kind of fault.

    Attributes:
        happen: brings one about in its world; gives the time since when the service could answer again. Where
            something has died that is the time of its death: it is started again at once.
        usual: how many a full run has.
        least: with how many a run may do.
    """

    name: str
    happen: Callable[[Any, random.Random], float]
    usual: int
    least: int = 20


def kill_worker(world: OneStore, chance: random.Random) -> float:
    """A worker ends at some moment, without a word."""
    eventually(lambda: bool(world.service.workers()), "a worker")
    _end(chance.choice(sorted(world.service.workers())))
    return time.monotonic()


def kill_worker_after_write(world: OneStore, chance: random.Random) -> float:
    """A worker ends when the store has written for it, and before it hears of that."""
    for _ in range(_TRIES):
        with _written(world.to_store, WRITING) as hold:
            worker = world.service.worker_at(hold.port)
            if worker is None:
                continue  # on a busy machine it may give the answer up before it is found
            _end(worker)
            eventually(lambda worker=worker: not _runs(worker), "the worker's end")
            return time.monotonic()
    raise AssertionError("somebody else writes")


@contextmanager
def _written(relay: FaultProxy, marker: bytes) -> Iterator[Hold]:
    """What happens inside does so when somebody has done what was asked, and the answer is held back on its way."""
    with relay.holding(Hold(marker)) as hold:
        assert hold.happened.wait(PATIENCE), "nobody writes"
        yield hold


def _at_some_moment(relay: FaultProxy, marker: bytes, chance: random.Random) -> AbstractContextManager[object]:
    """What happens inside does so at once, or at the worst of moments, as chance has it."""
    return nullcontext() if chance.random() < 0.5 else _written(relay, marker)


def kill_store(world: OneStore, chance: random.Random) -> float:
    """The store ends without a word, and is started again on its append-only file."""
    with _at_some_moment(world.to_store, WRITING, chance):
        world.store.kill()
        died = time.monotonic()
    time.sleep(chance.choice([0, 0, chance.uniform(0, 0.3)]))
    world.store.start()
    return died


def pause_store_briefly(world: OneStore, chance: random.Random) -> float:
    """The store stops for less than the service waits for it."""
    return _pause_store(world, STORE_TIMEOUT * chance.uniform(0.1, 0.7))


def pause_store_long(world: OneStore, chance: random.Random) -> float:
    """The store stops for longer than the service waits for it, and then does what it had been told."""
    return _pause_store(world, STORE_TIMEOUT * chance.uniform(1.2, 2.4))


def _pause_store(world: OneStore, seconds: float) -> float:
    world.store.signal(signal.SIGSTOP)
    try:
        time.sleep(seconds)
    finally:
        world.store.signal(signal.SIGCONT)
    return time.monotonic()


def drop_store_connections(world: OneStore, chance: random.Random) -> float:
    """All connections between the workers and the store break, with whatever is on its way."""
    with _at_some_moment(world.to_store, WRITING, chance):
        world.to_store.drop()
    return time.monotonic()


def drop_client_connections(world: OneStore, chance: random.Random) -> float:
    """All connections between the clients and the service break, with whatever is on its way."""
    with _at_some_moment(world.to_service, b"POST /v1/matches", chance):
        world.to_service.drop()
    return time.monotonic()


def fill_store(world: OneStore, chance: random.Random) -> float:
    """The store has no memory left, for a while."""
    world.redis.config_set("maxmemory", 1)
    try:
        time.sleep(chance.uniform(0.1, 0.5))
    finally:
        world.redis.config_set("maxmemory", 0)
    return time.monotonic()


def make_store_read_only(world: OneStore, chance: random.Random) -> float:
    """The store is a replica for a while, of a primary that is never there: so it keeps what it has."""
    with _nobody() as port:
        world.redis.replicaof("127.0.0.1", port)
        try:
            time.sleep(chance.uniform(0.1, 0.5))
        finally:
            world.redis.replicaof("NO", "ONE")
    return time.monotonic()


@contextmanager
def _nobody() -> Iterator[int]:
    """A port that is taken and at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def move_clock(world: OneStore, chance: random.Random) -> float:
    """The clock of one worker, or of all, jumps by an hour, and back a while later; both count as one."""
    workers = sorted(world.service.workers())
    moved = workers if chance.random() < 0.5 else workers[:1]
    world.service.move_clocks(dict.fromkeys(moved, chance.choice([-HOUR, HOUR])))
    time.sleep(chance.uniform(0.3, 0.8))
    if chance.random() < 0.7:
        world.service.move_clocks({})
    return time.monotonic()


def _end(worker: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


SINGLE = (
    Kind("worker killed", kill_worker, 80),
    Kind("worker killed after the write", kill_worker_after_write, 80),
    Kind("store killed", kill_store, 120),
    Kind("store paused briefly", pause_store_briefly, 120),
    Kind("store paused for long", pause_store_long, 80),
    Kind("connections to the store dropped", drop_store_connections, 130),
    Kind("connections of clients dropped", drop_client_connections, 130),
    Kind("store full", fill_store, 110),
    Kind("store read-only", make_store_read_only, 110),
    Kind("clocks jumping", move_clock, 60),
)
"""The kinds that one machine with one store knows."""
