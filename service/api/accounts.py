"""What operators are told of every request: that it was answered, how, and how long it took."""

from __future__ import annotations

from time import perf_counter
from typing import Any, Final

from flask import Flask, Response, current_app, g, request

from service.telemetry.observer import NOTHING, Observer

_PREFLIGHT: Final = "preflight"


def register(app: Flask) -> None:
    """Begin the account of a request before, and close it after, everything else that is registered later."""
    names: dict[str | None, str] = {None: NOTHING}

    def close(response: Response) -> Response:
        endpoint = request.endpoint
        operation = names.get(endpoint)
        if operation is None:
            operation = names[endpoint] = _name(app, str(endpoint))
        if request.method == "OPTIONS" and operation is not NOTHING:
            operation = _PREFLIGHT
        observer: Observer = app.extensions["turncoat"].observer
        observer.request(operation, response.status_code, perf_counter() - g.began - g.waited)
        if "problem" in g:
            observer.problem(g.problem)
        return response

    app.before_request(_begin)
    app.after_request(close)


def _begin() -> None:
    g.began = perf_counter()
    g.waited = 0.0


def observer() -> Observer:
    """Who is told."""
    told: Observer = current_app.extensions["turncoat"].observer
    return told


def _name(app: Flask, endpoint: str) -> str:
    """The id of an operation; of other pages, the name of the function that shows them."""
    documentation: dict[str, Any] = getattr(app.view_functions.get(endpoint), "_apidoc", {})
    name: str = documentation.get("manual_doc", {}).get("operationId", endpoint.rpartition(".")[2])
    return name
