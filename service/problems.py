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

    Attributes:
        retry_after: seconds after which a repeat may go through, for what passes by itself.
    """

    status: int
    title: str
    retry_after: int | None = None


KINDS: Final[dict[str, Kind]] = {
    "malformed-json": Kind(400, "The body is not JSON that can be read without doubt"),
    "bad-request": Kind(400, "The request is not proper HTTP"),
    "unsupported-header": Kind(400, "A header asks for something that this operation does not do"),
    "unauthenticated": Kind(401, "The token is missing, wrong or expired"),
    "not-a-player": Kind(403, "You have no seat in this match"),
    "not-the-creator": Kind(403, "Only the creator of the match may do this"),
    "no-such-match": Kind(404, "There is no such match for you"),
    "no-such-game": Kind(404, "There is no such game"),
    "not-found": Kind(404, "There is nothing at this address"),
    "method-not-allowed": Kind(405, "This address does not take this method"),
    "not-acceptable": Kind(406, "The answer is JSON, which the request does not accept"),
    "already-started": Kind(409, "The match has started"),
    "decision-closed": Kind(409, "This decision has been answered"),
    "match-full": Kind(409, "All seats are taken"),
    "match-not-finished": Kind(409, "The match is not finished"),
    "match-over": Kind(409, "The match is over"),
    "not-started": Kind(409, "The match has not started"),
    "not-your-decision": Kind(409, "This decision is not asked of you now"),
    "unreadable-match": Kind(409, "This version of the service cannot read the match"),
    "seat-taken": Kind(409, "This seat is taken"),
    "too-few-players": Kind(409, "The game needs more players"),
    "too-large": Kind(413, "The body is too large"),
    "unsupported-media-type": Kind(415, "The body must be sent as application/json"),
    "bad-options": Kind(422, "No match can be played with these options"),
    "illegal-move": Kind(422, "The rules do not allow this move"),
    "invalid": Kind(422, "The request does not have the right form"),
    "internal-error": Kind(500, "The service failed"),
    "busy": Kind(503, "Too many changes at once in this match", retry_after=1),
    "store-full": Kind(503, "The store is full", retry_after=30),
    "store-unavailable": Kind(503, "The store does not answer", retry_after=2),
}


@dataclass(frozen=True)
class FieldError:
    """One wrong field: a JSON pointer into the body, or the name of a query parameter, and what is wrong."""

    pointer: str
    detail: str


class Problem(Exception):
    """A request that is refused.

    Args:
        code: a key of :data:`KINDS`.
        detail: what is wrong with this request, for a person to read.
        reason: for an illegal move or bad options, the code of the rule.
        errors: the wrong fields.
        headers: to be sent with the answer.
    """

    def __init__(
        self,
        code: str,
        detail: str | None = None,
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
