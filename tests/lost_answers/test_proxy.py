"""The relay that cuts connections, against somebody who answers every line with another line."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer, ThreadingUnixStreamServer
from threading import Thread

import pytest
from support.proxy import Cut, FaultProxy, Hold
from support.server import make_folder
from support.store import PATIENCE, eventually


class Echo(StreamRequestHandler):
    """Notes every line and sends it back in capitals."""

    def handle(self):
        for line in self.rfile:
            self.server.heard.append(line)
            try:
                self.wfile.write(line.upper())
            except OSError:
                return
        self.server.ended += 1

    def finish(self):
        try:
            super().finish()
        except OSError:
            self.server.ended += 1


def serve(kind, address) -> Iterator:
    with kind(address, Echo) as server:
        server.daemon_threads = True
        server.heard, server.ended = [], 0
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def echo() -> Iterator[ThreadingTCPServer]:
    yield from serve(ThreadingTCPServer, ("127.0.0.1", 0))


@pytest.fixture
def proxy(echo) -> Iterator[FaultProxy]:
    with FaultProxy(f"127.0.0.1:{echo.server_address[1]}") as running:
        yield running


class Asker:
    """A connection through the proxy."""

    def __init__(self, proxy: FaultProxy) -> None:
        host, port = proxy.address.split(":")
        self._socket = socket.create_connection((host, int(port)), timeout=PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def say(self, what: bytes) -> None:
        self._socket.sendall(what)

    def hear(self, length: int) -> bytes:
        """As many bytes, or fewer if the connection ends."""
        heard = b""
        try:
            while len(heard) < length and (more := self._socket.recv(length - len(heard))):
                heard += more
        except ConnectionResetError:
            pass
        return heard

    def ask(self, what: bytes) -> bytes:
        self.say(what)
        return self.hear(len(what))


def test_everything_passes_until_it_is_told(proxy):
    with Asker(proxy) as one, Asker(proxy) as other:
        assert one.ask(b"first\n") == b"FIRST\n"
        assert other.ask(b"second\n") == b"SECOND\n"
        long = b"x" * 1_000_000 + b"\n"
        assert one.ask(long) == long.upper()


@pytest.mark.parametrize("after", range(6))
def test_an_answer_is_cut_after_every_byte(proxy, echo, after):
    with Asker(proxy) as asker:
        assert asker.ask(b"before\n") == b"BEFORE\n"
        with proxy.cutting(Cut("answers", after)) as cut:
            assert asker.ask(b"hello\n") == b"HELLO\n"[:after]
            assert cut.happened.is_set()
        assert asker.hear(1) == b"", "the connection has ended"
        assert echo.heard == [b"before\n", b"hello\n"], "what was asked has been done"
    with Asker(proxy) as again:
        assert again.ask(b"hello\n") == b"HELLO\n", "it cuts once"


@pytest.mark.parametrize("after", range(6))
def test_a_request_is_cut_after_every_byte(proxy, echo, after):
    with Asker(proxy) as asker:
        assert asker.ask(b"before\n") == b"BEFORE\n"
        with proxy.cutting(Cut("requests", after)) as cut:
            assert asker.ask(b"hello\n") == b""
            assert cut.happened.is_set()
        eventually(lambda: echo.ended == 1, "the end of the connection")
        assert echo.heard == [b"before\n", *([b"hello\n"[:after]] if after else [])]


def test_what_is_no_longer_than_allowed_is_not_cut(proxy):
    with Asker(proxy) as asker:
        for what in ("answers", "requests"):
            with proxy.cutting(Cut(what, 6)) as cut:
                assert asker.ask(b"hello\n") == b"HELLO\n"
                assert not cut.happened.is_set()
            assert asker.ask(b"again\n") == b"AGAIN\n", "it is disarmed"


def test_the_cut_is_for_who_asks_first(proxy):
    with Asker(proxy) as one, Asker(proxy) as other, proxy.cutting(Cut("answers", 2)) as cut:
        assert other.ask(b"other\n") == b"OT"
        assert cut.happened.is_set()
        assert one.ask(b"one\n") == b"ONE\n"


@pytest.mark.parametrize("split", range(1, 12))
def test_bytes_behind_a_marker_are_counted(proxy, echo, split):
    """Wherever the marker is torn apart on its way."""
    with Asker(proxy) as one, Asker(proxy) as other:
        with proxy.cutting(Cut("requests", 3, marker=b"WRITE")) as cut:
            assert one.ask(b"read\n") == b"READ\n"
            line = b"1WWRITE34567\n"
            other.say(line[:split])
            eventually(lambda: other_is_behind(proxy, line[:split]), "the first part")
            other.say(line[split:])
            assert other.hear(1) == b""
            assert cut.happened.is_set()
            assert one.ask(b"WRITE\n") == b"WRITE\n"
        eventually(lambda: echo.ended == 1, "the end of the connection")
        assert b"1WWRITE345" in echo.heard


def other_is_behind(proxy: FaultProxy, part: bytes) -> bool:
    return any(relay.tail.endswith(part) for relay in proxy._relays)


def test_answers_to_the_nth_marker_are_lost_and_it_was_done(proxy, echo):
    with Asker(proxy) as one, Asker(proxy) as other, proxy.cutting(Cut("answers", 0, marker=b"do", nth=3)) as cut:
        assert one.ask(b"do 1, do 2\n") == b"DO 1, DO 2\n"
        assert not cut.happened.is_set()
        assert other.ask(b"do 3\n") == b""
        assert cut.happened.is_set()
    assert echo.heard[-1] == b"do 3\n"


@pytest.mark.parametrize("split", range(1, 6))
def test_an_answer_is_held_back_until_it_is_released(proxy, echo, split):
    """Wherever the marker is torn apart on its way. Others are answered meanwhile."""
    with Asker(proxy) as one, Asker(proxy) as other, proxy.holding(Hold(b"WRITE")) as hold:
        assert other.ask(b"read\n") == b"READ\n"
        other.say(b"WRITE\n"[:split])
        eventually(lambda: other_is_behind(proxy, b"WRITE\n"[:split]), "the first part")
        assert not hold.happened.is_set()
        other.say(b"WRITE\n"[split:])
        assert hold.happened.wait(PATIENCE)
        assert echo.heard[-1] == b"WRITE\n", "it has been done"
        assert hold.port == other._socket.getsockname()[1]
        assert one.ask(b"WRITE\n") == b"WRITE\n", "it holds back once"
        other._socket.settimeout(0.05)
        with pytest.raises(TimeoutError):
            other.hear(1)
        other._socket.settimeout(PATIENCE)
        hold.released.set()
        assert other.hear(6) == b"WRITE\n"


def test_an_answer_that_does_not_count_is_not_held_back(proxy):
    with Asker(proxy) as asker, proxy.holding(Hold(b"WRITE", but_for=b"NO")) as hold:
        assert asker.ask(b"no WRITE\n") == b"NO WRITE\n"
        assert not hold.happened.is_set()
        asker.say(b"a WRITE\n")
        assert hold.happened.wait(PATIENCE)
    with Asker(proxy) as other:
        assert other.ask(b"WRITE\n") == b"WRITE\n", "it is disarmed"


def test_who_waits_no_longer_gets_no_answer_that_was_held_back(proxy, echo):
    with proxy.holding(Hold(b"WRITE")) as hold:
        with Asker(proxy) as asker:
            asker.say(b"WRITE\n")
            assert hold.happened.wait(PATIENCE)
        hold.released.set()
        eventually(lambda: echo.ended == 1, "the end of the connection")


def test_all_connections_are_dropped_and_new_ones_are_welcome(proxy, echo):
    with Asker(proxy) as one, Asker(proxy) as other:
        for asker in (one, other):
            assert asker.ask(b"hello\n") == b"HELLO\n"
        assert proxy.drop() == 2
        assert (one.hear(1), other.hear(1)) == (b"", b"")
        eventually(lambda: echo.ended == 2, "the end of the connections")
    with Asker(proxy) as again:
        assert again.ask(b"hello\n") == b"HELLO\n"


def test_to_a_unix_socket_that_comes_and_goes():
    folder = make_folder()
    path = Path(folder) / "echo"
    with FaultProxy(path) as proxy:
        with Asker(proxy) as nobody:
            assert nobody.hear(1) == b"", "as if nobody listened"
        served = serve(ThreadingUnixStreamServer, str(path))
        next(served)
        with Asker(proxy) as asker:
            assert asker.ask(b"hello\n") == b"HELLO\n"
        next(served, None)
    path.unlink()
    folder.rmdir()


def test_its_end_ends_all_connections(echo):
    proxy = FaultProxy(f"127.0.0.1:{echo.server_address[1]}")
    with Asker(proxy) as asker:
        assert asker.ask(b"hello\n") == b"HELLO\n"
        proxy.close()
        assert asker.hear(1) == b""
        with pytest.raises(ConnectionRefusedError):
            Asker(proxy)
