"""The headers of answers are those that the contract announces, at each operation and status: no more, no less.

``support/clients.py`` holds every answer of every test to the first half of this.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from support.clients import Answer, Client, InProcess, Transport, play_on, seated
from support.contract import check_headers, document, named_headers, operations
from support.limits import Clock, limited_app
from support.store import StoreServer
from support.successes import NEW_MATCH, SUCCESSES

from service.api.cors import RESPONSE_HEADERS
from service.settings import default_rates

SOMETIMES = {"Decision-Deadline", "Idempotency-Replayed", "Link", "Preference-Applied"}
"""Headers that answers have in some cases only: see the last test."""

PLUMBING = {
    *["Content-Type", "Content-Length", "Date", "Cache-Control", "Vary", "X-Content-Type-Options"],
    *["X-Accel-Buffering"],  # for a proxy in front of the service
}
"""Headers that no client has to be told of."""

KEY = {"Idempotency-Key": "a-key-of-the-tests-for-headers"}


@pytest.fixture(scope="module")
def limited(store: StoreServer) -> Client:
    """Somebody at a service that counts requests, so that its answers have those headers too."""
    plenty = {f"limit_{name.removeprefix('limit_')}": "1000000/hour" for name in default_rates()}
    return Client(InProcess(limited_app(store.url, Clock(), **plenty).test_client()))


def announced(operation: str, status: int) -> set[str]:
    return set(operations()[operation].entry["responses"][str(status)]["headers"])


def named(answer: Answer) -> set[str]:
    return {name for name in named_headers() if name in answer.headers}


def assert_as_announced(operation: str, answer: Answer) -> None:
    assert named(answer) - SOMETIMES == announced(operation, answer.status) - SOMETIMES
    others = {name for name, _ in answer.headers.items()} - named_headers()
    assert others <= PLUMBING, "a header that nobody has heard of"


def test_pages_may_read_what_the_contract_names():
    """And `Allow`, which no operation has in its answer: it says which operations there are."""
    assert set(RESPONSE_HEADERS) == named_headers() | {"Allow"}


def test_a_header_that_is_not_announced_is_found():
    """The watchman itself."""
    refused = {
        ("getMe", 200): {"ETag": '"x"'},
        ("getMatch", 304): {"Location": "/v1/matches/x"},
        ("getMe", 401): {"RateLimit": "x"},
        ("getMe", 429): {"Retry-After": "0"},
        ("getView", 200): {"Decision-Deadline": "tomorrow"},
        ("playMove", 200): {"Idempotency-Replayed": "false"},
    }
    for (operation, status), headers in refused.items():
        with pytest.raises(AssertionError, match=next(iter(headers))):
            check_headers(operations()[operation], status, headers)


@pytest.mark.parametrize("operation", SUCCESSES)
def test_a_success_has_the_headers_that_are_announced(limited: Client, operation: str):
    assert_as_announced(operation, SUCCESSES[operation](limited))


@pytest.mark.parametrize("operation", ["getMatch", "getView", "listMatches", "listMyMatches", "getReplay"])
def test_what_is_unchanged_has_the_headers_that_are_announced(limited: Client, operation: str):
    answer = SUCCESSES[operation](limited, headers={"If-None-Match": "*"})
    assert answer.status == 304
    assert_as_announced(operation, answer)


def test_only_what_has_an_etag_can_be_unchanged():
    for operation in operations().values():
        for status, response in operation.entry["responses"].items():
            has_etag = "ETag" in response["headers"]
            unchanged = "304" in operation.entry["responses"]
            assert has_etag == (unchanged and status in ("200", "304")) or operation.id == "playMove"
        takes_etag = "If-None-Match" in {entry["name"] for entry in operation.entry.get("parameters", [])}
        assert takes_etag == ("304" in operation.entry["responses"])


REFUSALS: dict[str, dict[str, Any]] = {
    "400": {"headers": {"If-Match": "x"}},
    "401": {"headers": {"Authorization": "Bearer x"}},
    "406": {"headers": {"Accept": "text/html"}},
    "422": {"query": "?unknown=1"},
}


@pytest.mark.parametrize("status", REFUSALS)
@pytest.mark.parametrize("operation", operations())
def test_a_refusal_has_the_headers_that_are_announced(limited: Client, operation: str, status: str):
    ada = limited.become("Ada")
    names = {"match": "none", "game": "kabale"}
    about = {name: value for name, value in names.items() if f"{{{name}}}" in operations()[operation].path}
    answer = ada.call(operation, **REFUSALS[status], **about)
    assert str(answer.status) == status
    assert_as_announced(operation, answer)


def test_a_missing_match_has_the_headers_that_are_announced(limited: Client):
    assert_as_announced("getMatch", limited.call("getMatch", match="none"))


def test_one_request_too_many_has_the_headers_that_are_announced(store: StoreServer):
    visitor = Client(InProcess(limited_app(store.url, Clock(2_000_000_000.0), limit_reads="1/hour").test_client()))
    assert visitor.call("listGames").status == 200
    answer = visitor.call("listGames")
    assert answer.status == 429
    assert_as_announced("listGames", answer)


def test_what_may_be_tried_again_later_says_when(app):
    """Every problem with 429 or 503 does (``test_problems.py``), so all of them are announced to."""
    for operation in operations().values():
        for status, response in operation.entry["responses"].items():
            assert ("Retry-After" in response["headers"]) == (status in ("429", "503"))
            assert ("WWW-Authenticate" in response["headers"]) == (status == "401")
            assert "X-Request-Id" in response["headers"]


def _timed(visitor: Client, **how: Any) -> tuple[str, list[Client]]:
    return seated(visitor, move_seconds=600, **how)


class _Twice:
    """Sends every request that has a key twice; what comes back is the second answer."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, method, url, headers, data):
        if "Idempotency-Key" in headers:
            self._transport.send(method, url, headers, data)
        return self._transport.send(method, url, headers, data)


