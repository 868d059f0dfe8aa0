"""Following: looking at a match again whenever it may look different. No HTTP.

A watcher registers first and reads afterwards, so nothing falls between. When something changes, one of all who watch
the same match in this process reads it, and the others take what was read. Whoever then sees nothing new goes on
watching, so that nobody learns from an answer that something happened that they may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, Protocol

from service.archive import Archive
from service.change import Position
from service.event_log import EventLog
from service.glance import Glance, Made, Read
from service.problems import Problem
from service.store import Feed, Listener, keys

_SHORTEST_WAIT: Final = 0.05
"""Seconds that are waited for a deadline at least, lest somebody whose clock is not quite ours spins."""


class Watch(Protocol):
    """Somebody's watch over something that changes."""

    def wait(self, seconds: float) -> object:
        """Wait until what was seen may look different, or for so long."""

    def in_turn(self, use: Callable[[], Made]) -> Made:
        """Use the store, as one of not too many."""


class MatchWatch:
    """Somebody's watch over one match; made by :meth:`Following.match`.

    Args:
        listener: hears of changes; ``None`` for a single look.

    Attributes:
        ended: whether somebody else has ended the watch.
    """

    def __init__(
        self, archive: Archive, clock: Callable[[], float], match_id: str, viewer: str | None, listener: Listener | None
    ) -> None:
        self._archive = archive
        self._clock = clock
        self._match_id = match_id
        self._viewer = viewer
        self._listener = listener
        self._looked = False
        self._deadline: int | None = None
        self.ended = False

    def position(self) -> Glance[Position]:
        """Look at the match.

        Raises:
            Problem: ``no-such-match``, ``unreadable-match``, ``busy``.
        """
        return self._look(
            "position",
            lambda: self._archive.glance(self._match_id, self._viewer),
            lambda: self._archive.glance_for_all(self._match_id),
        )

    def events(self, after: int, limit: int) -> Glance[EventLog]:
        """Look at what happened in the match after the event with a number.

        Raises:
            Problem: ``no-such-match``, ``unreadable-match``, ``busy``.
        """
        return self._look(
            ("events", after, limit),
            lambda: Glance(self._archive.events(self._match_id, self._viewer, after, limit)),
            lambda: Glance(self._archive.events_for_all(self._match_id, after, limit)),
        )

    def wait(self, seconds: float) -> None:
        """Wait until the match may look different, or for so long. A deadline is a change."""
        assert self._listener is not None  # who looks once does not wait
        if self._deadline is not None:
            seconds = min(seconds, max(self._deadline - self._clock(), _SHORTEST_WAIT))
        self._listener.wait(seconds)

    def end(self) -> None:
        """End the watch for the one who watches, who may be waiting. This does not block."""
        self.ended = True
        if self._listener is not None:
            self._listener.wake()

    def in_turn(self, use: Callable[[], Made]) -> Made:
        """Use the store; who waits, only as one of not too many."""
        return use() if self._listener is None else self._listener.in_turn(use)

    def _look(
        self, what: Hashable, alone: Callable[[], Glance[Read]], for_all: Callable[[], Glance[Read]]
    ) -> Glance[Read]:
        """Read, the first time alone: whether there is such a match for this viewer comes before all else."""
        if self._looked and self._listener is not None:
            # What was read before a deadline is of no use after it, though nobody has told of a change yet.
            over = self._deadline if self._deadline is not None and self._deadline <= self._clock() else None
            glance = self._listener.shared((what, over), for_all)
        else:
            glance = self.in_turn(alone)
        if not glance.match.shown_to(self._viewer):
            raise Problem("no-such-match")
        self._looked = True
        self._deadline = glance.match.deadline
        return glance


class Following:
    """Whatever can be followed.

    Args:
        archive: reads the matches.
        feed: tells of changes.
        clock: the time, in seconds since 1970.
    """

    def __init__(self, archive: Archive, feed: Feed, clock: Callable[[], float]) -> None:
        self._archive = archive
        self._feed = feed
        self._clock = clock

    @contextmanager
    def match(self, match_id: str, viewer: str | None, *, waiting: bool) -> Iterator[MatchWatch]:
        """A watch over one match.

        Args:
            viewer: the id of the player who watches; ``None`` for somebody without a token.
            waiting: whether the watcher will wait; else this is for a single look.

        Raises:
            StoreUnavailable: nobody would be told of changes.
        """
        if not waiting:
            yield MatchWatch(self._archive, self._clock, match_id, viewer, None)
            return
        with self._feed.listen(keys.changes(match_id)) as listener:
            yield MatchWatch(self._archive, self._clock, match_id, viewer, listener)

    def player(self, player: str) -> AbstractContextManager[Watch]:
        """A watch over all matches in which a player has a seat.

        Raises:
            StoreUnavailable: nobody would be told of changes.
        """
        return self._feed.listen(keys.player_changes(player))
