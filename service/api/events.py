"""What happens in a match: the list of it, and the live stream."""

from __future__ import annotations

import re
from typing import Any, Final

from flask import Response, current_app, url_for

from service.api import caller, streams, waiting
from service.api.answers import encoded, encoded_answer, personal
from service.api.contract import Blueprint, refuses
from service.api.headers import references
from service.event_log import EventLog
from service.following import Following
from service.problems import Detail, FieldError, Problem
from service.schemas.following import FollowingEvents
from service.schemas.matches import EVENT_LOG, AfterEvent

blueprint = Blueprint("events", __name__, url_prefix="/v1/matches", description="What happens in a match")

_HEADERS: Final = references("Link", "Preference-Applied")


@blueprint.route("/<match>/events", methods=["GET"])
@refuses("no-such-match", "unreadable-match", "busy", "store-full", "too-many-streams")
@blueprint.arguments(AfterEvent, location="query")
@blueprint.arguments(FollowingEvents, location="headers")
@blueprint.response(200, EVENT_LOG.reference, headers=_HEADERS)
@blueprint.alt_response(
    200, schema=streams.SCHEMA_REFERENCE, content_type=streams.MEDIA_TYPE, headers=_HEADERS, success=True
)
@blueprint.doc(operationId="listEvents", security=[{}, {"token": []}])
def list_events(query: dict[str, Any], headers: dict[str, Any], match: str) -> Response:
    """List what has happened in a match, as you may know it, or follow it live.

    Everybody receives every event; what only you learned is in its `you`. Ask again with the number of the last one
    you have as `after`; there is more as long as that is less than `latest`. With `Prefer: wait=25` the answer waits
    until there is an event that you do not have, or until the match is over.

    With `Accept: text/event-stream` the events come as they happen. Each has its number as `id` and, as `data`, the
    very object that the list has. A comment now and then shows that the stream lives. It ends when the match does, or
    after some minutes: go on with a new one that begins after the last `id`. If you leave the match, you go on as
    a spectator, where there may be any.
    """
    after = query["after"] if "last_event" not in headers else _number(headers["last_event"])
    if streams.wanted():
        return streams.stream(match, after)
    return _list(match, after, query["limit"], waiting.seconds(headers.get("prefer", "")))


def _number(event: str) -> int:
    """The number of an event, as it came as its id."""
    if re.fullmatch(r"0|[1-9][0-9]{0,9}", event) is None:
        raise Problem("invalid", errors=[FieldError("Last-Event-ID", Detail("event-not-usable"))])
    return int(event)


def _list(match: str, after: int, limit: int, wait: int | None) -> Response:
    viewer = caller.viewer()
    following: Following = current_app.extensions["turncoat"].following

    def look() -> tuple[EventLog, bytes]:
        glance = watch.events(after, limit)
        seat = glance.match.seat_of(viewer)
        page = glance.made(("page", seat), lambda: encoded(glance.read.page(seat)))
        return glance.read, page

    def is_new(seen: tuple[EventLog, bytes]) -> bool:
        log = seen[0]
        return bool(log.events) or log.position.match.is_over

    with following.match(match, viewer, waiting=wait is not None) as watch:
        log, page = waiting.until_new(watch, wait, look, is_new)
    answer = personal(encoded_answer(page))
    answer.vary.add("Accept")
    last = log.after + len(log.events)
    if log.events and last < log.latest:
        more = url_for("events.list_events", match=match, after=last, limit=limit)
        answer.headers["Link"] = f'<{more}>; rel="next"'
    return waiting.applied(answer, wait)
