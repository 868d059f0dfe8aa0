"""Rate limits around requests: who is refused, and what everybody is told of where they stand.

Which limits hold for an operation follows from its id. What is refused with 401 is not counted: it is refused before
anything is looked up, and nobody can guess a token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from flask import Request, Response, current_app, g, request
from flask.ctx import _AppCtxGlobals

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


def admit(asked: Request, context: _AppCtxGlobals, operation: str) -> None:
    """Count the request, and refuse it if it is one too many. What is no operation has no limits.

    Args:
        operation: the operation's id.

    Raises:
        Problem: ``too-many-requests``.
    """
    limiter = _limiter()
    if limiter is None:
        return
    player = context.player
    context.limited = caller = Caller(None if player is None else player.id, client_network())
    standings = limiter.out_of_misses(caller) if _is_guessable(asked) else []
    if not standings:
        kind = _KINDS.get(operation, "reads" if asked.method in _READING else "moves")
        standings = limiter.count(kind, caller)
    context.standings = standings
    if any(standing.exceeded for standing in standings):
        raise _too_many(standings)


def tell(response: Response, context: _AppCtxGlobals) -> Response:
    """Count a miss, and tell the caller where they stand. A miss too many is not told to be one."""
    if response.status_code == 404 and _is_miss(response):
        misses = _counted_miss()
        context.standings = [*context.standings, *misses]
        if any(standing.exceeded for standing in misses):
            response = errors.answer(_too_many(misses))
    standings: list[Standing] = context.get("standings", [])
    if standings:
        quotas = [(standing.quota, standing) for standing in standings]
        policy = ", ".join([f'"{q.name}";q={q.amount};w={q.seconds}' for q, _ in quotas])
        response.headers.add("RateLimit-Policy", policy)
        response.headers.add("RateLimit", ", ".join([f'"{q.name}";r={s.left};t={s.resets_in}' for q, s in quotas]))
    return response


def _too_many(standings: Sequence[Standing]) -> Problem:
    seconds = max(standing.resets_in for standing in standings if standing.exceeded)
    return Problem(_CODE, headers={"Retry-After": str(seconds)})


def _counted_miss() -> list[Standing]:
    limiter = _limiter()
    return [] if limiter is None else limiter.count_miss(g.limited)


def _is_miss(response: Response) -> bool:
    if "limited" not in g or not _is_guessable(request):
        return False
    return msgspec.json.decode(response.get_data(), type=_Refusal).code in _MISSES


def _is_guessable(asked: Request) -> bool:
    """Whether the address belongs to what is found by knowing an id or a code."""
    return f"{asked.path}/".startswith(_GUESSABLE)


def _limiter() -> Limiter | None:
    limiter: Any = current_app.extensions["turncoat"].limiter
    return limiter if isinstance(limiter, Limiter) else None
