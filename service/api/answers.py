"""Making answers: encoded once, with the headers that caches and clients need."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import msgspec
from flask import Response, request


def json_answer(body: Any, status: int = 200) -> Response:
    """An answer that is encoded straight from engine types, which is far quicker than field by field."""
    return encoded_answer(encoded(body), status)


def encoded(body: Any) -> bytes:
    """A body as JSON."""
    return msgspec.json.encode(body)


def encoded_answer(body: bytes, status: int = 200) -> Response:
    """An answer whose JSON is there already."""
    return Response(body, status=status, content_type="application/json")


def personal(response: Response) -> Response:
    """Mark what differs from caller to caller: caches may keep it for its reader, and must ask each time."""
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Authorization")
    return response


def conditional(response: Response) -> Response:
    """Add a strong ETag, and answer 304 without a body if the caller has this very answer already.

    The ETag is a hash of the bytes that this caller receives and of nothing else: a counter would tell of changes
    that the caller may not see.
    """
    response.set_etag(etag(response.get_data()))
    response.make_conditional(request)
    return response


def etag(body: bytes) -> str:
    """The ETag of a body, without its quotes."""
    return base64.urlsafe_b64encode(hashlib.sha256(body).digest()[:18]).decode()


def unchanged(body: bytes) -> bool:
    """Whether the caller has this very body already, by the ETags in If-None-Match."""
    return request.if_none_match.contains_weak(etag(body))


def never_stored(response: Response) -> Response:
    """Mark what no cache may keep."""
    response.headers["Cache-Control"] = "no-store"
    return response
