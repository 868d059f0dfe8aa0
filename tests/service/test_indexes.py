"""The indexes in the store: what is entered, found, withdrawn, dropped and forgotten."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import closing

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as StoreConnectionError
from support.store import StoreServer, eventually

from service.entries import DEADLINES, GRACE, Entry, Place, of_code
from service.store import Indexes, StoreFull, StoreUnavailable, connect, keys

HOUR = 3600
_names = (f"player:test-{number}:playing" for number in itertools.count())


@pytest.fixture
def client(store: StoreServer) -> Iterator[Redis]:
    """The tests' own look into the store."""
    with closing(Redis.from_url(store.url)) as client:
        yield client


@pytest.fixture
def indexes(store: StoreServer) -> Iterator[Indexes]:
    with closing(connect(store.url, 2.0, 4)) as connection:
        yield Indexes(connection, HOUR)


@pytest.fixture
def name() -> str:
    """The name of an index that no other test uses."""
    return next(_names)


@pytest.fixture
def returning(name: str) -> str:
    """One whose entries may return."""
    return name.replace(":playing", ":open")


@pytest.fixture
def no_deadlines(client: Redis) -> None:
    """There is one index of deadlines for all."""
    client.delete(keys.index(DEADLINES), keys.announced(DEADLINES))


def matches(indexes: Indexes, *names: str, after: Place | None = None, count: int = 100) -> list[str]:
    return [place.match for place in indexes.newest(names, after, count).places]


def grow_old(client: Redis, name: str, seconds: int) -> None:
    """Pretend that all entries of an index were announced that much earlier."""
    for member in client.zrange(keys.announced(name), 0, -1):
        client.zincrby(keys.announced(name), -seconds, member)


def whole(client: Redis, name: str) -> tuple[list[bytes], set[bytes]]:
    """An index and what lies beside it."""
    return client.zrange(keys.index(name), 0, -1), set(client.zrange(keys.announced(name), 0, -1))


# --- announcing and finding ---


def test_where_nothing_was_announced_nothing_is_found(indexes: Indexes, client: Redis, name: str):
    assert matches(indexes, name) == []
    assert indexes.size([name]) == 0
    assert client.keys(f"*{name}*") == []


def test_what_was_announced_is_found_newest_first(indexes: Indexes, name: str):
    times = [5, 1, 10_000_000_000, 99, 100, 1_700_000_000]
    indexes.announce(Entry(name, at, f"m{at}") for at in times)
    found = indexes.newest([name], None, 100)
    assert found.places == [Place(at, f"m{at}") for at in sorted(times, reverse=True)]
    assert found.entries == {place: [Entry(name, *place)] for place in found.places}
    assert indexes.size([name]) == 6


def test_announcing_again_changes_nothing_to_be_found(indexes: Indexes, client: Redis, name: str):
    entries = [Entry(name, at, f"m{at}") for at in range(5)]
    indexes.announce(entries)
    before = client.zrange(keys.index(name), 0, -1, withscores=True)
    assert {score for _, score in before} == {0}, "or places would not be in the order of their bytes"
    indexes.announce(entries[1:3])
    assert client.zrange(keys.index(name), 0, -1, withscores=True) == before


def test_announcing_is_one_trip(indexes: Indexes, client: Redis, name: str, monkeypatch: pytest.MonkeyPatch):
    trips: list[int] = []
    pool = indexes._client.connection_pool
    intact = pool.get_connection
    monkeypatch.setattr(pool, "get_connection", lambda *a, **k: trips.append(1) or intact(*a, **k))
    entries = [Entry(name, at, "m") for at in range(5)] + [Entry(of_code(name), 0, "m")]
    for use in (
        lambda: indexes.announce(entries),
        lambda: indexes.withdraw(entries[:5]),
        lambda: indexes.drop(entries[:5], 0),
        lambda: indexes.newest([name, name + "x"], None, 10),
        lambda: indexes.size([name, name + "x"]),
        lambda: indexes.reserve_code(name, "m", HOUR),
    ):
        trips.clear()
        use()
        assert trips == [1]


def test_nothing_to_announce_or_to_withdraw_is_no_fault(indexes: Indexes):
    indexes.announce([])
    indexes.withdraw([])
    indexes.drop([], 0)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100])
