"""Waking who waits: one subscription per process, and no wake-up is ever lost.

``test_feed_under_gevent`` runs all of this once more where threads are greenlets, as in the workers.
"""

from __future__ import annotations

import itertools
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import ResponseError
from support.puppet import Puppet
from support.store import PATIENCE, StoreServer, eventually

from service.store import Feed, Listener, StoreUnavailable, connect, subscriber

AT_ONCE = 16

_names = (f"channel-{number}" for number in itertools.count())


@contextmanager
def feed_of(url: str, timeout: float = PATIENCE, silence: float = PATIENCE) -> Iterator[Feed]:
    with (
        closing(connect(url, timeout, 4)) as client,
        closing(Feed(lambda: subscriber(client, silence), timeout, AT_ONCE)) as feed,
    ):
        yield feed


@pytest.fixture
def feed(store: StoreServer) -> Iterator[Feed]:
    with feed_of(store.url) as feed:
        yield feed


@pytest.fixture
def client(store: StoreServer) -> Iterator[Redis]:
    """The tests' own way to the store."""
    with closing(Redis.from_url(store.url)) as client:
        yield client


@pytest.fixture
def own_server() -> Iterator[StoreServer]:
    """A store that a test may kill."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def name() -> str:
    return next(_names)


def subscribers(client: Redis, name: str) -> int:
    return client.pubsub_numsub(name)[0][1]


# --- waking ---


def test_a_message_ends_the_wait(feed: Feed, client: Redis, name: str):
    with feed.listen(name) as listener, ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(listener.wait, PATIENCE)
        client.publish(name, "")
        assert waiting.result(PATIENCE) is True


def test_without_a_message_the_wait_ends_by_itself(feed: Feed, client: Redis, name: str):
    with feed.listen(name) as listener:
        client.publish(name + "x", "")
        assert listener.wait(0.1) is False
        assert listener.wait(0) is False
        assert listener.wait(-1) is False


def test_a_message_before_the_wait_counts_once(feed: Feed, client: Redis, name: str):
    """Registered first and read afterwards: what comes in between is not lost."""
    with feed.listen(name) as listener:
        for _ in range(3):
            client.publish(name, "")
        client.publish(name, "")
        eventually(listener._woken.is_set, "the message")
        time.sleep(0.05)  # the others are on their way
        assert listener.wait(PATIENCE) is True
        assert listener.wait(0.1) is False
        client.publish(name, "")
        assert listener.wait(PATIENCE) is True


def test_once_it_is_entered_no_message_is_missed(store: StoreServer, feed: Feed, client: Redis):
    """However often channels are taken up and dropped meanwhile, by however many."""
    names = [next(_names) for _ in range(3)]

    def listen(number: int) -> None:
        chance = random.Random(number)
        with closing(Redis.from_url(store.url)) as own:
            for _ in range(60):
                name = chance.choice(names)
                with feed.listen(name) as listener:
                    if chance.random() < 0.7:
                        own.publish(name, "")
                        assert listener.wait(PATIENCE)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(listen, range(8)))
    assert [subscribers(client, name) for name in names] == [0, 0, 0]


def test_all_who_listen_are_woken_and_nobody_else(feed: Feed, client: Redis, name: str):
    other = next(_names)
    with ExitStack() as stack:
        listeners = [stack.enter_context(feed.listen(name)) for _ in range(50)]
        others = [stack.enter_context(feed.listen(other)) for _ in range(50)]
        client.publish(name, "")
        assert all(listener.wait(PATIENCE) for listener in listeners)
        assert not any(listener.wait(0) for listener in others)


def test_all_waits_can_be_ended(feed: Feed, name: str):
    """When the process is about to end."""
    with feed.listen(name) as one, feed.listen(next(_names)) as other, ThreadPoolExecutor(2) as threads:
        waits = [threads.submit(listener.wait, PATIENCE) for listener in (one, other)]
        feed.wake_all()
        assert [wait.result(PATIENCE) for wait in waits] == [True, True]


# --- one connection ---


def test_however_many_listen_there_is_one_connection_and_one_thread(own_server: StoreServer):
    with feed_of(own_server.url) as feed, closing(Redis.from_url(own_server.url)) as client, ExitStack() as stack:
        before = threading.active_count()
        for _ in range(300):
            stack.enter_context(feed.listen("one"))
            stack.enter_context(feed.listen(next(_names)))
        assert len(client.client_list(_type="pubsub")) == 1
        assert threading.active_count() == before + 1
        assert subscribers(client, "one") == 1


def test_a_channel_is_dropped_when_the_last_one_leaves(feed: Feed, client: Redis, name: str):
    with feed.listen(name):
        with feed.listen(name):
            assert subscribers(client, name) == 1
        assert subscribers(client, name) == 1
    eventually(lambda: subscribers(client, name) == 0, "the end of the subscription")
    assert feed._channels == {}
    with feed.listen(name) as again:
        client.publish(name, "")
        assert again.wait(PATIENCE)


def test_nothing_is_connected_before_somebody_listens(own_server: StoreServer):
    with feed_of(own_server.url), closing(Redis.from_url(own_server.url)) as client:
        assert client.client_list(_type="pubsub") == []


def test_over_tcp(own_server: StoreServer, name: str):
    with closing(Redis.from_url(own_server.url)) as client:

        def listens() -> bool:
            nonlocal port
            port = random.randrange(20_000, 60_000)
            try:
                return client.config_set("port", str(port))
            except ResponseError:
                return False  # somebody else does

        port = 0
        eventually(listens, "a free port")
        with feed_of(f"redis://127.0.0.1:{port}") as feed, feed.listen(name) as listener:
            client.publish(name, "")
            assert listener.wait(PATIENCE)


# --- losses ---


def test_a_killed_subscription_loses_no_wake_up(feed: Feed, client: Redis):
    """Whoever counts what is counted in the store, waiting between two looks, arrives at the last number.

    While numbers are raised and published, the subscription is killed again and again, also right before the last.
    """
    names = [next(_names) for _ in range(4)]
    last = 150

    def follow(name: str) -> int:
        with feed.listen(name) as listener:
            while (seen := listener.shared("number", lambda: int(client.get(name) or 0))) < last:
                assert listener.wait(PATIENCE), f"stuck at {seen}"
            return seen

    chance = random.Random(1)
    with ThreadPoolExecutor(12) as threads:
        following = [threads.submit(follow, name) for name in names * 3]
        for number in range(last):
            kill = chance.random() < 0.2 and number < last - 1
            if (kill and chance.random() < 0.5) or number == last - 1:
                client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            for name in names:
                client.set(name, number + 1, ex=600)
                client.publish(name, "")
            if kill:
                client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        assert [one.result(PATIENCE) for one in following] == [last] * 12


def test_the_wait_goes_on_over_a_restart_of_the_store(own_server: StoreServer, name: str):
    with feed_of(own_server.url) as feed, feed.listen(name) as listener:
        own_server.kill()
        eventually(lambda: listener.wait(0) is True, "that nobody knows any more")
        own_server.start()
        eventually(lambda: subscribers_at(own_server, name) == 1, "the subscription")
        assert listener.wait(PATIENCE), "once it is back, everybody reads again"
        assert listener.wait(0.1) is False
        with closing(Redis.from_url(own_server.url)) as client:
            client.publish(name, "")
        assert listener.wait(PATIENCE)


def subscribers_at(server: StoreServer, name: str) -> int:
    with closing(Redis.from_url(server.url)) as client:
        return subscribers(client, name)


def test_without_a_store_nobody_listens(own_server: StoreServer, name: str):
    with feed_of(own_server.url, timeout=0.3) as feed:
        own_server.kill()
        for _ in range(2):
            with pytest.raises(StoreUnavailable), feed.listen(name):
                pass
        assert feed._channels == {}
        own_server.start()

        def can_listen() -> bool:
            try:
                with feed.listen(name):
                    return True
            except StoreUnavailable:
                return False

        eventually(can_listen, "the subscription")


def test_a_store_that_hangs_and_comes_round(own_server: StoreServer, name: str):
    with feed_of(own_server.url, silence=0.2) as feed, feed.listen(name) as listener:
        assert own_server._process is not None
        own_server._process.send_signal(signal.SIGSTOP)
        eventually(lambda: listener.wait(0) is True, "that nobody knows any more")
        own_server._process.send_signal(signal.SIGCONT)
        eventually(listener.channel.subscribed.is_set, "the subscription")
        assert listener.wait(PATIENCE)


def test_a_connection_that_is_only_half_there_is_made_anew():
    """The other side is gone and nobody said so: asked whether it is there, it does not answer."""
    with Puppet(confirms=True) as store, feed_of(store.url, silence=0.2) as feed, feed.listen("x") as listener:
        store.heard("PING")
        store.heard("SUBSCRIBE", "x", times=2)
        assert store.connections >= 2
        assert listener.wait(PATIENCE), "once it is back, everybody reads again"


def test_a_connection_on_which_nothing_happens_is_kept():
    with Puppet(confirms=True) as store, feed_of(store.url, silence=1.0) as feed, feed.listen("x") as listener:
        for pings in (1, 2, 3):
            store.heard("PING", times=pings)
            store.reply("pong", "")
        assert store.connections == 1
        assert listener.wait(0) is False


def test_an_old_confirmation_does_not_count_for_a_new_listener():
    """Between the two the channel was dropped: what is published there is missed."""
    with Puppet() as store, feed_of(store.url, timeout=0.5) as feed, ThreadPoolExecutor(1) as threads:
        with pytest.raises(StoreUnavailable), feed.listen("x"):
            pass
        store.heard("UNSUBSCRIBE", "x")
        entering = feed.listen("x")
        listening = threads.submit(entering.__enter__)
        store.heard("SUBSCRIBE", "x", times=2)
        store.reply("subscribe", "x", "1")
        store.reply("unsubscribe", "x", "0")
        with pytest.raises(StoreUnavailable):
            listening.result(PATIENCE)


def test_a_refused_subscription_is_tried_again():
    with Puppet() as store, feed_of(store.url) as feed, ThreadPoolExecutor(1) as threads:
        entering = feed.listen("x")
        listening = threads.submit(entering.__enter__)
        store.heard("SUBSCRIBE", "x")
        store._connections[-1].sendall(b"-NOPERM no\r\n")
        store.heard("SUBSCRIBE", "x", times=2)
        store.reply("subscribe", "x", "1")
        assert listening.result(PATIENCE).wait(0) is False


def test_the_reader_survives_whatever_happens_to_it(store: StoreServer, client: Redis, name: str):
    failures = [ValueError("odd"), RuntimeError("odder"), StoreConnectionError("usual")]

    def connect_at_last():
        if failures:
            raise failures.pop()
        return subscriber(client, 5.0)

    with closing(Feed(connect_at_last, PATIENCE, AT_ONCE)) as feed, feed.listen(name) as listener:
        client.publish(name, "")
        assert listener.wait(PATIENCE)


def test_after_the_end_nobody_listens(store: StoreServer, name: str):
    before = set(threading.enumerate())  # an app of other tests may listen still
    with feed_of(store.url) as feed:
        with feed.listen(name):
            feed.close()
        with pytest.raises(StoreUnavailable), feed.listen(name):
            pass
        assert not any(thread.name == "subscription" for thread in set(threading.enumerate()) - before)


# --- reading for all ---


class Source:
    """Something that is read slowly, so that others come by meanwhile."""

    def __init__(self) -> None:
        self.value = 0
        self.read = 0
        self._lock = threading.Lock()

    def __call__(self) -> int:
        with self._lock:
            self.read += 1
        value = self.value
        time.sleep(0.05)
        return value


def all_at_once(listeners: list[Listener], use: Callable[[Listener], object]) -> list[object]:
    with ThreadPoolExecutor(len(listeners)) as threads:
        return list(threads.map(use, listeners))


def test_who_is_woken_together_reads_together(feed: Feed, client: Redis, name: str):
    source = Source()

    def wait_and_read(listener: Listener) -> int:
        assert listener.wait(PATIENCE)
        return listener.shared("it", source)

    with ExitStack() as stack:
        listeners = [stack.enter_context(feed.listen(name)) for _ in range(100)]
        for number in (1, 2, 3):
            source.value = number
            client.publish(name, "")
            assert all_at_once(listeners, wait_and_read) == [number] * 100
        assert source.read == 3


def test_who_came_later_takes_nothing_older(feed: Feed, name: str):
    """It may be that somebody knows already of a change whose message has not arrived yet."""
    source = Source()
    with feed.listen(name) as early:
        assert early.shared("it", source) == 0
        source.value = 1
        with feed.listen(name) as late:
            assert late.shared("it", source) == 1
            assert early.shared("it", source) == 1
            assert late.shared("it", source) == 1
    assert source.read == 2


def test_who_comes_while_somebody_reads_reads_as_well(feed: Feed, name: str):
    source, begun, may_end = Source(), threading.Event(), threading.Event()

    def slow() -> int:
        value = source.value
        begun.set()
        assert may_end.wait(PATIENCE)
        return value

    with feed.listen(name) as early, ThreadPoolExecutor(1) as threads:
        reading = threads.submit(early.shared, "it", slow)
        assert begun.wait(PATIENCE)
        source.value = 1
        with feed.listen(name) as late:
            assert late.shared("it", source) == 1
        may_end.set()
        assert reading.result(PATIENCE) == 0


def test_different_things_are_read_apart(feed: Feed, name: str):
    with feed.listen(name) as listener:
        assert listener.shared("a", lambda: 1) == 1
        assert listener.shared(("a", 1), lambda: 2) == 2
        assert listener.shared("a", lambda: 3) == 1
        with feed.listen(next(_names)) as other:
            assert other.shared("a", lambda: 4) == 4


def test_what_was_read_is_forgotten_with_the_subscription(feed: Feed, client: Redis, name: str):
    with feed.listen(name) as listener:
        assert listener.shared("it", lambda: 1) == 1
        client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        assert listener.wait(PATIENCE)
        eventually(listener.channel.subscribed.is_set, "the subscription")
        assert listener.shared("it", lambda: 2) == 2


def test_without_a_subscription_nothing_is_shared(own_server: StoreServer, name: str):
    with feed_of(own_server.url) as feed, feed.listen(name) as listener:
        assert listener.shared("it", lambda: 1) == 1
        own_server.kill()
        eventually(lambda: not listener.channel.subscribed.is_set(), "the loss")
        assert listener.shared("it", lambda: 2) == 2
        assert listener.shared("it", lambda: 3) == 3


def test_a_failure_is_shared_and_not_kept(feed: Feed, client: Redis, name: str):
    tries: list[None] = []

    def fail() -> None:
        tries.append(None)
        time.sleep(0.05)
        raise StoreUnavailable

    def wait_and_fail(listener: Listener) -> None:
        assert listener.wait(PATIENCE)
        with pytest.raises(StoreUnavailable):
            listener.shared("it", fail)

    with ExitStack() as stack:
        listeners = [stack.enter_context(feed.listen(name)) for _ in range(50)]
        client.publish(name, "")
        all_at_once(listeners, wait_and_fail)
        assert len(tries) == 1
        client.publish(name, "")
        assert listeners[0].wait(PATIENCE)
        assert listeners[0].shared("it", lambda: "read") == "read"


def test_who_reads_for_all_may_be_interrupted(feed: Feed, client: Redis, name: str):
    begun = threading.Event()

    def interrupted() -> None:
        begun.set()
        time.sleep(0.1)
        raise KeyboardInterrupt

    with feed.listen(name) as one, feed.listen(name) as other, ThreadPoolExecutor(2) as threads:
        reading = threads.submit(one.shared, "it", interrupted)
        assert begun.wait(PATIENCE)
        with pytest.raises(StoreUnavailable):
            other.shared("it", lambda: None)
        with pytest.raises(KeyboardInterrupt):
            reading.result(PATIENCE)


@pytest.fixture
def all_turns_taken(own_server: StoreServer) -> Iterator[tuple[Feed, Listener, threading.Event]]:
    """Somebody who listens while as many as may use the store do nothing with it, until they are told to stop."""
    may_end, begun = threading.Event(), threading.Semaphore(0)

    def use() -> None:
        begun.release()
        assert may_end.wait(PATIENCE)

    with feed_of(own_server.url) as feed, feed.listen("x") as listener, ThreadPoolExecutor(AT_ONCE) as threads:
        for _ in range(AT_ONCE):
            threads.submit(listener.in_turn, use)
            assert begun.acquire(timeout=PATIENCE)
        yield feed, listener, may_end
        may_end.set()


def test_whose_turn_does_not_come_waits(all_turns_taken):
    _, listener, may_end = all_turns_taken
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(listener.in_turn, lambda: "used")
        time.sleep(0.1)
        assert not waiting.done()
        may_end.set()
        assert waiting.result(PATIENCE) == "used"


def test_whose_turn_never_comes_gives_up(all_turns_taken, monkeypatch: pytest.MonkeyPatch):
    _, listener, _ = all_turns_taken
    monkeypatch.setattr("service.store.feed._LOOKS_UP", 0.01)
    with pytest.raises(StoreUnavailable):
        listener.in_turn(lambda: "used")
    with pytest.raises(StoreUnavailable):
        listener.shared("it", lambda: "used")


def test_nobody_stands_in_line_for_a_dead_store(
    all_turns_taken, own_server: StoreServer, monkeypatch: pytest.MonkeyPatch
):
    _, listener, _ = all_turns_taken
    monkeypatch.setattr("service.store.feed._LOOKS_UP", 0.1)
    monkeypatch.setattr("service.store.feed._LOOKS", 10**9)
    own_server.kill()
    with pytest.raises(StoreUnavailable):
        listener.in_turn(lambda: "used")


def test_only_so_many_read_at_once(feed: Feed):
    """After a loss everybody reads; those who act need connections too."""
    reading, most, lock = 0, 0, threading.Lock()

    def count() -> None:
        nonlocal reading, most
        with lock:
            reading += 1
            most = max(most, reading)
        time.sleep(0.01)
        with lock:
            reading -= 1

    with ExitStack() as stack:
        listeners = [stack.enter_context(feed.listen(next(_names))) for _ in range(80)]
        all_at_once(listeners, lambda listener: listener.shared("it", count))
    assert most == AT_ONCE
