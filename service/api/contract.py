"""The contract: what flask-smorest gathers from the operations, completed and put in order.

``openapi/openapi.yaml`` is this, written to a file; a test fails when the two differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from http import HTTPStatus
from importlib.metadata import version
from itertools import groupby
from typing import Any, Final, Literal, TypeAlias, TypeVar

import flask_smorest
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from marshmallow import Schema

from engine.catalogue import GAMES
from service import texts
from service.api import examples, headers, links, streams
from service.api.bodies import StrictParser, reader
from service.api.once import PARAMETER
from service.match import StartedStatus, Status, Visibility
from service.problems import KINDS, MEDIA_TYPE
from service.schemas import engine, matches
from service.schemas.descriptions import described
from service.schemas.problems import ProblemAnswer

Operation = TypeVar("Operation", bound=Callable[..., Any])
Decorator: TypeAlias = Callable[[Callable[..., Any]], Any]

_METHODS: Final = ("get", "post", "delete")

_NOTES: Final = "_apidoc"
"""Where flask-smorest notes on an operation what it knows of it."""

UNCHANGED: Final = "What you have, by the ETag in If-None-Match, is what there is"

_EVERYWHERE: Final = (
    "bad-request",
    "unsupported-header",
    "unauthenticated",
    "not-acceptable",
    "invalid",
    "too-many-requests",
    "internal-error",
    "issuer-unavailable",
)
_WITH_BODY: Final = ("malformed-json", "too-large", "unsupported-media-type")
_WITH_STORE: Final = ("store-unavailable",)
_WHEN_WRITING: Final = ("store-full", "busy")

_VOCABULARY: Final = {
    "MatchStatus": Status,
    "StartedMatchStatus": StartedStatus,
    "Visibility": Visibility,
    "GameId": Literal[tuple(GAMES)],
    **{name: ids for game in GAMES.values() for name, ids in game.vocabulary.items()},
    **{
        name: choice
        for game in GAMES.values()
        for name, choice in engine.choices(type(game).__name__, game.options_type).items()
    },
}
"""Sets of ids that have a name."""

_CODES: Final[dict[str, dict[str, Any]]] = {
    "ProblemCode": {
        "type": "string",
        "description": "Tells what is wrong. A code never changes its meaning; there may be more of them one day, so "
        "treat one that you do not know by its status.",
        "x-extensible-enum": list(KINDS),
    },
    "ReasonCode": {
        "type": "string",
        "description": "The rule that a move or options broke. There may be more of them one day.",
        "x-extensible-enum": texts.reasons(),
    },
}
"""Lists of codes that may grow, so they are no enumerations; they are given to those who can use them."""

_PATH_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "match": {
        "description": "The id of the match.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]{1,64}$"},
    },
    "game": {"description": "The id of the game.", "schema": {"$ref": "#/components/schemas/GameId"}},
}

_DESCRIPTION: Final = """\
Turncoat hosts hidden-allegiance card games. It keeps the state, judges the moves, and shows every player exactly \
what that player may know. Begin with `createPlayer`, then `createMatch` and `joinMatch`; from then on `getView` \
shows what you know and which moves you may make, and `playMove` makes one of them.

Every error is a problem (RFC 9457) with a stable `code`. Names of games and cards, and what problems say, come in \
English, German or Dutch by `Accept-Language`; all else is the same in every language. Integers are written without a \
fraction: `1.0` is refused.

Requests are taken as they are documented or refused. Answers may gain fields, unions members, and lists of codes \
entries: skip what you do not know.

