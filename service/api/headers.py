"""The headers of answers, as the contract documents them.

What is meant for caches (``Cache-Control``, ``Vary``) is described once for all, in the introduction of the contract;
what HTTP needs anyway, not at all.
"""

from __future__ import annotations

from typing import Any, Final

DOCUMENTED: Final[dict[str, dict[str, Any]]] = {
    "Content-Language": {
        "description": "The language of the words in this answer: `en`, `de` or `nl`.",
        "schema": {"type": "string"},
        "example": "de",
    },
    "Decision-Deadline": {
        "description": "When stand-ins make the decisions that are open. Missing if there is no such time.",
        "schema": {"type": "string", "format": "date-time"},
        "example": "2026-03-05T16:00:00+00:00",
    },
    "ETag": {
        "description": "Stands for this very answer. Send it as `If-None-Match` to learn whether there is another one.",
        "schema": {"type": "string"},
        "example": '"Jd0qPtM289XR0sb7z78s8xHB"',
    },
    "Idempotency-Replayed": {
        "description": "`true` if this request had been carried out before, under the same Idempotency-Key; else "
        "missing.",
        "schema": {"type": "string", "enum": ["true"]},
        "example": "true",
    },
    "Link": {
        "description": 'Where the list goes on, as `</v1/matches?cursor=…>; rel="next"`. Missing at its end.',
        "schema": {"type": "string"},
        "example": '</v1/matches?cursor=MjA>; rel="next"',
    },
    "Location": {
        "description": "The address of what was created.",
        "schema": {"type": "string", "format": "uri-reference"},
        "example": "/v1/matches/Zl8seyIRzQjVtAffulhJ9w",
    },
    "Preference-Applied": {
        "description": "The preference that was honoured, if one was, as `wait=25`.",
        "schema": {"type": "string"},
        "example": "wait=25",
    },
    "RateLimit": {
        "description": "For each limit that counted the request, how many are left (`r`) and in how many seconds "
        'there will be all again (`t`): `"reads";r=1199;t=60`. Missing where nothing is counted.',
        "schema": {"type": "string"},
        "example": '"reads";r=1199;t=60',
    },
    "RateLimit-Policy": {
        "description": "Those limits: so many requests (`q`) in a window of so many seconds (`w`): "
        '`"reads";q=1200;w=60`.',
        "schema": {"type": "string"},
        "example": '"reads";q=1200;w=60',
    },
    "Retry-After": {
        "description": "Seconds to wait before the next attempt",
        "schema": {"type": "integer", "minimum": 1},
        "example": 2,
    },
    "WWW-Authenticate": {
        "description": "How to say who you are: with a bearer token.",
        "schema": {"type": "string"},
        "example": 'Bearer realm="turncoat"',
    },
    "X-Request-Id": {
        "description": "Names this request: the id that you sent in the same header, or one made for it.",
        "schema": {"type": "string"},
        "example": "75e9f761dc59bccd",
    },
}
"""Each header with what it says. Mocks of the contract answer with the examples."""


def references(*names: str) -> dict[str, Any]:
    """Some of the headers, as the contract writes them at an answer."""
    assert set(names) <= DOCUMENTED.keys()
    return {name: {"$ref": f"#/components/headers/{name}"} for name in sorted(names)}


def of_all(status: str) -> dict[str, Any]:
    """The headers that all answers of a status have, whatever the operation."""
    names = ["X-Request-Id"]
    if status != "401":  # which is not counted
        names += ["RateLimit", "RateLimit-Policy"]
    if status >= "400":
        names.append("Content-Language")
    if status == "401":
        names.append("WWW-Authenticate")
    if status in ("429", "503"):
        names.append("Retry-After")
    return references(*names)
