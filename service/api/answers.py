"""Making answers: encoded once, with the headers that caches and clients need.

Headers are added where they cannot be there yet: setting one looks through all others first.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from flask import Response, request
from werkzeug.datastructures import Headers

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

_STATUS_LINES: Final = {status.value: f"{status.value} {status.phrase.upper()}" for status in HTTPStatus}


class Tagged(NamedTuple):
    """A body with its ETag.

    Attributes:
        etag: without its quotes.
    """

    body: bytes
    etag: str


class _Headers(Headers):
    """Headers whose values are our own, so that what is added need not be searched for what must not be in one."""

    def add(self, key: str, value: str, /) -> None:  # type: ignore[override]  # nothing here has parameters
        """Add one, after all others of its name."""
        self._list.append((key, value))


class _Ready(Response):
    """An answer that goes out as it is: whoever makes it has thought of all its headers.

    The framework would look at what it was given, copy the headers, look for what is missing or too many, and put the
    body into two iterators. All of that together takes as long as a third of a trip to the store.

    Args:
        body: nothing for an answer that has none, and then no type and length either.
    """

    def __init__(self, body: bytes | None = None, status: int = 200, content_type: str = "") -> None:
        self.headers = _Headers()
        self._status, self._status_code = _STATUS_LINES[status], status
        self._on_close = []
        self.direct_passthrough = False
        self.response = []
        if body is not None:
            self.response = [body]
            self.headers.add("Content-Type", content_type)
            self.headers.add("Content-Length", str(len(body)))

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Send it."""
        start_response(self._status, self.headers.to_wsgi_list())
        return [] if environ["REQUEST_METHOD"] == "HEAD" else self.response  # type: ignore[return-value]  # bytes, by us


def json_answer(body: Any, status: int = 200) -> Response:
    """An answer that is encoded straight from engine types, which is far quicker than field by field."""
    return encoded_answer(encoded(body), status)


def encoded(body: Any) -> bytes:
    """A body as JSON."""
    return msgspec.json.encode(body)


def encoded_answer(body: bytes, status: int = 200) -> Response:
    """An answer whose JSON is there already."""
    return _Ready(body, status=status, content_type="application/json")


def personal(response: Response) -> Response:
    """Mark what differs from caller to caller: caches may keep it for its reader, and must ask each time."""
    response.headers.add("Cache-Control", "private, no-cache")
    response.headers.add("Vary", "Authorization")
    return response


def tagged(body: bytes) -> Tagged:
    """A body with a strong ETag.

    It is a hash of the bytes that this caller receives and of nothing else: a counter would tell of changes that the
    caller may not see.
    """
    return Tagged(body, base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:18]).decode())


def tagged_answer(body: Tagged) -> Response:
    """An answer with its ETag, or 304 without a body if the caller has this very answer already."""
    if request.method in ("GET", "HEAD") and unchanged(body):
        response: Response = _Ready(status=304)
    else:
        response = encoded_answer(body.body)
    response.headers.add("ETag", f'"{body.etag}"')
    return response


def unchanged(body: Tagged) -> bool:
    """Whether the caller has this very body already, by the ETags in If-None-Match."""
    sent = request.environ.get("HTTP_IF_NONE_MATCH")
    # Nearly everybody sends the one that they were given.
    return sent is not None and (sent == f'"{body.etag}"' or request.if_none_match.contains_weak(body.etag))


def never_stored(response: Response) -> Response:
    """Mark what no cache may keep."""
    response.headers["Cache-Control"] = "no-store"
    return response
