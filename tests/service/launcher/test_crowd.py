"""Who has fewer connections takes the next one."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import gevent
import gevent.pool
import gevent.socket
import pytest
from gunicorn.workers.ggevent import GeventWorker

from service.launcher import accepting, departures, draining, gunicorn_conf
from service.launcher import crowd as crowd_of_this_process
from service.launcher.accepting import Listener
from service.launcher.crowd import PLACES, Crowd, Place
from service.launcher.worker import Worker


@pytest.fixture
def crowd() -> Crowd:
    return Crowd()


def worker(crowd: Crowd, connections: int = 0) -> Place:
    place = crowd.place()
    assert place is not None
    place.begin()
    for _ in range(connections):
        place.came()
    return place


@pytest.mark.parametrize(
    ("own", "other", "crowded"),
    [
        *[(0, 0, False), (1, 0, False), (2, 0, True), (5, 4, False), (6, 4, True), (3, 9, False)],
        *[(18, 16, False), (20, 16, True), (1125, 1000, False), (1127, 1000, True)],
    ],
)
def test_who_has_more_by_more_than_a_few_is_crowded(crowd: Crowd, own: int, other: int, crowded: bool):
    place = worker(crowd, own)
    worker(crowd, other)
    worker(crowd, 2000)
    assert place.is_crowded() == crowded


def test_alone_nobody_is_crowded(crowd: Crowd):
    assert not worker(crowd, 100).is_crowded()


def test_connections_that_went_do_not_count(crowd: Crowd):
    place, other = worker(crowd, 10), worker(crowd, 8)
    assert place.is_crowded() is False
    for _ in range(3):
        other.went()
    assert place.is_crowded()
    for _ in range(4):
        place.went()
    assert not place.is_crowded()


def test_who_is_not_there_yet_or_no_more_is_nobody_to_wait_for(crowd: Crowd):
    place = worker(crowd, 10)
    beginning, ending = crowd.place(), worker(crowd)
    assert place.is_crowded()
    ending.end()
    assert not place.is_crowded(), "the other one has not begun"
    beginning.begin()
    assert place.is_crowded()


def test_an_ending_worker_s_connections_are_not_taken_off_anybody(crowd: Crowd):
    """They go while the worker that has its place already counts its own."""
    ending = worker(crowd, 3)
    ending.end()
    ending.went()
    ending.free()
    successor = worker(crowd, 5)
    other = worker(crowd, 3)
    assert successor.is_crowded()
    assert not other.is_crowded()


def test_places_are_given_away_again_when_all_are_taken(crowd: Crowd):
    places = [worker(crowd) for _ in range(PLACES)]
    assert crowd.place() is None
    places[7].end()
    assert crowd.place() is None, "the worker is still there"
    places[7].free()
    assert crowd.place() is not None


# --- at the socket ---


class Clients:
    """Connections to a listener in this process."""

    def __init__(self, place: Place) -> None:
        self.taken = 0
        self._socket = gevent.socket.create_server(("127.0.0.1", 0))
        self.listener = Listener(self._socket, place, self._handle, gevent.pool.Pool(100))
        self.listener.start()
        self._clients: list[gevent.socket.socket] = []

    def _handle(self, client: gevent.socket.socket, _address: object) -> None:
        self.taken += 1
        client.recv(1)

    def connect(self, count: int) -> None:
        self._clients += [gevent.socket.create_connection(self._socket.getsockname()) for _ in range(count)]

    def close(self) -> None:
        for client in self._clients:
            client.close()
        self.listener.close()
        self._socket.close()


@pytest.fixture
def clients(crowd: Crowd) -> Iterator[Clients]:
    clients = Clients(worker(crowd, 10))
    yield clients
    clients.close()


def until(done) -> None:
    with gevent.Timeout(30):
        while not done():
            gevent.sleep(0.001)


def test_a_listener_waits_for_others_and_takes_the_connections_if_they_do_not_come(
    crowd: Crowd, clients: Clients, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(accepting, "_PAUSE", 0.2)
    worker(crowd)
    begun = time.monotonic()
    clients.connect(9)
    until(lambda: clients.taken == 9)
    assert time.monotonic() - begun > 2 * 0.2, "it has waited for the others, again and again"


def test_a_listener_without_others_takes_what_comes_at_once(clients: Clients, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(accepting, "_PAUSE", 1000)
    clients.connect(9)
    until(lambda: clients.taken == 9)


def test_a_listener_that_was_closed_while_it_waited_stays_closed(
    crowd: Crowd, clients: Clients, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(accepting, "_PAUSE", 0.05)
    worker(crowd)
    clients.connect(1)
    gevent.sleep(0.01)
    clients.listener.close()
    gevent.sleep(0.2)
    assert clients.taken == 0


# --- in a worker ---


def test_a_worker_counts_its_connections_from_its_beginning_to_its_end(crowd: Crowd, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(crowd_of_this_process, "_made", [crowd])
    ending: list[Callable[[], None]] = []
    monkeypatch.setattr(draining, "when_begun", ending.append)
    other, own = worker(crowd, 2), Worker.__new__(Worker)
    gunicorn_conf.pre_fork(None, own)
    assert not other.is_crowded(), "the worker takes none yet"
    with gevent.socket.create_server(("127.0.0.1", 0)) as listening:
        listener = own.server_class(listening, application=None, spawn="default", environ={})
    assert isinstance(listener, Listener)
    assert other.is_crowded()

    def meanwhile(*_: object) -> None:
        assert not other.is_crowded()
        raise OSError("it broke")

    monkeypatch.setattr(GeventWorker, "handle", meanwhile)
    monkeypatch.setattr(departures, "limit_silence", lambda _: None)
    with pytest.raises(OSError, match="it broke"):
        own.handle(None, None, None)
    assert other.is_crowded(), "the connection is gone"
    for end in ending:
        end()
    assert not other.is_crowded()
    own.pid = os.getpid()
    monkeypatch.setattr("prometheus_client.multiprocess.mark_process_dead", lambda _: None)
    before = own.place
    gunicorn_conf.child_exit(None, own)
    gunicorn_conf.pre_fork(None, own)
    assert own.place._number == before._number, "its place was free again"