def test_pages_part_entries_of_one_second_exactly(indexes: Indexes, name: str, count: int):
    """And bytes decide, whatever the store's language sorts first."""
    chance = random.Random(count)
    places = [Place(second, f"{letter}{second}") for second in (8, 9, 10, 11) for letter in "aAbBzZ-_09"]
    chance.shuffle(places)
    names = [name, name + ":b", name + ":c"]
    for place in places:
        indexes.announce([Entry(chance.choice(names), *place)])
    read: list[Place] = []
    while found := indexes.newest(names, read[-1] if read else None, count).places:
        assert len(found) <= count
        assert not set(found) & set(read)
        read += found
    assert read == sorted(places, key=lambda place: (place.at, place.match.encode()), reverse=True)


def test_a_match_in_two_indexes_at_once_has_one_place(indexes: Indexes, name: str):
    """So it is while its status changes; no end of a page may come between the two."""
    other = name + ":other"
    both = [Entry(name, 5, "both"), Entry(other, 5, "both")]
    indexes.announce([*both, Entry(name, 4, "older"), Entry(other, 6, "newer")])
    found = indexes.newest([name, other], None, 2)
    assert [place.match for place in found.places] == ["newer", "both"]
    assert list(found.entries[Place(5, "both")]) == both
    assert matches(indexes, name, other, after=Place(5, "both")) == ["older"]


def test_a_page_begins_after_a_place_that_is_no_longer_there(indexes: Indexes, name: str):
    entries = [Entry(name, at, "m") for at in range(5)]
    indexes.announce(entries)
    indexes.withdraw([entries[2]])
    assert [place.at for place in indexes.newest([name], Place(2, "m"), 9).places] == [1, 0]


def test_paging_while_others_are_entered_shows_each_earlier_one_once(indexes: Indexes, name: str):
    indexes.announce(Entry(name, 10, f"m{number:03}") for number in range(40))
    read: list[Place] = []
    while found := indexes.newest([name], read[-1] if read else None, 7).places:
        read += found
        indexes.announce([Entry(name, 10 + len(read), "later"), Entry(name, 10, f"m{len(read):03}-")])
    known = [place.match for place in read if place.match[-1].isdigit()]
    assert sorted(known) == [f"m{number:03}" for number in range(40)]


# --- withdrawing and dropping ---


def test_what_was_withdrawn_is_gone(indexes: Indexes, client: Redis, name: str):
    gone, stays = Entry(name, 1, "gone"), Entry(name, 1, "stays")
    indexes.announce([gone, stays])
    indexes.withdraw([gone])
    assert matches(indexes, name) == ["stays"]
    indexes.withdraw([stays, gone])
    assert client.keys(f"*{name}*") == []


def test_what_may_return_is_not_withdrawn_within_the_grace(indexes: Indexes, client: Redis, returning: str):
    """Leaving and joining again: the withdrawal may come late, after what was announced for the second joining."""
    entry = Entry(returning, 1, "m")
    indexes.announce([entry])
    grow_old(client, returning, GRACE - 30)
    indexes.withdraw([entry])
    assert matches(indexes, returning) == ["m"]
    grow_old(client, returning, 31)
    indexes.withdraw([entry])
    assert client.keys(f"*{returning}*") == []


def test_what_the_match_contradicts_is_dropped_after_the_grace_and_not_before(
    indexes: Indexes, client: Redis, name: str
):
    entries = [Entry(name, 1, "a"), Entry(name, 2, "b")]
    indexes.announce(entries)
    found = indexes.newest([name], None, 10)
    indexes.drop(entries, found.as_of)
    assert matches(indexes, name) == ["b", "a"]
    grow_old(client, name, GRACE + 1)
    indexes.drop(entries[:1], found.as_of)
    assert matches(indexes, name) == ["b"]
    assert whole(client, name) == ([b"00000000002:b"], {b"00000000002:b"})


def test_what_was_announced_after_it_was_read_is_not_dropped_however_late(indexes: Indexes, client: Redis, name: str):
    """The reader was stopped for hours between reading and dropping."""
    entry = Entry(name, 1, "m")
    indexes.announce([entry])
    grow_old(client, name, 5 * HOUR)
    as_of = indexes.newest([name], None, 10).as_of - 4 * HOUR
    indexes.announce([entry])
    grow_old(client, name, 3 * HOUR)
    indexes.drop([entry], as_of)
    assert matches(indexes, name) == ["m"]


