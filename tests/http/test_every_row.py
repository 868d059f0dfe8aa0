"""Every operation, and every code of a problem, met over HTTP by clients of a service with several workers.

What each does in detail is tested elsewhere; here nothing stands between the table and the wire.
"""

from __future__ import annotations

import http.client
import json
import shutil
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from support.clients import Answer, Client, OverHttp, seated
from support.contract import operations
from support.issuer import AUDIENCE, ISSUER, issued, provider
from support.marker_game.server import MarkerServer
from support.planted_faults import FAULT
from support.server import Server, make_folder
from support.store import PATIENCE, StoreServer, eventually
from support.successes import NEW_MATCH, SUCCESSES
from support.truth import Truth

from service.problems import KINDS

UNKNOWN = "A" * 22


# --- operations ---


@pytest.mark.parametrize("operation", operations())
def test_every_operation_succeeds(server: Server, operation: str):
    """Twice, on connections of their own, which the workers take in turns."""
    answers = [SUCCESSES[operation](server.visitor()) for _ in range(2)]
    assert [answer.code for answer in answers] == [None, None]


OUTSIDE = {
    "/": ("text/plain", b"/docs\t"),
    "/healthz": ("text/plain", b"ok\n"),
    "/readyz": ("text/plain", b"ready\n"),
    "/openapi.json": ("application/json", b'"openapi":"3.1.0"'),
    "/docs": ("text/html", b"swagger-ui"),
    "/table/": ("text/html", b"Turncoat"),
}


@pytest.mark.parametrize("path", OUTSIDE)
def test_what_lies_outside_the_api(server: Server, path: str):
    kind, told = OUTSIDE[path]
    status, headers, body = exchange(server, "GET", path)
    assert status == 200
    assert headers["Content-Type"].startswith(kind)
    assert told in body


# --- problems ---


def exchange(
    server: Server, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, Any, bytes]:
    """A request that the contract does not know."""
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


Provocation = Callable[[Client, Truth], Answer]
PROVOCATIONS: dict[str, Provocation] = {}


def provokes(code: str) -> Callable[[Provocation], Provocation]:
    """Enter what provokes a code into the table."""

    def enter(provocation: Provocation) -> Provocation:
        PROVOCATIONS[code] = provocation
        return provocation

    return enter


def on_turn(visitor: Client) -> tuple[str, list[Client], int, dict]:
    """A running match, its players, whose turn it is, and a good answer."""
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    return match, players, seat, {"decision": decision["id"], "move": decision["legal_moves"][0]}


PROVOCATIONS |= {
    "malformed-json": lambda visitor, _: visitor.call("createPlayer", raw=b"{"),
    "unsupported-header": lambda visitor, _: visitor.call("listGames", headers={"If-Match": '"x"'}),
    "unauthenticated": lambda visitor, _: Client(visitor.transport, "nonsense").call("listGames"),
    "no-such-match": lambda visitor, _: visitor.call("getMatch", match=UNKNOWN),
    "no-such-game": lambda visitor, _: visitor.call("getGame", game="chess"),
    "bad-cursor": lambda visitor, _: visitor.call("listMatches", query="?cursor=nonsense"),
    "not-acceptable": lambda visitor, _: visitor.call("listGames", headers={"Accept": "text/html"}),
    "too-large": lambda visitor, _: visitor.call("createPlayer", raw=b" " * 20_000),
    "unsupported-media-type": lambda visitor, _: visitor.call(
        "createPlayer", {"name": "Ada"}, headers={"Content-Type": "text/plain"}
    ),
    "invalid": lambda visitor, _: visitor.call("createPlayer", {"name": ""}),
    "wrong-join-code": lambda visitor, _: visitor.become("Ada").call("joinByCode", {"join_code": "AAAAAAAA"}),
    "not-started": lambda visitor, _: visitor.call("getView", match=visitor.become("Ada").create()),
    "match-not-finished": lambda visitor, _: visitor.call("getReplay", match=seated(visitor)[0]),
    "match-full": lambda visitor, _: visitor.become("Late").call("joinMatch", {}, match=seated(visitor)[0]),
}


@provokes("not-a-player")
def _(visitor: Client, _truth: Truth) -> Answer:
    match, _, _, body = on_turn(visitor)
    return visitor.become("Stranger").call("playMove", body, match=match)


@provokes("not-the-creator")
def _(visitor: Client, _truth: Truth) -> Answer:
    match, ben = visitor.become("Ada").create(), visitor.become("Ben")
    ben.join(match)
    return ben.call("startMatch", {}, match=match)


