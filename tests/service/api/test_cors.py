"""Which web pages may read the answers, and what they may send and see."""

from __future__ import annotations

import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.clients import Client, InProcess
from support.contract import operations
from support.limits import Clock, limited_app
from support.store import StoreServer
from support.successes import SUCCESSES

PAGE = "https://play.example"
OTHER_PAGE = "http://localhost:5173"
NUMBERED_PAGE = "http://[::1]:5173"
CORS = re.compile("access-control-", re.IGNORECASE)

READABLE = {
    *["Allow", "Content-Language", "Decision-Deadline", "ETag", "Idempotency-Replayed", "Link", "Location"],
    *["Preference-Applied", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id"],
}
SENDABLE = [
    *["accept", "accept-language", "authorization", "content-type", "idempotency-key", "if-none-match"],
    *["last-event-id", "prefer", "x-request-id"],
]


@pytest.fixture(scope="module")
def app(store: StoreServer) -> Flask:
    return limited_app(
        store.url, Clock(), cors_origins=(PAGE, OTHER_PAGE, NUMBERED_PAGE), limit_guests_per_address="500/hour"
    )


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def preflight(client: FlaskClient, path: str, method: str = "GET", origin: str = PAGE, headers: str = ""):
    asked = {"Origin": origin, "Access-Control-Request-Method": method}
    return client.options(path, headers=asked | ({"Access-Control-Request-Headers": headers} if headers else {}))


def path_of(operation: str) -> str:
    return operations()[operation].path.replace("{match}", "A" * 22).replace("{game}", "kabale")


def names(header: str | None) -> set[str]:
    return {name.strip() for name in (header or "").split(",") if name.strip()}


def cors_headers(response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if CORS.match(name)}


# --- before a request: may this page send it? ---


@pytest.mark.parametrize("operation", operations())
@pytest.mark.parametrize("query", ["", "?limit=5&status=open"])
def test_a_preflight_of_every_operation_is_answered(client: FlaskClient, operation: str, query: str):
    method = operations()[operation].method.upper()
    response = preflight(client, path_of(operation) + query, method, headers=", ".join(SENDABLE))
    assert (response.status_code, response.data) == (200, b"")
    assert response.headers["Access-Control-Allow-Origin"] == PAGE
    assert method in names(response.headers["Access-Control-Allow-Methods"])
    assert method in names(response.headers["Allow"])
    assert names(response.headers["Access-Control-Allow-Headers"].lower()) == set(SENDABLE)
    assert int(response.headers["Access-Control-Max-Age"]) >= 600
    assert "Access-Control-Allow-Credentials" not in response.headers
    assert "Origin" in names(response.headers["Vary"])


def test_every_method_is_preflighted(client: FlaskClient):
    methods = {operation.method.upper() for operation in operations().values()}
    allowed = names(preflight(client, "/v1/games").headers["Access-Control-Allow-Methods"])
    assert methods <= allowed <= {"GET", "HEAD", "POST", "DELETE"}


def test_no_other_headers_may_be_sent(client: FlaskClient):
    response = preflight(client, "/v1/matches", "POST", headers="authorization, cookie, x-forwarded-for, if-match")
    assert names(response.headers["Access-Control-Allow-Headers"]) == {"authorization"}


def test_a_network_is_not_opened_to_the_outside(client: FlaskClient):
    headers = {
        "Origin": PAGE,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Private-Network": "true",
    }
    response = client.options("/v1/games", headers=headers)
    assert response.headers.get("Access-Control-Allow-Private-Network") != "true"


# --- after it: may this page read it? ---


@pytest.mark.parametrize(
    ("operation", "origin"),
    [*[(operation, PAGE) for operation in operations()], ("listGames", OTHER_PAGE), ("listGames", NUMBERED_PAGE)],
)
def test_a_page_on_the_list_may_read_every_answer(app: Flask, operation: str, origin: str):
    answer = SUCCESSES[operation](Client(InProcess(app.test_client())), headers={"Origin": origin})
    assert answer.status < 300
    assert answer.headers["Access-Control-Allow-Origin"] == origin
    assert names(answer.headers["Access-Control-Expose-Headers"]) == READABLE
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Origin" in names(answer.headers["Vary"])


@pytest.mark.parametrize(
    "origin",
    [
        *["https://evil.example", "https://play.example.evil.example", "https://evilplay.example", "null", "*", ""],
        *["http://play.example", "https://play.example:8443", "https://playxexample", "https://play.example/"],
        *["https://sub.play.example", "https://play.example\x0b", "https://play.example https://evil.example"],
        *["http://localhost", "http://localhost:51730", "http://x:5173", "http://::1:5173"],
    ],
)
def test_other_pages_are_told_nothing(client: FlaskClient, origin: str):
    for response in (
        client.get("/v1/games", headers={"Origin": origin}),
        preflight(client, "/v1/games", origin=origin, headers="authorization"),
        client.get("/v1/players/me", headers={"Origin": origin}),
    ):
        assert response.status_code in (200, 401)
        assert cors_headers(response) == {}
        assert "Origin" in names(response.headers["Vary"])


def test_whoever_names_no_origin_is_not_told_who_is_on_the_list(client: FlaskClient):
    """But a cache must know that the answer is not the same for all."""
    response = client.get("/v1/games")
    assert cors_headers(response) == {}
    assert names(response.headers["Vary"]) == {"Accept-Language", "Origin"}


def test_without_a_list_no_answer_has_a_word_on_it(store: StoreServer):
    client = limited_app(store.url, Clock()).test_client()
    for response in (client.get("/v1/games", headers={"Origin": PAGE}), preflight(client, "/v1/games")):
        assert response.status_code == 200
        assert cors_headers(response) == {}
        assert "Origin" not in names(response.headers.get("Vary"))


PROBLEMS = [
    ("GET", "/v1/players/me", {}, None, 401, "unauthenticated"),
    ("GET", "/v1/players/me", {"Authorization": "Bearer x"}, None, 401, "unauthenticated"),
    ("GET", f"/v1/matches/{'A' * 22}", {}, None, 404, "no-such-match"),
    ("GET", "/v1/nowhere", {}, None, 404, "not-found"),
    ("PUT", "/v1/games", {}, None, 405, "method-not-allowed"),
    ("GET", "/v1/games", {"Accept": "text/html"}, None, 406, "not-acceptable"),
    ("GET", "/v1/games", {"If-Match": "*"}, None, 400, "unsupported-header"),
    ("POST", "/v1/players", {"Content-Type": "application/json"}, b"{", 400, "malformed-json"),
    ("POST", "/v1/players", {"Content-Type": "application/json"}, b" " * 20_000, 413, "too-large"),
    ("POST", "/v1/players", {"Content-Type": "application/json"}, b"{}", 422, "invalid"),
]


@pytest.mark.parametrize(("method", "path", "headers", "data", "status", "code"), PROBLEMS)
def test_a_page_may_read_problems(client: FlaskClient, method, path, headers, data, status, code):
    response = client.open(path, method=method, headers={"Origin": PAGE, **headers}, data=data)
    assert (response.status_code, response.json["code"]) == (status, code)
    may_read(response)


def test_a_page_may_read_that_it_asks_too_much(store: StoreServer):
    app = limited_app(store.url, Clock(), cors_origins=(PAGE,), limit_reads="1/minute", limit_misses="1/minute")
    client = app.test_client()
    assert client.get("/v1/games", headers={"Origin": PAGE}).status_code == 200
    response = client.get("/v1/games", headers={"Origin": PAGE})
    assert (response.status_code, response.json["code"]) == (429, "too-many-requests")
    may_read(response)
    assert preflight(client, "/v1/games").status_code == 200, "asking whether it may is free"


def test_a_page_may_read_that_the_service_failed(app: Flask, client: FlaskClient, monkeypatch):
    def fail(**_: object) -> None:
        raise RuntimeError

    monkeypatch.setitem(app.view_functions, "games.list_games", fail)
    response = client.get("/v1/games", headers={"Origin": PAGE})
    assert (response.status_code, response.json["code"]) == (500, "internal-error")
    may_read(response)


def may_read(response) -> None:
    assert response.headers.getlist("Access-Control-Allow-Origin") == [PAGE]
    assert names(response.headers["Access-Control-Expose-Headers"]) == READABLE
    assert "Origin" in names(response.headers["Vary"])
    assert json.loads(response.data)["instance"].endswith(response.headers["X-Request-Id"])
