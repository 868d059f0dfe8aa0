"""What comes in an address or a header is taken as it is or refused with 4xx, and what is refused changes nothing.

The parameters are those of the contract, read from its file: a new one is tested without a new line here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from support.bench import Bench, assert_names
from support.bodies import Schema, resolved
from support.contract import operations

INTEGERS = [
    *["", "%20", "%203", "3%20", "3%0A", "+3", "%2B3", "-1", "-0", "03", "3.0", "3.7", "1e1", "1e999", "NaN"],
    *["Infinity", "0x3", "3_0", "\u0663", "\uff13", "true", "null", "3,4", "[3]", "%223%22", "%00", "3%00", "%FF"],
    *[str(2**63), str(2**64), "9" * 400, "9" * 5000],
]
FLAGS = [
    *["", "True", "TRUE", "FALSE", "1", "0", "yes", "no", "on", "off", "t", "true%20", "%20true", "true%0A"],
    *["null", "%22true%22", "true,false", "%FF", "%00", "true%00", "x" * 5000],
]
SPOILING = ["{}%20", "%20{}", "{}%0A", "{}%00", "{0},{0}"]
NO_CURSORS = ["", "x", "AAAA", "A" * 128, "A" * 129, "A" * 5000, "AA%3D", "A+A", "A%00", "%FF"]
NO_IDS = [" ", "x", "A" * 64, "A" * 65, "A" * 5000, "..", "%", "a b", "ä", "\x00", "*", "{match}"]
CHOICES = ["", "*", "all", "none", "null", "0", "%FF", "%00", "x" * 5000]


def parameters(place: str) -> Iterator[tuple[str, str, Schema]]:
    """All parameters in some place: the operation, the name, and the schema."""
    for operation in operations().values():
        for entry in operation.entry.get("parameters", []):
            if entry["in"] == place:
                yield operation.id, entry["name"], resolved(entry["schema"])


def bent(schema: Schema) -> list[str]:
    """Values in a query that a schema refuses."""
    match schema:
        case {"type": "integer"}:
            return [*INTEGERS, str(schema["minimum"] - 1), str(schema["maximum"] + 1)]
        case {"type": "boolean"}:
            return FLAGS
        case {"enum": [*values]}:
            spoilt = [spoil.format(value) for value in values for spoil in SPOILING]
            return [*CHOICES, *(value.upper() for value in values), *(value.title() for value in values), *spoilt]
        case {"pattern": _}:
            return []  # what is none of our cursors is refused with a code of its own: see below
        case other:
            raise NotImplementedError(f"bent values for {other}")


QUERIES = list(parameters("query"))
HEADERS = list(parameters("header"))
OF_A_MATCH = [operation for operation in operations() if "{match}" in operations()[operation].path]


def named(value: Any) -> str:
    """An id for a test that does not tell what is in a schema."""
    return "" if isinstance(value, dict) else value


def short(value: Any) -> str:
    """A readable id for a test with an odd text."""
    return ascii(value)[:40]


def test_every_query_parameter_is_in_the_table():
    """A literal list, so that a table that misses some does not pass unnoticed."""
    assert {(operation, name) for operation, name, _ in QUERIES} >= {
        *(("listMatches", name) for name in ("game", "status", "has_open_seat", "limit", "cursor")),
        *(("listMyMatches", name) for name in ("waiting_on_me", "status", "limit", "cursor")),
        *(("listEvents", name) for name in ("after", "limit")),
    }


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        (id_, name)
        for id_, operation in operations().items()
        for name in ["unknown", "seat", "limit", "player_id", "%C3%A4", "%FF", "%00", ""]
        if name not in {parameter["name"] for parameter in operation.entry.get("parameters", [])}
    ],
)
def test_an_unknown_query_parameter_is_refused(bench: Bench, operation: str, name: str):
    answer = bench.call(operation, f"?{name}=1")
    assert (answer.status, answer.code) == (422, "invalid")
    (error,) = answer.body["errors"]
    assert error["pointer"].startswith("?")


@pytest.mark.parametrize("operation", operations())
def test_an_unknown_query_parameter_is_refused_once_when_it_is_given_twice(bench: Bench, operation: str):
    answer = bench.call(operation, "?unknown=1&unknown=1")
    assert_names(answer, "?unknown")
    assert len(answer.body["errors"]) == 1


@pytest.mark.parametrize(("operation", "name", "schema"), QUERIES, ids=named)
def test_a_query_parameter_in_another_spelling_is_unknown(bench: Bench, operation: str, name: str, schema: Schema):
    for other in (name.upper(), name.title(), f"{name}%20", f"%20{name}", f"{name}[]", f"{name}%00"):
        answer = bench.call(operation, f"?{other}=1")
        assert (answer.status, answer.code) == (422, "invalid"), other


@pytest.mark.parametrize(("operation", "name", "schema"), QUERIES, ids=named)
def test_a_query_parameter_that_is_given_twice_is_refused(bench: Bench, operation: str, name: str, schema: Schema):
    """Also with the same value, and with good ones: which of them counts must not depend on the reader."""
    good = schema.get("enum", [None])[0] or {"integer": "3", "boolean": "true"}.get(schema["type"], "AAAA")
    for query in (f"?{name}={good}&{name}={good}", f"?{name}={good}&{name}=", f"?{name}=&{name}={good}"):
        assert_names(bench.call(operation, query), f"?{name}")


@pytest.mark.parametrize(
    ("operation", "name", "value"),
    [(operation, name, value) for operation, name, schema in QUERIES for value in bent(schema)],
    ids=short,
)
def test_a_bent_value_in_a_query_is_refused_and_not_repeated(bench: Bench, operation: str, name: str, value: str):
    answer = bench.call(operation, f"?{name}={value}")
    assert_names(answer, f"?{name}")
    assert len({error["pointer"] for error in answer.body["errors"]}) == 1
    if len(value) > 4:
        assert value not in answer.raw.decode()


@pytest.mark.parametrize("operation", sorted({operation for operation, name, _ in QUERIES if name == "cursor"}))
@pytest.mark.parametrize("cursor", NO_CURSORS, ids=short)
def test_what_is_no_cursor_is_refused(bench: Bench, operation: str, cursor: str):
    answer = bench.call(operation, f"?cursor={cursor}")
    assert (answer.status, answer.code) == (400, "bad-cursor")


# --- headers ---


@pytest.mark.parametrize(("operation", "name", "schema"), HEADERS, ids=named)
def test_a_header_that_is_too_long_is_refused(bench: Bench, operation: str, name: str, schema: Schema):
    answer = bench.call(operation, headers={name: "1" * (schema["maxLength"] + 1)})
    assert_names(answer, name)


@pytest.mark.parametrize(
    ("operation", "name", "value"),
    [
        (operation, name, value)
        for operation, name, schema in HEADERS
        for value in ("", " ", "-1", "+3", "03", "3.0", "1e3", "0x3", "true", "\xff", "3, 4", '"3"')
        if "pattern" in schema and not re.fullmatch(schema["pattern"], value)
    ],
    ids=short,
)
def test_a_header_that_is_not_as_it_must_be_is_refused(bench: Bench, operation: str, name: str, value: str):
    assert_names(bench.call(operation, headers={name: value}), name)


# --- paths ---


@pytest.mark.parametrize("operation", OF_A_MATCH)
@pytest.mark.parametrize("match", NO_IDS, ids=short)
def test_what_is_no_id_of_a_match_finds_none(bench: Bench, operation: str, match: str):
    answer = bench.call(operation, match=match)
    assert (answer.status, answer.code) == (404, "no-such-match")


@pytest.mark.parametrize("operation", OF_A_MATCH)
def test_the_id_of_a_match_is_taken_exactly(bench: Bench, operation: str):
    match = bench.open_match
    for spoilt in (f"{match} ", f" {match}", f"{match}\n", f"{match}\0", match.swapcase()):
        assert bench.call(operation, match=spoilt).code == "no-such-match"