def _replayed(operation: str) -> Callable[[Client], Answer]:
    return lambda visitor: SUCCESSES[operation](Client(_Twice(visitor.transport)), headers=KEY)


def _view_with_deadline(status: int) -> Callable[[Client], Answer]:
    def look(visitor: Client) -> Answer:
        match, _ = _timed(visitor)
        return visitor.call("getView", match=match, headers={} if status == 200 else {"If-None-Match": "*"})

    return look


def _move_with_deadline(visitor: Client) -> Answer:
    match, players = _timed(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    return players[seat].move(match, decision["id"], decision["legal_moves"][0])


def _next_page(operation: str, **headers: str) -> Callable[[Client], Answer]:
    def look(visitor: Client) -> Answer:
        ada = visitor.become("Ada")
        for _ in range(2):
            ada.create()
        return ada.call(operation, query="?limit=1", headers=headers)

    return look


def _next_events(visitor: Client) -> Answer:
    match, players = seated(visitor)
    play_on(match, players, random.Random(1), moves=1)
    return visitor.call("listEvents", match=match, query="?limit=1")


def _waited(operation: str, status: int) -> Callable[[Client], Answer]:
    headers = {"Prefer": "wait=1", "If-None-Match": '"another"' if status == 200 else "*"}
    if operation == "listEvents":
        del headers["If-None-Match"]
    return lambda visitor: SUCCESSES[operation](visitor, headers=headers)


CASES: dict[tuple[str, int, str], Callable[[Client], Answer]] = {
    ("getView", 200, "Decision-Deadline"): _view_with_deadline(200),
    ("getView", 304, "Decision-Deadline"): _view_with_deadline(304),
    ("playMove", 200, "Decision-Deadline"): _move_with_deadline,
    ("createMatch", 201, "Idempotency-Replayed"): _replayed("createMatch"),
    ("joinMatch", 201, "Idempotency-Replayed"): _replayed("joinMatch"),
    ("joinByCode", 201, "Idempotency-Replayed"): _replayed("joinByCode"),
    ("startMatch", 200, "Idempotency-Replayed"): _replayed("startMatch"),
    ("playMove", 200, "Idempotency-Replayed"): _replayed("playMove"),
    ("listMatches", 200, "Link"): _next_page("listMatches"),
    ("listMatches", 304, "Link"): _next_page("listMatches", **{"If-None-Match": "*"}),
    ("listMyMatches", 200, "Link"): _next_page("listMyMatches"),
    ("listMyMatches", 304, "Link"): _next_page("listMyMatches", **{"If-None-Match": "*"}),
    ("listEvents", 200, "Link"): _next_events,
    **{
        (operation, status, "Preference-Applied"): _waited(operation, status)
        for operation in ("getMatch", "getView", "listMyMatches")
        for status in (200, 304)
    },
    ("listEvents", 200, "Preference-Applied"): _waited("listEvents", 200),
}


def _joined_before(operation: str) -> Callable[[Client], Answer]:
    """Joining a second time under a key, and repeating that: the first status was 200."""

    def join(visitor: Client) -> Answer:
        created = visitor.become("Ada").call("createMatch", {**NEW_MATCH, "visibility": "private"}).body
        ben = visitor.become("Ben")
        code = {"join_code": created["join_code"]}
        ben.call("joinByCode", code)
        body, about = (code, {}) if operation == "joinByCode" else ({}, {"match": created["match"]})
        ben.call(operation, body, headers=KEY, **about)
        return ben.call(operation, body, headers=KEY, **about)

    return join


CASES |= {
    (operation, 200, "Idempotency-Replayed"): _joined_before(operation) for operation in ("joinMatch", "joinByCode")
}


def test_every_header_that_comes_sometimes_has_its_case():
    assert set(CASES) == {
        (operation.id, int(status), name)
        for operation in operations().values()
        for status, response in operation.entry["responses"].items()
        for name in response["headers"]
        if name in SOMETIMES
    }
    assert named_headers() >= SOMETIMES
    assert document()["components"]["headers"].keys() == named_headers()


@pytest.mark.parametrize(("operation", "status", "name"), CASES)
def test_a_header_that_comes_sometimes_does_come(visitor: Client, operation: str, status: int, name: str):
    answer = CASES[operation, status, name](visitor)
    assert answer.status == status
    assert name in answer.headers
