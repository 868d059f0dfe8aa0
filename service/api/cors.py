"""Cross-origin requests: which web pages may read the answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from flask import Flask, Response
from flask_cors import CORS

_METHODS: Final = ("GET", "HEAD", "POST", "DELETE")

REQUEST_HEADERS: Final = (
    "Accept",
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "Last-Event-ID",
    "Prefer",
    "X-Request-Id",
)
"""What a page may send."""

RESPONSE_HEADERS: Final = (
    "Allow",
    "Content-Language",
    "Decision-Deadline",
    "ETag",
    "Idempotency-Replayed",
    "Link",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
)
"""What a page may read of an answer, besides its body."""

_PREFLIGHT_IS_GOOD_FOR: Final = 2 * 60 * 60
"""Seconds; browsers believe no more."""


def register(app: Flask, origins: Sequence[str]) -> None:
    """Let pages of these origins read all answers. Without any, no answer has a word on it.

    There are no credentials in this: a page sends its token itself, and cookies mean nothing here.
    """
    if not origins:
        return
    CORS(
        app,
        # The library takes a text with brackets for a pattern, so it gets patterns that are nothing but the text.
        origins=[re.compile(re.escape(origin) + r"\Z") for origin in origins],
        methods=_METHODS,
        allow_headers=REQUEST_HEADERS,
        expose_headers=RESPONSE_HEADERS,
        max_age=_PREFLIGHT_IS_GOOD_FOR,
        supports_credentials=False,
        send_wildcard=False,
        always_send=False,  # whoever names no origin is told nothing
        vary_header=False,  # it would tell only those who are allowed, and caches need to know it of every answer
        intercept_exceptions=False,  # problems come by where all answers do
    )
    app.after_request(_vary_by_origin)


def _vary_by_origin(response: Response) -> Response:
    response.vary.add("Origin")
    return response
