"""Who may ask what: tokens over HTTP. The tokens themselves are tested in ``test_identity.py``."""

from __future__ import annotations

import dataclasses
from datetime import datetime

import jwt
import pytest
from flask import Flask
from support.bodies import bodies
from support.clients import Client, InProcess, seated
from support.contract import operations

from service.identity import Tokens
from service.settings import TokenKey

BODIES = {body.operation: body.value for body in reversed(bodies())}
PUBLIC = {"listGames", "getGame", "createPlayer", "listMatches", "getMatch", "getView", "listEvents", "getReplay"}


def unsigned(player: str = "somebody") -> str:
    return jwt.encode({"iss": "turncoat", "sub": player, "name": "Ada", "exp": 9_999_999_999}, None, "none")


BAD = {
    "garbled": "Bearer a.b.c",
    "no token": "Bearer",
    "empty token": "Bearer ",
    "unsigned": f"Bearer {unsigned()}",
    "too long": f"Bearer {'a' * 5000}",
    "two tokens": "Bearer a b",
    "Basic": "Basic QWRhOmFkYQ==",
    "Digest": 'Digest username="Ada"',
    "scheme without a name": " a.b.c",
    "empty": "",
    "odd bytes": "Bearer \xff\xfe",
}


@pytest.fixture(scope="module")
def match(app: Flask) -> str:
    return seated(Client(InProcess(app.test_client())))[0]


def url(operation: str, match: str) -> str:
    return operations()[operation].url(match=match, game="verraeter")


def test_which_operations_are_public():
    """A literal list: an operation must not become public by an oversight."""
    public = {
        name
        for name, operation in operations().items()
        if not operation.entry["security"] or {} in operation.entry["security"]
    }
    assert public == PUBLIC


@pytest.mark.parametrize("operation", operations())
@pytest.mark.parametrize("header", BAD.values(), ids=BAD)
def test_a_bad_token_is_told_so_everywhere(visitor: Client, match: str, operation: str, header: str):
    """Nobody who sends one is taken for a spectator."""
    about = {"match": match} if "{match}" in operations()[operation].path else {}
    about |= {"game": "verraeter"} if "{game}" in operations()[operation].path else {}
    answer = visitor.call(operation, BODIES.get(operation), headers={"Authorization": header}, **about)
    assert (answer.status, answer.code) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="turncoat"'
    assert answer.body.keys() == {"type", "title", "status", "code", "instance"}


@pytest.mark.parametrize("header", BAD.values(), ids=BAD)
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/v1/nothing"), ("POST", "/v1/games"), ("PUT", "/v1/matches"), ("GET", "/openapi.json")],
)
def test_a_bad_token_comes_before_a_wrong_address(app: Flask, method: str, path: str, header: str):
    response = app.test_client().open(path, method=method, headers={"Authorization": header})
    assert (response.status_code, response.json["code"]) == (401, "unauthenticated")
    assert response.headers["WWW-Authenticate"]


