"""Rate limits over two workers, with their store and without.

The windows are so long that none ends while a test runs.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from functools import partial

import pytest
from support.at_once import at_once, copies
from support.clients import Client
from support.limits import quotas
from support.server import Server, make_folder
from support.store import StoreServer, eventually
from support.successes import NEW_MATCH

LIMITS = {
    "TURNCOAT_LIMITS": "on",
    "TURNCOAT_LIMITS_TIMEOUT": "60",
    "TURNCOAT_LIMIT_READS": "1/30days",
    "TURNCOAT_LIMIT_GUESTS_PER_ADDRESS": "10/30days",
    "TURNCOAT_LIMIT_MATCHES": "5/30days",
    "TURNCOAT_LIMIT_MATCHES_PER_ADDRESS": "8/30days",
    "TURNCOAT_LIMIT_MISSES": "6/30days",
    "TURNCOAT_PROXIES": "1",
}
NEW_GUEST = {"name": "Ada"}


@pytest.fixture
def mortal_store() -> Iterator[StoreServer]:
    """A store that this test may kill."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def limited(mortal_store: StoreServer) -> Iterator[Server]:
    """A service on it, behind a proxy that the tests play, with limits that are soon used up."""
    folder = make_folder()
    server = Server(folder, redis_url=mortal_store.url, **LIMITS)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


def new_guests(server: Server, count: int) -> list:
    visitors = [server.visitor() for _ in range(count)]
    return at_once([partial(visitor.call, "createPlayer", NEW_GUEST) for visitor in visitors])


def test_what_is_counted_in_the_store_holds_over_all_workers(limited: Server):
    _see_both_workers(limited)
    made = new_guests(limited, 60)
    assert Counter(answer.status for answer in made) == {201: 10, 429: 50}
    ada, ben = [Client(None, answer.body["token"]) for answer in made if answer.status == 201][:2]
    for player, created in ((ada, 5), (ben, 3)):  # eight from one address
        answers = at_once([partial(device.call, "createMatch", NEW_MATCH) for device in copies(limited, player, 30)])
        assert Counter(answer.status for answer in answers) == {201: created, 429: 30 - created}


def _see_both_workers(server: Server) -> None:
    """Each worker lets one read through, so as many go through as workers have answered."""
    read = []

    def both() -> bool:
        read.append(server.visitor().call("listGames").status)
        return read.count(200) == 2

    eventually(both, "an answer of each worker")
    assert [server.visitor().call("listGames").status for _ in range(10)] == [429] * 10


def test_a_run_of_misses_ends_at_all_workers(limited: Server):
    player = Client(None, limited.visitor().call("createPlayer", NEW_GUEST).body["token"])
    devices = copies(limited, player, 20)
    match = devices[0].create()
    misses = [device.call("joinMatch", {}, match="A" * 22) for device in devices]
    assert [answer.status for answer in misses] == [404] * 6 + [429] * 14
    eventually(lambda: all(device.call("startMatch", {}, match=match).status == 429 for device in devices), "silence")


def test_an_address_that_the_client_made_up_is_not_believed(limited: Server):
    statuses = [
        limited.visitor()
        .call("createPlayer", NEW_GUEST, headers={"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.7"})
        .status
        for number in range(12)
    ]
    assert statuses == [201] * 10 + [429] * 2
    elsewhere = limited.visitor().call("createPlayer", NEW_GUEST, headers={"X-Forwarded-For": "198.51.100.8"})
    assert elsewhere.status == 201


def test_without_the_store_nobody_is_kept_out(limited: Server, mortal_store: StoreServer):
    assert Counter(answer.status for answer in new_guests(limited, 12)) == {201: 10, 429: 2}
    mortal_store.kill()
    open_to_all = new_guests(limited, 12)
    assert Counter(answer.status for answer in open_to_all) == {201: 12}
    assert all(quotas(answer.headers) == {} for answer in open_to_all)
    assert "rate limits" in limited.said()
    assert "127.0.0.1" not in limited.said()

    mortal_store.start()
    eventually(lambda: new_guests(limited, 1)[0].status == 429, "the limits to hold again")
