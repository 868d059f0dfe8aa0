"""Searching everything that a service gives away for secrets, in every form in which one could slip out.

A :class:`Scanner` knows secrets, each with words for what it is. Whatever somebody receives is handed to it together
with what this somebody may know; what it finds beyond that are leaks, and each says whose secret was where.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from socket import socket
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from flask.testing import FlaskClient

from support.store import PATIENCE

# --- what is sent and received ---


class Request(NamedTuple):
    """A request, and the words for it."""

    operation: str
    what: str
    method: str
    url: str
    headers: Mapping[str, str] = {}
    data: bytes | None = None


@dataclass(frozen=True)
class Received:
    """An answer, down to its status line."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        """The value of a header."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def parts(self) -> Iterator[tuple[str, bytes]]:
        """Everything in it that can hold something, by place."""
        yield "status line", self.reason.encode("latin-1", "replace")
        for name, value in self.headers:
            yield f"header {name}", f"{name}: {value}".encode("latin-1", "replace")
        yield "body", self.body


class Wire(Protocol):
    """A way to a service."""

    def exchange(self, request: Request) -> Received: ...

    def close(self) -> None: ...


PAUSE = 0.3
"""Seconds of silence after which an endless answer counts as read."""


class OverSockets:
    """To a running service, on one connection that is kept open."""

    def __init__(self, address: str) -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)

    def exchange(self, request: Request) -> Received:
        self._connection.request(request.method, request.url, request.data, dict(request.headers))
        connection = self._connection.sock  # which the client forgets when the answer is the last one on it
        response = self._connection.getresponse()
        read = response.read
        if _is_stream(response.getheader("Content-Type")):
            read = lambda: self._read_stream(connection, response)  # noqa: E731
        return Received(response.status, response.reason, response.getheaders(), read())

    def _read_stream(self, connection: socket, response: HTTPResponse) -> bytes:
        """What comes of an endless answer before it pauses. Then it is given up."""
        connection.settimeout(PAUSE)
        received = b""
        try:
            while part := response.read1(65_536):
                received += part
        except TimeoutError:
            pass
        response.close()
        self._connection.close()
        return received

    def close(self) -> None:
        self._connection.close()


class InTheProcess:
    """To an app in this process."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client

    def exchange(self, request: Request) -> Received:
        response = self._client.open(
            request.url, method=request.method, headers=list(request.headers.items()), data=request.data
        )
        # Of an endless answer it is only the beginning that can be had here.
        body = next(response.iter_encoded(), b"") if _is_stream(response.content_type) else response.data
        response.close()
        return Received(response.status_code, response.status.partition(" ")[2], list(response.headers), body)

    def close(self) -> None:
        """There is nothing to close."""


def _is_stream(content_type: str | None) -> bool:
    return (content_type or "").startswith("text/event-stream")


# --- secrets and their forms ---


def forms(secret: bytes) -> dict[str, bytes]:
    """The forms in which a secret could slip out; those whose name begins with ``exactly`` in these very letters.

    All others are to be looked for in lower case.
    """
    found = {
        "as it is": secret,
        "the first half": secret[: len(secret) // 2],
        "the second half": secret[len(secret) // 2 :],
        "reversed": secret[::-1],
        "hex": secret.hex().encode(),
        "hex of the reverse": secret[::-1].hex().encode(),
        "exactly base32": base64.b32encode(secret).rstrip(b"="),
        "bytes in decimals": ",".join(map(str, secret)).encode(),
        "bytes in decimals, spaced": ", ".join(map(str, secret)).encode(),
        "URL-encoded": "".join(f"%{byte:02x}" for byte in secret).encode(),
        "JSON-escaped": "".join(f"\\u{byte:04x}" for byte in secret).encode(),
        "escaped": "".join(f"\\x{byte:02x}" for byte in secret).encode(),
        "as a number": str(int.from_bytes(secret, "big")).encode(),
        "as a number, the other way round": str(int.from_bytes(secret, "little")).encode(),
    }
    for name, alphabet in {"base64": b"+/", "base64url": b"-_"}.items():
        for before in range(3):  # it may stand anywhere in what was encoded
            found[f"exactly {name}, {before} bytes in"] = _base64_inside(secret, before, alphabet)
    digest = hashlib.sha256(secret).digest()
    found["its sha256"] = digest.hex().encode()
    found["exactly its sha256 in base64"] = base64.b64encode(digest).rstrip(b"=")
    found["exactly its sha256 in base64url"] = base64.urlsafe_b64encode(digest).rstrip(b"=")
    return {name: form if name.startswith("exactly") else form.lower() for name, form in found.items()}


def _base64_inside(secret: bytes, before: int, alphabet: bytes) -> bytes:
    """What of a secret's base64 is always the same after ``before`` other bytes, whatever follows."""
    encoded = base64.b64encode(b"\0" * before + secret, alphabet).rstrip(b"=")
    start = (8 * before + 5) // 6
    end = (8 * (before + len(secret))) // 6
    return encoded[start:end]


