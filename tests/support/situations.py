"""Every problem that an operation announces, provoked: a table of situations.

A new operation, or a new code of one, gets its line here; the tests compare this with the contract.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from werkzeug.exceptions import BadRequest

from engine.game import BadOptions
from engine.verraeter import VERRAETER
from service.app import create_app
from service.issuer import IssuedTokens
from service.key_set import key_set
from service.limiter import LIMITS, Limiter, WorkerCounters
from support.clients import Answer, Client, InProcess
from support.contract import STREAM, operations
from support.issuer import AUDIENCE, ISSUER, issued
from support.scene import BODIES, Scene
from support.settings import settings_on

WRITES = ["createMatch", "joinMatch", "joinByCode", "startMatch", "playMove", "leaveMatch"]
READS = ["getMatch", "getView", "listEvents", "getReplay"]
"""Reading writes too, when a decision is overdue."""
LISTS = ["listMatches", "listMyMatches"]
NEEDS_STORE = [*WRITES, *READS]
OF_A_MATCH = [operation for operation in operations() if "{match}" in operations()[operation].path]


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
    answer = _failing(scene, operation, RuntimeError("a secret detail"))
    assert b"secret" not in answer.raw
    return answer


def _failing(scene: Scene, operation: str, error: Exception) -> Answer:
    """What is answered when the code of an operation raises that."""
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
        raise error

    failing.__dict__ |= intact.__dict__
    scene.app.view_functions[endpoint] = failing
    try:
        return scene.call(operation)
    finally:
        scene.app.view_functions[endpoint] = intact


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


@provokes("bad-request", *(operation for operation in operations() if operation not in BODIES))
def _(scene: Scene, operation: str) -> Answer:
    # What is not proper HTTP is refused before the application sees it, see tests/http. Here the framework does it.
    return _failing(scene, operation, BadRequest())


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