Every answer says by `Cache-Control` and `Vary` how long who may keep it; no cache has to be told more. Send your own \
`X-Request-Id` (up to 64 letters, digits, `.`, `_` and `-`) to find a request again in the log of the service.
"""


_TOKEN: Final = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "JWT",
    "description": "The `token` of createPlayer or renewToken; where another identity provider is used, one of its. A "
    "token that is sent is checked everywhere, also where none is needed.",
}

_INFO: Final = {
    "summary": "Hidden-allegiance card games, played over HTTP",
    "description": _DESCRIPTION,
    "license": {"name": "MIT", "identifier": "MIT"},
}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A group of operations whose bodies are read strictly."""

    ARGUMENTS_PARSER = StrictParser()

    def arguments(self, schema: type[Schema], *, location: str = "json", **more: Any) -> Decorator:
        """Have an operation called with what a part of the request says, and document that.

        The framework makes a schema on every request, and goes through one even for what is not there.
        """
        document: Decorator = super().arguments(schema, location=location, **more)
        read = reader(schema(), location)

        def decorate(operation: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(operation)
            def called(*given: Any, **path: Any) -> Any:
                return operation(*given, read(), **path)

            vars(called)[_NOTES] = vars(document(operation))[_NOTES]
            return called

        return decorate

    def response(self, *args: Any, **more: Any) -> Decorator:
        """Document the usual answer. Operations make their answers themselves."""
        return _documenting(super().response(*args, **more))

    def alt_response(self, *args: Any, **more: Any) -> Decorator:
        """Document another answer."""
        return _documenting(super().alt_response(*args, **more))

    @staticmethod
    def doc(**more: Any) -> Decorator:
        """Document anything."""
        return _documenting(flask_smorest.Blueprint.doc(**more))


def _documenting(decorate: Decorator) -> Decorator:
    """Take from one of the framework's decorators what it notes, and leave the operation as it is.

    Each would wrap it once more, and an operation has ten of them.
    """

    def document(operation: Callable[..., Any]) -> Callable[..., Any]:
        vars(operation)[_NOTES] = vars(decorate(operation))[_NOTES]
        return operation

    return document


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
    api = Api(app, spec_kwargs={"marshmallow_plugin": plugin, "info": _INFO})
    assert plugin.converter is not None  # made by the line above
    plugin.converter.add_attribute_function(engine.engine_type_reference)
    api.spec.components.security_scheme("token", dict(_TOKEN))
    api.spec.components.schema("Problem", schema=ProblemAnswer)
    api.spec.components.schema(streams.SCHEMA_NAME, dict(streams.SCHEMA))
    return api


def document(api: Api) -> dict[str, Any]:
    """The finished contract, as plain values."""
    document: dict[str, Any] = deepcopy(api.spec.to_dict())
    types = [type_ for game in GAMES.values() for type_ in (game.options_type, type(game.components))]
    unions = [matches.VIEW, matches.EVENT_LOG, matches.REPLAY, matches.ANY_MOVE, *matches.MOVES, *matches.EVENTS]
    named = engine.components(types, unions, _VOCABULARY)
    references = engine.references(named, _VOCABULARY)
    schemas = _with_codes(engine.with_references(document["components"]["schemas"], references)) | named
    paths = {
        path: {method: _entry(method, entry) for method, entry in sorted(item.items())}
        for path, item in sorted(engine.with_references(document["paths"], references).items())
    }
    return {
        "openapi": document["openapi"],
        "info": {key: document["info"][key] for key in ("title", "version", *_INFO)},
        "servers": [{"url": "/", "description": "The service that shows this contract"}],
        "tags": document["tags"],
        "paths": paths,
        "components": {
            "securitySchemes": document["components"]["securitySchemes"],
            "headers": deepcopy(headers.DOCUMENTED),
            "links": links.components(),
            "examples": examples.components(),
            "schemas": described(_reachable(schemas, paths)),
        },
    }


def _with_codes(schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas with the lists of codes that problems refer to."""
    fields = schemas["Problem"]["properties"]
    for field, name in [("code", "ProblemCode"), ("reason", "ReasonCode")]:
        fields[field] = {"$ref": engine.REFERENCE.format(name=name), "description": fields[field]["description"]}
    return schemas | deepcopy(_CODES)


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


def _entry(key: str, entry: Any) -> Any:
    """What a path has: an operation, or the parameters of all of its operations."""
    if key in _METHODS:
        return _operation(entry)
    return [
        parameter | deepcopy(_PATH_PARAMETERS[parameter["name"]]) | examples.of_parameter(parameter["name"])
        for parameter in entry
    ]


def _operation(entry: dict[str, Any]) -> dict[str, Any]:
    """An operation with its entries in the order in which they are read."""
    entry["summary"] = entry["summary"].removesuffix(".")
    responses = {str(status): response for status, response in entry["responses"].items() if status != "default"}
    entry["responses"] = {
        status: _response(entry["operationId"], status, responses[status]) for status in sorted(responses)
    }
    examples.complete(entry["operationId"], entry)
    order = ["operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses"]
    return {key: entry[key] for key in order if key in entry}


def _response(operation: str, status: str, response: dict[str, Any]) -> dict[str, Any]:
    """A response with the headers that all of its status have, and what it leads to."""
    all_headers = response.get("headers", {}) | headers.of_all(status)
    response = response | {"headers": dict(sorted(all_headers.items()))}
    leading_on = links.of_answer(operation, status)
    return response | ({"links": leading_on} if leading_on else {})


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
