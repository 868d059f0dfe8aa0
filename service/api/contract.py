"""The contract: what flask-smorest gathers from the operations, completed and put in order.

``openapi/openapi.yaml`` is this, written to a file; a test fails when the two differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from http import HTTPStatus
from importlib.metadata import version
from itertools import groupby
from typing import Any, Final, TypeVar

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask

from engine.catalogue import GAMES
from service.api import streams
from service.api.bodies import StrictParser
from service.api.once import PARAMETER
from service.problems import KINDS, MEDIA_TYPE
from service.schemas import engine, matches
from service.schemas.problems import ProblemAnswer

Operation = TypeVar("Operation", bound=Callable[..., Any])

_METHODS: Final = ("get", "post", "delete")

UNCHANGED: Final = "What you have, by the ETag in If-None-Match, is what there is"

_EVERYWHERE: Final = (
    "unsupported-header",
    "unauthenticated",
    "not-acceptable",
    "invalid",
    "too-many-requests",
    "internal-error",
    "issuer-unavailable",
)
_WITH_BODY: Final = ("malformed-json", "bad-request", "too-large", "unsupported-media-type")
_WITH_STORE: Final = ("store-unavailable",)
_WHEN_WRITING: Final = ("store-full", "busy")

_TOLD_OF_LIMITS: Final = ("RateLimit", "RateLimit-Policy")
_HEADERS: Final = {
    "RateLimit": {
        "description": "For each limit that counted the request, how many are left (`r`) and in how many seconds "
        'there will be all again (`t`): `"reads";r=1199;t=60`. Missing where nothing is counted.',
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": "Those limits: so many requests (`q`) in a window of so many seconds (`w`): "
        '`"reads";q=1200;w=60`.',
        "schema": {"type": "string"},
    },
    "Retry-After": {
        "description": "Seconds to wait before the next attempt",
        "schema": {"type": "integer", "minimum": 1},
    },
}
"""Headers that many answers have."""

_DESCRIPTION: Final = """\
Turncoat hosts hidden-allegiance card games. It keeps the state, judges the moves, and shows every player exactly \
what that player may know. Begin with `createPlayer`, then `createMatch` and `joinMatch`; from then on `getView` \
shows what you know and which moves you may make, and `playMove` makes one of them.

Every error is a problem (RFC 9457) with a stable `code`. Names of games and cards, and what problems say, come in \
English, German or Dutch by `Accept-Language`; all else is the same in every language. Integers are written without a \
fraction: `1.0` is refused.
"""


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A group of operations whose bodies are read strictly."""

    ARGUMENTS_PARSER = StrictParser()


class _Plugin(MarshmallowPlugin):
    """apispec's plugin, which in addition knows unions."""

    Converter = engine.Converter


class Api(flask_smorest.Api):  # type: ignore[misc]
    """All operations under ``/v1``, and the contract that they make."""

    def _register_error_handlers(self) -> None:
        """Leave errors to :mod:`service.api.errors`, which keeps their headers."""


