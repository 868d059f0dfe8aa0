"""The service with faults that it does not have, each in another operation, for the fuzzer to find."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask, Response, g, request
from fuzzing.ledger import OUR_OWN
from fuzzing.served import keep_ledger

from service.app import create_app as intact_app

APP = "fuzzing.planted:create_app()"

FAULTS = {
    "playMove": "Server error: POST /v1/matches/{match}/moves",
    "leaveMatch": "Undocumented status code: DELETE /v1/matches/{match}/players/me",
    "getView": "Response violates schema: GET /v1/matches/{match}/view",
    "getMe": "API accepts requests without authentication: GET /v1/players/me",
    "listMatches": "Custom check failed: `conformance_as_in_other_tests`: GET /v1/matches",
    "createPlayer": "Schema-violating request accepted: POST /v1/players",
    "joinByCode": "Wrong response to undeclared method: TRACE /v1/join",
    "getGame": "Undocumented Content-Type: GET /v1/games/{game}",
}
"""By operation, how the fault in it is to be told."""


def create_app() -> Flask:
    """For gunicorn, in a process of its own."""
    app = intact_app()
    keep_ledger(app)
    # Asked before all others but what begins the account of a request, and after all others but the ledger.
    app.before_request_funcs[None].insert(1, _let_strangers_in)
    app.after_request_funcs[None].insert(1, _spoil)
    _break_moves(app)
    return app


def _let_strangers_in() -> Response | None:
    if _asked("GET /v1/players/me") and "Authorization" not in request.headers:
        g.request_id = "planted"  # the guard that gives it one is passed by
        return Response(json.dumps({"player": "A" * 22, "name": "Nobody"}), content_type="application/json")
    return None


def _break_moves(app: Flask) -> None:
    """Let a move fail that is legal: nobody gets this far without a real match and a look at it."""
    store = app.extensions["turncoat"].store
    write = store.write

    def failing(*args: Any, **more: Any) -> bool:
        if _asked("POST /v1/matches/<match>/moves"):
            raise RuntimeError("planted")
        return write(*args, **more)

    store.write = failing


def _spoil(response: Response) -> Response:
    status = response.status_code
    if _asked("DELETE /v1/matches/<match>/players/me") and status == 204:
        response.status_code = 202
    if _asked("GET /v1/matches/<match>/view") and status == 200:
        response.data = response.data.replace(b'"waiting_on"', b'"waitingOn"')
    if _asked("GET /v1/matches") and status == 400:
        response.data = response.data.replace(b'"bad-cursor"', b'"no-such-page"')
    if _asked("POST /v1/players") and status == 422:
        guest = {"player": "A" * 22, "name": "Ada", "token": "x", "expires_at": "2030-01-01T00:00:00+00:00"}
        return Response(json.dumps(guest), status=201, content_type="application/json")
    if request.path == "/v1/join" and status == 405:
        del response.headers["Allow"]
    if _asked("GET /v1/games/<game>") and status == 200:
        response.content_type = "text/html"
    return response


def _asked(what: str) -> bool:
    """Whether that is asked, and not by a request that only prepares others."""
    ours = request.headers.get("X-Request-Id", "").startswith(OUR_OWN)
    return not ours and request.url_rule is not None and what == f"{request.method} {request.url_rule.rule}"