class Leak(NamedTuple):
    """A secret where it may not be."""

    secret: str
    form: str
    place: str
    viewer: str
    request: str

    def __str__(self) -> str:
        return f"{self.viewer} got {self.secret} ({self.form}) in the {self.place} of: {self.request}"


@dataclass
class Scanner:
    """Knows the secrets of some matches and looks for them.

    Attributes:
        leaks: what was found.
        answers: how many were looked through.
        size: how many bytes these had.
    """

    leaks: list[Leak] = field(default_factory=list)
    answers: int = 0
    size: int = 0
    _secrets: dict[bytes, tuple[str, list[tuple[str, bool, bytes]]]] = field(default_factory=dict)

    def know(self, secret: str | bytes, what: str) -> None:
        """Look for one more secret from now on."""
        secret = secret.encode() if isinstance(secret, str) else secret
        assert len(secret) >= 12, "too short to be told from anything else"
        if secret not in self._secrets:
            by_form = {form: name for name, form in forms(secret).items()}  # some forms may be the same
            needles = [(name, name.startswith("exactly"), form) for form, name in by_form.items()]
            self._secrets[secret] = (what, needles)

    def forget(self, secrets: Iterable[str | bytes]) -> None:
        """Look for these no longer: their match is over and done with."""
        for secret in secrets:
            self._secrets.pop(secret.encode() if isinstance(secret, str) else secret, None)

    def known(self) -> dict[bytes, str]:
        """What is looked for, and what it is."""
        return {secret: what for secret, (what, _) in self._secrets.items()}

    def scan(self, received: Received, viewer: str, request: Request, earned: Collection[bytes]) -> None:
        """Look through an answer for what its reader has not earned."""
        parts = list(received.parts())
        whole = b"\0\0".join(content for _, content in parts)
        self.answers += 1
        self.size += len(whole)
        if any(self._found(whole, earned)):
            for place, content in parts:
                self.look(content, place, viewer, f"{request.method} {request.operation}, {request.what}", earned)

    def look(self, content: bytes, place: str, viewer: str, request: str, earned: Collection[bytes]) -> None:
        """Look through anything else that gets out."""
        self.leaks += [Leak(what, form, place, viewer, request) for what, form in self._found(content, earned)]

    def _found(self, content: bytes, earned: Collection[bytes]) -> Iterator[tuple[str, str]]:
        """The secrets in there, each with the first form in which it was found."""
        lower = content.lower()
        for secret, (what, needles) in self._secrets.items():
            if secret in earned:
                continue
            for form, exactly, needle in needles:
                if needle in (content if exactly else lower):
                    yield what, form
                    break


def strings(value: object) -> Iterator[str]:
    """All texts in a decoded JSON value that are values, not names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def as_json(body: object) -> bytes:
    return json.dumps(body).encode()
