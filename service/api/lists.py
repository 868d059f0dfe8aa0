"""Finding matches: the lobby and one's own."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

from flask import Response, current_app, request, url_for

from service.api import caller, waiting
from service.api.answers import Tagged, encoded, personal, tagged, tagged_answer, unchanged
from service.api.cards import card
from service.api.contract import UNCHANGED, Blueprint, refuses
from service.api.headers import references
from service.following import Following
from service.lists import Lists, Page
from service.schemas.following import Conditional, Waiting
from service.schemas.lists import LobbyQuery, MatchListAnswer, MyMatchesQuery

blueprint = Blueprint("lists", __name__, url_prefix="/v1", description="Finding matches")

_OF_MINE: Final = references("ETag", "Link", "Preference-Applied")


@blueprint.route("/matches", methods=["GET"])
@refuses("bad-cursor")
@blueprint.arguments(LobbyQuery, location="query")
@blueprint.arguments(Conditional, location="headers")
@blueprint.response(200, MatchListAnswer, headers=references("ETag", "Link"))
@blueprint.alt_response(304, description=UNCHANGED, headers=references("ETag", "Link"), success=True)
@blueprint.doc(operationId="listMatches", security=[{}, {"token": []}])
def list_matches(query: dict[str, Any], _headers: dict[str, Any]) -> Response:
    """List public matches.

    Those come first that have been open, running or over since the latest moment. A page may be shorter than asked
    for and the list still go on: it ends where `next_cursor` is null. A card shows a match as it was last changed;
    what is overdue is done when somebody looks at the match itself.
    """
    page = _lists().public(
        game=query.get("game"),
        status=query.get("status"),
        has_open_seat=query.get("has_open_seat"),
        after=query.get("cursor"),
        limit=query["limit"],
    )
    return _answer(page, _tagged(page, caller.viewer()))


@blueprint.route("/players/me/matches", methods=["GET"])
@refuses("bad-cursor")
@blueprint.arguments(MyMatchesQuery, location="query")
@blueprint.arguments(Waiting, location="headers")
@blueprint.response(200, MatchListAnswer, headers=_OF_MINE)
@blueprint.alt_response(304, description=UNCHANGED, headers=_OF_MINE, success=True)
@blueprint.doc(operationId="listMyMatches", security=[{"token": []}])
def list_my_matches(query: dict[str, Any], headers: dict[str, Any]) -> Response:
    """List the matches in which you have a seat.

    Those come first that were created last. A page may be shorter than asked for and the list still go on: it ends
    where `next_cursor` is null. With `If-None-Match` and `Prefer: wait=25` the answer waits until the page is another
    one than you have, so that one request waits for all of your matches.
    """
    player = caller.player().id
    wait = waiting.seconds(headers.get("prefer", "")) if request.if_none_match else None
    following: Following = current_app.extensions["turncoat"].following

    def read() -> Page:
        return _lists().of_player(
            player,
            status=query.get("status"),
            waiting_on_me=query.get("waiting_on_me"),
            after=query.get("cursor"),
            limit=query["limit"],
        )

    def look() -> tuple[Page, Tagged]:
        page = read() if watch is None else watch.in_turn(read)
        return page, _tagged(page, player)

    with nullcontext() if wait is None else following.player(player) as watch:
        page, body = waiting.until_new(watch, wait, look, lambda seen: not unchanged(seen[1]))
    return waiting.applied(_answer(page, body), wait)


def _lists() -> Lists:
    lists: Lists = current_app.extensions["turncoat"].lists
    return lists


def _tagged(page: Page, viewer: str | None) -> Tagged:
    """A page as the player with this id, or a stranger (``None``), sees it."""
    items = [card(match, viewer) for match in page.matches]
    return tagged(encoded({"items": items, "next_cursor": page.next_cursor}))


def _answer(page: Page, body: Tagged) -> Response:
    answer = personal(tagged_answer(body))
    if page.next_cursor is not None:
        asked: dict[str, Any] = request.args.to_dict()
        more = url_for(str(request.endpoint), **{**asked, "cursor": page.next_cursor})
        answer.headers["Link"] = f'<{more}>; rel="next"'
    return answer
