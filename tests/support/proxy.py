"""A relay on the loopback that can be told to cut a connection at an exact byte, or to hold an answer back.

It stands between somebody and whom they ask, and passes everything on until a :class:`Cut` or a :class:`Hold` is armed.
It runs on threads of this process, so it ends with the tests at the latest.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Literal, Self

_CHUNK = 65_536


@dataclass
class Cut:
    """Where a connection is to be cut, once. Whatever is on its way there is lost, in both directions.

    The cut is for the first connection that sends something, or the marker, after it was armed.

    Attributes:
        of: whether ``after`` counts the bytes of the requests or those of the answers.
        after: how many bytes still pass. The first one too many brings the cut about: so, with none of the answers
            passing, whoever is asked has done what it was asked.
        marker: bytes in a request; those behind them are counted.
        nth: which of the markers, counted over all connections.
        happened: set when the connection has been cut.
        passed: how many of the bytes that are counted did pass.
        markers: how many markers there were.
    """

    of: Literal["requests", "answers"]
    after: int
    marker: bytes = b""
    nth: int = 1
    happened: Event = field(default_factory=Event)
    passed: int = 0
    markers: int = 0


@dataclass
class Hold:
    """An answer that is to be held back, once: whoever was asked has done it, and who asked does not know.

    It is the answer to the first request with the marker after this was armed, unless it begins in one of the ways that
    do not count.

    Attributes:
        marker: bytes in a request.
        but_for: how answers begin that are passed on all the same; the next request with the marker is waited for.
        happened: set when the answer is there and held back.
        released: to be set; then the answer goes on its way, if there still is one.
        port: from where was asked, known once it has happened.
    """

    marker: bytes
    but_for: bytes = b"-"
    happened: Event = field(default_factory=Event)
    released: Event = field(default_factory=Event)
    port: int = 0


class FaultProxy:
    """Relays connections from a port of its own to ``upstream``: ``host:port``, or the path of a unix socket."""

    def __init__(self, upstream: str | Path) -> None:
        self._upstream = upstream
        self._lock = Lock()
        self._cut: Cut | None = None
        self._hold: Hold | None = None
        self._relays: list[_Relay] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = Thread(target=self._accept, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End it and all connections through it."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes who accepts; closing would not
        self._listener.close()
        self._thread.join()
        for relay in self._relays:
            relay.end()

    @contextmanager
    def cutting(self, cut: Cut) -> Iterator[Cut]:
        """Arm a cut; afterwards it is disarmed, whether it has happened or not."""
        with self._lock:
            self._cut = cut
        try:
            yield cut
        finally:
            with self._lock:
                self._cut = None
                for relay in self._relays:
                    relay.cut = None

    @contextmanager
    def holding(self, hold: Hold) -> Iterator[Hold]:
        """Arm a hold; afterwards it is disarmed, and whatever it has held back is released."""
        with self._lock:
            self._hold = hold
        try:
            yield hold
        finally:
            with self._lock:
                self._hold = None
            hold.released.set()

    def drop(self) -> int:
        """End all connections that there are, with whatever is on its way; says how many. New ones are welcome."""
        with self._lock:
            relays = [relay for relay in self._relays if relay.runs()]
        for relay in relays:
            relay.shut()
        return len(relays)

    def hold_back(self, relay: _Relay, answer: bytes) -> Hold | None:
        """The armed hold, if this is the answer that it waits for; it is armed no longer then."""
        with self._lock:
            hold, marked = self._hold, relay.marked
            relay.marked = None
            if hold is None or marked is not hold or answer.startswith(hold.but_for):
                return None
            self._hold = None
            return hold

    def mark(self, relay: _Relay, chunk: bytes) -> None:
        """Note on a connection that what it just asked is what the armed hold waits for, if it is so."""
        with self._lock:
            if (hold := self._hold) and hold.marker in relay.tail[1 - len(hold.marker) :] + chunk:
                relay.marked = hold

    def claim(self, relay: _Relay, chunk: bytes) -> None:
        """Give the armed cut to the connection that sends this, if this is what it waits for."""
        with self._lock:
            cut = self._cut
            if cut is None:
                return
            seen = relay.tail[max(0, len(relay.tail) - len(cut.marker) + 1) :] + chunk if cut.marker else chunk
            place = -len(cut.marker)
            while (place := seen.find(cut.marker, place + len(cut.marker))) >= 0:
                cut.markers += 1
                if cut.markers == cut.nth:
                    self._cut = None
                    behind = len(seen) - place - len(cut.marker)
                    relay.take(cut, passes_first=len(chunk) - behind)
                    return

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = self._connect()
            except OSError:
                client.close()  # as if nobody listened
                continue
            with self._lock:
                self._relays = [relay for relay in self._relays if relay.runs()]
                self._relays.append(_Relay(client, server, self))

    def _connect(self) -> socket.socket:
        if isinstance(self._upstream, Path):
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(self._upstream))
            except OSError:
                connection.close()
                raise
            return connection
        host, _, port = self._upstream.rpartition(":")
        return socket.create_connection((host, int(port)))


class _Relay:
    """One connection, on a thread of its own."""

    def __init__(self, client: socket.socket, server: socket.socket, proxy: FaultProxy) -> None:
        self._client = client
        self._server = server
        self._proxy = proxy
        self._uncounted = 0
        self.cut: Cut | None = None
        self.marked: Hold | None = None
        self.tail = b""
        for connection in (client, server):
            if connection.family != socket.AF_UNIX:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def runs(self) -> bool:
        return self._thread.is_alive()

    def end(self) -> None:
        self.shut()
        self._thread.join()

    def shut(self) -> None:
        for connection in (self._client, self._server):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def take(self, cut: Cut, *, passes_first: int) -> None:
        """From now on this connection is to be cut; this much of what it just sent is not counted."""
        self._uncounted = max(passes_first, 0) if cut.of == "requests" else 0
        self.cut = cut

    def _run(self) -> None:
        with self._client, self._server, selectors.DefaultSelector() as selector, contextlib.suppress(OSError):
            selector.register(self._client, selectors.EVENT_READ, (self._client, self._server))
            selector.register(self._server, selectors.EVENT_READ, (self._server, self._client))
            while True:
                for key, _ in selector.select():
                    source, target = key.data
                    chunk = source.recv(_CHUNK)
                    if not chunk or not self._pass_on(chunk, target):
                        return

    def _pass_on(self, chunk: bytes, target: socket.socket) -> bool:
        """Pass on what may pass; says whether the connection is still whole."""
        what = "requests" if target is self._server else "answers"
        if what == "requests":
            if self.cut is None:
                self._proxy.claim(self, chunk)
            self._proxy.mark(self, chunk)
            self.tail = (self.tail + chunk)[-100:]
        elif self.marked and (hold := self._proxy.hold_back(self, chunk)):
            hold.port = self._client.getpeername()[1]
            hold.happened.set()
            hold.released.wait()
        cut = self.cut
        if cut is None or cut.of != what:
            target.sendall(chunk)
            return True
        passing = chunk[: self._uncounted + cut.after - cut.passed]
        cut.passed += len(passing) - self._uncounted  # before anybody who reads it asks how much there was
        self._uncounted = 0
        target.sendall(passing)
        if len(passing) < len(chunk):
            cut.happened.set()
            return False
        return True
