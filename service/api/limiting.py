"""Rate limits around requests: who is refused, and what everybody is told of where they stand.

Which limits hold for an operation follows from its id. What is refused with 401 is not counted: it is refused before
anything is looked up, and nobody can guess a token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from flask import Response, current_app, g, request

from service.api import errors
from service.api.addresses import client_network
from service.limiter import Caller, Limiter, Standing
from service.problems import Problem

_KINDS: Final = {"createPlayer": "guests", "createMatch": "matches", "joinByCode": "join-codes"}
"""Operations with limits of their own; all others are reads or moves."""

_READING: Final = ("GET", "HEAD")
_GUESSABLE: Final = ("/v1/matches/", "/v1/join/")
_MISSES: Final = frozenset({"no-such-match", "wrong-join-code"})
_CODE: Final = "too-many-requests"


class _Refusal(msgspec.Struct):
    """Of a problem, what tells whether it was a miss."""

    code: str


def admit(operation: str | None) -> None:
    """Count the request, and refuse it if it is one too many.

    Args:
        operation: the operation's id; ``None`` for what is no operation, which has no limits.

    Raises:
        Problem: ``too-many-requests``.
    """
    limiter = _limiter()
    if limiter is None or operation is None or request.method == "OPTIONS":
        return
    g.limited = caller = Caller(None if g.player is None else g.player.id, client_network())
    g.standings = limiter.out_of_misses(caller) if _is_guessable() else []
    if not g.standings:
        kind = _KINDS.get(operation, "reads" if request.method in _READING else "moves")
        g.standings = limiter.count(kind, caller)
    if any(standing.exceeded for standing in g.standings):
        raise _too_many(g.standings)


def tell(response: Response) -> Response:
    """Count a miss, and tell the caller where they stand. A miss too many is not told to be one."""
    if _is_miss(response):
        misses = _counted_miss()
        g.standings = [*g.standings, *misses]
        if any(standing.exceeded for standing in misses):
            response = errors.answer(_too_many(misses))
    standings: list[Standing] = g.get("standings", [])
    if standings:
        quotas = [(standing.quota, standing) for standing in standings]
        response.headers["RateLimit-Policy"] = ", ".join(f'"{q.name}";q={q.amount};w={q.seconds}' for q, _ in quotas)
        response.headers["RateLimit"] = ", ".join(f'"{q.name}";r={s.left};t={s.resets_in}' for q, s in quotas)
    return response


def _too_many(standings: Sequence[Standing]) -> Problem:
    seconds = max(standing.resets_in for standing in standings if standing.exceeded)
    return Problem(_CODE, headers={"Retry-After": str(seconds)})


def _counted_miss() -> list[Standing]:
    limiter = _limiter()
    return [] if limiter is None else limiter.count_miss(g.limited)


def _is_miss(response: Response) -> bool:
    if response.status_code != 404 or "limited" not in g or not _is_guessable():
        return False
    return msgspec.json.decode(response.get_data(), type=_Refusal).code in _MISSES


def _is_guessable() -> bool:
    """Whether the address belongs to what is found by knowing an id or a code."""
    return f"{request.path}/".startswith(_GUESSABLE)


def _limiter() -> Limiter | None:
    limiter: Any = current_app.extensions["turncoat"].limiter
    return limiter if isinstance(limiter, Limiter) else None
