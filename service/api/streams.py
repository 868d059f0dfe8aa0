"""Live streams: server-sent events, as browsers and most HTTP clients can read them.

A stream holds no connection to the store while nothing happens. How many somebody has open is counted over all workers
by leases, which are renewed with the comment that shows that the stream lives.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import msgspec
from flask import Response, current_app, g, request

from service.api import accounts, caller
from service.api.addresses import client_network
from service.event_log import EventLog
from service.faults import trace
from service.following import Following, MatchWatch
from service.glance import Glance
from service.launcher import departures, draining
from service.problems import Problem
from service.store import Lease, Leases, StoreFull, StoreUnavailable

_log = logging.getLogger("turncoat")

MEDIA_TYPE: Final = "text/event-stream"

SCHEMA_NAME: Final = "EventStream"
SCHEMA_REFERENCE: Final = {"$ref": f"#/components/schemas/{SCHEMA_NAME}"}
SCHEMA: Final = {
    "type": "string",
    "description": "Server-sent events. `id` is the number of an event, `data` the very object that `items` of the "
    "list has for it.",
}

COMMENT: Final = b":\n\n"
"""Means nothing, and shows that the stream lives."""

_AT_ONCE: Final = 100
"""How many events are read in one trip."""


@dataclass(frozen=True)
class Streams:
    """How streams are kept.

    Attributes:
        leases: count them.
        heartbeat: seconds between two comments.
        longest: seconds after which a stream ends.
    """

    leases: Leases
    heartbeat: float
    longest: float


def wanted() -> bool:
    """Whether the caller would rather have a stream than a list."""
    accepted = request.accept_mimetypes
    stream, json = accepted[MEDIA_TYPE], accepted["application/json"]
    if stream == json:
        named = {media_type for media_type, _ in accepted}
        return bool(stream) and MEDIA_TYPE in named and "application/json" not in named
    return bool(stream > json)


def offered(documentation: dict[str, Any]) -> bool:
    """Whether flask-smorest's notes on an operation say that it answers with a stream, too."""
    answers = documentation.get("response", {}).get("responses", {}).get(200, [])
    return any(answer["content_type"] == MEDIA_TYPE for answer in answers)


def stream(match: str, after: int) -> Response:
    """A stream of what happens in a match after the event with a number.

    Raises:
        Problem: ``no-such-match``, ``too-many-streams``, and whatever else reading the match raises.
    """
    viewer = caller.viewer()
    following: Following = current_app.extensions["turncoat"].following
    settings: Streams = current_app.extensions["turncoat"].streams
    with ExitStack() as stack:
        watch = stack.enter_context(following.match(match, viewer, waiting=True))
        glance = watch.events(after, _AT_ONCE)
        who = f"player {viewer}" if viewer else f"address {client_network()}"
        lease = watch.in_turn(lambda: settings.leases.take(match, who))
        if lease is None:
            raise Problem("too-many-streams")
        stack.callback(lease.release)
        stack.enter_context(accounts.observer().waiting("stream"))
        stack.callback(departures.when_gone(request.environ.get("gunicorn.socket"), watch.end))
        lines = _Lines(watch, lease, settings, viewer, g.request_id).lines(glance)
        response = Response(lines, content_type=MEDIA_TYPE)
        response.call_on_close(stack.pop_all().close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # else nginx collects what it should pass on
    response.vary.update(("Authorization", "Accept"))
    return response


class _Lines:
    """What goes over one stream."""

    def __init__(self, watch: MatchWatch, lease: Lease, settings: Streams, viewer: str | None, request_id: str) -> None:
        self._watch = watch
        self._lease = lease
        self._heartbeat = settings.heartbeat
        self._viewer = viewer
        self._request_id = request_id
        self._end = time.monotonic() + settings.longest

    def lines(self, glance: Glance[EventLog]) -> Iterator[bytes]:
        """All of them, from the first look on. Whatever goes wrong ends the stream, and the client begins another."""
        try:
            yield from self._follow(glance)
        except (Problem, StoreUnavailable, StoreFull):
            return
        except Exception as error:  # noqa: BLE001  # the answer has begun: it cannot become a problem any more
            _log.error("stream %s failed: %s", self._request_id, trace(error))  # without its words

    def _follow(self, glance: Glance[EventLog]) -> Iterator[bytes]:
        yield COMMENT  # the client sees that the stream has begun
        beat = time.monotonic() + self._heartbeat
        while True:
            log = glance.read
            seat = glance.match.seat_of(self._viewer)
            if log.events:
                yield glance.made(("stream", seat), partial(_encoded, log, seat))
            after = log.after + len(log.events)
            if after >= log.latest and glance.match.is_over:
                return
            now = time.monotonic()
            if now >= beat:
                if not self._watch.in_turn(self._lease.renew):
                    return
                yield COMMENT
                beat = now + self._heartbeat
            if after >= log.latest and not draining.begun():
                self._watch.wait(min(beat, self._end) - now)
            if draining.begun() or self._watch.ended or time.monotonic() >= self._end:
                return
            glance = self._watch.events(after, _AT_ONCE)


def _encoded(log: EventLog, seat: int | None) -> bytes:
    """Events as they go over the wire."""
    return b"".join(
        b"id: %d\ndata: %b\n\n" % (number, msgspec.json.encode(entry))
        for number, entry in enumerate(log.entries(seat), start=log.after + 1)
    )
