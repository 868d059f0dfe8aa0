"""Clients that follow a match on a running server."""

from __future__ import annotations

import contextlib
import socket
import threading
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from support.contract import STREAM
from support.sse import Sent, parse
from support.store import PATIENCE, eventually


class LiveStream:
    """A stream on a connection of its own, read by a thread until it ends.

    Attributes:
        status: of the answer.
        raw: what has come so far.
        clean: whether the stream ended as HTTP has it; ``None`` while it goes on.
    """

    def __init__(self, address: str, match: str, token: str | None, last: int | None = None) -> None:
        headers = {"Accept": STREAM}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        self._connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
        self.raw = b""
        self.clean: bool | None = None
        try:
            self._connection.request("GET", f"/v1/matches/{match}/events", headers=headers)
            self._socket = self._connection.sock
            self._response = self._connection.getresponse()
        except (OSError, HTTPException):
            self._connection.close()
            raise
        self.status = self._response.status
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        try:
            while chunk := self._response.read1():
                self.raw += chunk
            # Cut off among the headers it looks complete: nothing has told yet that the body comes in chunks.
            self.clean = bool(self._response.chunked)
        except (OSError, HTTPException):
            self.clean = False
        finally:
            self._response.close()
            self._connection.close()

    @property
    def events(self) -> list[Sent]:
        return parse(self.raw)

    def has(self, count: int) -> None:
        """Wait until so many events have come."""
        eventually(lambda: len(self.events) >= count, f"{count} events")

    def ends(self) -> list[Sent]:
        """Wait for the end, of whatever kind; gives all events."""
        self._thread.join(PATIENCE)
        assert self.clean is not None, "the stream goes on"
        return self.events

    def hang_up(self) -> None:
        """Go away without a word."""
        with contextlib.suppress(OSError):  # it may have ended meanwhile
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
