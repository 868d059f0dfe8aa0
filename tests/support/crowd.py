"""Thousands of clients in one thread, who do nothing but wait for what comes."""

from __future__ import annotations

import resource
import selectors
import socket
import time
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from support.store import PATIENCE

_AT_ONCE = 200
"""Connections that are opened before anybody looks what has come."""


@dataclass(eq=False)
class Member:
    """One client: what it asked, and what came."""

    match: str
    request: bytes
    connection: socket.socket
    raw: bytearray = field(default_factory=bytearray)
    closed: bool = False


class Crowd:
    """Clients of one server. Leaving it closes all their connections."""

    def __init__(self, address: str) -> None:
        self._address = urlsplit(address)
        self._selector = selectors.DefaultSelector()
        self.members: list[Member] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for member in self.members:
            member.connection.close()
        self._selector.close()

    def ask(self, match: str, path: str, headers: dict[str, str]) -> Member:
        """Open a connection and send a request on it."""
        connection = socket.create_connection((self._address.hostname, self._address.port), timeout=PATIENCE)
        lines = [f"GET {path} HTTP/1.1", f"Host: {self._address.netloc}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        request = "\r\n".join([*lines, "", ""]).encode()
        connection.sendall(request)
        connection.setblocking(False)
        member = Member(match, request, connection)
        self.members.append(member)
        self._selector.register(connection, selectors.EVENT_READ, member)
        if len(self.members) % _AT_ONCE == 0:
            self.read(0)
        return member

    def read(self, seconds: float) -> None:
        """Take what comes within some time, or at once if something is there."""
        for key, _ in self._selector.select(seconds):
            member: Member = key.data
            try:
                chunk = member.connection.recv(65_536)
            except BlockingIOError:
                continue
            except OSError:
                chunk = b""
            member.raw += chunk
            if not chunk:
                member.closed = True
                self._selector.unregister(member.connection)

    def until(self, condition, what: str) -> None:
        """Read until something holds for every one of some members; fail the test if it never does."""
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"in vain waited for {what}")
            self.read(0.2)


def allow_files(count: int) -> None:
    """Let this process open so many files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))
