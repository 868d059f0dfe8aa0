"""Examples of the contract are recorded, current, fit their schemas, and leave out nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import jwt
import pytest
from examples import record
from examples.world import KEY
from flask import Flask
from support.clients import Client
from support.contract import PROBLEM, STREAM, document, operations, validator

from engine.catalogue import GAMES
from service.problems import KINDS

PROBLEMS: dict[str, Any] = {
    name.removeprefix("problem."): example["value"] for name, example in document()["components"]["examples"].items()
}
LARGEST = 500_000
"""Bytes; a contract that is much larger than this is read by nobody, and slowly by tools."""


def pointer(*steps: str) -> str:
    return "".join("/" + re.sub("[{}]", lambda brace: f"%{ord(brace[0]):X}", step.replace("/", "~1")) for step in steps)


def places() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every place for an example of a body, by the pointer to it."""
    for operation in operations().values():
        here = ("paths", operation.path, operation.method)
        for media_type, content in operation.entry.get("requestBody", {"content": {}})["content"].items():
            yield pointer(*here, "requestBody", "content", media_type), content
        for status, response in operation.entry["responses"].items():
            for media_type, content in response.get("content", {}).items():
                yield pointer(*here, "responses", status, "content", media_type), content


PLACES = dict(places())
EXAMPLES = [(place, name) for place, content in PLACES.items() for name in content.get("examples", {})]


def example(place: str, name: str) -> dict[str, Any]:
    entry = PLACES[place]["examples"][name]
    if "$ref" in entry:
        entry = document()["components"]["examples"][entry["$ref"].rsplit("/", 1)[1]]
    return entry


def values(operation: str, status: str) -> list[Any]:
    """The examples of a JSON answer."""
    content = operations()[operation].entry["responses"][status]["content"]["application/json"]
    return [entry["value"] for entry in content["examples"].values()]


def test_they_are_what_the_service_answers():
    """After a change, run ``make examples``. That they come out alike each time is seen by this, too."""
    assert record.TARGET.read_text(encoding="utf-8") == record.text()


@pytest.mark.parametrize("place", PLACES)
def test_there_is_one_in_every_place(place: str):
    assert PLACES[place].get("examples"), "nothing has been recorded for this"
    assert "example" not in PLACES[place]


@pytest.mark.parametrize(("place", "name"), EXAMPLES)
def test_one_fits_its_schema(place: str, name: str):
    entry = example(place, name)
    assert set(entry) == {"summary", "value"}
    assert entry["summary"]
    errors = [
        f"{error.instance_path}: {error.message}" for error in validator(f"{place}/schema").iter_errors(entry["value"])
    ]
    assert errors == []


def test_a_value_that_does_not_fit_is_found():
    """The watchman itself."""
    place = next(place for place in PLACES if "moves" in place and "requestBody" in place)
    value = example(place, "kabale")["value"]
    assert validator(f"{place}/schema").is_valid(value)
    assert not validator(f"{place}/schema").is_valid({**value, "decision": "1"})
    assert not validator(f"{place}/schema").is_valid({**value, "move": {**value["move"], "later": 1}})


@pytest.mark.parametrize("operation", operations().values(), ids=operations())
def test_every_problem_that_is_announced_has_one(operation):
    for status, response in operation.entry["responses"].items():
        if status >= "400":
            codes, shown = response["x-problem-codes"], list(response["content"][PROBLEM]["examples"])
            assert sorted(shown) == sorted(codes)
            assert shown[0] == ("invalid" if "invalid" in codes else codes[0]), "which mocks answer with"
            for code in codes:
                assert (PROBLEMS[code]["code"], PROBLEMS[code]["status"]) == (code, int(status))


def test_only_problems_without_an_operation_have_none():
    """They belong to addresses and methods that are no operation, and to readiness."""
    assert set(KINDS) - set(PROBLEMS) == {"not-found", "method-not-allowed", "draining"}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_shown(game: str):
    create = PLACES[pointer("paths", "/v1/matches", "post", "requestBody", "content", "application/json")]
    assert game in [entry["value"]["game"] for entry in create["examples"].values()]
    for operation, status in [("createMatch", "201"), ("getView", "200"), ("playMove", "200")]:
        assert game in [value["game"] for value in values(operation, status)], operation


