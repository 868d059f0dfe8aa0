"""The store for matches: reading, compare-and-set, logs, times to live, and what can go wrong."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from redis import Redis
from redis.connection import UnixDomainSocketConnection
from redis.exceptions import AuthenticationError
from redis.exceptions import ConnectionError as StoreConnectionError
from support.store import StoreServer, eventually

from service.entries import Entry
from service.match import Stored
from service.store import Indexes, MatchStore, StoreFull, StoreUnavailable, connect, keys, pools
from service.store.packing import unpacked

HOUR = 3600
ODD_BYTES = bytes(range(256))
_ids = (f"match-{number}" for number in itertools.count())


@pytest.fixture
def client(store: StoreServer) -> Iterator[Redis]:
    """The tests' own look into the store."""
    with closing(Redis.from_url(store.url)) as client:
        yield client


@pytest.fixture
def matches(store: StoreServer) -> Iterator[MatchStore]:
    with closing(connect(store.url, 2.0, 4)) as connection:
        yield MatchStore(connection)


@pytest.fixture
def id_() -> str:
    return next(_ids)


def without_stamp(read: Stored | None) -> tuple[int, bytes, bytes] | None:
    return read and read[:3]


def test_what_was_never_written_is_not_there(matches: MatchStore, client: Redis, id_: str):
    assert matches.read(id_) is None
    assert client.keys(f"*{id_}*") == []


def test_a_match_is_read_as_it_was_written(matches: MatchStore, id_: str):
    """Opaque bytes: whatever they are, they come back unbent."""
    assert matches.write(id_, None, b"match" + ODD_BYTES, ODD_BYTES, lifetime=HOUR)
    assert without_stamp(matches.read(id_)) == (1, b"match" + ODD_BYTES, ODD_BYTES)


def test_before_the_start_there_is_no_state(matches: MatchStore, id_: str):
    matches.write(id_, None, b"m", b"", lifetime=HOUR)
    assert without_stamp(matches.read(id_)) == (1, b"m", b"")


def test_every_write_raises_the_version_by_one(matches: MatchStore, id_: str):
    read = None
    for version in range(1, 30):
        assert matches.write(id_, read, b"m%d" % version, b"s", lifetime=HOUR)
        read = matches.read(id_)
        assert without_stamp(read) == (version, b"m%d" % version, b"s")


def test_logs_grow_in_order_and_are_not_written_again(matches: MatchStore, client: Redis, id_: str):
    matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=[b"dealt", ODD_BYTES])
    for number in (1, 2):
        read = matches.read(id_)
        matches.write(id_, read, b"m", b"s", lifetime=HOUR, events=[b"e%d" % number], moves=[b"m%d" % number])
    assert list(map(unpacked, client.lrange(keys.events(id_), 0, -1))) == [b"dealt", ODD_BYTES, b"e1", b"e2"]
    assert client.lrange(keys.moves(id_), 0, -1) == [b"m1", b"m2"]


@pytest.mark.parametrize(("events", "moves"), [(0, 0), (0, 1), (1, 0), (5, 1), (1000, 3), (2500, 1100)])
def test_events_and_moves_are_told_apart(matches: MatchStore, client: Redis, id_: str, events: int, moves: int):
    happened, played = [b"event %d" % n for n in range(events)], [b"move %d" % n for n in range(moves)]
    matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=happened, moves=played)
    assert client.lrange(keys.events(id_), 0, -1) == happened
    assert client.lrange(keys.moves(id_), 0, -1) == played


# --- compare and set ---


def test_a_match_is_created_once(matches: MatchStore, id_: str):
    assert matches.write(id_, None, b"first", b"", lifetime=HOUR)
    assert not matches.write(id_, None, b"second", b"", lifetime=HOUR)
    assert without_stamp(matches.read(id_)) == (1, b"first", b"")


def test_who_was_overtaken_changes_nothing(matches: MatchStore, client: Redis, id_: str):
    matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=[b"e"], moves=[b"m"])
    read = matches.read(id_)
    assert matches.write(id_, read, b"faster", b"s", lifetime=HOUR)
    for key in client.keys(f"*{id_}*"):
        client.expire(key, 100)
    before = client.hgetall(keys.record(id_))

    assert not matches.write(id_, read, b"slower", b"s", lifetime=HOUR, events=[b"x"], moves=[b"x"])

    assert client.hgetall(keys.record(id_)) == before
    assert client.llen(keys.events(id_)) == client.llen(keys.moves(id_)) == 1
    assert all(client.ttl(key) <= 100 for key in client.keys(f"*{id_}*"))


