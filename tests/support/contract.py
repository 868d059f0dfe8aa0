"""The contract as the tests hold the service to it: every answer must be one that the contract announces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema_rs
import yaml

from support.sse import Sent, parse

FILE = Path(__file__).parents[2] / "openapi" / "openapi.yaml"
PROBLEM = "application/problem+json"
STREAM = "text/event-stream"


@cache
def document() -> dict[str, Any]:
    """The contract as it stands in the repository."""
    return yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


@dataclass(frozen=True)
class Operation:
    """An operation of the contract."""

    id: str
    method: str
    path: str
    entry: dict[str, Any]

    @property
    def parameters(self) -> list[dict[str, Any]]:
        """All of its parameters, also those that its path has in common for all methods."""
        shared = document()["paths"][self.path].get("parameters", [])
        return [_resolved(parameter) for parameter in [*shared, *self.entry.get("parameters", [])]]

    def url(self, **parameters: str) -> str:
        return self.path.format_map({name: quote(value, safe="") for name, value in parameters.items()})


def _resolved(entry: dict[str, Any]) -> dict[str, Any]:
    """What an entry refers to, or the entry itself."""
    found: Any = document()
    if "$ref" not in entry:
        return entry
    for step in entry["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)


@cache
def operations() -> dict[str, Operation]:
    """All operations by their ids."""
    return {
        entry["operationId"]: Operation(entry["operationId"], method, path, entry)
        for path, item in document()["paths"].items()
        for method, entry in item.items()
        if method != "parameters"
    }


@cache
def validator(pointer: str) -> jsonschema_rs.Validator:
    """Validates values against a schema of the contract, which a JSON pointer names."""
    registry = jsonschema_rs.Registry([("urn:contract", {"$schema": _DIALECT, **document()})])
    return jsonschema_rs.Draft202012Validator(
        {"$ref": f"urn:contract#{pointer}"}, registry=registry, validate_formats=True
    )


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def check_answer(operation: Operation, status: int, content_type: str | None, body: bytes) -> Any:
    """Hold an answer to the contract; gives the decoded body.

    Raises:
        AssertionError: the contract does not announce such an answer.
    """
    announced = operation.entry["responses"].get(str(status))
    assert announced is not None, f"{operation.id} answered {status}, which the contract does not announce: {body!r}"
    if "content" not in announced:
        assert body == b"", f"{operation.id}: {status} has a body"
        return None
    assert content_type in announced["content"], f"{operation.id}: {status} came as {content_type}"
    if content_type == STREAM:
        return [_check_sent(sent) for sent in parse(body)]
    media_type = str(content_type)
    value = json.loads(body)
    path = operation.path.replace("/", "~1").replace("{", "%7B").replace("}", "%7D")
    pointer = f"/paths/{path}/{operation.method}/responses/{status}/content/{media_type.replace('/', '~1')}/schema"
    errors = [f"{error.instance_path}: {error.message}" for error in validator(pointer).iter_errors(value)]
    assert not errors, f"{operation.id}: {status} does not fit its schema: {errors}"
    if media_type == PROBLEM:
        assert value["status"] == status
        assert value["code"] in announced["x-problem-codes"], f"{operation.id}: undocumented code {value['code']}"
    return value


def check_headers(operation: Operation, status: int, headers: Mapping[str, str]) -> None:
    """Hold the headers of an answer to the contract.

    Raises:
        AssertionError: there is one that clients would want to read and that is not announced here, or whose value is
            another one than the contract says; or one stands there twice.
    """
    names = sorted(name.lower() for name in headers.keys())  # noqa: SIM118 (each as often as it was sent)
    assert len(set(names)) == len(names), f"{operation.id}: {status} has a header twice: {names}"
    announced = operation.entry["responses"][str(status)]["headers"]
    for name in named_headers():
        value = headers.get(name)
        if value is None:
            continue
        assert name in announced, f"{operation.id}: {status} has a header {name}, which the contract does not announce"
        typed = int(value) if document()["components"]["headers"][name]["schema"]["type"] == "integer" else value
        errors = [error.message for error in validator(f"/components/headers/{name}/schema").iter_errors(typed)]
        assert not errors, f"{operation.id}: {status} has a header {name} that does not fit its schema: {errors}"


@cache
def named_headers() -> frozenset[str]:
    """The headers that the contract knows of."""
    return frozenset(document()["components"]["headers"])


def _check_sent(sent: Sent) -> Sent:
    """Hold an event of a stream to the contract: its data is an entry of some game's list."""
    assert sent.data["number"] == sent.id
    assert any(validator(pointer).is_valid(sent.data) for pointer in _log_entries()), f"no entry: {sent.data}"
    return sent


@cache
def _log_entries() -> list[str]:
    """Where the schemas of the entries of each game's list stand."""
    schemas = document()["components"]["schemas"]
    pages = [member["$ref"].rsplit("/", 1)[1] for member in schemas["EventPage"]["oneOf"]]
    return [schemas[page]["properties"]["items"]["items"]["$ref"].removeprefix("#") for page in pages]
