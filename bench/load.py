"""The load: requests that were made before, sent over connections that are kept open, by one process.

A *lane* is a row of requests of which each is sent only after the one before it was answered, over whichever
connection is free. A match's moves are a lane; what may come in any order is as many lanes as there are connections.

Nothing is decoded here but a status and a length, so that the load takes little of the machine that it measures. What
it takes is measured too.
"""

from __future__ import annotations

import gc
import heapq
import re
import select
import socket
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

Lane = Iterator[bytes]

_LENGTH = re.compile(rb"\r\n[Cc]ontent-[Ll]ength: *(\d+)")
_WITHOUT_BODY = frozenset({b"204", b"304"})
_CHUNK = 262_144
_PATIENCE = 30.0
"""Seconds without any answer after which the service counts as broken."""


class Unanswered(Exception):
    """The service closed a connection, or said nothing for too long."""


@dataclass
class Load:
    """What was sent, and what came of it.

    Attributes:
        answered: how many requests.
        seconds: from the first request to the last answer.
        own_cpu: seconds that this process has computed for it.
        statuses: how often each status came.
        bytes: of all answers, with their heads.
        latencies: seconds from the moment at which each request was due to its answer.
    """

    answered: int = 0
    seconds: float = 0.0
    own_cpu: float = 0.0
    statuses: Counter[bytes] = field(default_factory=Counter)
    bytes: int = 0
    latencies: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.answered / self.seconds

    def expect(self, status: int) -> None:
        """See that every answer was a good one.

        Raises:
            Unanswered: one was not, so what was measured is not what it should be.
        """
        if set(self.statuses) != {str(status).encode()}:
            raise Unanswered(f"expected only {status}, and got {dict(self.statuses)}")


class _Connection:
    """One connection, and the answer that it is about to receive."""

    def __init__(self, address: str) -> None:
        where = urlsplit(address)
        self.socket = socket.create_connection((where.hostname or "", where.port or 0), timeout=_PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._got = b""
        self.lane: Lane | None = None
        self.due = 0.0

    def send(self, request: bytes) -> None:
        self.socket.sendall(request)

    def receive(self) -> tuple[bytes, int] | None:
        """Read what is there; the status and length of the answer once all of it has come."""
        came = self.socket.recv(_CHUNK)
        if not came:
            raise Unanswered("the service closed a connection")
        got = self._got + came if self._got else came
        end = got.find(b"\r\n\r\n")
        if end >= 0:
            status, length = got[9:12], end + 4
            if status not in _WITHOUT_BODY and (told := _LENGTH.search(got, 0, end)):
                length += int(told[1])
            if len(got) >= length:
                self._got = b""
                return status, length
        self._got = got
        return None


@contextmanager
def _connections(address: str, count: int) -> Iterator[list[_Connection]]:
    connections = [_Connection(address) for _ in range(count)]
    try:
        yield connections
    finally:
        for connection in connections:
            connection.socket.close()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Without collecting garbage: there are many prepared requests to walk over, and none of them is garbage."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def as_fast_as_can_be(address: str, lanes: Iterable[Lane], connections: int, seconds: float) -> Load:
    """Send a request over each connection as soon as the one before it was answered.

    It ends when the time is up, or with the last request of the last lane.
    """
    load, ready = Load(), deque(lanes)
    with _connections(address, connections) as pool, _undisturbed(), select.epoll() as poll:
        by_file = {connection.socket.fileno(): connection for connection in pool}
        for file in by_file:
            poll.register(file, select.EPOLLIN)
        own, begun = time.process_time(), time.perf_counter()
        end = begun + seconds
        idle, busy = list(pool), 0
        while True:
            while idle and ready and time.perf_counter() < end:
                lane = ready.popleft()
                if (request := next(lane, None)) is not None:
                    connection = idle.pop()
                    connection.lane = lane
                    connection.send(request)
                    busy += 1
            if not busy:
                break
            if not (events := poll.poll(_PATIENCE)):
                raise Unanswered(f"no answer for {_PATIENCE:g} seconds")
            for file, _ in events:
                connection = by_file[file]
                if (answer := connection.receive()) is None:
                    continue
                load.statuses[answer[0]] += 1
                load.bytes += answer[1]
                busy -= 1
                assert connection.lane is not None
                ready.append(connection.lane)
                idle.append(connection)
        load.seconds = time.perf_counter() - begun
        load.own_cpu = time.process_time() - own
    load.answered = load.statuses.total()
    return load


def at_a_rate(address: str, lanes: Iterable[Lane], connections: int, rate: float, seconds: float) -> Load:
    """Send requests at fixed times, however long the answers take.

    A latency counts from the time at which the request was due, also if no connection was free then: a service that
    stops for a while makes all wait who would have come meanwhile.
    """
    load, ready = Load(), deque(lanes)
    with _connections(address, connections) as pool, _undisturbed():
        by_file = {connection.socket.fileno(): connection for connection in pool}
        idle, busy = deque(pool), set[int]()
        waiting: list[float] = []
        own, begun = time.process_time(), time.perf_counter()
        number, most = 0, int(rate * seconds)
        while number < most or busy or waiting:
            now = time.perf_counter()
            while number < most and begun + number / rate <= now:
                heapq.heappush(waiting, begun + number / rate)
                number += 1
            while waiting and idle and ready:
                lane = ready.popleft()
                if (request := next(lane, None)) is None:
                    continue
                connection = idle.popleft()
                connection.lane, connection.due = lane, heapq.heappop(waiting)
                connection.send(request)
                busy.add(connection.socket.fileno())
            if not busy and waiting and not ready:
                break  # there are no more requests
            pause = max(0.0, begun + number / rate - time.perf_counter()) if number < most else _PATIENCE
            files, _, _ = select.select(busy, [], [], pause)
            if not files and number >= most:
                raise Unanswered(f"no answer for {_PATIENCE:g} seconds")
            now = time.perf_counter()
            for file in files:
                connection = by_file[file]
                if (answer := connection.receive()) is None:
                    continue
                load.statuses[answer[0]] += 1
                load.bytes += answer[1]
                load.latencies.append(now - connection.due)
                busy.discard(file)
                assert connection.lane is not None
                ready.append(connection.lane)
                idle.append(connection)
        load.seconds = time.perf_counter() - begun
        load.own_cpu = time.process_time() - own
    load.answered = load.statuses.total()
    return load
