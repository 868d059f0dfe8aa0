"""Every error that a client can meet: one table of codes, sent as ``application/problem+json`` (RFC 9457).

A code never changes its meaning. Statuses follow one question: would the same bytes have been fine at another
moment? Then 409, else 422. What a problem says depends on nothing that the caller may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MEDIA_TYPE: Final = "application/problem+json"


@dataclass(frozen=True)
class Kind:
    """A kind of problem: what all problems with one code have in common.

    Its title is in :mod:`service.texts`, in every language.

    Attributes:
        retry_after: seconds after which a repeat may go through, for what passes by itself. A problem that knows it
            better says so in its headers.
    """

    status: int
    retry_after: int | None = None


KINDS: Final[dict[str, Kind]] = {
    "malformed-json": Kind(400),
    "bad-request": Kind(400),
    "bad-cursor": Kind(400),
    "unsupported-header": Kind(400),
    "unauthenticated": Kind(401),
    "not-a-player": Kind(403),
    "not-the-creator": Kind(403),
    "guests-disabled": Kind(403),
    "no-such-match": Kind(404),
    "no-such-game": Kind(404),
    "wrong-join-code": Kind(404),
    "not-found": Kind(404),
    "method-not-allowed": Kind(405),
    "not-acceptable": Kind(406),
    "already-started": Kind(409),
    "decision-closed": Kind(409),
    "match-full": Kind(409),
    "match-not-finished": Kind(409),
    "match-over": Kind(409),
    "not-started": Kind(409),
    "not-your-decision": Kind(409),
    "unreadable-match": Kind(409),
    "seat-taken": Kind(409),
    "too-few-players": Kind(409),
    "too-many-matches": Kind(409),
    "too-large": Kind(413),
    "unsupported-media-type": Kind(415),
    "bad-options": Kind(422),
    "illegal-move": Kind(422),
    "invalid": Kind(422),
    "idempotency-key-reused": Kind(422),
    "too-many-requests": Kind(429, retry_after=5),
    "too-many-streams": Kind(429, retry_after=15),
    "internal-error": Kind(500),
    "busy": Kind(503, retry_after=1),
    "draining": Kind(503, retry_after=1),
    "issuer-unavailable": Kind(503, retry_after=10),
    "store-full": Kind(503, retry_after=30),
    "store-unavailable": Kind(503, retry_after=2),
}


@dataclass(init=False)
class Detail:
    """What is wrong, to be said in the language of whoever asked: a key of :mod:`service.texts`, and what it mentions.

    A parameter is nothing that the caller did not send or may not know.
    """

    key: str
    parameters: Mapping[str, str | int]

    def __init__(self, key: str, /, **parameters: str | int) -> None:
        self.key = key
        self.parameters = parameters


NOT_VALID: Final = Detail("not-valid")
"""What is said of a field if there is nothing better to say."""


@dataclass(frozen=True)
class FieldError:
    """One wrong field: a JSON pointer into the body, or ``?`` and the name of a query parameter, and what is wrong.

    Without a detail the problem's own holds: what the rule with its reason demands.
    """

    pointer: str
    detail: Detail | None = None


class Problem(Exception):
    """A request that is refused.

    Args:
        code: a key of :data:`KINDS`.
        detail: what is wrong with this request, for a person to read.
        reason: for an illegal move or bad options, the code of the rule. What that rule demands is said of itself.
        errors: the wrong fields.
        headers: to be sent with the answer.
    """

    def __init__(
        self,
        code: str,
        detail: Detail | None = None,
        *,
        reason: str | None = None,
        errors: Sequence[FieldError] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.kind = KINDS[code]
        self.detail = detail
        self.reason = reason
        self.errors = errors
        self.headers = dict(headers or {})
