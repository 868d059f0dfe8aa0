"""What makes the load: its lanes keep their order, what it counts was answered, and who had to wait is not left out."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from bench.load import Unanswered, as_fast_as_can_be, at_a_rate
from bench.positions import http


class Answering:
    """A small server; it answers with what it is told to, in two parts, or closes the connection."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.asked: list[bytes] = []
        self._threads = [threading.Thread(target=self._listen)]
        self._threads[0].start()

    def _listen(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self.closing:
                connection.close()
                return
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    closing = False

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            while request := connection.recv(4096):
                path = request.split()[1]
                self.asked.append(path)
                if not (answer := self._answer(path)):
                    return
                middle = len(answer) // 2
                connection.sendall(answer[:middle])
                connection.sendall(answer[middle:])

    def close(self) -> None:
        self.closing = True
        socket.create_connection(self._listener.getsockname()).close()
        for thread in self._threads:
            thread.join()
        self._listener.close()


@contextmanager
def answering(answer: Callable[[bytes], bytes]) -> Iterator[Answering]:
    server = Answering(answer)
    try:
        yield server
    finally:
        server.close()


def ok(_path: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"


def lane(name: str, count: int) -> Iterator[bytes]:
    return (http("GET", f"/{name}/{number}", "") for number in range(count))


def test_each_lane_is_sent_in_its_order_over_any_connection():
    with answering(ok) as server:
        load = as_fast_as_can_be(server.address, [lane("a", 20), lane("b", 20), lane("c", 20)], 2, 30)
    load.expect(200)
    assert load.answered == 60
    assert load.bytes == 60 * len(ok(b""))
    for name in (b"/a/", b"/b/", b"/c/"):
        asked = [path for path in server.asked if path.startswith(name)]
        assert asked == [name + str(number).encode() for number in range(20)]


def test_it_ends_when_the_time_is_up():
    with answering(ok) as server:
        load = as_fast_as_can_be(server.address, [lane("a", 10**9)], 1, 0.1)
    assert load.answered == len(server.asked) > 0
    assert load.seconds >= 0.1


def test_an_answer_without_a_body_is_whole_with_its_head():
    with answering(lambda _: b"HTTP/1.1 304 NOT MODIFIED\r\nContent-Length: 5\r\n\r\n") as server:
        as_fast_as_can_be(server.address, [lane("a", 3)], 1, 30).expect(304)


def test_another_status_is_no_measurement():
    with answering(lambda path: ok(path) if path != b"/a/3" else ok(path).replace(b"200", b"429")) as server:
        load = as_fast_as_can_be(server.address, [lane("a", 5)], 1, 30)
    with pytest.raises(Unanswered, match="429"):
        load.expect(200)


def test_a_connection_that_is_closed_is_told():
    with answering(lambda _: b"") as server, pytest.raises(Unanswered, match="closed"):
        as_fast_as_can_be(server.address, [lane("a", 5)], 1, 30)


def test_who_was_due_while_the_server_slept_has_waited():
    """One connection, a request every 5 ms, and an answer that takes 300: all that were due meanwhile are late.

    If each were only timed from when it was sent, there would be a single late one.
    """

    def slow_once(path: bytes) -> bytes:
        if path == b"/a/10":
            time.sleep(0.3)
        return ok(path)

    with answering(slow_once) as server:
        load = at_a_rate(server.address, [lane("a", 100)], 1, 200, 0.5)
    load.expect(200)
    assert load.answered == len(load.latencies) == 100
    assert sum(latency > 0.1 for latency in load.latencies) >= 20
