"""Bodies made from the contract: a good one for every operation, and what can be wrong with each of its fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from support.contract import document, operations

Schema = dict[str, Any]
Path = tuple[str | int, ...]


def resolved(schema: Schema) -> Schema:
    """What a reference refers to; any other schema as it is."""
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def variants(schema: Schema) -> list[Schema]:
    """The members of a union, each by itself; what may be null, marked so; any other schema as it is."""
    schema = resolved(schema)
    if "anyOf" in schema:
        (present,) = [resolved(member) for member in schema["anyOf"] if member != {"type": "null"}]
        return [{**present, "nullable": True}]
    return [resolved(member) for member in schema["oneOf"]] if "oneOf" in schema else [schema]


@dataclass(frozen=True)
class Place:
    """A value inside of a body.

    Attributes:
        required: its object must have it.
    """

    path: Path
    schema: Schema
    required: bool

    @property
    def pointer(self) -> str:
        return "".join(f"/{step}" for step in self.path)


@dataclass(frozen=True)
class Body:
    """A good body of an operation, in which every field is set.

    Attributes:
        places: every value in it, from the whole body down.
    """

    operation: str
    label: str
    value: Any
    places: list[Place] = field(repr=False)

    def with_value(self, path: Path, value: Any) -> Any:
        """The body with another value in one place."""
        return _edited(self.value, path, lambda parent, step: parent.__setitem__(step, value), whole=value)

    def without(self, path: Path) -> Any:
        """The body without one field."""
        return _edited(self.value, path, lambda parent, step: parent.__delitem__(step))

    def with_token(self, path: Path, token: str) -> bytes:
        """The body, in JSON, with one value replaced by these very characters."""
        return json.dumps(self.with_value(path, "@here@")).replace('"@here@"', token).encode()

    def with_member(self, path: Path, member: str) -> bytes:
        """The body, in JSON, with these very characters as one more member of an object."""
        at = self.with_value((*path, "@here@"), 0)
        return json.dumps(at).replace('"@here@": 0', member).encode()

    def at(self, path: Path) -> Any:
        value = self.value
        for step in path:
            value = value[step]
        return value


def _edited(value: Any, path: Path, edit: Any, whole: Any = None) -> Any:
    if not path:
        return whole
    value = deepcopy(value)
    parent = value
    for step in path[:-1]:
        parent = parent[step]
    edit(parent, path[-1])
    return value


def bodies() -> list[Body]:
    """A good body for every operation that takes one, and for every member of the unions in it."""
    return [
        Body(operation.id, label or value.get("game", ""), value, places)
        for operation in operations().values()
        if "requestBody" in operation.entry
        for label, value, places in _samples(
            operation.entry["requestBody"]["content"]["application/json"]["schema"], (), required=True
        )
    ]


def _samples(schema: Schema, path: Path, *, required: bool) -> Iterator[tuple[str, Any, list[Place]]]:
    for variant in variants(schema):
        here = Place(path, variant, required)
        match variant.get("type"):
            case "object":
                yield from _objects(variant, path, here)
            case "array":
                ((_, item, places),) = _samples(variant["items"], (*path, 0), required=False)
                # How many there must be may depend on other fields; what holds without a choice is good.
                usual = variant.get("default") or [item] * variant.get("minItems", 1)
                yield "", deepcopy(usual), [here, *places]
            case "integer":
                yield "", variant.get("enum", [variant.get("minimum")])[0], [here]
            case "boolean":
                yield "", True, [here]
            case "string":
                yield "", variant.get("enum", variant.get("examples", ["Ada"]))[0], [here]
            case other:
                raise NotImplementedError(f"a sample of {other}")


def _objects(schema: Schema, path: Path, here: Place) -> Iterator[tuple[str, Any, list[Place]]]:
    """One sample, or as many as a union among the properties has members."""
    found: list[tuple[str, dict[str, Any], list[Place]]] = [("", {}, [here])]
    for name, entry in schema["properties"].items():
        samples = list(_samples(entry, (*path, name), required=name in schema.get("required", ())))
        found = [
            (_label(label, inner_label, inner), {**value, name: inner}, [*places, *inner_places])
            for label, value, places in found
            for inner_label, inner, inner_places in samples
        ]
    yield from found


def _label(label: str, inner_label: str, inner: Any) -> str:
    tag = inner.get("type", "") if isinstance(inner, dict) else ""
    return label or inner_label or tag


def wrong_values(schema: Schema) -> dict[str, Any]:
    """Values that a schema refuses, by what is wrong with them."""
    kind = schema["type"]
    wrong: dict[str, Any] = {} if schema.get("nullable") else {"null": None}
    if kind != "array":
        wrong |= {"an empty list": [], "a list": [3]}
    if kind != "object":
        wrong |= {"an empty object": {}, "an object": {"x": 1}}
    if kind != "boolean":
        wrong |= {"true": True, "false": False}
    if kind != "integer":
        wrong |= {"0": 0, "3": 3, "2 to the 64th": 2**64}
    if kind != "string":
        wrong |= {"'3'": "3", "' 3 '": " 3 ", "no characters": "", "'true'": "true"}
    wrong |= {"1.0": 1.0, "1.7": 1.7}
    if kind == "string":
        wrong |= _wrong_texts(schema)
    if "enum" in schema:
        wrong |= {"none of the values": 7 if kind == "integer" else "no such thing"}
    elif kind == "integer":
        wrong |= {
            "too small": schema["minimum"] - 1,
            "too great": schema["maximum"] + 1,
            "2 to the 63rd": 2**63,
            "minus 2 to the 63rd": -(2**63),
            "400 digits": 10**400,
        }
    if kind == "array":
        ((_, item, _),) = _samples(schema["items"], (), required=False)
        filling = [item]
        wrong |= {"too many": filling * (schema["maxItems"] + 1)}
        if schema.get("minItems"):
            wrong |= {"too few": filling * (schema["minItems"] - 1)}
    return wrong


def _wrong_texts(schema: Schema) -> dict[str, Any]:
    """Texts that a schema refuses, which are good ones but for one thing."""
    if "enum" in schema:
        good = schema["enum"][0]
        return {"blank after it": f"{good} ", "NUL after it": f"{good}\0", "other case": good.swapcase()}
    longest = schema.get("maxLength") or int(re.search(r"\{\d+,(\d+)\}\$$", schema["pattern"])[1])
    return {
        "one too long": "A" * (longest + 1),
        "5,000 characters": "A" * 5000,
        "NUL": "A" * (longest - 1) + "\0",
        "line feed after it": "A" * (longest - 1) + "\n",
    }
