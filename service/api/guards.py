"""What is checked of every request before its operation sees it, and added to every answer after.

What follows from the operation alone is found out when it is first called. On every request the guards look into the
server's own dictionary, which is there anyway, and make the framework's objects only of what was sent.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from flask import Flask, Request, Response, g, request
from flask.ctx import _AppCtxGlobals
from werkzeug.datastructures import MIMEAccept
from werkzeug.http import parse_accept_header

from service.api import limiting, streams
from service.api.caller import identify, player
from service.api.contract import takes_key
from service.api.once import HEADER as KEY
from service.problems import Detail, FieldError, Problem

REQUEST_ID: Final = "X-Request-Id"

_CONDITIONS: Final = ("If-Match", "If-Unmodified-Since")
"""Headers that promise a client something. Silently ignoring them would break the promise."""

_LONGEST_REMEMBERED: Final = 200

_HARMLESS: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


@dataclass(frozen=True)
class _Rules:
    """What holds for one operation, or for an address that has none.

    Attributes:
        operation: its id; ``None`` for what is none.
        for_players: whether it needs a token.
        ours: whether it belongs to the API.
        takes_query: whether it has query parameters.
        takes_key: whether it takes an Idempotency-Key.
        streams: whether it can answer with a stream.
    """

    operation: str | None
    for_players: bool
    ours: bool
    takes_query: bool
    takes_key: bool
    streams: bool


def register(app: Flask) -> None:
    """Put the guards before and after every request."""
    rules_of: dict[str | None, _Rules] = {}

    def guard() -> None:
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 (a proxy's public word for: itself)
        rules = rules_of.get(asked.endpoint)
        if rules is None:
            rules = rules_of[asked.endpoint] = _rules(app, asked)
        context: _AppCtxGlobals = g._get_current_object()  # noqa: SLF001 (likewise)
        context.request_id = _request_id(asked)
        identify(asked, context)
        options = asked.method == "OPTIONS"
        # A token is asked for where the contract does, before anything is said about the rest of the request.
        if rules.for_players and not options:
            player()
        # What exceeds the rate limits is refused before anything is looked up or read.
        if rules.operation is not None and not options:
            limiting.admit(asked, context, rules.operation)
        if asked.routing_exception is None:  # that there is no such address or method matters more
            _refuse_unsupported_headers(asked, rules)
        if not rules.ours:
            return
        # A browser asks with OPTIONS about the address that it wants to use, filters included.
        if asked.environ.get("QUERY_STRING") and not options:
            _refuse_unknown_parameters(asked, rules)
        if "HTTP_ACCEPT" in asked.environ:
            _refuse_unacceptable(asked, rules)

    app.before_request(guard)
    app.after_request(_sign_answer)


def _rules(app: Flask, asked: Request) -> _Rules:
    """What holds for the operation that is asked for, by what flask-smorest has gathered about it."""
    operation: Callable[..., Any] | None = app.view_functions.get(asked.endpoint or "")
    documentation: dict[str, Any] = getattr(operation, "_apidoc", {})
    written = documentation.get("manual_doc", {})
    security = written.get("security")
    parameters = documentation.get("arguments", {}).get("parameters", [])
    return _Rules(
        operation=written.get("operationId"),
        for_players=bool(security) and {} not in security,
        ours=asked.blueprint in app.extensions["turncoat"].api,
        takes_query=any(parameter["in"] == "query" for parameter in parameters),
        takes_key=takes_key(documentation),
        streams=streams.offered(documentation),
    )


def _request_id(asked: Request) -> str:
    """An id for the request: the caller's, if it is a harmless one."""
    given: str = asked.environ.get("HTTP_X_REQUEST_ID", "")
    return given if given and _HARMLESS.fullmatch(given) else secrets.token_hex(8)


def _refuse_unsupported_headers(asked: Request, rules: _Rules) -> None:
    for name in _CONDITIONS:
        if _sent(asked, name):
            raise Problem("unsupported-header", Detail("header-not-supported", header=name))
    if _sent(asked, KEY) and not rules.takes_key and asked.method not in ("GET", "HEAD", "OPTIONS"):
        raise Problem("unsupported-header", Detail("header-not-supported", header=KEY))


def _sent(asked: Request, header: str) -> bool:
    return _ENVIRON[header] in asked.environ


_ENVIRON: Final = {name: f"HTTP_{name.upper().replace('-', '_')}" for name in (*_CONDITIONS, KEY)}


def _refuse_unknown_parameters(asked: Request, rules: _Rules) -> None:
    """Refuse a query parameter that the operation does not have; a misspelt filter must not count as none.

    Nor may one be given twice: which of the two holds?
    """
    twice = [name for name, values in asked.args.lists() if len(values) > 1]
    if twice:
        raise Problem("invalid", errors=[FieldError(f"?{name}", Detail("given-twice")) for name in twice])
    if not rules.takes_query and asked.args:  # else its own schema knows which there are
        raise Problem("invalid", errors=[FieldError(f"?{name}", Detail("unknown-name")) for name in asked.args])


def _refuse_unacceptable(asked: Request, rules: _Rules) -> None:
    """Refuse to answer with what the caller says that it will not read."""
    header = asked.environ["HTTP_ACCEPT"]
    read = _reads if len(header) <= _LONGEST_REMEMBERED else _reads.__wrapped__
    if not read(header, or_a_stream=rules.streams):
        raise Problem("not-acceptable")


@lru_cache(maxsize=256)
def _reads(header: str, *, or_a_stream: bool) -> bool:
    """Whether who sends this ``Accept`` reads an answer of ours. There are few of them, and each takes its time."""
    accepted = parse_accept_header(header, MIMEAccept)
    return not accepted or bool(accepted["application/json"] or (or_a_stream and accepted[streams.MEDIA_TYPE]))


def _sign_answer(response: Response) -> Response:
    context: _AppCtxGlobals = g._get_current_object()  # noqa: SLF001
    response = limiting.tell(response, context)
    response.headers.add(REQUEST_ID, context.get("request_id", ""))
    response.headers.add("X-Content-Type-Options", "nosniff")
    if request.method == "OPTIONS" and response.status_code == 200:
        del response.headers["Content-Type"]  # the framework calls its empty answer HTML
    return response
