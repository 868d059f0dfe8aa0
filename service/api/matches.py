"""Matches."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from flask import Response, current_app, url_for

from engine.game import Seat
from service.api import caller
from service.api.answers import conditional, json_answer, personal
from service.api.contract import UNCHANGED, Blueprint, refuses
from service.match import Match
from service.matches import Matches
from service.schemas.matches import REPLAY, VIEW, MatchCard, NewMatch, NewMove, NewPlayerInMatch, StartMatch

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches", description="What is being played")

_FOR_ALL: Final[list[dict[str, list[str]]]] = [{}, {"token": []}]
_FOR_PLAYERS: Final[list[dict[str, list[str]]]] = [{"token": []}]


@blueprint.route("", methods=["POST"])
@refuses("bad-options", body=True)
@blueprint.arguments(NewMatch)
@blueprint.response(201, MatchCard)
@blueprint.doc(operationId="createMatch", security=_FOR_PLAYERS)
def create_match(body: dict[str, Any]) -> Response:
    """Create a match and take its first seat.

    The options that are left out have the defaults that the catalogue shows.
    """
    match, seat, _ = _matches().create(
        caller.player(),
        game_id=body["game"],
        seats=body["seats"],
        options=body["options"],
        visibility=body["visibility"],
        name=body.get("name"),
    )
    answer = _card(match, seat, 201)
    answer.headers["Location"] = url_for("matches.get_match", match=match.match)
    return answer


@blueprint.route("/<match>", methods=["GET"])
@refuses("no-such-match", "unreadable-match")
@blueprint.response(200, MatchCard)
@blueprint.alt_response(304, description=UNCHANGED, success=True)
@blueprint.doc(operationId="getMatch", security=_FOR_ALL)
def get_match(match: str) -> Response:
    """Show the card of a match.

    Who plays what since when, whose turn it is, and how long the match is kept.
    """
    card = _matches().card(match)
    player = caller.viewer()
    return conditional(_card(card, None if player is None else card.seat_of(player.id)))


@blueprint.route("/<match>/players", methods=["POST"])
@refuses("no-such-match", "unreadable-match", "already-started", "match-full", "seat-taken", body=True)
@blueprint.arguments(NewPlayerInMatch)
@blueprint.response(201, MatchCard)
@blueprint.alt_response(200, schema=MatchCard, success=True, description="You have joined before")
@blueprint.doc(operationId="joinMatch", security=_FOR_PLAYERS)
def join_match(body: dict[str, Any], match: str) -> Response:
    """Join a match.

    The last seat that is taken starts the match. Joining twice gives the same seat again.
    """
    joined = _matches().join(match, caller.player(), body.get("seat"), body["entropy"])
    return _card(joined.match, joined.seat, 201 if joined.newly else 200)


@blueprint.route("/<match>/start", methods=["POST"])
@refuses(
    "no-such-match",
    "unreadable-match",
    "not-a-player",
    "not-the-creator",
    "already-started",
    "too-few-players",
    "bad-options",
    body=True,
)
@blueprint.arguments(StartMatch)
@blueprint.response(200, MatchCard)
@blueprint.doc(operationId="startMatch", security=_FOR_PLAYERS)
def start_match(_body: dict[str, Any], match: str) -> Response:
    """Start a match with the seats that are taken.

    Gaps close up, so seats may get new numbers. Only the creator may do this; a full match starts by itself.
    """
    player = caller.player()
    started = _matches().start(match, player)
    return _card(started, started.seat_of(player.id))


@blueprint.route("/<match>/view", methods=["GET"])
@refuses("no-such-match", "unreadable-match", "not-started")
@blueprint.response(200, VIEW.reference)
@blueprint.alt_response(304, description=UNCHANGED, success=True)
@blueprint.doc(operationId="getView", security=_FOR_ALL)
def get_view(match: str) -> Response:
    """Show what you see of a match.

    The table is the same for all. `you` is what you alone know and may do; spectators have none.
    """
    return conditional(personal(json_answer(_matches().view(match, caller.viewer()))))


@blueprint.route("/<match>/moves", methods=["POST"])
@refuses(
    "no-such-match",
    "unreadable-match",
    "not-a-player",
    "not-started",
    "decision-closed",
    "match-over",
    "not-your-decision",
    "illegal-move",
    body=True,
)
@blueprint.arguments(NewMove)
@blueprint.response(200, VIEW.reference)
@blueprint.doc(operationId="playMove", security=_FOR_PLAYERS)
def play_move(body: dict[str, Any], match: str) -> Response:
    """Answer a decision with one of its legal moves.

    Quote the decision's `id`, so that a doubled or late answer never counts for the next one. You receive what you
    see afterwards.
    """
    seen = _matches().act(match, caller.player(), body["decision"], body["move"])
    return conditional(personal(json_answer(seen)))


@blueprint.route("/<match>/replay", methods=["GET"])
@refuses("no-such-match", "unreadable-match", "match-not-finished")
@blueprint.response(200, REPLAY.reference)
@blueprint.alt_response(304, description=UNCHANGED, success=True)
@blueprint.doc(operationId="getReplay", security=_FOR_ALL)
def get_replay(match: str) -> Response:
    """Show a finished match in full.

    With the seed, all that the players added to it, every move and every event, secrets included: enough to repeat
    the match and to check that it was committed to its shuffles from the beginning.
    """
    return conditional(personal(json_answer(_matches().replay(match))))


def _matches() -> Matches:
    matches: Matches = current_app.extensions["turncoat"].matches
    return matches


def _card(match: Match, seat: Seat | None, status: int = 200) -> Response:
    """A match's card as the one in ``seat`` sees it."""
    card = {
        "match": match.match,
        "game": match.game,
        "name": match.name,
        "options": match.options,
        "status": match.status,
        "visibility": match.visibility,
        "rules_version": match.rules_version,
        "seats": [{"seat": place, "name": seated and seated.name} for place, seated in enumerate(match.seats)],
        "seat": seat,
        "waiting_on": match.waiting_on,
        "commitment": match.commitment,
        "created_at": _time(match.created_at),
        "started_at": _time(match.started_at),
        "finished_at": _time(match.finished_at),
        "expires_at": _time(match.expires_at),
    }
    return personal(json_answer(MatchCard().dump(card), status))


def _time(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
