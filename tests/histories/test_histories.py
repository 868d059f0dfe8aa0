"""Random histories over several workers: whatever happens at the same time, there is one order that explains it."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator

import pytest
from histories.checker import check
from histories.play import play_history
from histories.recorded import History
from redis import Redis
from support.server import Server, make_folder
from support.store import StoreServer

HISTORIES = int(os.environ.get("HISTORIES", "6"))
FIRST = int(os.environ.get("FIRST_HISTORY", "0"))

MUST_HAPPEN = {
    *("createMatch 201", "joinMatch 201", "joinMatch 200", "joinByCode 201", "startMatch 200", "playMove 200"),
    *("joinMatch None", "joinByCode None", "startMatch None", "playMove None"),
    *("leaveMatch 204", "getView 200", "getView 304", "getMatch 200", "listEvents 200", "getView not-started"),
    *("playMove decision-closed", "playMove not-your-decision", "playMove illegal-move"),
    *("match finished", "a player's move", "a stand-in's move", "an overdue move"),
}


@pytest.fixture(scope="module")
def own_store() -> Iterator[StoreServer]:
    """A store with nothing in it but the histories."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def server(own_store: StoreServer) -> Iterator[Server]:
    folder = make_folder()
    running = Server(folder, redis_url=own_store.url, workers=3, TURNCOAT_STORE_TIMEOUT="60")
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder)


def test_every_history_can_be_explained(server: Server, own_store: StoreServer):
    told: Counter[str] = Counter()
    redis = Redis.from_url(own_store.url)
    for seed in range(FIRST, FIRST + HISTORIES):
        history = play_history(server.address, redis, seed)
        findings = check(history)
        assert not findings, f"history {seed}:\n" + "\n".join(map(str, findings[:20]))
        told += tally(history)
        redis.flushall()
    redis.close()
    print(dict(told))
    if HISTORIES >= 6:
        assert set(told) >= MUST_HAPPEN


def tally(history: History) -> Counter[str]:
    """What happened how often."""
    told = Counter(f"{call.operation} {call.code or call.status}" for call in history.calls)
    for call in history.calls:
        if call.waited:
            told[f"{call.operation}, having waited, {call.status}"] += 1
    for outcome in history.outcomes.values():
        told[f"match {outcome.record.status}"] += 1
        for move in outcome.moves:
            seated = outcome.record.seats[move.seat]
            sits = seated is not None and not seated.stand_in
            told["a player's move" if not move.stand_in else "an overdue move" if sits else "a stand-in's move"] += 1
    return told
