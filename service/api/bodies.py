"""Reading what a request brings: strictly, and never so that odd bytes become a failure of the service."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NoReturn

import flask
import marshmallow
import msgspec
from gunicorn.http.errors import ParseException
from webargs.flaskparser import FlaskParser

from service.problems import Detail, FieldError, Problem
from service.schemas.details import of_marshmallow

_JSON: Final = "application/json"
_ESCAPED: Final = b"\\u"
"""How JSON writes a lone surrogate, if it does: in UTF-8 there is none."""

_UNUSUAL: Final = {"HTTP_IDEMPOTENCY_KEY", "HTTP_TRANSFER_ENCODING"}
"""Headers with which a body is read once more, to tell a repeat from another request, or has no length."""


class StrictParser(FlaskParser):
    """webargs' parser for Flask, which refuses what it does not know."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": marshmallow.RAISE}

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


_PARSER: Final = StrictParser()


def reader(schema: marshmallow.Schema, location: str) -> Callable[[], Any]:
    """What reads one part of the request at hand, by a schema.

    Args:
        location: ``json``, ``query`` or ``headers``.
    """

    def read() -> Any:
        return _PARSER.parse(schema, location=location)

    def read_body() -> Any:
        """Without the library, which does the same in five times the time."""
        asked = flask.request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 (a proxy's word)
        try:
            return schema.load(_body(asked), unknown=marshmallow.RAISE)
        except marshmallow.ValidationError as error:
            error.messages = {location: error.messages}
            _PARSER.handle_error(error, asked, schema, error_status_code=None, error_headers=None)

    if location == "json":
        return read_body
    lengths = _lengths(schema) if location == "headers" else None
    if lengths is None:
        return read

    def read_headers() -> Any:
        """Take the headers as they are, if they have nothing but a length; else the schema will say what is wrong."""
        environ = flask.request.environ
        found = {}
        for name, key, longest in lengths:
            value = environ.get(key)
            if value is not None:
                if len(value) > longest:
                    return read()
                found[name] = value
        return found

    return read_headers


def _lengths(schema: marshmallow.Schema) -> list[tuple[str, str, int]] | None:
    """The headers of a schema that asks for nothing but that they are not too long.

    Returns:
        of each, its name in the schema, its key in WSGI's environment, and its length; ``None`` for other schemas.
    """
    lengths: list[tuple[str, str, int]] = []
    for name, field in schema.fields.items():
        limits = field.validators
        if type(field) is not marshmallow.fields.String or len(limits) != 1 or field.required:
            return None
        if not isinstance(limits[0], marshmallow.validate.Length) or limits[0].min or not limits[0].max:
            return None
        key = "HTTP_" + (field.data_key or name).upper().replace("-", "_")
        lengths.append((name, key, limits[0].max))
    return lengths


def _body(req: flask.Request) -> Any:
    """The body, which must be JSON."""
    data = _read(req)
    environ = req.environ
    # Most say it in one word; else the framework knows how to take the rest off.
    is_json = environ.get("CONTENT_TYPE") == _JSON or req.mimetype == _JSON
    if not is_json or environ.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
        raise Problem("unsupported-media-type")
    return read_json(data)


def _read(req: flask.Request) -> bytes:
    """The whole body, if it comes as HTTP has it: chunks that are none show only while the body is read."""
    environ, most = req.environ, req.max_content_length or 0
    said = environ.get("CONTENT_LENGTH", "")
    # Most say how long it is, and the server gives no more than that. The framework makes streams around the server's
    # own first, and keeps what it has read for those who read it again.
    at_once = said.isdecimal() and int(said) <= most and not _UNUSUAL & environ.keys()
    length = int(said) if at_once else req.content_length
    try:
        data: bytes = environ["wsgi.input"].read(length) if at_once else req.get_data(cache=True)
    except (ParseException, OSError) as error:
        raise Problem("bad-request") from error
    if length is None:
        # Without a length the framework cuts a body that is too long instead of refusing it.
        if len(data) >= (most or math.inf):
            raise Problem("too-large")
    elif len(data) < length:
        raise Problem("bad-request", Detail("body-too-short"))
    return data


def read_json(data: bytes) -> Any:
    """Parse a body.

    Refused are bytes that are not UTF-8, a key twice in one object, NaN and infinities, numbers of thousands of
    digits, brackets nested by the thousand, and halves of surrogate pairs, which cannot be sent back.

    What reads the same when it is written again can hold nothing of that, and is what most clients send.

    Raises:
        Problem: ``malformed-json``.
    """
    with suppress(msgspec.MsgspecError, RecursionError):
        value = msgspec.json.decode(data)
        if msgspec.json.encode(value) == data:
            return value
    try:
        value = _DECODER.decode(data.decode())
        if _ESCAPED in data:
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


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)


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
