"""Every operation with every problem that it announces, and the framework's own errors.

Regression 29: error answers lost ``Allow``, ``WWW-Authenticate`` or ``Retry-After``, or came as HTML.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask import Flask
from support.clients import seated
from support.contract import PROBLEM, operations
from support.scene import Scene
from support.situations import SITUATIONS
from support.truth import Truth

from service import texts
from service.launcher import draining
from service.problems import KINDS
from service.store.packing import packed


@pytest.fixture(scope="module")
def scene(app: Flask, truth: Truth) -> Scene:
    return Scene(app, truth)


# --- the tests ---


@pytest.mark.parametrize(("number", "operation", "code"), [(number, *key) for number, key in enumerate(SITUATIONS)])
def test_a_problem_has_its_status_and_its_headers(scene: Scene, number: int, operation: str, code: str):
    """And is told in the language that was asked for, by turns."""
    scene.language = texts.LANGUAGES[number % len(texts.LANGUAGES)]
    answer = SITUATIONS[operation, code](scene, operation)
    assert answer.code == code
    assert answer.status == KINDS[code].status
    assert answer.headers["Content-Language"] == scene.language
    assert_is_problem(answer.status, answer.headers, answer.raw)


def test_every_operation_is_seen_with_every_problem_that_it_announces():
    announced = {
        (operation.id, code)
        for operation in operations().values()
        for response in operation.entry["responses"].values()
        for code in response.get("x-problem-codes", [])
    }
    assert set(SITUATIONS) == announced


def test_every_code_is_provoked():
    """Those that no operation announces belong to addresses and methods that are no operation, and to readiness."""
    provoked = {code for _, code in SITUATIONS} | {"not-found", "method-not-allowed", "draining"}
    assert provoked == set(KINDS)


def assert_is_problem(status: int, headers: Any, raw: bytes, *, of_operation: bool = True) -> None:
    body = json.loads(raw)
    assert headers["Content-Type"] == PROBLEM
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Request-Id"]
    assert body["instance"] == f"urn:request:{headers['X-Request-Id']}"
    title = texts.title(body["code"], headers["Content-Language"])
    assert (body["type"], body["status"], body["title"]) == ("about:blank", status, title)
    assert "Accept-Language" in headers["Vary"]
    assert ("WWW-Authenticate" in headers) == (status == 401)
    assert ("Retry-After" in headers) == (status in (429, 503))
    assert ("Allow" in headers) == (status == 405)
    assert "ETag" not in headers
    assert "Location" not in headers
    if status == 401:
        assert headers["WWW-Authenticate"] == 'Bearer realm="turncoat"'
    if status in (429, 503):
        # A limit says how long its window lasts, and these tests have windows that end in none of them.
        longest = 30 * 24 * 60 * 60 if body["code"] == "too-many-requests" else 60
        assert 1 <= int(headers["Retry-After"]) <= longest


@pytest.mark.parametrize(
    ("accepted", "status"),
    [
        *[("application/json", 200), ("application/*", 200), ("*/*", 200), ("text/html, */*;q=0.1", 200), ("", 200)],
        *[
            ("application/json;q=0.1, text/html", 200),
            ("application/json;q=0", 406),
            ("application/json;q=0, */*", 406),
        ],
        *[("text/html", 406), ("text/*", 406), ("application/xml, image/*", 406), ("nonsense", 406)],
    ],
)
def test_json_is_sent_to_whom_accepts_it(scene: Scene, accepted: str, status: int):
    for operation in ("listGames", "getMatch", "getMe"):
        assert scene.call(operation, headers={"Accept": accepted}).status == status


# --- what cannot be read ---


@pytest.mark.parametrize(
    ("field", "damage"),
    [
        ("state", lambda stored: stored[:-1]),
        ("state", lambda stored: b"\xc1" + stored),
        ("state", lambda stored: packed(stored)[:-1]),
        ("state", lambda stored: packed(stored)[:20] + packed(stored)[21:]),
        ("match", lambda stored: packed(stored)[:-1]),
        ("match", lambda stored: packed(stored)[:2] + b"garbage"),
        ("state", lambda stored: b"\x80"),
        ("state", lambda stored: msgspec.msgpack.encode({**msgspec.msgpack.decode(stored), "rules_version": 2})),
        ("state", lambda stored: msgspec.msgpack.encode({**msgspec.msgpack.decode(stored), "debug": 1})),
        ("match", lambda stored: stored[:-1]),
        ("match", lambda stored: b"not MessagePack"),
        ("match", lambda stored: msgspec.msgpack.encode({**msgspec.msgpack.decode(stored), "game": "chess"})),
        ("match", lambda stored: msgspec.msgpack.encode({**msgspec.msgpack.decode(stored), "rules_version": 0})),
        ("match", lambda stored: msgspec.msgpack.encode({**msgspec.msgpack.decode(stored), "debug": 1})),
    ],
)
def test_a_damaged_match_is_told_so_and_harms_no_other(scene: Scene, field: str, damage: Callable[[bytes], bytes]):
    """Damage cannot be done through the service, so it is done to the record."""
    match, players = seated(scene.visitor)
    stored = scene.truth.stored(match, field)
    scene.truth.overwrite(match, **{field: damage(stored)})
    move = {"decision": 1, "move": {"type": "place_farm", "landscape": 0}}
    with scene.truth.unchanged(scene.match, *scene.players), scene.truth.unchanged(match):
        for answer in [
            players[0].call("getMatch", match=match),
            players[0].call("getView", match=match),
            scene.visitor.call("getView", match=match),
            players[0].call("playMove", move, match=match),
            scene.stranger.call("joinMatch", {}, match=match),
            players[0].call("startMatch", {}, match=match),
        ]:
            assert (answer.status, answer.code) == (409, "unreadable-match")


@pytest.mark.parametrize("operation", ["startMatch", "joinMatch"])
def test_options_that_cannot_be_read_show_at_the_start(scene: Scene, operation: str):
    """Only the start looks at them; all other damage shows whenever a match is read."""
    match = scene.players[0].create(game="kabale", seats=2 if operation == "joinMatch" else 3)
    if operation == "startMatch":
        scene.players[1].join(match)
    record = scene.truth.match(match)
    record.options["debug"] = True
    scene.truth.overwrite(match, match=msgspec.msgpack.encode(record))
    with scene.truth.unchanged(match):
        assert scene.call(operation, match=match, body={}).code == "unreadable-match"


# --- the framework's own errors ---

PATHS = [
    *["/v1/games", "/v1/games/verraeter", "/v1/players", "/v1/players/me", "/v1/players/me/tokens"],
    "/v1/players/me/matches",
    *[
        "/v1/matches",
        "/v1/matches/x",
        "/v1/matches/x/players",
        "/v1/matches/x/start",
        "/v1/matches/x/view",
        "/v1/matches/x/moves",
        "/v1/matches/x/replay",
        "/v1/matches/x/events",
        "/v1/matches/x/players/me",
        "/v1/join",
    ],
    *["/", "/healthz", "/readyz", "/metrics", "/openapi.json", "/docs", "/docs/", "/table", "/table/"],
]


def test_the_list_of_addresses_is_complete(app: Flask):
    known = {rule.rule.replace("<match>", "x").replace("<game>", "verraeter") for rule in app.url_map.iter_rules()}
    assert known - {"/docs/<name>", "/table/<path:name>"} == set(PATHS)


UNSUPPORTED = {"If-Match": "*", "Idempotency-Key": "0123456789abcdef"}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "FOO"])
@pytest.mark.parametrize("headers", [{}, UNSUPPORTED], ids=["plain", "with headers of other operations"])
def test_a_method_that_an_address_does_not_take(app: Flask, path: str, method: str, headers: dict[str, str]):
    """Whatever else is wrong with the request: a fuzzer was told of the headers instead."""
    client = app.test_client()
    allowed = client.options(path).headers["Allow"].split(", ")
    response = client.open(path, method=method, headers=headers)
    if method in allowed:
        assert response.status_code != 405
        return
    assert response.status_code == 405
    assert set(response.headers["Allow"].split(", ")) == set(allowed)
    if method != "HEAD":
        assert response.json["code"] == "method-not-allowed"
        assert_is_problem(405, response.headers, response.data)


@pytest.mark.parametrize("path", PATHS)
def test_options_names_the_methods_and_says_no_more(app: Flask, path: str):
    response = app.test_client().options(path)
    assert response.status_code == 200
    assert "OPTIONS" in response.headers["Allow"]
    assert response.data == b""
    assert "Content-Type" not in response.headers


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/verraeter", "/healthz", "/v1/players/me"])
def test_head_is_get_without_the_body(app: Flask, path: str, scene: Scene):
    client = app.test_client()
    who = {"Authorization": f"Bearer {scene.stranger.token}", "X-Request-Id": "same"}
    got, head = client.get(path, headers=who), client.head(path, headers=who)
    assert (head.status_code, head.data) == (200, b"")
    assert dict(head.headers) == dict(got.headers)


@pytest.mark.parametrize(
    "path",
    [
        *["/v1", "/v1/", "/v2/games", "/V1/games", "/v1/Games", "/v1/game", "/v1/lobby", "/favicon.ico", "/.env"],
        *["/v1/games/", "/v1/games/verraeter/", "/v1/players/", "/v1/players/me/", "/v1/matches/", "/healthz/"],
        *["//v1/games", "/v1//games", "/v1/games//verraeter", "/v1/matches//view"],
        *["/v1/matches/x/", "/v1/matches/x/y", "/v1/matches/x/moves/1", "/v1/matches/../games", "/v1/./games"],
        *["/v1/games/a%2Fb", "/%00", "/%ff%fe", "/v1/%ed%a0%80", "/v1/games%20", "/v1/games%0d%0aX: y"],
        *["/docs/nothing.js", "/docs/../app.py", "/docs/%2e%2e/%2e%2e/app.py", "/docs//etc/passwd", "/static/x"],
        *["/table/nothing.js", "/table/index.html", "/table/assets/", "/table/../app.py", "/table//etc/passwd"],
        *["/" + "a" * 5000, "/v1/games;x=1", "/v1/games%3Fx", "/{x}", "/<script>", "/%", "/%zz", "/\\", "/v1/*"],
    ],
    ids=lambda path: path[:30],
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_address_is_a_problem_and_never_a_redirection(app: Flask, method: str, path: str):
    response = app.test_client().open(path, method=method)
    assert response.status_code in (404, 405)
    assert_is_problem(response.status_code, response.headers, response.data)
    assert response.json["code"] == ("not-found" if response.status_code == 404 else "method-not-allowed")


@pytest.mark.parametrize("path", ["/v2/games", "/v1/game", "/v1/games/", "/v1/matches/x/moves/1"])
def test_an_unknown_address_is_unknown_whatever_the_headers(app: Flask, path: str):
    response = app.test_client().post(path, headers=UNSUPPORTED)
    assert (response.status_code, response.json["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("abc-1.2_Z", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("a b", False),
        ("", False),
        ("ä", False),
        ("<x>", False),
    ],
)
def test_a_harmless_request_id_is_taken_over(app: Flask, given: str, taken: bool):
    response = app.test_client().get("/nowhere", headers={"X-Request-Id": given})
    assert (response.headers["X-Request-Id"] == given) == taken
    assert_is_problem(404, response.headers, response.data)


# --- health ---


def test_whoever_is_about_to_end_is_not_ready_but_lives_and_serves(app: Flask, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(draining, "_state", {"announced": False, "begun": False})
    client = app.test_client()
    assert client.get("/readyz").status_code == 200
    draining.announce()
    going = client.get("/readyz")
    assert (going.status_code, going.json["code"]) == (503, "draining")
    assert_is_problem(503, going.headers, going.data)
    assert client.get("/healthz").status_code == 200
    assert client.get("/v1/games").status_code == 200
