"""Elsewhere error answers lost ``Allow``, ``WWW-Authenticate`` or ``Retry-After``, or came as HTML.

Here whatever goes wrong, at every operation of the contract and beside it, is a problem with the headers that belong to
its status, also for who asks with HEAD or would rather read HTML.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from flask import Flask
from support.bodies import bodies
from support.clients import Client, InProcess, Transport
from support.contract import PROBLEM, Operation, operations, validator
from support.limits import Clock, limited_app
from support.server import Server
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app

BODIES = {body.operation: json.dumps(body.value).encode() for body in reversed(bodies())}
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"]
BESIDE = ["/", "/v1", "/v1/nothing", "/healthz", "/readyz", "/openapi.json", "/docs", "/docs/nothing", "/favicon.ico"]
BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"}
JSON = {"Content-Type": "application/json"}

BELONGS = {401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After", 503: "Retry-After"}
"""The header without which an answer with this status is not one."""


def url(operation: Operation) -> str:
    return operation.url(match="A" * 22, game="chess")


def check(transport: Transport, method: str, path: str, headers: Mapping[str, str], data: bytes | None) -> int:
    """Hold an answer to what errors must be; gives its status."""
    status, told, raw = transport.send(method, path, headers, data)
    if status < 400:
        return status
    if BELONGS.get(status):
        assert told[BELONGS[status]]
    for other, name in BELONGS.items():
        if BELONGS.get(status) != name:
            assert name not in told, f"{status} has {name}, which belongs to {other}"
    assert told["Content-Type"] == PROBLEM
    assert told["Cache-Control"] == "no-store"
    if method == "HEAD":
        assert raw == b""
        return status
    problem = json.loads(raw)
    assert validator("/components/schemas/Problem").is_valid(problem)
    assert problem["status"] == status
    assert problem["instance"] == f"urn:request:{told['X-Request-Id']}"
    assert "<" not in raw.decode()
    return status


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    return server.visitor().become("Ada").token


def wrong_requests(operation: Operation, token: str) -> Iterator[tuple[set[int], dict[str, str], bytes | None]]:
    """Ways to ask wrongly, by the statuses with which they may be answered."""
    good, body = {"Authorization": f"Bearer {token}", **JSON}, BODIES.get(operation.id)
    yield {401}, {"Authorization": "Bearer nonsense", **JSON}, body
    yield {401}, {"Authorization": "Basic YTpi", **JSON}, body
    yield {400}, {**good, "If-Match": "*"}, body
    yield {406}, {**good, "Accept": "application/xml"}, body
    if operation.entry["security"] and {} not in operation.entry["security"]:
        yield {401}, dict(JSON), body
    if "{" in operation.path:
        yield {404, 204}, good, body
    if body is not None:
        yield {400}, good, b"{"
        yield {413}, good, b" " * 20_000
        yield {415}, {**good, "Content-Type": "text/html"}, body
        yield {422}, good, b'{"unknown": 1}'


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
@pytest.mark.parametrize("reader", [{}, BROWSER], ids=["any reader", "a browser"])
def test_every_error_of_an_operation(server: Server, token: str, operation: Operation, reader: dict[str, str]):
    transport = server.visitor().transport
    for expected, headers, data in wrong_requests(operation, token):
        asked = {**reader, **headers}
        assert check(transport, operation.method.upper(), url(operation), asked, data) in expected
        if operation.method == "get":
            assert check(transport, "HEAD", url(operation), asked, data) in expected


@pytest.mark.parametrize("path", [*sorted({url(operation) for operation in operations().values()}), *BESIDE])
def test_every_method_that_is_not_taken(server: Server, path: str):
    """Those that ``Allow`` names are taken, and no others."""
    transport = server.visitor().transport
    _, told, raw = transport.send("OPTIONS", path, {}, None)
    allowed = set(told["Allow"].split(", ")) if raw == b"" else set()
    for method in METHODS:
        status = check(transport, method, path, BROWSER, None)
        if allowed:
            assert (status == 405) == (method not in allowed)
            named = transport.send(method, path, {}, None)[1].get("Allow")
            assert named is None or set(named.split(", ")) == allowed
        else:
            assert status == 404


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_without_a_store(app: Flask, operation: Operation):
    """Every operation that needs one says when to try again."""
    dead = create_app(settings_on("unix:///nowhere.invalid.sock"))
    transport = InProcess(dead.test_client())
    someone = Client(InProcess(app.test_client())).become("Ada").token
    headers = {"Authorization": f"Bearer {someone}", **JSON}
    status = check(transport, operation.method.upper(), url(operation), headers, BODIES.get(operation.id))
    announced = operation.entry["responses"].get("503", {}).get("x-problem-codes", [])
    assert (status == 503) == ("store-unavailable" in announced)


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_when_it_is_too_much(store: StoreServer, operation: Operation):
    """Of everything, reads and writes alike."""
    once = dict.fromkeys(("limit_reads", "limit_moves", "limit_matches", "limit_join_codes", "limit_misses"), "1/hour")
    app = limited_app(store.url, Clock(), limit_guests_per_address="1/hour", **once)
    transport = InProcess(app.test_client())
    token, _ = app.extensions["turncoat"].tokens.new_guest("Ada")
    headers = {"Authorization": f"Bearer {token}", **JSON}
    statuses = [
        check(transport, operation.method.upper(), url(operation), headers, BODIES.get(operation.id)) for _ in range(9)
    ]
    assert statuses[-1] == 429


def test_when_the_service_fails(app: Flask, monkeypatch: pytest.MonkeyPatch):
    """In an operation, or in what comes before every operation."""

    def failing(*_: Any, **__: Any) -> None:
        raise RuntimeError("<b>a secret detail</b>")

    transport = InProcess(app.test_client())
    token = Client(transport).become("Ada").token
    failing.__dict__ |= app.view_functions["matches.get_match"].__dict__
    monkeypatch.setitem(app.view_functions, "matches.get_match", failing)
    assert check(transport, "GET", "/v1/matches/x", BROWSER, None) == 500
    monkeypatch.setattr(type(app.extensions["turncoat"].tokens), "player", failing)
    for path in ("/v1/games", "/nowhere", "/healthz"):
        assert check(transport, "GET", path, {"Authorization": f"Bearer {token}"}, None) == 500
