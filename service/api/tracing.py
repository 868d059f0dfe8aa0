"""A span around each request, where traces are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, Response, g, request

from service.api import accounts

if TYPE_CHECKING:
    from service.telemetry.traces import Request, Traces


def register(app: Flask, traces: Traces) -> None:
    """Begin the span before, and end it after, everything else that is registered later."""

    def begin() -> None:
        g.span = traces.begin_request(request.method, {name.lower(): value for name, value in request.headers})
        g.trace = g.span.trace

    def end(response: Response) -> Response:
        span: Request = g.span
        route = None if request.url_rule is None else request.url_rule.rule
        attributes = {
            "route": route,
            "request": g.get("request_id"),
            "problem": g.get("problem"),
            "match": accounts.found_match(
                request._get_current_object(),  # type: ignore[attr-defined]  # noqa: SLF001 (not by the proxy)
                g._get_current_object(),  # noqa: SLF001
                response.status_code,
            ),
        }
        span.end(g.operation, response.status_code, attributes)
        return response

    app.before_request(begin)
    app.after_request(end)
