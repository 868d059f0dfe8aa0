"""What requests are spared gives the same as what they are spared: JSON, answers and addresses."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from flask import Flask, Response
from hypothesis import given
from hypothesis import strategies as st
from support.clients import Client, InProcess, seated
from werkzeug.exceptions import HTTPException
from werkzeug.routing import MapAdapter

from service.api.answers import json_answer
from service.api.bodies import read_json
from service.problems import Problem

# --- reading JSON ---

ODD = [
    b'{"a":1,"a":1}',
    b'{"a":{"b":1,"b":2}}',
    b"NaN",
    b"[Infinity]",
    b'"\\ud800"',
    b'{"\\ud800":1}',
    b'"\\ud83d\\ude00"',
    b'"\\u00e9"',
    '"é"'.encode(),
    b'"\xff"',
    b"\xef\xbb\xbf{}",
    b"1.0",
    b"1e2",
    b"1E400",
    b"-0",
    b"-0.0",
    b"0.1",
    b"12345678901234567890",
    b"-9223372036854775809",
    b"123456789012345678901234567890",
    b"9" * 5000,
    b"0.30000000000000004",
    b"1e-7",
    b"5e-324",
    b"[" * 100_000,
    b"[" * 2000 + b"]" * 2000,
    b"",
    b" {}",
    b"{} ",
    b"{}\n",
    b"{}x",
    b'"\x7f"',
    b'"\x00"',
    b'"\t"',
    b'"\\/"',
    b"null",
    b"[1,2.5,true,null]",
    b'{"decision":1,"move":{"type":"place_farm","landscape":3}}',
]


def strictly(data: bytes) -> Any:
    """As the standard library reads it that refuses what it should."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len({key for key, _ in pairs}) == len(pairs)
        return dict(pairs)

    def no_constant(name: str) -> None:
        raise ValueError(name)

    value = json.loads(data.decode(), object_pairs_hook=once, parse_constant=no_constant)
    json.dumps(value, ensure_ascii=False).encode()
    return value


def same(data: bytes) -> None:
    try:
        expected = strictly(data)
    except (ValueError, AssertionError, RecursionError):
        with pytest.raises(Problem, match="malformed-json"):
            read_json(data)
        return
    read = read_json(data)
    assert repr(read) == repr(expected), "also whether it is 1 or 1.0"


@pytest.mark.parametrize("data", ODD, ids=[str(number) for number in range(len(ODD))])
def test_json_is_read_as_the_standard_library_reads_it(data: bytes):
    same(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
        max_leaves=12,
    ),
    st.booleans(),
)
def test_json_that_clients_write_is_read_as_they_meant_it(value: Any, compact: bool):
    same(json.dumps(value, separators=(",", ":") if compact else None, ensure_ascii=not compact).encode())
    same(msgspec.json.encode(value))


@given(st.binary(max_size=30) | st.text(alphabet='{}[]":,0123456789.eE+-\\u ntf', max_size=30).map(str.encode))
def test_whatever_is_sent_is_read_as_the_standard_library_reads_it(data: bytes):
    same(data)


# --- answers ---


@pytest.mark.parametrize("status", [200, 201, 500])
def test_a_ready_answer_is_what_the_framework_would_have_made(app: Flask, status: int):
    ready = json_answer({"a": "ü"}, status)
    usual = Response(msgspec.json.encode({"a": "ü"}), status, content_type="application/json")
    for answer in (ready, usual):
        answer.headers["Location"] = "/here"
        answer.headers.add("Vary", "Authorization")
        answer.vary.add("Origin")
    with app.test_request_context():
        for method in ("GET", "HEAD"):
            environ = {"REQUEST_METHOD": method, "wsgi.url_scheme": "http", "HTTP_HOST": "here"}
            assert sending(ready, environ) == sending(usual, environ)
    assert (ready.status, ready.status_code, ready.get_data()) == (usual.status, status, usual.get_data())
    assert not ready.is_streamed


def sending(answer: Response, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], bytes]:
    head: list[Any] = []
    body = answer(environ, lambda status, headers: head.extend((status, sorted(headers))))
    return head[0], head[1], b"".join(body)


def test_what_has_not_changed_has_no_body_no_type_and_no_length(visitor: Client):
    match, players = seated(visitor)
    seen = players[0].call("getView", match=match)
    again = players[0].call("getView", match=match, headers={"If-None-Match": seen.headers["ETag"]})
    assert (again.status, again.raw) == (304, b"")
    assert not {"Content-Type", "Content-Length"} & set(again.headers)


# --- addresses ---

PATHS = [
    *("/v1/matches/{}/view", "/v1/matches/{}", "/v1/matches/{}/moves", "/v1/matches", "/healthz", "/nowhere"),
    *("/v1//matches", "/v1/matches/", "/v1/matches/{}/", "/v1/matches//view", "//v1/matches", "", "/", "*"),
    *("/v1/matches/{}/view/x", "/V1/matches", "/v1/matches/a%2Fb", "/v1/games/kabale", "/v1/matches/\ufffd/view"),
]


@pytest.mark.parametrize("path", PATHS)
def test_an_address_that_was_asked_for_before_is_found_like_the_first_time(app: Flask, path: str):
    for match in ("x" * 22, "y" * 22, "z" * 200):
        for method in ("GET", "HEAD", "POST", "OPTIONS", "DELETE", "BREW", "get"):
            where = path.format(match)
            usual = found(MapAdapter(app.url_map, "here", "/", "", "http", where, method))
            for _ in range(2):
                environ = {"PATH_INFO": where.encode().decode("latin-1"), "QUERY_STRING": "", "HTTP_HOST": "here"}
                with app.request_context(
                    environ
                    | {"REQUEST_METHOD": method, "wsgi.url_scheme": "http", "SERVER_NAME": "h", "SERVER_PORT": "1"}
                ) as context:
                    assert context.url_adapter is not None
                    assert found(context.url_adapter) == usual


def found(adapter: MapAdapter) -> Any:
    try:
        return adapter.match(return_rule=True)
    except HTTPException as error:
        return type(error), getattr(error, "valid_methods", None), getattr(error, "new_url", None)


def test_what_an_operation_does_with_its_arguments_is_forgotten(app: Flask):
    client = Client(InProcess(app.test_client()))
    match, players = seated(client)
    with app.test_request_context(f"/v1/matches/{match}/view") as context:
        assert context.request.view_args == {"match": match}
        context.request.view_args["match"] = "another one"
    with app.test_request_context(f"/v1/matches/{match}/view") as context:
        assert context.request.view_args == {"match": match}
    assert players[0].call("getView", match=match).status == 200
