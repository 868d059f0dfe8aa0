"""What is not even HTTP: an error like every other, without HTML, and nothing of it comes back (regression 32)."""

from __future__ import annotations

import contextlib
import json
import socket
from urllib.parse import urlsplit

import pytest
from support.contract import PROBLEM, document, validator
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
