"""Elsewhere odd bytes became 500.

Here whatever comes in, wherever it stands, is answered like anything else or refused with a 4xx that is a problem; also
what is not even HTTP. Nothing of it comes back, or gets into the log.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from support.bodies import bodies
from support.contract import PROBLEM, Operation, document, operations, validator
from support.server import Server
from support.store import PATIENCE

MARKER = b"MARKER-of-a-secret"
POST = b"POST /v1/players HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\n"


def exchange(server: Server, sent: bytes) -> tuple[bytes, bytes]:
    """Send bytes; gives head and body of what comes back before the other side is silent or closes."""
    address = urlsplit(server.address)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        with contextlib.suppress(OSError):  # the other side may have closed already
            connection.shutdown(socket.SHUT_WR)
        received = b""
        while part := connection.recv(65_536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    return head, body


@pytest.mark.parametrize(
    "sent",
    [
        MARKER + b"\r\n\r\n",
        b"GET /%s HTTP/9.9\r\n\r\n" % MARKER,
        b"GET / HTTP/1.1\r\nHost: here\r\nAuthorization Bearer %s\r\n\r\n" % MARKER,
        b"GET / HTTP/1.1\r\nHost: here\r\nAuthori zation: %s\r\n\r\n" % MARKER,
        b"GET /%s HTTP/1.1\r\nHost: here\r\n\r\n" % (MARKER * 1000),
        b"GET / HTTP/1.1\r\nHost: here\r\nX: %s\r\n\r\n" % (MARKER * 10_000),
        b"GET / HTTP/1.1\r\n" + b"X: %s\r\n" % MARKER * 1000 + b"\r\n",
        POST + b"Content-Length: -5\r\n\r\n" + MARKER,
        POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + MARKER,
        POST + b"Transfer-Encoding: %s\r\n\r\n" % MARKER,
        POST + b"Transfer-Encoding: chunked\r\n\r\n%s\r\n" % MARKER,
        POST + b"Transfer-Encoding: chunked\r\n\r\n3\r\n%s\r\n0\r\n\r\n" % MARKER,
        POST + b'Content-Length: 100\r\n\r\n{"name": "%s"' % MARKER,
    ],
)
def test_broken_http_is_a_problem(server: Server, sent: bytes):
    head, body = exchange(server, sent)
    assert head.split()[1] == b"400", head
    assert f"content-type: {PROBLEM}".encode() in head.lower()
    assert b"content-language: en" in head.lower()
    problem = json.loads(body)
    assert problem["code"] == "bad-request"
    assert validator("/components/schemas/Problem").is_valid(problem)
    assert MARKER not in head + body
    assert "Problem" in document()["components"]["schemas"]


def test_the_log_repeats_nothing_of_it(server: Server):
    """A worker that cannot read a header must not write the token in it to its log."""
    before = server.said()
    exchange(server, b"GET / HTTP/1.1\r\nHost: here\r\nAuthorization Bearer %s\r\n\r\n" % MARKER)
    exchange(server, b"GET /%s HTTP/9.9\r\n\r\n" % MARKER)
    said = server.said()[len(before) :]
    assert "not proper HTTP" in said
    assert MARKER.decode() not in said


def test_too_long_a_chunked_body(server: Server):
    """A body without a length is limited too."""
    chunk = b"1000\r\n" + b"x" * 4096 + b"\r\n"
    head, body = exchange(server, POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 5 + b"0\r\n\r\n")
    assert head.split()[1] == b"413"
    assert json.loads(body)["code"] == "too-large"


# --- odd bytes in what is HTTP ---

BODIES = {body.operation: json.dumps(body.value).encode() for body in reversed(bodies())}

ODD = [
    *[b"\x00", b"\xff", b"\xfe\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80\xae", b"\x1b[31m"],
    *[
        b"%",
        b"%zz",
        b"%00",
        b"%ff",
        b"%ed%a0%80",
        b"%0d%0aX:%20y",
        b"%u0041",
        b"{}",
        b"[]",
        b"<b>",
        b"'\"",
        b"\\",
        b";",
        b"&=",
    ],
    *["\u202e".encode(), "\U000e0001".encode(), b"9" * 400, b"-1", b"1e999", b"NaN", b"\t", b"a" * 3000],
]
"""What a path, a query, a header or a body may be made of by somebody who means no good, or has a bug."""

HEADERS = [
    *["Authorization", "Accept", "Accept-Language", "Content-Type", "Content-Encoding", "If-None-Match", "Range"],
    *["X-Request-Id", "Idempotency-Key", "Cookie", "Prefer", "Last-Event-ID", "Origin", "X-Forwarded-For"],
]


def requests(operation: Operation, token: str, odd: bytes, chance: random.Random) -> Iterator[bytes]:
    """Requests with something odd in each place of the body, and in some of the other places."""
    path = operation.url(match="A" * 22, game="kabale").encode()
    body = BODIES.get(operation.id)
    own = {"Host": b"here", "Connection": b"close", "Authorization": b"Bearer " + token.encode()}
    own |= {"Content-Type": b"application/json"} if body is not None else {}

    def request(path: bytes, headers: dict[str, bytes], body: bytes | None) -> bytes:
        lines = [f"{name}: ".encode() + value for name, value in headers.items()]
        if body is not None:
            lines.append(b"Content-Length: %d" % len(body))
        return b"\r\n".join([operation.method.upper().encode() + b" " + path + b" HTTP/1.1", *lines, b"", body or b""])

    elsewhere = [
        request(path.replace(b"A" * 22, odd) if b"A" * 22 in path else path + odd, own, body),
        request(path + b"?" + odd + b"=" + odd, own, body),
        *(request(path, {**own, name: odd}, body) for name in HEADERS),
    ]
    yield from chance.sample(elsewhere, 6)
    if body is not None:
        yield request(path, own, odd)
        yield request(path, own, b'{"name": "' + odd + b'"}')
        yield request(path, own, b'{"' + odd + b'": 1}')
        yield request(path, own, body[:-1] + odd + body[-1:])


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_odd_bytes_are_never_a_failure(server: Server, operation: Operation):
    said = server.said()
    token, chance = server.visitor().become("Ada").token, random.Random(operation.id)
    for odd in ODD:
        for asked in requests(operation, token, odd, chance):
            head, body = exchange(server, asked)
            status = int(head.split()[1])
            assert status < 500, asked
            if status >= 400:
                assert f"content-type: {PROBLEM}".encode() in head.lower()
                assert validator("/components/schemas/Problem").is_valid(json.loads(body))
    assert "Traceback" not in server.said()[len(said) :]