@pytest.mark.parametrize("operation", sorted(set(operations()) - PUBLIC))
@pytest.mark.parametrize(
    "wrong",
    [
        {"data": b"{", "content_type": "application/json"},
        {"data": b'{"unknown": 1}', "content_type": "application/json"},
        {"data": b"x" * 20_000, "content_type": "text/plain"},
        {"query_string": "unknown=1"},
        {"headers": {"If-Match": "*", "Accept": "text/html"}},
    ],
    ids=["no JSON", "unknown field", "too large", "unknown parameter", "headers"],
)
def test_who_has_no_token_is_told_so_before_all_else(app: Flask, match: str, operation: str, wrong: dict):
    """401 before 400, 406, 413, 415 and 422: strangers learn nothing of what is behind the door."""
    response = app.test_client().open(url(operation, match), method=operations()[operation].method, **wrong)
    assert (response.status_code, response.json["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("operation", sorted(set(operations()) - PUBLIC))
def test_a_stranger_does_not_learn_whether_a_match_exists(app: Flask, match: str, operation: str):
    client = app.test_client()
    method = operations()[operation].method
    answers = {
        client.open(url(operation, id_), method=method, headers={"X-Request-Id": "same"}).data for id_ in (match, "x")
    }
    assert len(answers) == 1


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_may_be_written_either_way(visitor: Client, scheme: str):
    token = visitor.become("Ada").token
    answer = visitor.call("getMe", headers={"Authorization": f"{scheme} {token}"})
    assert answer.body["name"] == "Ada"


def test_a_token_is_told_once_and_never_again(visitor: Client):
    match, players = seated(visitor)
    for player in players:
        for operation, about in [
            ("getMe", {}),
            ("listGames", {}),
            ("getMatch", {"match": match}),
            ("getView", {"match": match}),
            ("getMatch", {"match": "nowhere"}),
        ]:
            answer = player.call(operation, **about)
            told = answer.raw + str(answer.headers).encode()
            assert all(other.token.encode() not in told for other in players)


def test_who_a_token_speaks_for_is_told_to_its_owner(visitor: Client):
    answer = visitor.call("createPlayer", {"name": "Ada"})
    me = Client(visitor.transport, answer.body["token"]).call("getMe")
    assert me.body == {key: answer.body[key] for key in ("player", "name", "expires_at")}
    assert me.headers["Cache-Control"] == answer.headers["Cache-Control"] == "no-store"


def test_a_guest_is_nothing_but_a_token(visitor: Client, truth):
    keys = truth.all_keys()
    visitor.become("Ada")
    assert truth.all_keys() <= keys


def test_a_token_is_renewed_for_the_same_guest(app: Flask, visitor: Client, monkeypatch: pytest.MonkeyPatch):
    ada = visitor.become("Ada")
    me = ada.call("getMe").body
    tokens = app.extensions["turncoat"].tokens
    now = tokens._clock()
    monkeypatch.setattr(tokens, "_clock", lambda: now + 100)
    answer = ada.call("renewToken", {})
    assert answer.status == 201
    assert answer.body["token"] != ada.token
    assert (answer.body["player"], answer.body["name"]) == (me["player"], me["name"])
    assert 99 <= (_time(answer.body["expires_at"]) - _time(me["expires_at"])).total_seconds() <= 101
    renewed = Client(visitor.transport, answer.body["token"])
    assert renewed.call("getMe").body == {key: answer.body[key] for key in ("player", "name", "expires_at")}
    assert ada.call("getMe").body == me, "the token before is good until its own end"


def test_a_renewed_token_has_the_same_seat(visitor: Client):
    match, players = seated(visitor)
    renewed = Client(visitor.transport, players[2].call("renewToken", {}).body["token"])
    assert renewed.view(match) == players[2].view(match)
    assert renewed.view(match)["you"]["seat"] == 2


def test_renewing_needs_a_token_that_is_still_good(app: Flask, visitor: Client, monkeypatch: pytest.MonkeyPatch):
    ada = visitor.become("Ada")
    tokens = app.extensions["turncoat"].tokens
    end = tokens.player(ada.token).expires_at
    monkeypatch.setattr(tokens, "_clock", lambda: end)
    assert ada.call("renewToken", {}).code == "unauthenticated"


def test_renewing_stores_nothing(visitor: Client, truth):
    ada = visitor.become("Ada")
    keys = truth.all_keys()
    ada.call("renewToken", {})
    assert truth.all_keys() <= keys


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def test_another_service_s_guests_are_strangers_here(app: Flask, visitor: Client):
    """A token that was signed by a key that is not, or no longer, known; also if the id of the key is the same."""
    parts = app.extensions["turncoat"]
    for key in (TokenKey("retired", "-" * 32), TokenKey(parts.tokens._signing.id, "-" * 32)):
        token, _ = Tokens([key], 3600, parts.tokens._clock).new_guest("Ada")
        assert Client(visitor.transport, token).call("getMe").code == "unauthenticated"


def test_a_seat_is_lost_with_the_token_s_end_and_not_before(app: Flask, visitor: Client):
    """The clock is the service's own; the token was used before, so it is remembered."""
    parts = app.extensions["turncoat"]
    match, players = seated(visitor)
    assert players[0].view(match)["you"]["seat"] == 0
    late = Tokens([parts.tokens._signing], 3600, lambda: parts.tokens._clock() + parts.tokens._lifetime + 1)
    late._remembered = parts.tokens._remembered
    app.extensions["turncoat"] = dataclasses.replace(parts, tokens=late)
    try:
        answer = players[0].call("getView", match=match)
    finally:
        app.extensions["turncoat"] = parts
    assert answer.code == "unauthenticated"
    assert players[0].view(match)["you"]["seat"] == 0