def test_a_match_that_expired_meanwhile_is_not_written_again(matches: MatchStore, client: Redis, id_: str):
    """Else half a match would rise from the dead."""
    matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=[b"e"])
    read = matches.read(id_)
    client.delete(keys.record(id_), keys.events(id_))
    assert not matches.write(id_, read, b"m", b"s", lifetime=HOUR, events=[b"e"])
    assert client.keys(f"*{id_}*") == []


def test_every_write_has_a_stamp_of_its_own(matches: MatchStore, id_: str):
    """Also those that write the same once more."""
    matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    stamps = set()
    for _ in range(20):
        read = matches.read(id_)
        stamps.add(read.stamp)
        assert matches.write(id_, read, b"m", b"s", lifetime=HOUR)
    assert len(stamps) == 20
    assert {len(stamp) for stamp in stamps} == {8}


@pytest.mark.parametrize("rewritten", [b"m2", b"m2 as the others wrote it"])
def test_who_read_a_history_that_a_failover_has_lost_does_not_write_on_the_other(
    matches: MatchStore, client: Redis, id_: str, rewritten: bytes
):
    """Both have a second version. Their moves may even be the same ones: time and chance may make the rest differ."""
    matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    what_a_replica_had = client.dump(keys.record(id_))
    matches.write(id_, matches.read(id_), b"m2", b"s", lifetime=HOUR)
    read_of_the_lost = matches.read(id_)
    client.restore(keys.record(id_), HOUR * 1000, what_a_replica_had, replace=True)
    matches.write(id_, matches.read(id_), rewritten, b"s", lifetime=HOUR)
    before = client.hgetall(keys.record(id_))

    assert read_of_the_lost.version == matches.read(id_).version
    assert not matches.write(id_, read_of_the_lost, b"m3", b"s", lifetime=HOUR)
    assert client.hgetall(keys.record(id_)) == before
    assert matches.write(id_, matches.read(id_), b"m3", b"s", lifetime=HOUR)


def test_of_many_writers_at_once_each_version_has_one(matches: MatchStore, client: Redis, id_: str):
    """Regression 15: read-modify-write lost somebody's simultaneous choice."""
    matches.write(id_, None, b"m", b"s", lifetime=HOUR)

    def add(number: int) -> None:
        while not matches.write(id_, matches.read(id_), b"m", b"s", lifetime=HOUR, moves=[b"%d" % number]):
            pass

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(40)))
    assert sorted(map(int, client.lrange(keys.moves(id_), 0, -1))) == list(range(40))
    assert matches.read(id_).version == 41


# --- times to live ---


def test_a_write_gives_all_keys_one_time_to_live(matches: MatchStore, client: Redis, id_: str):
    """Regression 20."""
    matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=[b"e"], moves=[b"m"])
    for lifetime in (HOUR, 10 * HOUR, 2 * HOUR):
        matches.write(id_, matches.read(id_), b"m", b"s", lifetime=lifetime)
        left = [client.ttl(key) for key in (keys.record(id_), keys.events(id_), keys.moves(id_))]
        assert all(lifetime - 60 < seconds <= lifetime for seconds in left)


def test_reading_lengthens_nothing(matches: MatchStore, client: Redis, id_: str):
    matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    client.expire(keys.record(id_), 100)
    matches.read(id_)
    assert 0 < client.ttl(keys.record(id_)) <= 100


def test_an_expired_match_is_not_there(matches: MatchStore, id_: str):
    matches.write(id_, None, b"m", b"s", lifetime=0.001)
    eventually(lambda: matches.read(id_) is None, "the end of the match")


# --- keys and channels ---


def test_all_keys_of_a_match_lie_in_one_slot(id_: str):
    """In a cluster, one script may only touch keys with the same hash tag."""
    names = [keys.record(id_), keys.events(id_), keys.moves(id_), keys.changes(id_)]
    assert len(set(names)) == 4
    assert {name[name.index("{") : name.index("}") + 1] for name in names} == {f"{{{id_}}}"}


