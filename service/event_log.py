"""What has happened in a match, as one viewer reads it.

The types are made here once per game, so that each game has a log entry type of its own. The numbering is the same for
all viewers, since everybody receives every event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import GenericAlias
from typing import Any, Final, NamedTuple

import msgspec

from engine.catalogue import GAMES
from engine.game import AnyGame, Seat
from engine.replay import Moment
from service.change import Position
from service.match import LoggedEvent, Status
from service.times import rfc3339


class LogTypes:
    """The types of one game's log: an ``entry``, and the ``page`` that lists some."""

    def __init__(self, game: AnyGame) -> None:
        name = type(game).__name__
        self.entry = msgspec.defstruct(
            f"{name}LogEntry",
            [("number", int), ("at", Moment), ("event", game.event_type)],
            namespace={"__doc__": _ENTRY_DOC},
            frozen=True,
            kw_only=True,
        )
        self.page = msgspec.defstruct(
            f"{name}Events",
            [
                ("match", str),
                ("status", Status),
                ("items", GenericAlias(list, (self.entry,))),
                ("latest", int),
            ],
            namespace={"__doc__": _PAGE_DOC},
            tag_field="game",
            tag=game.id,
            frozen=True,
            kw_only=True,
        )


_ENTRY_DOC = """One thing that happened, as you may know it.

Attributes:
    number: its place in the log, from 1; the same for everybody.
    at: when it happened (RFC 3339).
    event: what happened; `you` in it is what you alone learned.
"""

_PAGE_DOC = """What has happened in a match, oldest first.

Attributes:
    match: the id of the match.
    status: of the match.
    items: the events after the one asked for; empty if there are none yet.
    latest: the number of the latest event there is; 0 before the start.
"""

LOG_TYPES: Final = {id_: LogTypes(game) for id_, game in GAMES.items()}


class EventLog(NamedTuple):
    """A part of a match's log, for all its readers.

    Attributes:
        position: the match that it belongs to, as of the same moment.
        after: how many events come before this part.
        events: the events as they were logged.
        latest: the number of the latest event there is.
    """

    position: Position
    after: int
    events: Sequence[LoggedEvent[Any]]
    latest: int

    def entries(self, viewer: Seat | None) -> Iterator[msgspec.Struct]:
        """The events as a seat, or a spectator (``None``), reads them."""
        types = LOG_TYPES[self.position.game.id]
        for number, logged in enumerate(self.events, start=self.after + 1):
            yield types.entry(number=number, at=rfc3339(logged.at), event=logged.event.seen_by(viewer))

    def page(self, viewer: Seat | None) -> msgspec.Struct:
        """The whole part, for a seat or a spectator (``None``)."""
        match = self.position.match
        page: msgspec.Struct = LOG_TYPES[match.game].page(
            match=match.match, status=match.status, items=list(self.entries(viewer)), latest=self.latest
        )
        return page
