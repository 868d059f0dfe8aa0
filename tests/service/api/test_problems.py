"""Every operation with every problem that it announces, and the framework's own errors.

Regression 29: error answers lost ``Allow``, ``WWW-Authenticate`` or ``Retry-After``, or came as HTML.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from flask import Flask
from support.bodies import bodies
from support.clients import Answer, Client, InProcess, seated
from support.contract import PROBLEM, STREAM, operations
from support.issuer import AUDIENCE, ISSUER, issued
from support.settings import settings_on
from support.truth import Truth

from engine.game import BadOptions
from engine.verraeter import VERRAETER
from service import texts
from service.app import create_app
from service.issuer import IssuedTokens
from service.key_set import key_set
from service.launcher import draining
from service.limiter import LIMITS, Limiter, WorkerCounters
from service.problems import KINDS

BODIES: dict[str, Any] = {body.operation: body.value for body in reversed(bodies())} | {"startMatch": {}}
WRITES = ["createMatch", "joinMatch", "joinByCode", "startMatch", "playMove", "leaveMatch"]
READS = ["getMatch", "getView", "listEvents", "getReplay"]
"""Reading writes too, when a decision is overdue."""
LISTS = ["listMatches", "listMyMatches"]
NEEDS_STORE = [*WRITES, *READS]
OF_A_MATCH = [operation for operation in operations() if "{match}" in operations()[operation].path]


class Scene:
    """Two matches, one running and one open, and whoever is needed to be refused in them."""

    def __init__(self, app: Flask, truth: Truth) -> None:
        self.app = app
        self.truth = truth
        self.visitor = Client(InProcess(app.test_client()))
        self.match, self.players = seated(self.visitor)
        self.open_match = self.players[0].create(seats=4)
        self.players[1].join(self.open_match, seat=2)
        self.stranger = self.visitor.become("Stranger")
        card = self.players[0].card(self.match)
        self.on_turn = self.players[card["waiting_on"][0]]
        self.language = texts.LANGUAGES[0]

    def call(self, operation: str, who: Client | None = None, **how: Any) -> Answer:
        """Call an operation so that nothing speaks against it but what ``how`` says."""
        match = self.match if operation in ("playMove", "getView", "leaveMatch") else self.open_match
        path = operations()[operation].path
        about = {"match": match} if "{match}" in path else {"game": "verraeter"} if "{game}" in path else {}
        usual = {
            "createPlayer": self.visitor,
            "playMove": self.on_turn,
            "joinMatch": self.stranger,
            "joinByCode": self.stranger,
        }
        who = who or usual.get(operation, self.players[0])
        if operation == "joinByCode" and "raw" not in how and "body" not in how:
            how["body"] = {"join_code": self.private()[1]}
        if "raw" not in how:
            how.setdefault("body", BODIES.get(operation))
        headers = {"Accept-Language": self.language, **how.pop("headers", {})}
        return who.call(operation, headers=headers, **{**about, **how})

    def private(self, **more: Any) -> tuple[str, str]:
        """A private match that is open, and its join code."""
        card = (
            self.players[0].call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private", **more}).body
        )
        return card["match"], card["join_code"]

    def overdue(self) -> str:
        """A running match in which a decision should have been made by now."""
        match = self.players[0].create(seats=3, move_seconds=60)
        for player in self.players[1:]:
            player.join(match)
        record = self.truth.match(match)
        record.deadline = 1
        self.truth.overwrite(match, match=msgspec.msgpack.encode(record))
        return match

    def over(self) -> str:
        """A match of the same players that has ended, each having answered one decision."""
        match = self.players[0].create(seats=3)
        for player in self.players[1:]:
            player.join(match)
        record = self.truth.match(match)
        record.status, record.waiting_on, record.answered = "finished", [], [1] * len(record.seats)
        self.truth.overwrite(match, match=msgspec.msgpack.encode(record))
        return match

    def unreadable(self) -> str:
        """A match that cannot be read: written under other rules, which is what an update of the service leaves."""
        match = self.players[0].create(seats=3)
        record = self.truth.match(match)
        record.rules_version += 1
        self.truth.overwrite(match, match=msgspec.msgpack.encode(record))
        return match


@pytest.fixture(scope="module")
def scene(app: Flask, truth: Truth) -> Scene:
    return Scene(app, truth)


Situation = Callable[[Scene, str], Answer]
SITUATIONS: dict[tuple[str, str], Situation] = {}


def provokes(code: str, *refused: str) -> Callable[[Situation], Situation]:
    """Enter a situation into the table, for the operations in which it provokes this code."""

    def enter(situation: Situation) -> Situation:
        for operation in refused:
            SITUATIONS[operation, code] = situation
        return situation

    return enter


# --- what can happen everywhere ---


@provokes("unsupported-header", *operations())
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, headers={"If-Match": '"x"'})


@provokes("unauthenticated", *operations())
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, Client(scene.visitor.transport, "nonsense"))


@provokes("not-acceptable", *operations())
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, headers={"Accept": "text/html, application/xml"})


@provokes("invalid", *operations())
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, query="?unknown=1")


@provokes("internal-error", *operations())
def _(scene: Scene, operation: str) -> Answer:
    # There is no known way to make the service fail, so a fault is planted where each operation's own code begins.
    endpoint = next(
        rule.endpoint
        for rule in scene.app.url_map.iter_rules()
        if (
            scene.app.view_functions[rule.endpoint].__dict__.get("_apidoc", {}).get("manual_doc", {}).get("operationId")
        )
        == operation
    )
    intact = scene.app.view_functions[endpoint]

    def failing(**_: Any) -> None:
        raise RuntimeError("a secret detail")

    failing.__dict__ |= intact.__dict__
    scene.app.view_functions[endpoint] = failing
    try:
        answer = scene.call(operation)
    finally:
        scene.app.view_functions[endpoint] = intact
    assert b"secret" not in answer.raw
    return answer


@provokes("too-many-requests", *operations())
def _(scene: Scene, operation: str) -> Answer:
    # The same application with limits that are used up at once, counted in this process.
    parts = scene.app.extensions["turncoat"]
    rates = {name: "1/30days" for names in LIMITS.values() for name in names}
    limiter = Limiter(rates, WorkerCounters(), b"secret", 60.0)
    scene.app.extensions["turncoat"] = dataclasses.replace(parts, limiter=limiter)
    try:
        assert scene.call(operation, body=BODIES.get(operation), query="?unknown=1").status == 422
        return scene.call(operation, body=BODIES.get(operation))
    finally:
        scene.app.extensions["turncoat"] = parts


# --- bodies ---


@provokes("malformed-json", *BODIES)
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, raw=b"{")


@provokes("bad-request", *BODIES)
def _(scene: Scene, operation: str) -> Answer:
    """A body that ends before its announced length."""
    target = operations()[operation]
    path = target.url(match=scene.match if operation == "playMove" else scene.open_match)
    who = scene.on_turn if operation == "playMove" else scene.players[0]
    response = scene.app.test_client().post(
        path,
        data=b"{}",
        headers={
            "Authorization": f"Bearer {who.token}",
            "Content-Type": "application/json",
            "Accept-Language": scene.language,
        },
        environ_overrides={"CONTENT_LENGTH": "100"},
    )
    assert response.json["code"] in target.entry["responses"]["400"]["x-problem-codes"]
    return Answer(response.status_code, response.headers, response.json, response.data)


@provokes("too-large", *BODIES)
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, raw=b" " * 20_000)


@provokes("unsupported-media-type", *BODIES)
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, headers={"Content-Type": "text/plain"})


# --- the store ---


@provokes("store-unavailable", *NEEDS_STORE, *LISTS)
def _(scene: Scene, operation: str) -> Answer:
    # A store at an address where nobody listens; killing the one of the tests would disturb them.
    app = create_app(settings_on("unix:///nowhere.invalid.sock"))
    return scene.call(operation, Client(InProcess(app.test_client()), scene.players[0].token))


@provokes("store-full", *NEEDS_STORE)
def _(scene: Scene, operation: str) -> Answer:
    # The store of the tests, told that it has no memory left.
    how = _that_would_be_written(scene, operation)
    scene.truth.redis.config_set("maxmemory", 1)
    try:
        return scene.call(operation, **how)
    finally:
        scene.truth.redis.config_set("maxmemory", 0)


@provokes("busy", *NEEDS_STORE)
def _(scene: Scene, operation: str) -> Answer:
    # A store in which somebody else is always faster: fifty lost races in a row cannot be had from a real one.
    parts = scene.app.extensions["turncoat"]
    how = _that_would_be_written(scene, operation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts.store, "write", lambda *_, **__: False)
        return scene.call(operation, **how)


def _that_would_be_written(scene: Scene, operation: str) -> dict[str, Any]:
    """What makes a request legal, so that it comes to the writing."""
    if operation in READS:
        return {"match": scene.overdue()}
    if operation == "joinByCode":
        return {"body": {"join_code": scene.private()[1]}}
    if operation == "joinMatch":
        return {"body": {}}
    if operation == "startMatch":
        match = scene.players[0].create(seats=4)
        for player in scene.players[1:]:
            player.join(match)
        return {"match": match}
    if operation == "playMove":
        decision = scene.on_turn.view(scene.match)["you"]["decision"]
        return {"body": {"decision": decision["id"], "move": decision["legal_moves"][0]}}
    return {}


@provokes("unreadable-match", "joinByCode")
def _(scene: Scene, operation: str) -> Answer:
    match, code = scene.private()
    record = scene.truth.match(match)
    record.rules_version += 1
    scene.truth.overwrite(match, match=msgspec.msgpack.encode(record))
    return scene.call(operation, body={"join_code": code})


@provokes("unreadable-match", *OF_A_MATCH)
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, scene.players[0], match=scene.unreadable())


# --- one by one ---


@provokes("bad-cursor", *LISTS)
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, query="?cursor=nonsense")


@provokes("too-many-matches", "createMatch", "joinMatch", "joinByCode")
def _(scene: Scene, operation: str) -> Answer:
    # A hundred matches would do it too.
    how = _that_would_be_written(scene, operation)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.app.extensions["turncoat"].lists, "_most_per_player", 0)
        return scene.call(operation, **how)


@provokes("issuer-unavailable", *operations())
def _(scene: Scene, operation: str) -> Answer:
    # A provider at an address where nobody listens.
    parts = scene.app.extensions["turncoat"]
    tokens = IssuedTokens(ISSUER, AUDIENCE, key_set("http://127.0.0.1:9/"), time.time)
    scene.app.extensions["turncoat"] = dataclasses.replace(parts, tokens=tokens)
    try:
        return scene.call(operation, Client(scene.visitor.transport, issued()), body=BODIES.get(operation))
    finally:
        scene.app.extensions["turncoat"] = parts


@provokes("guests-disabled", "createPlayer", "renewToken")
def _(scene: Scene, operation: str) -> Answer:
    parts = scene.app.extensions["turncoat"]
    scene.app.extensions["turncoat"] = dataclasses.replace(parts, guests=None)
    try:
        return scene.call(operation)
    finally:
        scene.app.extensions["turncoat"] = parts


@provokes("no-such-match", *OF_A_MATCH)
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, match="AAAAAAAAAAAAAAAAAAAAAA")


@provokes("no-such-match", "createMatch")
def _(scene: Scene, operation: str) -> Answer:
    """The repeat of a creator who has left."""
    how = {"headers": {"Idempotency-Key": "leaving-the-room"}, "body": {**BODIES[operation], "visibility": "private"}}
    match = scene.call(operation, **how).body["match"]
    assert scene.players[0].call("leaveMatch", match=match).status == 204
    return scene.call(operation, **how)


@provokes("unreadable-match", "createMatch")
def _(scene: Scene, operation: str) -> Answer:
    """A repeat after an update of the service."""
    key = {"Idempotency-Key": "before-and-after"}
    match = scene.call(operation, headers=key).body["match"]
    record = scene.truth.match(match)
    record.rules_version += 1
    scene.truth.overwrite(match, match=msgspec.msgpack.encode(record))
    return scene.call(operation, headers=key)


@provokes("wrong-join-code", "joinByCode")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, body={"join_code": "AAAAAAAA"})


@provokes("idempotency-key-reused", "createMatch", "joinMatch", "joinByCode", "startMatch", "playMove")
def _(scene: Scene, operation: str) -> Answer:
    """The same key with another body."""
    key = {"Idempotency-Key": f"{operation}-0123456789"}
    how = _that_would_be_written(scene, operation)
    # Each with a match of its own, as the scene's are to stay as they are.
    if operation in ("joinMatch", "playMove"):
        how["match"] = scene.players[0].create(seats=3 if operation == "playMove" else 4)
    if operation == "playMove":
        for player in scene.players[1:]:
            player.join(how["match"])
        scene_on_turn = scene.players[scene.players[0].card(how["match"])["waiting_on"][0]]
        how["who"] = scene_on_turn
        move = scene_on_turn.view(how["match"])["you"]["decision"]["legal_moves"][0]
        how["body"] = {"decision": 1, "move": move}
    assert scene.call(operation, headers=key, **how).status in (200, 201)
    other = {
        "createMatch": {"game": "verraeter", "seats": 4, "visibility": "public"},
        "joinMatch": {"seat": 3},
        "joinByCode": {**how.get("body", {}), "seat": 2},
        "startMatch": {"stand_ins": True},
        "playMove": {**how.get("body", {}), "decision": 2},
    }
    return scene.call(operation, headers=key, **{**how, "body": other[operation]})


@provokes("match-over", "joinMatch")
def _(scene: Scene, operation: str) -> Answer:
    """A match that all its players have left."""
    match = scene.players[0].create()
    assert scene.players[0].call("leaveMatch", match=match).status == 204
    return scene.call(operation, match=match)


@provokes("no-such-game", "getGame")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, game="chess")


@provokes("bad-options", "createMatch", "startMatch")
def _(scene: Scene, operation: str) -> Answer:
    # Verräter has no options that do not go together, so a game is pretended that has.
    match = _that_would_be_written(scene, operation)

    def refuse(*_: Any) -> None:
        raise BadOptions("too-strange", "early_end")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(VERRAETER), "check_options", refuse)
        answer = scene.call(operation, **match)
    assert answer.body["reason"] == "too-strange"
    return answer


@provokes("not-a-player", "startMatch", "playMove")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, scene.stranger)


@provokes("not-the-creator", "startMatch")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, scene.players[1])


@provokes("already-started", "startMatch")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, match=scene.match)


@provokes("already-started", "joinMatch")
def _(scene: Scene, operation: str) -> Answer:
    match = _that_would_be_written(scene, "startMatch")["match"]
    assert scene.players[0].call("startMatch", {}, match=match).status == 200
    return scene.call(operation, match=match)


@provokes("match-full", "joinMatch")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, match=scene.match)


@provokes("seat-taken", "joinMatch")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, body={"seat": 2})


@provokes("too-few-players", "startMatch")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation)


@provokes("seat-taken", "joinByCode")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, body={"join_code": scene.private()[1], "seat": 0})


@provokes("not-started", "playMove", "getView")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, scene.players[0], match=scene.open_match)


@provokes("match-not-finished", "getReplay")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, match=scene.match)


@provokes("decision-closed", "playMove")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, scene.players[0], match=scene.over())


@provokes("match-over", "playMove")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, scene.players[0], match=scene.over(), body={**BODIES["playMove"], "decision": 2})


@provokes("not-your-decision", "playMove")
def _(scene: Scene, operation: str) -> Answer:
    return scene.call(operation, body={**BODIES["playMove"], "decision": 2})


@provokes("illegal-move", "playMove")
def _(scene: Scene, operation: str) -> Answer:
    answer = scene.call(operation, body={"decision": 1, "move": {"type": "decline_build"}})
    assert answer.body["reason"] == "wrong-kind-of-move"
    return answer


@provokes("too-many-streams", "listEvents")
def _(scene: Scene, operation: str) -> Answer:
    headers = {"Accept": STREAM}
    path = f"/v1/matches/{scene.open_match}/events"
    own = {**headers, "Authorization": f"Bearer {scene.players[0].token}"}
    with scene.app.test_client().get(path, headers=own), scene.app.test_client().get(path, headers=own):
        return scene.call(operation, headers=headers)


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
    stored = scene.truth.redis.hget(f"match:{{{match}}}:record", field)
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
    *["/", "/healthz", "/readyz", "/openapi.json", "/docs", "/docs/"],
]


def test_the_list_of_addresses_is_complete(app: Flask):
    known = {rule.rule.replace("<match>", "x").replace("<game>", "verraeter") for rule in app.url_map.iter_rules()}
    assert known - {"/docs/<name>"} == set(PATHS)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "FOO"])
def test_a_method_that_an_address_does_not_take(app: Flask, path: str, method: str):
    client = app.test_client()
    allowed = client.options(path).headers["Allow"].split(", ")
    response = client.open(path, method=method)
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