@provokes("already-started")
def _(visitor: Client, _truth: Truth) -> Answer:
    ada = visitor.become("Ada")
    match = ada.create(game="kabale", seats=3)
    visitor.become("Ben").join(match)
    assert ada.call("startMatch", {}, match=match).status == 200
    return visitor.become("Late").call("joinMatch", {}, match=match)


@provokes("too-few-players")
def _(visitor: Client, _truth: Truth) -> Answer:
    ada = visitor.become("Ada")
    return ada.call("startMatch", {}, match=ada.create())


@provokes("seat-taken")
def _(visitor: Client, _truth: Truth) -> Answer:
    return visitor.become("Ben").call("joinMatch", {"seat": 0}, match=visitor.become("Ada").create())


@provokes("match-over")
def _(visitor: Client, _truth: Truth) -> Answer:
    ada = visitor.become("Ada")
    match = ada.create()
    assert ada.call("leaveMatch", match=match).status == 204
    return ada.call("joinMatch", {}, match=match)


@provokes("decision-closed")
def _(visitor: Client, _truth: Truth) -> Answer:
    match, players, seat, body = on_turn(visitor)
    assert players[seat].call("playMove", body, match=match).status == 200
    return players[seat].call("playMove", body, match=match)


@provokes("not-your-decision")
def _(visitor: Client, _truth: Truth) -> Answer:
    match, players, seat, body = on_turn(visitor)
    return players[seat].call("playMove", {**body, "decision": 2}, match=match)


@provokes("illegal-move")
def _(visitor: Client, _truth: Truth) -> Answer:
    match, players, seat, body = on_turn(visitor)
    return players[seat].call("playMove", {**body, "move": {"type": "decline_build"}}, match=match)


@provokes("bad-options")
def _(visitor: Client, _truth: Truth) -> Answer:
    options = {"special_roles": ["accomplice"], "random_roles": 2}
    new = {"game": "inside_job", "seats": 3, "visibility": "public", "options": options}
    return visitor.become("Ada").call("createMatch", new)


@provokes("idempotency-key-reused")
def _(visitor: Client, _truth: Truth) -> Answer:
    ada, key = visitor.become("Ada"), {"Idempotency-Key": "0123456789abcdef"}
    assert ada.call("createMatch", NEW_MATCH, headers=key).status == 201
    return ada.call("createMatch", {**NEW_MATCH, "seats": 4}, headers=key)


@provokes("unreadable-match")
def _(visitor: Client, truth: Truth) -> Answer:
    """Written under other rules, which is what an update of the service leaves."""
    match = visitor.become("Ada").create()
    record = truth.match(match)
    record.rules_version += 1
    truth.overwrite(match, match=msgspec.msgpack.encode(record))
    return visitor.call("getMatch", match=match)


ELSEWHERE = {
    "bad-request": "test_what_is_not_http",
    "not-found": "test_what_no_operation_takes",
    "method-not-allowed": "test_what_no_operation_takes",
    "too-many-matches": "test_a_service_with_narrow_bounds",
    "too-many-requests": "test_a_service_with_narrow_bounds",
    "guests-disabled": "test_a_service_with_an_issuer",
    "issuer-unavailable": "test_a_service_with_an_issuer",
    "store-full": "test_a_store_that_fails",
    "store-unavailable": "test_a_store_that_fails",
    "draining": "test_a_service_that_ends",
    "internal-error": "test_faults_that_are_planted",
    "busy": "test_faults_that_are_planted",
    "too-many-streams": "test_too_many_streams",
}
"""Codes that need a service or a request of their own."""


def test_the_table_is_complete():
    assert set(PROVOCATIONS) | set(ELSEWHERE) == set(KINDS)
    assert not set(PROVOCATIONS) & set(ELSEWHERE)
    assert set(ELSEWHERE.values()) <= set(globals())


@pytest.mark.parametrize("code", PROVOCATIONS)
def test_every_code_is_met(server: Server, truth: Truth, code: str):
    answer = PROVOCATIONS[code](server.visitor(), truth)
    assert (answer.code, answer.status) == (code, KINDS[code].status)


def problem(told: tuple[int, Any, bytes]) -> tuple[int, str]:
    status, headers, body = told
    assert headers["Content-Type"] == "application/problem+json"
    return status, json.loads(body)["code"]


def test_what_no_operation_takes(server: Server):
    assert problem(exchange(server, "GET", "/v1/nothing")) == (404, "not-found")
    refused = exchange(server, "PUT", "/v1/games")
    assert problem(refused) == (405, "method-not-allowed")
    assert "GET" in refused[1]["Allow"]


def test_what_is_not_http(server: Server):
    json_ = {"Content_Type": "application/json"}
    odd = exchange(server, "POST", "/v1/players", b"zz\r\n", Transfer_Encoding="chunked", **json_)
    assert problem(odd) == (400, "bad-request")


