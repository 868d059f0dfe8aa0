"""A primary that Sentinels watch over: everything that the service does, and how it finds the next primary."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from redis.exceptions import ResponseError
from redis.sentinel import Sentinel
from support.clients import seated
from support.evening import Stubborn, all_events, wakes, whole_evening
from support.live import LiveStream
from support.server import Server
from support.several_stores import PRIMARY, WatchedStore
from support.store import eventually

from service.match import Stored
from service.store import Access, Feed, MatchStore, StoreUnavailable, connect, subscriber
from service.store.check import NotThere, examine

HOUR = 3600
PASSWORD = "hunter2-hunter2"
WATCHER = "hunter2-of-the-watchers"


@pytest.fixture(scope="module")
def watched() -> Iterator[WatchedStore]:
    """A primary with a replica and three Sentinels. The store and the Sentinels ask for passwords, not the same one."""
    store = WatchedStore(
        3,
        options={
            "user": f"anna on >{PASSWORD} ~* &* +@all",
            "requirepass": PASSWORD,
            "masteruser": "anna",
            "masterauth": PASSWORD,
        },
        client={"password": PASSWORD},
        user=f"anna:{PASSWORD}@",
        watching=[f"auth-user {PRIMARY} anna", f"auth-pass {PRIMARY} {PASSWORD}"],
        watcher=WATCHER,
    )
    try:
        store.start()
        yield store
    finally:
        store.close()


@pytest.fixture
def access() -> Access:
    return Access(sentinel_user="default", sentinel_password=WATCHER)


SENTINELS = {"TURNCOAT_SENTINEL_USER": "default", "TURNCOAT_SENTINEL_PASSWORD": WATCHER}


def test_a_whole_evening(serving: Callable[..., Server], watched: WatchedStore):
    server = serving(watched.url, **SENTINELS)
    whole_evening(server)
    assert "hunter2" not in server.said()


def test_a_store_that_is_fit(watched: WatchedStore, access: Access):
    with closing(connect(watched.url, 2.0, 1, access)) as client:
        assert examine(client, replicas=1) == []


def test_who_cannot_ask_the_sentinels_is_told_so(watched: WatchedStore):
    with closing(connect(watched.url, 2.0, 1)) as client:
        with pytest.raises(NotThere, match="Sentinel"):
            examine(client, replicas=0)
        with pytest.raises(StoreUnavailable):
            MatchStore(client).read("x")


def test_a_sentinel_that_is_gone_or_hangs_does_no_harm(watched: WatchedStore, access: Access):
    first, second, _ = watched.sentinels
    first.signal(signal.SIGSTOP)
    second.kill()
    try:
        with closing(connect(watched.url, 4.0, 1, access)) as client:
            MatchStore(client).check_writable()
    finally:
        first.signal(signal.SIGCONT)
        second.start("--sentinel")


def test_a_replica_that_an_isolated_sentinel_calls_the_primary_is_not_believed(
    watched: WatchedStore, access: Access, monkeypatch: pytest.MonkeyPatch
):
    (replica,) = [server for server in watched.servers if server is not watched.primary()]
    monkeypatch.setattr(Sentinel, "discover_master", lambda *_: ("127.0.0.1", replica.port))
    with closing(connect(watched.url, 1.0, 1, access)) as client, pytest.raises(StoreUnavailable):
        MatchStore(client).read("x")


def test_a_primary_that_became_a_replica_is_left(watched: WatchedStore, access: Access):
    """The Sentinels move the primary. The old one takes writes for some seconds yet, and what it takes is lost."""
    with (
        closing(connect(watched.url, 2.0, 4, access)) as client,
        closing(Feed(lambda: subscriber(client, 1.0), 10.0, 4)) as feed,
        feed.listen("channel") as listener,
    ):
        matches = MatchStore(client)
        assert matches.write("moved", None, b"m", b"s", lifetime=HOUR)
        before = watched.primary()
        eventually(lambda: fails_over(watched), "the Sentinels to agree to a failover")
        (now,) = [server for server in watched.servers if server is not before]
        eventually(lambda: watched.named() is now, "another primary")
        time.sleep(1.1)  # in which they may be asked once
        eventually(lambda: writes(matches), "a write")
        assert now.redis.hget("match:{moved}:record", "match") == b"m2"
        eventually(lambda: watched.primary() is now, "the old one to be a replica")
        eventually(lambda: bool(watched.primary().redis.client_list(_type="pubsub")[1:]), "the subscription")
        eventually(lambda: watched.primary().redis.publish("channel", "x") > 0 and listener.wait(0.1), "a change")


def fails_over(watched: WatchedStore) -> bool:
    try:
        return bool(watched.sentinels[0].redis.execute_command("SENTINEL FAILOVER", PRIMARY))
    except ResponseError as error:  # it does not know (yet) that the replica is good enough, or is at it
        return "INPROG" in str(error)


def writes(matches: MatchStore) -> bool:
    try:
        read = matches.read("moved")
        return matches.write("moved", read, b"m2", b"s", lifetime=HOUR)
    except StoreUnavailable:
        return False


def test_a_primary_dies_and_nothing_acknowledged_is_missing(serving: Callable[..., Server], watched: WatchedStore):
    server = serving(watched.url, TURNCOAT_STORE_REPLICAS="1", TURNCOAT_WORKERS="1", **SENTINELS)
    workers = server.workers()
    match, players = seated(server.visitor())
    table = Stubborn(match, players)
    table.moves(10)
    stream = LiveStream(server.address, match, players[1].token)
    before = all_events(players[1], match)
    stream.has(len(before))

    victim = watched.primary()
    victim.kill()
    eventually(lambda: players[1].call("getView", match=match).status == 200, "the match")
    assert watched.primary() is not victim
    victim.start("--replicaof", f"127.0.0.1 {watched.primary().port}")  # without one no move could be confirmed
    table.moves(10)
    assert all_events(players[1], match)[: len(before)] == before
    wakes(server, match, players)
    stream.hang_up()
    assert server.workers() == workers, "none was started again"


def test_a_primary_that_hangs_is_left_by_those_who_listen_too(watched: WatchedStore, access: Access):
    """No connection is closed; the subscription asks, and gets no answer."""
    with (
        closing(connect(watched.url, 0.5, 4, access)) as client,
        closing(Feed(lambda: subscriber(client, 0.5), 10.0, 4)) as feed,
        feed.listen("channel") as listener,
    ):
        hanging = watched.primary()
        (other,) = [server for server in watched.servers if server is not hanging]
        eventually(lambda: other.redis.info("replication").get("master_link_status") == "up", "a replica")
        hanging.signal(signal.SIGSTOP)
        try:
            eventually(lambda: other.redis.role()[0] == b"master", "another primary")
            assert eventually_read(MatchStore(client)) is None
            eventually(lambda: other.redis.publish("channel", "x") > 0 and listener.wait(0.1), "a change")
        finally:
            hanging.signal(signal.SIGCONT)


def eventually_read(matches: MatchStore) -> Stored | None:
    found: list[Stored | None] = []

    def read() -> bool:
        try:
            found.append(matches.read("nowhere"))
        except StoreUnavailable:
            return False
        return True

    eventually(read, "an answer")
    return found[0]
