"""What operators are told of every request: that it was answered, how, and how long it took."""

from __future__ import annotations

from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Final

from flask import Flask, Request, Response, current_app, g, request
from flask.ctx import _AppCtxGlobals

from service.telemetry.logs import RequestLog
from service.telemetry.observer import NOTHING, Observer
from service.telemetry.request_line import RequestLine

_PREFLIGHT: Final = "preflight"

_PROBES: Final = frozenset({"healthz", "readyz", "metrics"})
"""What machines ask every few seconds. When it goes well, there is nothing to read in that."""

_NO_PARAMETERS: Final[dict[str, Any]] = {}
_LENGTH_OF_ID: Final = 22
_ABOUT_A_MATCH: Final = frozenset({200, 201, 204, 304, 403, 409, 422, 500})
"""Statuses that only somebody gets who has named a match that there is for them, but for a body that is wrong."""


def register(app: Flask, log: RequestLog) -> None:
    """Begin the account of a request before, and close it after, everything else that is registered later."""
    names: dict[str | None, str] = {None: NOTHING}

    def close(response: Response) -> Response:
        asked: Request = request._get_current_object()  # type: ignore[attr-defined]  # noqa: SLF001 (not by the proxy)
        context: _AppCtxGlobals = g._get_current_object()  # noqa: SLF001
        seconds = perf_counter() - context.began - context.waited
        endpoint = asked.endpoint
        operation = names.get(endpoint)
        if operation is None:
            operation = names[endpoint] = _name(app, str(endpoint))
        if asked.method == "OPTIONS" and operation is not NOTHING:
            operation = _PREFLIGHT
        context.operation = operation
        told: Observer = app.extensions["turncoat"].observer
        told.request(operation, response.status_code, seconds)
        if "problem" in context:
            told.problem(context.problem)
        if log.wants(response.status_code) and (operation not in _PROBES or response.status_code != 200):
            _write(log, _line(asked, context, operation, response.status_code, seconds), context, response)
        return response

    app.before_request(_begin)
    app.after_request(close)


def _begin() -> None:
    context: _AppCtxGlobals = g._get_current_object()  # noqa: SLF001
    context.began = perf_counter()
    context.waited = 0.0


def observer() -> Observer:
    """Who is told."""
    told: Observer = current_app.extensions["turncoat"].observer
    return told


def note_match(match: str) -> None:
    """Tell which match a request was about whose address does not name it."""
    g.match = match


def _line(asked: Request, context: _AppCtxGlobals, operation: str, status: int, seconds: float) -> RequestLine:
    line = RequestLine(
        datetime.now(UTC),
        "info" if status < 500 else "error",
        "request",
        context.request_id,
        operation,
        status,
        round(seconds * 1000, 2),
    )
    if context.waited:
        line.waited_ms = round(context.waited * 1000, 2)
    if status >= 400:
        line.problem = context.get("problem", "")
    if match := found_match(asked, context, status):
        line.match = match
    if "trace" in context:
        line.trace = context.trace
    return line


def found_match(asked: Request, context: _AppCtxGlobals, status: int) -> str | None:
    """The match that a request was about.

    Clients may write anything where its id belongs, a join code or a token too. So it is told only where it was found.
    """
    if status not in _ABOUT_A_MATCH:
        return None
    named: str | None = context.get("match") or (asked.view_args or _NO_PARAMETERS).get("match")
    if named is None or len(named) != _LENGTH_OF_ID or context.get("problem") == "invalid":
        return None
    return named


def _write(log: RequestLog, line: RequestLine, context: _AppCtxGlobals, response: Response) -> None:
    """Write a line: of a stream, when it ends."""
    if not response.is_streamed:
        log.write(line)
        return
    began = context.began

    def at_the_end() -> None:
        line.timestamp = datetime.now(UTC)
        line.ms = round((perf_counter() - began) * 1000, 2)
        log.write(line)

    response.call_on_close(at_the_end)


def _name(app: Flask, endpoint: str) -> str:
    """The id of an operation; of other pages, the name of the function that shows them."""
    documentation: dict[str, Any] = getattr(app.view_functions.get(endpoint), "_apidoc", {})
    name: str = documentation.get("manual_doc", {}).get("operationId", endpoint.rpartition(".")[2])
    return name
