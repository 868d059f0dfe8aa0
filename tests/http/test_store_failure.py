"""The store dies in the middle of a match and comes back."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator

import pytest
from support.clients import play_on, seated
from support.server import Server, make_folder
from support.store import StoreServer, eventually


@pytest.fixture
def mortal_store() -> Iterator[StoreServer]:
    """A store that this test may kill."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def dependent(mortal_store: StoreServer) -> Iterator[Server]:
    """A service on it."""
    folder = make_folder()
    server = Server(folder, redis_url=mortal_store.url)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


def test_a_dead_store_is_503_and_the_match_goes_on_after_it(dependent: Server, mortal_store: StoreServer):
    visitor = dependent.visitor()
    match, players = seated(visitor)
    chance = random.Random(3)
    play_on(match, players, chance, moves=20)
    (seat,) = visitor.card(match)["waiting_on"]
    views = [player.view(match) for player in players]
    decision = views[seat]["you"]["decision"]

    mortal_store.kill()
    for answer in [
        *(visitor.call("getMatch", match=match) for _ in range(4)),
        *(players[seat].move(match, decision["id"], decision["legal_moves"][0]) for _ in range(4)),
        players[0].call("getView", match=match),
        players[0].call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "public"}),
    ]:
        assert (answer.status, answer.code) == (503, "store-unavailable")
        assert int(answer.headers["Retry-After"]) > 0
    transport = visitor.transport
    assert transport.send("GET", "/healthz", {}, None)[0] == 200, "liveness asks nobody (regression 25)"
    assert transport.send("GET", "/readyz", {}, None)[0] == 503
    assert visitor.call("listGames").status == 200, "the catalogue needs no store"
    assert players[0].call("getMe").status == 200, "tokens need no store"

    mortal_store.start()
    eventually(lambda: transport.send("GET", "/readyz", {}, None)[0] == 200, "readiness")
    assert [player.view(match) for player in players] == views
    play_on(match, players, chance)
    assert visitor.card(match)["status"] == "finished"
