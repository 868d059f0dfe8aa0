"""A move asks the store once, whichever worker it comes to: what one of them has heard, the others know."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator

import pytest
from support.clients import Client, OverHttp
from support.metrics import scrape
from support.server import Server, make_folder
from support.store import eventually

_MOVES = 12
_FOR_METRICS = {("zcard",), ("zlexcount",)}
"""Trips of the gauges, which are asked for when metrics are."""


@pytest.fixture
def service() -> Iterator[Server]:
    folder = make_folder()
    server = Server(folder, TURNCOAT_SWEEP_INTERVAL="0")
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


def transports(service: Server) -> list[OverHttp]:
    """A connection to each of the two workers."""
    found: dict[int, OverHttp] = {}

    def one_more() -> bool:
        before = {worker: service.connections(worker) for worker in service.workers()}
        transport = OverHttp(service.address)
        transport.send("GET", "/healthz", {}, None)
        (at,) = [worker for worker, connections in before.items() if service.connections(worker) > connections]
        found.setdefault(at, transport)
        return len(found) == 2

    eventually(one_more, "a connection to each worker")
    return list(found.values())


def trips(service: Server) -> Counter[tuple[str, ...]]:
    counted = scrape(service.address).counted("turncoat_store_seconds_count")
    return Counter({trip: count for trip, count in counted.items() if trip not in _FOR_METRICS})


@pytest.mark.parametrize("game", ["verraeter", "kabale", "inside_job"])
def test_moves_that_come_to_two_workers_in_turn(service: Server, game: str):
    """One plays with stand-ins, so that each answer has the next decision, and nobody has to look."""
    here, elsewhere = transports(service)
    ada = Client(here).become("Ada")
    match = ada.create(game, 3)
    assert ada.call("startMatch", {"stand_ins": True}, match=match).status == 200
    chance, view = random.Random(game), ada.view(match)
    before = trips(service)
    for number in range(_MOVES):
        decision = view["you"]["decision"]
        mover = Client((elsewhere, here)[number % 2], ada.token)
        answer = mover.move(match, decision["id"], chance.choice(decision["legal_moves"]))
        assert (answer.status, answer.body["status"]) == (200, "playing")
        view = answer.body
    asked = trips(service) - before
    assert asked == Counter({("write_match",): _MOVES})
    assert scrape(service.address).of("turncoat_conflicts_total") == 0