def test_a_match_has_no_keys_but_the_named_ones(matches: MatchStore, client: Redis, id_: str):
    matches.write(id_, None, b"m", b"s", lifetime=HOUR, events=[b"e"], moves=[b"m"])
    named = [keys.record(id_), keys.events(id_), keys.moves(id_)]
    assert sorted(client.keys(f"*{id_}*")) == sorted(name.encode() for name in named)
    assert set(client.hgetall(keys.record(id_))) == {b"version", b"stamp", b"match", b"state"}


@pytest.mark.parametrize("odd", ["", "}", "{x}", "a:record", "*", "ä", "\x00", "a\nb"])
def test_odd_ids_lead_to_no_other_match(matches: MatchStore, id_: str, odd: str):
    matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    assert matches.read(odd) is None


def test_who_waits_is_told_of_every_write_and_of_nothing_else(matches: MatchStore, client: Redis, id_: str):
    with closing(client.pubsub(ignore_subscribe_messages=True)) as listener:
        listener.subscribe(keys.changes(id_))
        assert listener.get_message(timeout=5) is None  # the confirmation
        matches.write(id_, None, b"m", b"s", lifetime=HOUR)
        read = matches.read(id_)
        matches.write(id_, read, b"m", b"s", lifetime=HOUR)
        matches.write(id_, read, b"too late", b"s", lifetime=HOUR)
        told = [listener.get_message(timeout=5)["data"] for _ in range(2)]
        assert told == [b"1", b"2"]
        assert listener.get_message(timeout=0.05) is None


# --- failures ---


@pytest.fixture
def own_server() -> Iterator[StoreServer]:
    """A store that a test may kill."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


def test_a_dead_store_is_unavailable(own_server: StoreServer):
    with closing(connect(own_server.url, 1.0, 2)) as connection:
        matches = MatchStore(connection)
        matches.check_writable()
        own_server.kill()
        for use in (
            matches.check_writable,
            lambda: matches.read("x"),
            lambda: matches.write("x", None, b"m", b"s", lifetime=HOUR),
        ):
            with pytest.raises(StoreUnavailable):
                use()


def test_a_store_that_comes_back_has_everything_and_is_read_at_once(own_server: StoreServer):
    """Regression 21: the pool's old connections are dead, and the first reader must not notice."""
    with closing(connect(own_server.url, 2.0, 2)) as connection:
        matches = MatchStore(connection)
        matches.write("x", None, b"m", ODD_BYTES, lifetime=HOUR, events=[b"e"])
        connection.bgrewriteaof()
        eventually(lambda: connection.info("persistence")["aof_rewrite_in_progress"] == 0, "the rewriting")
        own_server.kill()
        own_server.start()
        assert without_stamp(matches.read("x")) == (1, b"m", ODD_BYTES)
        # The server has forgotten the script, which the client sends again.
        assert matches.write("x", matches.read("x"), b"m2", b"s", lifetime=HOUR)


@pytest.mark.parametrize("memory", [0, 2**20])
@pytest.mark.parametrize(("failures", "found"), [(1, True), (2, False)])
def test_a_read_is_tried_twice_and_a_write_once(
    client: Redis, monkeypatch: pytest.MonkeyPatch, id_: str, failures: int, found: bool, memory: int
):
    """Reading twice does no harm. A write whose answer was lost may have taken place, so nobody repeats it here."""
    matches = MatchStore(client, memory=memory)
    matches.write(id_, None, b"m", b"s", lifetime=HOUR)
    lost = [StoreConnectionError] * failures
    intact = client.execute_command

    def losing(*arguments, **options):
        if lost:
            raise lost.pop()
        return intact(*arguments, **options)

    monkeypatch.setattr(client, "execute_command", losing)
    if found:
        assert without_stamp(matches.read(id_)) == (1, b"m", b"s")
    else:
        with pytest.raises(StoreUnavailable):
            matches.read(id_)

    monkeypatch.undo()
    read = matches.read(id_)
    tries: list[None] = []

    def never_answering(**_) -> None:
        tries.append(None)
        raise StoreConnectionError

    monkeypatch.setattr(matches, "_write", never_answering)
    with pytest.raises(StoreUnavailable):
        matches.write(id_, read, b"m", b"s", lifetime=HOUR)
    assert len(tries) == 1


