"""The card of a match, as one caller sees it."""

from __future__ import annotations

from typing import Any

from service.match import Match
from service.times import rfc3339


def card(match: Match, viewer: str | None) -> dict[str, Any]:
    """A match's card as the player with this id, or a stranger (``None``), sees it, ready to be encoded.

    Other players' ids are not in it, nor is the seed. It does not pass through its schema, which takes longer than
    all the rest: the tests hold every answer to the contract.
    """
    seat = match.seat_of(viewer)
    return {
        "match": match.match,
        "game": match.game,
        "name": match.name,
        "options": match.options,
        "status": match.status,
        "visibility": match.visibility,
        # To outsiders it would be a way in; once the match has started it leads nowhere.
        "join_code": match.join_code if seat is not None and match.status == "open" else None,
        "rules_version": match.rules_version,
        "seats": [
            {"seat": place, "name": seated and seated.name, "stand_in": bool(seated and seated.stand_in)}
            for place, seated in enumerate(match.seats)
        ],
        "seat": seat,
        "waiting_on": match.waiting_on,
        "commitment": match.commitment,
        "move_seconds": match.move_seconds,
        "deadline": _time(match.deadline),
        "created_at": _time(match.created_at),
        "started_at": _time(match.started_at),
        "finished_at": _time(match.finished_at),
        "expires_at": _time(match.expires_at),
    }


def _time(seconds: int | None) -> str | None:
    return None if seconds is None else rfc3339(seconds)
