"""One connection that is subscribed to whatever channels somebody in this process wants to hear of.

The client library has a class for this, which must not be used by two threads at once and hides when its connection
was lost. Both matter here: whoever waits for a change subscribes from a thread of their own, and after a loss
everybody must look again. So this speaks the four commands itself, over one of the library's connections.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, Protocol

from redis.connection import AbstractConnection
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as StoreTimeout

_log = logging.getLogger("turncoat")

_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0
"""Seconds between two attempts to connect."""


class Audience(Protocol):
    """Who is told; always with the subscription's lock held, by its reader, so it must be quick."""

    def subscribed(self, name: bytes) -> None:
        """From now on nothing that is published on this channel is missed. Said again after every loss."""

    def told(self, name: bytes) -> None:
        """Something was published on this channel."""

    def lost(self) -> None:
        """Until each channel is subscribed to again, what is published is missed."""


class Subscription:
    """A connection with one thread that reads it, both made when they are first needed and again when they break.

    Args:
        connect: makes a connection that is not connected yet. It must speak RESP2, and give up reading after a while:
            a server that says nothing for so long is asked whether it is there, and if it then says nothing for as
            long again, the connection counts as lost.
        audience: who is told.

    Attributes:
        lock: held while anything here changes or is sent; who wants to change something together with the
            subscription holds it too.
    """

    def __init__(self, connect: Callable[[], AbstractConnection], audience: Audience) -> None:
        self.lock = threading.RLock()
        self._connect = connect
        self._audience = audience
        self._wanted: set[bytes] = set()
        # Several confirmations of one channel may be on their way when it was dropped and taken up again meanwhile.
        # Only the last one says that from now on nothing is missed.
        self._unconfirmed: Counter[bytes] = Counter()
        self._connection: AbstractConnection | None = None
        self._asked = False
        self._pause = 0.0
        self._closed = threading.Event()
        self._reader: threading.Thread | None = None

    @property
    def connected(self) -> bool:
        """Whether there is a connection that is not known to be broken."""
        return self._connection is not None

    @property
    def closed(self) -> bool:
        """Whether this has been ended."""
        return self._closed.is_set()

    def add(self, name: bytes) -> None:
        """Subscribe to a channel; the audience is told once that has happened."""
        with self.lock:
            self._wanted.add(name)
            self._subscribe(name)
            if self._reader is None and not self._closed.is_set():
                reader = threading.Thread(target=self._read, name="subscription", daemon=True)
                reader.start()
                self._reader = reader

    def remove(self, name: bytes) -> None:
        """Hear of a channel no more."""
        with self.lock:
            self._wanted.remove(name)
            self._send("UNSUBSCRIBE", name)

    def close(self) -> None:
        """End the connection and the thread. Nothing is heard afterwards."""
        with self.lock:
            self._closed.set()
            self._drop()
        if self._reader is not None:
            self._reader.join()

    # --- the reader ---

    def _read(self) -> None:
        while not self._closed.wait(self._pause):
            try:
                self._follow(self._connect())
            except Exception as error:  # noqa: BLE001  # a dead reader would leave everybody waiting in vain
                if not self._pause and not self._closed.is_set():
                    _log.warning("the subscription to changes was lost: %r", error)
            self._pause = min(self._pause * 2 or _FIRST_PAUSE, _LONGEST_PAUSE)

    def _follow(self, connection: AbstractConnection) -> None:
        """Read a connection for as long as it lasts; return only when this was closed."""
        try:
            connection.connect()
            with self.lock:
                if self._closed.is_set():
                    return
                self._connection = connection
                self._asked = False
                self._unconfirmed.clear()
                self._subscribe(*self._wanted)
            while not self._closed.is_set():
                self._hear(connection)
        finally:
            with self.lock:
                self._connection = None
                self._audience.lost()
            connection.disconnect()

    def _hear(self, connection: AbstractConnection) -> None:
        """Read what comes next, or ask whether anybody is there."""
        try:
            reply: Any = connection.read_response(disconnect_on_error=False)
        except StoreTimeout:
            if self._asked:
                raise
            with self.lock:
                self._asked = True
                self._send("PING")
            return
        self._asked, self._pause = False, 0.0
        if not isinstance(reply, list):
            return  # a PONG to somebody who is subscribed to nothing
        kind, name = reply[:2]
        with self.lock:
            if kind == b"message":
                self._audience.told(name)
            elif kind == b"subscribe":
                self._unconfirmed[name] -= 1
                if not self._unconfirmed[name]:
                    del self._unconfirmed[name]
                    if name in self._wanted:
                        self._audience.subscribed(name)

    # --- sending, with the lock held ---

    def _subscribe(self, *names: bytes) -> None:
        if names and self._connection is not None:
            self._unconfirmed.update(names)
            self._send("SUBSCRIBE", *names)

    def _send(self, *command: str | bytes) -> None:
        """Send a command, if there is a connection. If that fails, the reader notices and connects anew."""
        if self._connection is None:
            return
        try:
            self._connection.send_command(*command, check_health=False)
        except (RedisError, OSError):
            self._drop()
        except BaseException:
            self._drop()  # half a command may have been sent
            raise

    def _drop(self) -> None:
        """Give the connection up: nobody sends on it any more, and the reader reads its end."""
        if self._connection is not None:
            self._connection.disconnect()
            self._connection = None