def test_a_store_that_does_not_answer_in_time_is_unavailable():
    """It listens, and says nothing: nobody waits for ever, and nothing is sent twice."""
    received: list[bytes] = []
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()

        def swallow() -> None:
            with listening.accept()[0] as silent:
                while data := silent.recv(65536):
                    received.append(data)

        thread = threading.Thread(target=swallow)
        thread.start()
        connection = connect(f"redis://127.0.0.1:{listening.getsockname()[1]}", 0.1, 1)
        with closing(connection), pytest.raises(StoreUnavailable):
            MatchStore(connection).write("x", None, b"m", b"s", lifetime=HOUR)
        thread.join()
    assert b"".join(received).count(b"EVALSHA") <= 1


def test_a_full_store_says_so_and_has_written_nothing(own_server: StoreServer):
    with closing(connect(own_server.url, 2.0, 2)) as connection:
        matches = MatchStore(connection)
        matches.write("x", None, b"m", b"s", lifetime=HOUR)
        connection.config_set("maxmemory", 1)
        for use in (
            matches.check_writable,
            lambda: matches.write("x", matches.read("x"), b"m2", b"s", lifetime=HOUR, events=[b"e"]),
            lambda: matches.write("y", None, b"m", b"s", lifetime=HOUR),
        ):
            with pytest.raises(StoreFull):
                use()
        assert without_stamp(matches.read("x")) == (1, b"m", b"s")
        assert matches.read("y") is None
        connection.config_set("maxmemory", 0)
        assert matches.write("x", matches.read("x"), b"m2", b"s", lifetime=HOUR)


def test_a_replica_takes_no_writes_and_says_so(own_server: StoreServer, store: StoreServer):
    """Regression 25: a read-only replica answers a ping."""
    with closing(connect(own_server.url, 2.0, 2)) as connection:
        connection.replicaof("127.0.0.1", "1")
        assert connection.ping()
        with pytest.raises(StoreUnavailable):
            MatchStore(connection).check_writable()


def test_a_pool_that_is_used_up_makes_the_next_one_wait_and_then_gives_up(store: StoreServer):
    with closing(connect(store.url, 0.1, 1)) as connection:
        taken = connection.connection_pool.get_connection()
        with pytest.raises(StoreUnavailable):
            MatchStore(connection).read("x")
        connection.connection_pool.release(taken)
        assert MatchStore(connection).read("x") is None


# --- connecting ---


@pytest.mark.parametrize(("failures", "found"), [(0, True), (3, True), (4, False)])
def test_connecting_is_tried_a_few_times(
    matches: MatchStore, monkeypatch: pytest.MonkeyPatch, failures: int, found: bool
):
    """Nothing has been sent yet, so that does no harm, be it a write: a server may start again within a moment."""
    tries = failing_connections(monkeypatch, failures, StoreConnectionError)
    if found:
        assert matches.write(next(_ids), None, b"m", b"s", lifetime=HOUR)
    else:
        with pytest.raises(StoreUnavailable):
            matches.write(next(_ids), None, b"m", b"s", lifetime=HOUR)
    assert len(tries) == failures


def test_who_is_refused_does_not_try_again(matches: MatchStore, monkeypatch: pytest.MonkeyPatch):
    tries = failing_connections(monkeypatch, 9, AuthenticationError)
    with pytest.raises(StoreUnavailable):
        matches.write(next(_ids), None, b"m", b"s", lifetime=HOUR)
    assert len(tries) == 1


def failing_connections(monkeypatch: pytest.MonkeyPatch, failures: int, error: type[Exception]) -> list[None]:
    """Have so many attempts to connect fail; gives those that did."""
    intact = UnixDomainSocketConnection.connect
    failed: list[None] = []

    def connecting(connection: UnixDomainSocketConnection) -> None:
        if len(failed) < failures:
            failed.append(None)
            raise error
        intact(connection)

    monkeypatch.setattr(UnixDomainSocketConnection, "connect", connecting)
    monkeypatch.setattr(pools, "_FIRST_PAUSE", 0.001)
    return failed


def test_a_primary_that_became_a_replica_is_left_behind(own_server: StoreServer):
    """Another may be the primary behind the same name by now."""
    with closing(connect(own_server.url, 2.0, 2)) as connection:
        matches = MatchStore(connection)
        matches.check_writable()
        before = connection.client_id()
        connection.replicaof("127.0.0.1", "1")
        for write in (matches.check_writable, lambda: Indexes(connection, HOUR).announce([Entry("x", 1, "m")])):
            with pytest.raises(StoreUnavailable):
                write()
            assert connection.client_id() > before, "the connection was given up"
            before = connection.client_id()