# --- services of their own ---


@pytest.fixture
def own_store() -> Iterator[StoreServer]:
    """A store that a test may fill or kill."""
    own = StoreServer()
    own.start()
    yield own
    own.close()


@pytest.fixture
def serve(own_store: StoreServer) -> Iterator[Callable[..., Server]]:
    """Starts a service on that store, with settings."""
    folder = make_folder()
    running: list[Server] = []

    def start(**settings: str) -> Server:
        server = Server(folder, redis_url=own_store.url, **settings)
        server.start()
        running.append(server)
        return server

    yield start
    for server in running:
        server.stop(hurry=True)
    shutil.rmtree(folder)


def test_a_service_with_narrow_bounds(serve: Callable[..., Server]):
    server = serve(
        TURNCOAT_LIMITS="on",
        TURNCOAT_LIMITS_TIMEOUT="60",
        TURNCOAT_LIMIT_JOIN_CODES="1/30days",
        TURNCOAT_MATCHES_PER_PLAYER="1",
    )
    ada = server.visitor().become("Ada")
    ada.create()
    one_more = ada.call("createMatch", NEW_MATCH)
    assert (one_more.status, one_more.code) == (409, "too-many-matches")
    tries = [ada.call("joinByCode", {"join_code": "AAAAAAAA"}) for _ in range(2)]
    assert [(answer.status, answer.code) for answer in tries] == [(404, "wrong-join-code"), (429, "too-many-requests")]
    assert int(tries[1].headers["Retry-After"]) > 0


def test_a_store_that_fails(serve: Callable[..., Server], own_store: StoreServer):
    server = serve()
    ada = server.visitor().become("Ada")
    truth = Truth(own_store.url)
    truth.redis.config_set("maxmemory", 1)
    full = ada.call("createMatch", NEW_MATCH)
    assert (full.status, full.code) == (503, "store-full")
    truth.redis.config_set("maxmemory", 0)
    truth.redis.close()
    own_store.kill()
    down = ada.call("createMatch", NEW_MATCH)
    assert (down.status, down.code) == (503, "store-unavailable")
    assert int(down.headers["Retry-After"]) > 0


def test_a_service_that_ends(serve: Callable[..., Server]):
    server = serve(TURNCOAT_DRAIN_SECONDS="20")
    server.terminate()
    eventually(lambda: exchange(server, "GET", "/readyz")[0] == 503, "the announcement of the end")
    assert problem(exchange(server, "GET", "/readyz")) == (503, "draining")


def test_a_service_with_an_issuer(serve: Callable[..., Server]):
    with provider() as serving:
        server = serve(TURNCOAT_ISSUER=ISSUER, TURNCOAT_AUDIENCE=AUDIENCE, TURNCOAT_KEY_SET=serving.address)
        guest = server.visitor().call("createPlayer", {"name": "Ada"})
        assert (guest.status, guest.code) == (403, "guests-disabled")
    player = Client(OverHttp(server.address), issued())
    answer = player.call("getMe")
    assert (answer.status, answer.code) == (503, "issuer-unavailable"), "nobody can tell who this is now"


def test_faults_that_are_planted(own_store: StoreServer):
    """There is no known way to make the intact service fail, or lose fifty races in a row."""
    folder = make_folder()
    server = MarkerServer(folder, own_store.url, "support.planted_faults:create_app()")
    server.start()
    try:
        ada = server.visitor().become("Ada")
        for fault, told in {"code": (500, "internal-error"), "race": (503, "busy")}.items():
            answer = ada.call("createMatch", NEW_MATCH, headers={FAULT: fault})
            assert (answer.status, answer.code) == told
            assert b"next card" not in answer.raw
        assert "RuntimeError" in server.said()
        assert "card is 100" not in server.said(), "the log says where a fault arose, without its words"
        assert ada.create()
    finally:
        server.stop(hurry=True)
        shutil.rmtree(folder)


def test_too_many_streams(server: Server):
    """Two at a time are one's own; a third is refused, whichever worker it meets."""
    match, players = seated(server.visitor())
    path, headers = f"/v1/matches/{match}/events", {"Authorization": f"Bearer {players[0].token}"}
    streams = [http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=PATIENCE) for _ in range(2)]
    try:
        for stream in streams:
            stream.request("GET", path, headers={**headers, "Accept": "text/event-stream"})
            assert stream.getresponse().status == 200
        third = exchange(server, "GET", path, Accept="text/event-stream", **headers)
        assert problem(third) == (429, "too-many-streams")
        assert int(third[1]["Retry-After"]) > 0
    finally:
        for stream in streams:
            stream.close()
