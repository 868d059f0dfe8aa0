"""Reading what a request brings: strictly, and never so that odd bytes become a failure of the service."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

import flask
import marshmallow
from gunicorn.http.errors import ParseException
from webargs.flaskparser import FlaskParser

from service.problems import Detail, FieldError, Problem
from service.schemas.details import of_marshmallow

_JSON: Final = "application/json"


class StrictParser(FlaskParser):
    """webargs' parser for Flask, which takes JSON bodies that can be read in one way only."""

    DEFAULT_UNKNOWN_BY_LOCATION = {
        **FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION,
        "json": marshmallow.RAISE,
        "query": marshmallow.RAISE,
    }

    def _raw_load_json(self, req: flask.Request) -> Any:
        data = _read(req)
        if req.mimetype != _JSON or req.headers.get("Content-Encoding", "identity") != "identity":
            raise Problem("unsupported-media-type")
        return read_json(data)

    def handle_error(
        self,
        error: marshmallow.ValidationError,
        req: flask.Request,  # noqa: ARG002 (webargs' signature)
        schema: marshmallow.Schema,  # noqa: ARG002
        *,
        error_status_code: int | None,  # noqa: ARG002
        error_headers: Mapping[str, str] | None,  # noqa: ARG002
    ) -> NoReturn:
        """Refuse a request whose fields are wrong, naming each."""
        messages = error.messages if isinstance(error.messages, dict) else {}
        raise Problem(
            "invalid",
            errors=[
                *_field_errors(messages.get("json", {}), ""),
                *_field_errors(messages.get("query", {}), "?"),
                *_header_errors(messages.get("headers", {})),
            ],
        ) from error


def _read(req: flask.Request) -> bytes:
    """The whole body, if it comes as HTTP has it: chunks that are none show only while the body is read."""
    try:
        data = req.get_data(cache=True)
    except (ParseException, OSError) as error:
        raise Problem("bad-request") from error
    if req.content_length is None:
        # Without a length the framework cuts a body that is too long instead of refusing it.
        if len(data) >= (req.max_content_length or math.inf):
            raise Problem("too-large")
    elif len(data) < req.content_length:
        raise Problem("bad-request", Detail("body-too-short"))
    return data


def read_json(data: bytes) -> Any:
    """Parse a body.

    Refused are bytes that are not UTF-8, a key twice in one object, NaN and infinities, numbers of thousands of
    digits, brackets nested by the thousand, and halves of surrogate pairs, which cannot be sent back.

    Raises:
        Problem: ``malformed-json``.
    """
    try:
        value = json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_no_constant)
        # Strings with a lone surrogate come through the parser, and would fail only in an answer.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Problem("malformed-json") from error
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return fields


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _field_errors(messages: Any, pointer: str) -> Iterator[FieldError]:
    """Flatten marshmallow's nested messages."""
    if isinstance(messages, Mapping):
        for key, inner in messages.items():
            yield from _field_errors(inner, pointer if key == "_schema" else _step(pointer, str(key)))
        return
    for message in messages if isinstance(messages, list) else [messages]:
        if isinstance(message, Mapping):
            yield from _field_errors(message, pointer)
        else:
            yield FieldError(pointer, of_marshmallow(message))


def _header_errors(messages: Any) -> Iterator[FieldError]:
    """What is wrong with headers, which are called by their names."""
    for error in _field_errors(messages, ""):
        yield FieldError(error.pointer.removeprefix("/"), error.detail)


def _step(pointer: str, key: str) -> str:
    """One step further: into a body by JSON pointer, to a query parameter by its name."""
    if pointer == "?":
        return f"?{key}"
    escaped = key.replace("~", "~0").replace("/", "~1")
    return f"{pointer}/{escaped}"
