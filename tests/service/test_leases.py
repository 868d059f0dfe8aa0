"""How many streams somebody has open, whichever workers hold them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError
from support.store import StoreServer, eventually

from service.store import Leases, StoreUnavailable, connect, keys

LONG = 3600.0
_matches = (f"streamed-{number}" for number in itertools.count())


@pytest.fixture
def client(store: StoreServer) -> Iterator[Redis]:
    with closing(connect(store.url, 10.0, 8)) as client:
        yield client


@pytest.fixture
def match() -> str:
    return next(_matches)


@pytest.fixture
def own_server() -> Iterator[StoreServer]:
    """A store that a test may kill."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


def names(client: Redis, match: str) -> list[bytes]:
    return client.keys(f"*{match}*")


def test_so_many_and_no_more(client: Redis, match: str):
    leases = Leases(client, 2, LONG)
    first, second = leases.take(match, "Ada"), leases.take(match, "Ada")
    assert first
    assert second
    assert leases.take(match, "Ada") is None
    first.release()
    assert leases.take(match, "Ada")
    assert leases.take(match, "Ada") is None


def test_everybody_and_every_match_is_counted_apart(client: Redis, match: str):
    leases = Leases(client, 1, LONG)
    for who in ("Ada", "Eve", "192.0.2.1"):
        for one in (match, next(_matches)):
            assert leases.take(one, who)
            assert leases.take(one, who) is None


def test_all_workers_count_together(store: StoreServer, match: str):
    with closing(connect(store.url, 10.0, 8)) as one, closing(connect(store.url, 10.0, 8)) as other:
        assert Leases(one, 2, LONG).take(match, "Ada")
        assert Leases(other, 2, LONG).take(match, "Ada")
        assert Leases(one, 2, LONG).take(match, "Ada") is None


def test_of_many_at_once_so_many_get_one(client: Redis, match: str):
    leases = Leases(client, 5, LONG)
    with ThreadPoolExecutor(8) as threads:
        taken = list(threads.map(lambda _: leases.take(match, "Ada"), range(40)))
    assert Counter(lease is not None for lease in taken) == {True: 5, False: 35}


def test_a_lease_ends_by_itself(client: Redis, match: str):
    """A worker that was killed gives nothing back."""
    short, long = Leases(client, 1, 0.05), Leases(client, 1, LONG)
    assert short.take(match, "Ada")
    eventually(lambda: long.take(match, "Ada") is not None, "a free place")
    assert long.take(match, "Ada") is None


def test_a_lease_that_is_renewed_goes_on(client: Redis, match: str):
    lease = Leases(client, 1, LONG).take(match, "Ada")
    assert lease
    (key,) = names(client, match)
    (end,) = client.zrange(key, 0, -1, withscores=True)
    client.pexpire(key, 1000)
    eventually(lambda: bool(lease.renew()) and client.zrange(key, 0, -1, withscores=True)[0][1] > end[1], "a later end")
    assert client.zcard(key) == 1
    assert client.pttl(key) > 1000


def test_a_lease_that_has_ended_is_taken_anew_if_there_is_room(client: Redis, match: str):
    leases = Leases(client, 1, LONG)
    lost = leases.take(match, "Ada")
    assert lost
    client.delete(*names(client, match))
    assert lost.renew()
    assert leases.take(match, "Ada") is None

    client.delete(*names(client, match))
    other = leases.take(match, "Ada")
    assert other
    assert not lost.renew()
    assert other.renew()


def test_giving_back_twice_or_too_late_frees_nobody_elses(client: Redis, match: str):
    leases = Leases(client, 1, LONG)
    lease = leases.take(match, "Ada")
    assert lease
    lease.release()
    assert leases.take(match, "Ada")
    lease.release()
    assert leases.take(match, "Ada") is None


def test_nothing_stays_in_the_store(client: Redis, match: str):
    """Regression 20: no key without a time to live."""
    leases = Leases(client, 2, LONG)
    lease = leases.take(match, "Ada")
    assert lease
    (key,) = names(client, match)
    assert 0 < client.pttl(key) <= LONG * 1000
    lease.release()
    assert names(client, match) == []


def test_the_store_does_not_show_who_it_is(client: Redis, match: str):
    Leases(client, 2, LONG).take(match, "192.0.2.1")
    (key,) = names(client, match)
    assert b"192.0.2.1" not in key
    assert key.startswith(keys.streams(match, "").encode()), "with the match's tag, in the match's slot"


def test_a_full_store_lets_everybody_through(client: Redis, match: str, monkeypatch: pytest.MonkeyPatch):
    """What only looks on must not need room."""
    leases = Leases(client, 1, LONG)

    def no_room(**_) -> None:
        raise OutOfMemoryError

    monkeypatch.setattr(leases, "_take", no_room)
    first, second = leases.take(match, "Ada"), leases.take(match, "Ada")
    assert first
    assert second
    assert first.renew()
    second.release()


def test_one_that_is_renewed_keeps_no_other_alive(client: Redis, match: str):
    leases = Leases(client, 2, 0.3)
    kept = leases.take(match, "Ada")
    assert kept
    assert leases.take(match, "Ada")
    eventually(lambda: kept.renew() and leases.take(match, "Ada") is not None, "the end of the other")


def test_a_dead_store_is_unavailable_but_for_giving_back(own_server: StoreServer, match: str):
    with closing(connect(own_server.url, 1.0, 2)) as client:
        leases = Leases(client, 1, LONG)
        lease = leases.take(match, "Ada")
        assert lease
        own_server.kill()
        with pytest.raises(StoreUnavailable):
            leases.take(match, "Ada")
        with pytest.raises(StoreUnavailable):
            lease.renew()
        lease.release()
