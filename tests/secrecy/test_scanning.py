"""The scanner finds a secret in every form, and nothing where there is none."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from flask import Flask, Response
from support.scanning import InTheProcess, OverSockets, Received, Request, Scanner, forms

SECRET = "zq7card0123456789abcdef01234567"
REQUEST = Request("getView", "as it is", "GET", "/")


def found(content: bytes, *, secret: str | bytes = SECRET, earned: tuple[bytes, ...] = ()) -> list[str]:
    scanner = Scanner()
    scanner.know(secret, "a card")
    scanner.look(content, "body", "seat 0", "GET /", earned)
    return [leak.form for leak in scanner.leaks]


@pytest.mark.parametrize(
    "form",
    [
        SECRET.encode(),
        SECRET.upper().encode(),
        SECRET[:20].encode(),
        SECRET[-20:].encode(),
        SECRET[::-1].encode(),
        SECRET.encode().hex().encode(),
        SECRET.encode().hex().upper().encode(),
        *[base64.b64encode(b"x" * before + SECRET.encode() + b"more") for before in range(4)],
        *[base64.urlsafe_b64encode(b"\xff" * before + SECRET.encode()).rstrip(b"=") for before in range(4)],
        base64.b32encode(SECRET.encode()),
        json.dumps(list(SECRET.encode())).encode(),
        json.dumps(list(SECRET.encode()), separators=(",", ":")).encode(),
        "".join(f"\\u{ord(letter):04X}" for letter in SECRET).encode(),
        "".join(f"%{ord(letter):02X}" for letter in SECRET).encode(),
        quote(SECRET).encode(),
        repr(bytes(SECRET.encode())).encode(),
        hashlib.sha256(SECRET.encode()).hexdigest().encode(),
        base64.b64encode(hashlib.sha256(SECRET.encode()).digest()),
        base64.urlsafe_b64encode(hashlib.sha256(SECRET.encode()).digest()),
    ],
)
def test_every_form_is_found(form: bytes):
    assert len(found(b'{"a": "' + form + b'"}')) == 1
    assert found(b'{"a": "' + form + b'"}', earned=(SECRET.encode(),)) == []


def test_bytes_are_found_too():
    seed = secrets.token_bytes(32)
    for form in (
        seed,
        seed.hex().encode(),
        base64.b64encode(b"12" + seed + b"3"),
        str(int.from_bytes(seed, "big")).encode(),
        "".join(f"\\x{byte:02x}" for byte in seed).encode(),
        hashlib.sha256(seed).hexdigest().encode(),
    ):
        assert found(b"it is " + form + b".", secret=seed)


def test_nothing_is_found_where_nothing_is():
    other = "zq7card" + "f" * 24
    for form in forms(other.encode()).values():
        assert found(form) == []


@pytest.mark.parametrize(
    ("received", "place"),
    [
        (Received(200, f"OK {SECRET}", [], b""), "status line"),
        (Received(200, "OK", [("ETag", f'"{SECRET}"')], b""), "header ETag"),
        (Received(200, "OK", [(f"X-{SECRET}", "1")], b""), f"header X-{SECRET}"),
        (Received(200, "OK", [], SECRET.encode()), "body"),
    ],
)
def test_every_part_of_an_answer_is_looked_through(received: Received, place: str):
    scanner = Scanner()
    scanner.know(SECRET, "the card of seat 1")
    scanner.scan(received, "seat 0", REQUEST, earned=())
    (leak,) = scanner.leaks
    assert leak.place == place
    assert str(leak) == f"seat 0 got the card of seat 1 (as it is) in the {place} of: GET getView, as it is"
    assert scanner.answers == 1
    scanner.forget([SECRET])
    scanner.scan(received, "seat 0", REQUEST, earned=())
    assert len(scanner.leaks) == 1


@pytest.mark.parametrize("framing", [b"Connection: close", b"Transfer-Encoding: chunked"])
def test_an_endless_answer_is_read_as_far_as_it_comes(framing: bytes):
    event = b"data: something\n\n"
    sent = b"%x\r\n%s\r\n" % (len(event), event) if b"chunked" in framing else event
    with socket.create_server(("127.0.0.1", 0)) as listening:
        wire = OverSockets(f"http://127.0.0.1:{listening.getsockname()[1]}")

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n%s\r\n\r\n" % framing)
                connection.sendall(2 * sent)
                assert connection.recv(1) == b"", "the reader went away, and nothing else"

        with ThreadPoolExecutor(1) as threads:
            served = threads.submit(serve)
            assert wire.exchange(REQUEST).body == 2 * event
            served.result()
        wire.close()


def test_an_endless_answer_in_the_process():
    app = Flask("endless")

    def forever():
        while True:
            yield b"data: 1\n\n"

    app.add_url_rule("/", view_func=lambda: Response(forever(), content_type="text/event-stream; charset=utf-8"))
    assert InTheProcess(app.test_client()).exchange(REQUEST).body == b"data: 1\n\n"
