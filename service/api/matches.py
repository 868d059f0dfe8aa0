"""Matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Response, current_app, request, url_for

from service.api import accounts, caller, waiting
from service.api.answers import Tagged, encoded, encoded_answer, personal, tagged, tagged_answer, unchanged
from service.api.cards import card
from service.api.contract import UNCHANGED, Blueprint, refuses
from service.api.headers import references
from service.api.once import REPLAYED, key, once, replayed
from service.change import Position
from service.following import Following
from service.identity import Player
from service.matches import Done, Matches, NewMatch
from service.schemas import matches as schemas
from service.schemas.following import Conditional, Waiting
from service.schemas.matches import REPLAY, VIEW, MatchCard
from service.times import rfc3339
from service.views import view

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches", description="What is being played")

_FOR_ALL: Final[list[dict[str, list[str]]]] = [{}, {"token": []}]
_FOR_PLAYERS: Final[list[dict[str, list[str]]]] = [{"token": []}]

DEADLINE: Final = "Decision-Deadline"


@blueprint.route("", methods=["POST"])
@refuses("no-such-match", "unreadable-match", "bad-options", "too-many-matches", body=True, repeatable=True)
@blueprint.arguments(schemas.NewMatch)
@blueprint.response(201, MatchCard, headers=references("Location", REPLAYED))
@blueprint.doc(operationId="createMatch", security=_FOR_PLAYERS)
def create_match(body: dict[str, Any]) -> Response:
    """Create a match and take its first seat.

    The options that are left out have the defaults that the catalogue shows. The card of a private match has the
    `join_code` by which others get in.
    """
    wanted = NewMatch(
        game_id=body["game"],
        seats=body["seats"],
        options=body["options"],
        visibility=body["visibility"],
        name=body.get("name"),
        move_seconds=body.get("move_seconds"),
    )
    player = caller.player()
    done = _matches().create(player, wanted, once("createMatch", player), key())
    answer = done_answer(done, player)
    answer.headers["Location"] = url_for("matches.get_match", match=done.position.match.match)
    return answer


@blueprint.route("/<match>", methods=["GET"])
@refuses("no-such-match", "unreadable-match", "busy", "store-full")
@blueprint.arguments(Waiting, location="headers")
@blueprint.response(200, MatchCard, headers=references("ETag", waiting.APPLIED))
@blueprint.alt_response(304, description=UNCHANGED, headers=references("ETag", waiting.APPLIED), success=True)
@blueprint.doc(operationId="getMatch", security=_FOR_ALL)
def get_match(headers: dict[str, Any], match: str) -> Response:
    """Show the card of a match.

    Who plays what since when, whose turn it is, and how long the match is kept. With `If-None-Match` and
    `Prefer: wait=25` the answer waits until the card is another one than you have.
    """
    viewer = caller.viewer()
    return _look(match, headers, "card", lambda position: _encoded_card(position, viewer))


@blueprint.route("/<match>/players", methods=["POST"])
@refuses(
    "no-such-match",
    "unreadable-match",
    "already-started",
    "match-full",
    "match-over",
    "seat-taken",
    "too-many-matches",
    body=True,
    repeatable=True,
)
@blueprint.arguments(schemas.NewPlayerInMatch)
@blueprint.response(201, MatchCard, headers=references(REPLAYED))
@blueprint.alt_response(
    200, schema=MatchCard, headers=references(REPLAYED), success=True, description="You have joined before"
)
@blueprint.doc(operationId="joinMatch", security=_FOR_PLAYERS)
def join_match(body: dict[str, Any], match: str) -> Response:
    """Join a match.

    The last seat that is taken starts the match. Joining twice gives the same seat again.
    """
    player = caller.player()
    done = _matches().join(match, player, body.get("seat"), body["entropy"], once("joinMatch", player))
    return done_answer(done, player)


@blueprint.route("/<match>/players/me", methods=["DELETE"])
@refuses("no-such-match", "unreadable-match", "busy", "store-full")
@blueprint.response(204)
@blueprint.doc(operationId="leaveMatch", security=_FOR_PLAYERS)
def leave_match(match: str) -> Response:
    """Leave a match.

    Before the start the seat is free again. After it a stand-in plays on, and there is no way back. A match that all
    have left is cancelled. Leaving twice, or a match that is over, changes nothing.
    """
    _matches().leave(match, caller.player())
    return personal(Response(status=204))


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
    repeatable=True,
)
@blueprint.arguments(schemas.StartMatch)
@blueprint.response(200, MatchCard, headers=references(REPLAYED))
@blueprint.doc(operationId="startMatch", security=_FOR_PLAYERS)
def start_match(body: dict[str, Any], match: str) -> Response:
    """Start a match before all its seats are taken.

    Without stand-ins, gaps close up, so seats may get new numbers; with them, one person can play alone. Only the
    creator may do this or, when gone, the player in the lowest seat; a full match starts by itself.
    """
    player = caller.player()
    done = _matches().start(match, player, stand_ins=body["stand_ins"], once=once("startMatch", player))
    return done_answer(done, player)


@blueprint.route("/<match>/view", methods=["GET"])
@refuses("no-such-match", "unreadable-match", "not-started", "busy", "store-full")
@blueprint.arguments(Waiting, location="headers")
@blueprint.response(200, VIEW.reference, headers=references("ETag", DEADLINE, waiting.APPLIED))
@blueprint.alt_response(304, description=UNCHANGED, headers=references("ETag", DEADLINE, waiting.APPLIED), success=True)
@blueprint.doc(operationId="getView", security=_FOR_ALL)
def get_view(headers: dict[str, Any], match: str) -> Response:
    """Show what you see of a match.

    The table is the same for all. `you` is what you alone know and may do; spectators have none. With `If-None-Match`
    and `Prefer: wait=25` the answer waits until you see something else than you have.
    """
    viewer = caller.viewer()
    return _look(match, headers, "view", lambda position: encoded(view(position, viewer)))


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
    repeatable=True,
)
@blueprint.arguments(schemas.NewMove)
@blueprint.response(200, VIEW.reference, headers=references("ETag", DEADLINE, REPLAYED))
@blueprint.doc(operationId="playMove", security=_FOR_PLAYERS)
def play_move(body: dict[str, Any], match: str) -> Response:
    """Answer a decision with one of its legal moves.

    Quote the decision's `id`, so that a doubled or late answer never counts for the next one. You receive what you
    see afterwards.
    """
    player = caller.player()
    done = _matches().act(match, player, body["decision"], body["move"], once("playMove", player))
    answer = personal(tagged_answer(tagged(encoded(view(done.position, player.id)))))
    return replayed(_with_deadline(answer, done.position), repeated=done.repeated)


@blueprint.route("/<match>/replay", methods=["GET"])
@refuses("no-such-match", "unreadable-match", "match-not-finished", "busy", "store-full")
@blueprint.arguments(Conditional, location="headers")
@blueprint.response(200, REPLAY.reference, headers=references("ETag"))
@blueprint.alt_response(304, description=UNCHANGED, headers=references("ETag"), success=True)
@blueprint.doc(operationId="getReplay", security=_FOR_ALL)
def get_replay(_headers: dict[str, Any], match: str) -> Response:
    """Show a finished match in full.

    With the seed, all that the players added to it, every move and every event, secrets included: enough to repeat
    the match and to check that it was committed to its shuffles from the beginning.
    """
    return personal(tagged_answer(tagged(encoded(_matches().replay(match, caller.viewer())))))


def _matches() -> Matches:
    matches: Matches = current_app.extensions["turncoat"].matches
    return matches


def _look(match: str, headers: dict[str, Any], what: str, encode: Callable[[Position], bytes]) -> Response:
    """What the caller sees of a match, waiting for something new if the caller prefers that.

    Args:
        what: tells different things to be seen apart.
        encode: makes what one sees; it depends on the seat alone.
    """
    viewer = caller.viewer()
    wait = waiting.seconds(headers["prefer"]) if "prefer" in headers and request.if_none_match else None
    following: Following = current_app.extensions["turncoat"].following

    def look() -> tuple[Position, Tagged]:
        glance = watch.position()
        return glance.read, glance.made((what, glance.match.seat_of(viewer)), lambda: tagged(encode(glance.read)))

    with following.match(match, viewer, waiting=wait is not None) as watch:
        position, body = waiting.until_new(watch, wait, look, lambda seen: not unchanged(seen[1]))
    answer = personal(tagged_answer(body))
    return waiting.applied(_with_deadline(answer, position) if what == "view" else answer, wait)


def _card(position: Position, viewer: str | None, status: int = 200) -> Response:
    """A match's card as the player with this id, or a stranger (``None``), sees it."""
    return personal(encoded_answer(_encoded_card(position, viewer), status))


def _encoded_card(position: Position, viewer: str | None) -> bytes:
    return encoded(card(position.match, viewer))


def done_answer(done: Done, player: Player) -> Response:
    """The answer to a request that changed a match: its card."""
    accounts.note_match(done.position.match.match)
    return replayed(_card(done.position, player.id, done.status), repeated=done.repeated)


def _with_deadline(answer: Response, position: Position) -> Response:
    if position.match.deadline is not None:
        # Not in the view itself: that has a hash, and stays the same while time passes.
        answer.headers[DEADLINE] = rfc3339(position.match.deadline)
    return answer