def make_api(app: Flask) -> Api:
    """The API of an app, ready for blueprints."""
    app.config |= {
        "API_TITLE": "Turncoat",
        "API_VERSION": version("turncoat"),
        "OPENAPI_VERSION": "3.1.0",
        "OPENAPI_URL_PREFIX": None,
    }
    plugin = _Plugin(schema_name_resolver=_schema_name)
    api = Api(app, spec_kwargs={"marshmallow_plugin": plugin, "info": {"description": _DESCRIPTION}})
    assert plugin.converter is not None  # made by the line above
    plugin.converter.add_attribute_function(engine.engine_type_reference)
    api.spec.components.security_scheme("token", {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"})
    api.spec.components.schema("Problem", schema=ProblemAnswer)
    api.spec.components.schema(streams.SCHEMA_NAME, dict(streams.SCHEMA))
    return api


def document(api: Api) -> dict[str, Any]:
    """The finished contract, as plain values."""
    document: dict[str, Any] = deepcopy(api.spec.to_dict())
    types = [type_ for game in GAMES.values() for type_ in (game.options_type, type(game.components))]
    schemas = document["components"]["schemas"] | engine.components(
        types,
        [matches.VIEW, matches.EVENT_LOG, matches.REPLAY, matches.ANY_MOVE, *matches.MOVES, *matches.EVENTS],
        {name: ids for game in GAMES.values() for name, ids in game.vocabulary.items()},
    )
    document["components"] = {
        "securitySchemes": document["components"]["securitySchemes"],
        "headers": deepcopy(_HEADERS),
    }
    document["paths"] = {
        path: {method: _operation(entry) if method in _METHODS else entry for method, entry in sorted(item.items())}
        for path, item in sorted(document["paths"].items())
    }
    document["components"]["schemas"] = _reachable(schemas, document["paths"])
    return {"openapi": document.pop("openapi"), **document}


def _reachable(schemas: dict[str, Any], root: Any) -> dict[str, Any]:
    """The schemas that somebody refers to; the frameworks put in some that nobody does."""
    found: dict[str, Any] = {}
    waiting = [root]
    while waiting:
        for name in re.findall(r"#/components/schemas/(\w+)", str(waiting.pop())):
            if name not in found:
                found[name] = schemas[name]
                waiting.append(schemas[name])
    return dict(sorted(found.items()))


def _operation(entry: dict[str, Any]) -> dict[str, Any]:
    """An operation with its entries in the order in which they are read."""
    entry["summary"] = entry["summary"].removesuffix(".")
    responses = {str(status): response for status, response in entry["responses"].items() if status != "default"}
    entry["responses"] = {status: _with_headers(status, responses[status]) for status in sorted(responses)}
    order = ["operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses"]
    return {key: entry[key] for key in order if key in entry}


def _with_headers(status: str, response: dict[str, Any]) -> dict[str, Any]:
    """A response with the headers that all of its status have."""
    names = _TOLD_OF_LIMITS if status < "400" else (*_TOLD_OF_LIMITS, "Retry-After") if status == "429" else ()
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    return response | ({"headers": response.get("headers", {}) | headers} if headers else {})


def refuses(
    *codes: str, store: bool = True, body: bool = False, repeatable: bool = False
) -> Callable[[Operation], Operation]:
    """Document the problems that an operation can answer with, besides those that every one can.

    Args:
        codes: of problems that are this operation's own.
        store: the operation needs the store; with a body it writes to it.
        body: the operation takes a body.
        repeatable: the operation takes an Idempotency-Key.
    """
    all_codes = {*codes, *_EVERYWHERE}
    if repeatable:
        all_codes.add("idempotency-key-reused")
    if body:
        all_codes |= set(_WITH_BODY)
    if store:
        all_codes |= set(_WITH_STORE)
    if store and body:
        all_codes |= set(_WHEN_WRITING)
    order = list(KINDS)
    by_status = groupby(sorted(all_codes, key=order.index), key=lambda code: KINDS[code].status)

    def decorate(operation: Operation) -> Operation:
        for status, group in by_status:
            operation = _documented(operation, status, list(group))
        if repeatable:
            operation = Blueprint.doc(parameters=[PARAMETER])(operation)
        return operation

    return decorate


def takes_key(documentation: dict[str, Any]) -> bool:
    """Whether flask-smorest's notes on an operation say that it takes an Idempotency-Key."""
    return PARAMETER in documentation.get("manual_doc", {}).get("parameters", [])


def _documented(operation: Operation, status: int, codes: list[str]) -> Operation:
    described: Operation = Blueprint.doc(
        responses={
            str(status): {
                "description": f"{HTTPStatus(status).phrase}: " + ", ".join(f"`{code}`" for code in codes),
                "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
                "x-problem-codes": codes,
            }
        }
    )(operation)
    return described


def _schema_name(schema: Any) -> str:
    """The name of a schema in the contract: its class's, without the word that tells what it is for."""
    cls = schema if isinstance(schema, type) else type(schema)
    return cls.__name__.removesuffix("Answer")
