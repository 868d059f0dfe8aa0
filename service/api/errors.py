"""Whatever goes wrong leaves as a problem: refusals, the framework's own errors, a failing store, and faults."""

from __future__ import annotations

import logging
from typing import Any, Final

import msgspec
from flask import Flask, Response, g
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from service import texts
from service.api.answers import never_stored
from service.api.language import asked_language, speaking
from service.faults import trace
from service.problems import MEDIA_TYPE, NOT_VALID, Problem
from service.store import StoreFull, StoreUnavailable

_log = logging.getLogger("turncoat")

_CODES: Final = {
    404: "not-found",
    405: "method-not-allowed",
    406: "not-acceptable",
    413: "too-large",
    415: "unsupported-media-type",
}
"""Problems by the status of the framework's own errors; every other one below 500 is a ``bad-request``."""


def register(app: Flask) -> None:
    """Handle every kind of failure."""
    app.register_error_handler(Problem, answer)
    app.register_error_handler(HTTPException, _from_framework)
    app.register_error_handler(StoreUnavailable, _from_store)
    app.register_error_handler(StoreFull, lambda _: answer(Problem("store-full")))
    app.register_error_handler(Exception, _from_fault)


def answer(problem: Problem) -> Response:
    """The answer that tells a client of a problem, in the client's language."""
    language = asked_language()
    g.problem = problem.code
    response = Response(
        msgspec.json.encode(_told(problem, language)), status=problem.kind.status, content_type=MEDIA_TYPE
    )
    if problem.kind.retry_after is not None:
        response.headers["Retry-After"] = str(problem.kind.retry_after)
    if problem.kind.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="turncoat"'
    response.headers.update(problem.headers)
    return never_stored(speaking(response, language))


def _told(problem: Problem, language: str) -> dict[str, Any]:
    """The body of the answer."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": texts.title(problem.code, language),
        "status": problem.kind.status,
        "code": problem.code,
        "instance": f"urn:request:{g.get('request_id', '')}",
    }
    detail = texts.detail(problem.detail, language) if problem.detail else None
    if problem.reason is not None:
        body["reason"] = problem.reason
        detail = detail or texts.reason(problem.reason, language)
    if detail is not None:
        body["detail"] = detail
    if problem.errors:
        otherwise = detail or texts.detail(NOT_VALID, language)
        body["errors"] = [
            {"pointer": error.pointer, "detail": texts.detail(error.detail, language) if error.detail else otherwise}
            for error in problem.errors
        ]
    return body


def _from_framework(error: HTTPException) -> Response:
    status = error.code or 500
    headers = {}
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        headers["Allow"] = ", ".join(sorted(error.valid_methods))
    if status >= 500:
        return _from_fault(error)
    return answer(Problem(_CODES.get(status, "bad-request"), headers=headers))


def _from_store(error: StoreUnavailable) -> Response:
    _log.warning("request %s: the store does not answer: %r", g.get("request_id"), error.__cause__)
    return answer(Problem("store-unavailable"))


def _from_fault(error: Exception) -> Response:
    _log.error("request %s failed: %s", g.get("request_id"), trace(error))
    return answer(Problem("internal-error"))