def test_the_time_of_reading_is_the_store_s(indexes: Indexes, client: Redis, name: str):
    before, _ = client.time()
    assert before <= indexes.newest([name], None, 1).as_of <= client.time()[0]


# --- times to live ---


def test_every_index_has_a_time_to_live_that_each_announcement_lengthens(indexes: Indexes, client: Redis, name: str):
    """Regression 20: no key without one."""
    code = name.replace(":", "")
    entries = [Entry(name, 1, "m"), Entry(of_code(code), 1, "m"), Entry(DEADLINES, 1, "m")]
    all_keys = [
        *(place(index) for index in (name, DEADLINES) for place in (keys.index, keys.announced)),
        keys.code(code),
    ]
    indexes.reserve_code(code, "m", 0.5 * HOUR)
    for _ in range(2):
        indexes.announce(entries)
        for key in all_keys:
            assert HOUR - 60 < client.ttl(key) <= HOUR
            client.expire(key, 5)
    indexes.newest([name], None, 10)
    indexes.overdue(5, 10)
    indexes.drop(entries[:1], 0)
    indexes.match_of_code(code)
    assert all(client.ttl(key) <= 5 for key in all_keys), "reading and dropping lengthen nothing"


def test_an_index_keeps_no_entries_whose_matches_must_be_gone(indexes: Indexes, client: Redis, name: str):
    """Else the index of somebody who never stops would grow for ever."""
    old = [Entry(name, at, "old") for at in range(25)]
    indexes.announce(old)
    grow_old(client, name, HOUR + 2)
    indexes.announce([old[7]])  # this one is still needed
    for number in range(3):
        indexes.announce([Entry(name, 100 + number, "new")])
    assert [place.at for place in indexes.newest([name], None, 100).places] == [102, 101, 100, 7]
    assert len(whole(client, name)[1]) == 4


def test_what_was_announced_within_the_time_to_live_is_kept(indexes: Indexes, client: Redis, name: str):
    indexes.announce(Entry(name, at, "old") for at in range(25))
    grow_old(client, name, HOUR - 60)
    indexes.announce([Entry(name, 100, "new")])
    assert indexes.size([name]) == 26


# --- codes ---


@pytest.fixture
def code(name: str) -> str:
    return name.replace(":", "").upper()


def test_a_code_leads_to_the_match_that_reserved_it(indexes: Indexes, client: Redis, code: str):
    assert indexes.match_of_code(code) is None
    assert indexes.reserve_code(code, "m", HOUR)
    assert indexes.match_of_code(code) == "m"
    assert HOUR - 60 < client.ttl(keys.code(code)) <= HOUR


def test_a_code_is_reserved_once_but_for_the_same_match(indexes: Indexes, code: str):
    """A creation that is repeated meets its own reservation."""
    assert indexes.reserve_code(code, "m", HOUR)
    assert not indexes.reserve_code(code, "other", HOUR)
    assert indexes.reserve_code(code, "m", HOUR)
    assert indexes.match_of_code(code) == "m"


def test_a_reservation_that_led_to_nothing_ends(indexes: Indexes, code: str):
    assert indexes.reserve_code(code, "m", 0.001)
    eventually(lambda: indexes.match_of_code(code) is None, "the end of the reservation")
    assert indexes.reserve_code(code, "other", HOUR)


def test_announcing_restores_a_lost_code_and_steals_none(indexes: Indexes, code: str):
    indexes.announce([Entry(of_code(code), 1, "m")])
    assert indexes.match_of_code(code) == "m"
    indexes.announce([Entry(of_code(code), 2, "other")])
    assert indexes.match_of_code(code) == "m"


# --- deadlines ---


