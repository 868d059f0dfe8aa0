"""The tests' own watchman: it must refuse every answer that the contract does not announce."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.clients import Client, seated
from support.contract import PROBLEM, check_answer, operations

JSON = "application/json"
GET_ME = {"player": "x", "name": "Ada", "expires_at": "2030-01-01T00:00:00+00:00"}
REFUSAL = {
    "type": "about:blank",
    "title": "The token is missing, wrong or expired",
    "status": 401,
    "code": "unauthenticated",
    "instance": "urn:request:1",
}


def check(operation: str, status: int, content_type: str | None, body: Any) -> Any:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return check_answer(operations()[operation], status, content_type, raw)


def refused(operation: str, status: int, content_type: str | None, body: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(operation, status, content_type, body)
    return str(caught.value)


def test_good_answers_pass():
    assert check("getMe", 200, JSON, GET_ME) == GET_ME
    assert check("getMe", 401, PROBLEM, REFUSAL) == REFUSAL
    assert check("getMatch", 304, None, b"") is None


def test_more_fields_than_announced_pass():
    """Answers are open."""
    check("getMe", 200, JSON, {**GET_ME, "later": 1})


@pytest.mark.parametrize("status", [201, 204, 302, 404, 418, 502])
def test_a_status_that_is_not_announced(status: int):
    assert "does not announce" in refused("getMe", status, JSON, GET_ME)


@pytest.mark.parametrize("content_type", [None, "text/html", "application/json; charset=utf-8", PROBLEM])
def test_another_content_type(content_type: str | None):
    assert "came as" in refused("getMe", 200, content_type, GET_ME)


def test_an_error_that_is_no_problem():
    assert "came as" in refused("getMe", 401, JSON, REFUSAL)


@pytest.mark.parametrize("field", GET_ME)
def test_a_missing_field(field: str):
    without = {name: value for name, value in GET_ME.items() if name != field}
    assert field in refused("getMe", 200, JSON, without)


@pytest.mark.parametrize(
    ("field", "value"), [("player", 1), ("name", None), ("expires_at", 5), ("expires_at", "tomorrow")]
)
def test_a_field_of_the_wrong_type(field: str, value: Any):
    assert "does not fit" in refused("getMe", 200, JSON, {**GET_ME, field: value})


@pytest.mark.parametrize("code", ["not-a-player", "no-such-match", "made-up"])
def test_a_code_that_the_operation_does_not_announce(code: str):
    assert "undocumented" in refused("getMe", 401, PROBLEM, {**REFUSAL, "code": code})


def test_a_problem_that_contradicts_its_status():
    refused("getMe", 401, PROBLEM, {**REFUSAL, "status": 422})


@pytest.mark.parametrize("field", ["type", "title", "status", "code", "instance"])
def test_a_problem_without_a_field(field: str):
    without = {name: value for name, value in REFUSAL.items() if name != field}
    assert field in refused("getMe", 401, PROBLEM, without)


def test_a_body_where_none_is_announced():
    assert "has a body" in refused("getMatch", 304, JSON, b"{}")


def test_faults_deep_inside_are_found(visitor: Client):
    """In members of unions, in lists, in moves, which are closed, and in enumerations."""
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    view = players[seat].view(match)
    check("getView", 200, JSON, view)

    def edited(edit) -> Any:
        copy = json.loads(json.dumps(view))
        edit(copy)
        return copy

    for edit in [
        lambda v: v.update(game="chess"),
        lambda v: v.pop("you"),
        lambda v: v["table"].pop("round"),
        lambda v: v["table"]["seats"][1].update(house="lion"),
        lambda v: v["table"]["landscapes"][11].pop("building"),
        lambda v: v["you"]["hand"].append(7),
        lambda v: v["you"]["decision"].update(id="1"),
        lambda v: v["you"]["decision"]["legal_moves"][0].update(later=1),
        lambda v: v["you"]["decision"]["legal_moves"][0].update(landscape=12),
        lambda v: v["you"]["decision"]["legal_moves"][0].update(type="no_such_move"),
    ]:
        assert "does not fit" in refused("getView", 200, JSON, edited(edit))
