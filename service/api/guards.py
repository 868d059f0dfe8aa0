"""What is checked of every request before its operation sees it, and added to every answer after."""

from __future__ import annotations

import re
import secrets
from typing import Any, Final

from flask import Flask, Response, current_app, g, request

from service.api import limiting, streams
from service.api.caller import identify, player
from service.api.contract import takes_key
from service.api.once import HEADER as KEY
from service.problems import Detail, FieldError, Problem

REQUEST_ID: Final = "X-Request-Id"

_CONDITIONS: Final = ("If-Match", "If-Unmodified-Since")
"""Headers that promise a client something. Silently ignoring them would break the promise."""


def register(app: Flask) -> None:
    """Put the guards before and after every request, in this order."""
    app.before_request(_number_request)
    app.before_request(identify)
    app.before_request(_refuse_strangers)
    app.before_request(_refuse_too_many)
    app.before_request(_refuse_unsupported_headers)
    app.before_request(_refuse_unknown_parameters)
    app.before_request(_refuse_unacceptable)
    app.after_request(_sign_answer)
    app.after_request(limiting.tell)  # whichever is last here comes first then


def _number_request() -> None:
    """Give the request an id: the caller's, if it is a harmless one."""
    given = request.headers.get(REQUEST_ID, "")
    g.request_id = given if re.fullmatch(r"[A-Za-z0-9._-]{1,64}", given) else secrets.token_hex(8)


def _refuse_strangers() -> None:
    """Ask for a token where the contract does, before anything is said about the rest of the request."""
    security = _documentation().get("manual_doc", {}).get("security")
    if security and {} not in security and request.method != "OPTIONS":
        player()


def _refuse_too_many() -> None:
    """Refuse what exceeds the rate limits, before anything is looked up or read."""
    limiting.admit(_documentation().get("manual_doc", {}).get("operationId"))


def _refuse_unsupported_headers() -> None:
    if request.routing_exception is not None:
        return  # that there is no such address or method matters more
    unsupported = list(_CONDITIONS)
    if request.method not in ("GET", "HEAD", "OPTIONS") and not takes_key(_documentation()):
        unsupported.append(KEY)
    for name in unsupported:
        if name in request.headers:
            raise Problem("unsupported-header", Detail("header-not-supported", header=name))


def _refuse_unknown_parameters() -> None:
    """Refuse a query parameter that the operation does not have; a misspelt filter must not count as none.

    Nor may one be given twice: which of the two holds?
    """
    if request.method == "OPTIONS":
        return  # a browser asks so about the address that it wants to use, filters included
    if not request.args or request.blueprint not in current_app.extensions["turncoat"].api:
        return
    twice = [name for name, values in request.args.lists() if len(values) > 1]
    if twice:
        raise Problem("invalid", errors=[FieldError(f"?{name}", Detail("given-twice")) for name in twice])
    parameters = _documentation().get("arguments", {}).get("parameters", [])
    if any(parameter["in"] == "query" for parameter in parameters):
        return  # its own schema knows which there are
    raise Problem("invalid", errors=[FieldError(f"?{name}", Detail("unknown-name")) for name in request.args])


def _refuse_unacceptable() -> None:
    """Refuse to answer with what the caller says that it will not read."""
    accepted = request.accept_mimetypes
    if request.blueprint not in current_app.extensions["turncoat"].api or not accepted or accepted["application/json"]:
        return
    if not (streams.offered(_documentation()) and accepted[streams.MEDIA_TYPE]):
        raise Problem("not-acceptable")


def _documentation() -> dict[str, Any]:
    """What flask-smorest has gathered about the operation; nothing where the address is none of the API's."""
    operation = current_app.view_functions.get(request.endpoint or "")
    documentation: dict[str, Any] = getattr(operation, "_apidoc", {})
    return documentation


def _sign_answer(response: Response) -> Response:
    response.headers[REQUEST_ID] = g.get("request_id", "")
    response.headers["X-Content-Type-Options"] = "nosniff"
    if request.method == "OPTIONS" and response.status_code == 200:
        del response.headers["Content-Type"]  # the framework calls its empty answer HTML
    return response