def test_views_are_shown_with_a_decision_without_one_and_to_a_spectator():
    shown = values("getView", "200")
    assert any(view["you"] and view["you"]["decision"] for view in shown)
    assert any(view["you"] is None for view in shown)
    assert any(view["you"] and view["you"]["decision"] is None for view in values("playMove", "200"))


def test_the_stream_is_shown_as_it_is_sent():
    content = operations()["listEvents"].entry["responses"]["200"]["content"][STREAM]
    (entry,) = content["examples"].values()
    assert entry["value"].startswith(":\n\nid: ")
    assert entry["value"].count("\ndata: {") == 2


def test_only_parameters_of_paths_have_one():
    """A page where requests are tried out sends it along: an Idempotency-Key would belong to another request."""
    for operation in operations().values():
        item = document()["paths"][operation.path]
        for parameter in item.get("parameters", []):
            schema = {**parameter["schema"], "components": document()["components"]}
            assert jsonschema_rs.is_valid(schema, parameter["example"]), parameter["name"]
        for parameter in operation.entry.get("parameters", []):
            assert not {"example", "examples"} & {*parameter, *parameter["schema"]}, (
                f"{operation.id}: {parameter['name']}"
            )


# --- links ---

LINKS: dict[str, Any] = document()["components"]["links"]


def expressions(link: dict[str, Any]) -> Iterator[str]:
    """The runtime expressions in a link."""
    waiting = [link.get("parameters", {}), link.get("requestBody", {})]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
        elif isinstance(value, str):
            yield value


def resolved(value: Any, expression: str) -> Any:
    for step in expression.removeprefix("$response.body#/").split("/"):
        if value is None:
            return None
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


@pytest.mark.parametrize("name", [name for name in LINKS if list(expressions(LINKS[name]))])
def test_a_link_finds_what_it_needs(name: str):
    """In every example that has it at all; and in one, if the rest is null, as at the end of a list."""
    shown = [
        value
        for operation in operations().values()
        for status, response in operation.entry["responses"].items()
        if {"$ref": f"#/components/links/{name}"} in response.get("links", {}).values()
        for value in values(operation.id, status)
    ]
    assert shown
    for expression in expressions(LINKS[name]):
        assert expression.startswith("$response.body#/")
        assert any(resolved(value, expression) is not None for value in shown), expression


# --- what must not be in them ---


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)
    elif isinstance(value, str):
        yield value


def test_their_tokens_are_good_for_nothing(app: Flask, visitor: Client):
    tokens = {text for text in texts(document()) if text.startswith("eyJ")}
    assert len(tokens) == 2
    for token in tokens:
        assert jwt.get_unverified_header(token)["kid"] == KEY.id
        jwt.decode(token, KEY.secret, algorithms=["HS256"], options={"verify_exp": False})
        with pytest.raises(jwt.ExpiredSignatureError):
            jwt.decode(token, KEY.secret, algorithms=["HS256"])
        assert Client(visitor.transport, token).call("getMe").code == "unauthenticated"


def test_they_refer_to_nothing():
    """A tool that follows references would follow those in examples, too."""
    for _, entry in EXAMPLES_BY_VALUE:
        assert "$ref" not in str(entry)


EXAMPLES_BY_VALUE = [((place, name), example(place, name)["value"]) for place, name in EXAMPLES]


def test_the_contract_is_no_heavier_than_it_must_be(app: Flask):
    assert len(app.test_client().get("/openapi.json").data) < LARGEST
    assert all(len(str(value)) < 20_000 for _, value in EXAMPLES_BY_VALUE)


def test_places_are_written_as_they_are_found():
    """The pointers of this module, read as what they are."""
    for place, content in PLACES.items():
        found: Any = document()
        for step in place.split("/")[1:]:
            found = found[unquote(step).replace("~1", "/")]
        assert found is content