def test_deadlines_that_are_over_are_found_the_oldest_first(indexes: Indexes, no_deadlines):
    entries = [Entry(DEADLINES, at, match) for at, match in [(5, "a"), (5, "b"), (6, "a"), (7, "c"), (100, "d")]]
    indexes.announce(reversed(entries))
    assert indexes.overdue(4, 10) == []
    assert indexes.overdue(5, 10) == entries[:2]
    assert indexes.overdue(99, 10) == entries[:4]
    assert indexes.overdue(99, 3) == entries[:3]
    assert indexes.overdue(99, 2, entries[1]) == entries[2:4]
    assert indexes.overdue(99, 2, entries[3]) == []


def test_a_new_deadline_does_not_overwrite_the_old_one(indexes: Indexes, no_deadlines):
    """If the write that it announces never comes, the old one still holds."""
    old, new = Entry(DEADLINES, 5, "m"), Entry(DEADLINES, 9, "m")
    indexes.announce([old])
    indexes.announce([new])
    assert indexes.overdue(9, 10) == [old, new]
    indexes.withdraw([old])
    assert indexes.overdue(9, 10) == [new]


# --- in a cluster, and failures ---


@pytest.mark.parametrize(
    "name", ["lobby:kabale:open", "player:a}b:open", "player:{x}:open", "player:}:open", DEADLINES]
)
def test_the_two_keys_of_an_index_lie_in_one_slot(name: str):
    def tag(key: str) -> str:
        return key[key.index("{") + 1 : key.index("}")]

    assert tag(keys.index(name)) == tag(keys.announced(name)) != ""
    assert keys.index(name) != keys.announced(name)


@pytest.fixture
def own_server() -> Iterator[StoreServer]:
    """A store that a test may kill."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


ENTRIES = [Entry("player:x:open", 1, "m"), Entry(of_code("X"), 1, "m")]
READING = {
    "newest": lambda indexes: indexes.newest(["player:x:open"], None, 10),
    "overdue": lambda indexes: indexes.overdue(5, 10),
    "size": lambda indexes: indexes.size(["player:x:open"]),
    "match_of_code": lambda indexes: indexes.match_of_code("X"),
}
WRITING = {
    "announce": lambda indexes: indexes.announce(ENTRIES),
    "reserve_code": lambda indexes: indexes.reserve_code("X", "m", HOUR),
}
REMOVING = {"withdraw": lambda indexes: indexes.withdraw(ENTRIES[:1])}


def drop(indexes: Indexes) -> None:
    indexes.drop(ENTRIES[:1], 0)


def test_a_dead_store_is_unavailable(own_server: StoreServer):
    with closing(connect(own_server.url, 1.0, 2)) as connection:
        own_server.kill()
        for use in (READING | WRITING | REMOVING).values():
            with pytest.raises(StoreUnavailable):
                use(Indexes(connection, HOUR))
        drop(Indexes(connection, HOUR))  # which the next reader will do


def test_a_full_store_takes_no_entries_and_lets_the_others_go(own_server: StoreServer):
    with closing(connect(own_server.url, 2.0, 2)) as connection:
        indexes = Indexes(connection, HOUR)
        connection.config_set("maxmemory", 1)
        for use in WRITING.values():
            with pytest.raises(StoreFull):
                use(indexes)
        for use in [*(READING | REMOVING).values(), drop]:
            use(indexes)


@pytest.mark.parametrize("failures", [1, 2])
def test_what_reads_is_tried_twice(indexes: Indexes, monkeypatch: pytest.MonkeyPatch, failures: int):
    """The pool's connections may have died with the store's restart."""
    pool = indexes._client.connection_pool
    intact = pool.get_connection
    for use in READING.values():
        lost = [StoreConnectionError] * failures

        def losing(*arguments, lost=lost, **options):
            if lost:
                raise lost.pop()
            return intact(*arguments, **options)

        monkeypatch.setattr(pool, "get_connection", losing)
        if failures == 1:
            use(indexes)
        else:
            with pytest.raises(StoreUnavailable):
                use(indexes)


def test_what_writes_is_tried_once(indexes: Indexes, monkeypatch: pytest.MonkeyPatch):
    tries: list[None] = []

    def losing(*_, **__):
        tries.append(None)
        raise StoreConnectionError

    monkeypatch.setattr(indexes._client.connection_pool, "get_connection", losing)
    for use in (WRITING | REMOVING).values():
        tries.clear()
        with pytest.raises(StoreUnavailable):
            use(indexes)
        assert len(tries) == 1
