"""How a match is read and written: decoded and encoded, overdue decisions made first, indexes kept in step.

The indexes are never the truth. What a write will make true is entered before it, what it has made untrue is dropped
after it; so a crash in between leaves at worst an entry too many, which readers find out, and never one too few.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar, cast

import msgspec

from engine.game import AnyGame, UnreadableState
from service.change import Change, Position, play_overdue
from service.entries import GRACE, Entry, Grounds, entries, entries_on, grounds
from service.event_log import EventLog
from service.faults import trace
from service.glance import Glance
from service.guesses import Guesses
from service.match import LoggedEvent, LoggedMove, Match, Status, Stored, Whole
from service.memory import Memory
from service.problems import Problem
from service.store.connection import StoreFull, StoreUnavailable
from service.telemetry.observer import NOBODY, Observer

Answer = TypeVar("Answer")

_log = logging.getLogger("turncoat")

MOST_RACES: Final = 50
"""How often a change begins again because somebody else was faster, before it gives up."""

MEMORY: Final = 32 * 2**20
"""Bytes."""

_WEIGHT: Final = 20
"""How much more a match takes that is decoded, with what was made of it for all its viewers: more than ever seen."""


class Store(Protocol):
    """What is needed of a store; :class:`service.store.MatchStore` says what each does."""

    def read(self, match: str) -> Stored | None: ...  # noqa: D102
    def guess(self, match: str) -> Stored | None: ...  # noqa: D102
    def read_events(self, match: str, after: int, limit: int) -> tuple[Stored | None, list[bytes], int]: ...  # noqa: D102
    def read_logs(self, match: str) -> tuple[list[bytes], list[bytes]]: ...  # noqa: D102
    def read_whole(self, match: str) -> Whole | None: ...  # noqa: D102
    def restore(self, match: str, whole: Whole, lifetime: float) -> bool: ...  # noqa: D102
    def confirm(self, match: str, read: Stored) -> bool: ...  # noqa: D102
    def write(  # noqa: D102
        self,
        match: str,
        read: Stored | None,
        record: bytes,
        state: bytes,
        *,
        lifetime: float,
        events: Sequence[bytes] = ...,
        moves: Sequence[bytes] = ...,
        players: Sequence[str] = ...,
    ) -> bool: ...


class Index(Protocol):
    """What is needed of the indexes; :class:`service.store.Indexes` says what each does."""

    def announce(self, entries: Iterable[Entry]) -> None: ...  # noqa: D102
    def withdraw(self, entries: Iterable[Entry]) -> None: ...  # noqa: D102
    def drop(self, entries: Iterable[Entry], as_of: int | None) -> None: ...  # noqa: D102
    def reserve_code(self, code: str, match: str, lifetime: float) -> bool: ...  # noqa: D102
    def match_of_code(self, code: str) -> str | None: ...  # noqa: D102
    def overdue(self, now: int, count: int, after: Entry | None) -> list[Entry]: ...  # noqa: D102


@dataclass(frozen=True)
class Lifetimes:
    """Seconds that a match is kept after the latest write, by its status."""

    open: int
    playing: int
    finished: int

    def of(self, status: Status) -> int:
        """How long a match with this status is kept."""
        return {"open": self.open, "playing": self.playing}.get(status, self.finished)


class Archive:
    """All matches, decoded.

    Args:
        store: where they lie.
        indexes: by which they are found.
        games: the catalogue, by id.
        lifetimes: how long they are kept.
        clock: the time, in seconds since 1970.
        observer: is told what becomes of them.
        memory: bytes that the decoded matches may take which are kept for those who look again.

    Every method raises ``Problem``: ``no-such-match`` where there is none, ``unreadable-match`` where this version of
    the rules cannot read it; and what the store raises when it fails.
    """

    def __init__(
        self,
        store: Store,
        indexes: Index,
        games: Mapping[str, AnyGame],
        lifetimes: Lifetimes,
        clock: Callable[[], float],
        *,
        observer: Observer = NOBODY,
        memory: int = MEMORY,
    ) -> None:
        self._store = store
        self._observer = observer
        self._indexes = indexes
        self._games = games
        self._lifetimes = lifetimes
        self._clock = clock
        self._broken: set[str] = set()
        self._glances: Memory[tuple[Stored, Glance[Position]]] = Memory(memory)
        self._swept: Entry | None = None
        self._guesses = Guesses()

    def now(self) -> int:
        """The time, in whole seconds since 1970."""
        return int(self._clock())

    def find(self, match_id: str, viewer: str | None) -> Position | None:
        """A match as it stands, like :meth:`current`; ``None`` if there is none, and not if it is hidden."""
        return None if self._store.read(match_id) is None else self.current(match_id, viewer)

    def glance(self, match_id: str, viewer: str | None) -> Glance[Position]:
        """A match as it stands, like :meth:`current`, with what was made of it for others before, if it is unchanged.

        The store is asked in any case. What it has is told by the stamp of its last write, so what is remembered
        cannot be of another history of the match.
        """
        return self._glance(match_id, _shown_to(viewer))

    def glance_for_all(self, match_id: str) -> Glance[Position]:
        """The same for several who look at once; each may see it only if it is still shown to them."""
        return self._glance(match_id, _anybody)

    def _glance(self, match_id: str, admits: Callable[[Match], bool]) -> Glance[Position]:
        for _ in range(MOST_RACES):
            stored = self._read(match_id)
            remembered = self._glances.get(match_id)
            if remembered is not None and remembered[0] is stored:
                glance = remembered[1]
                _admit(glance.read.match, admits)
                if not glance.read.match.overdue(self.now()):
                    return glance
            change = self._opened(stored, admits)  # afresh: what is remembered is not played on with
            if not self._played_overdue(stored, change):
                glance = Glance(change.position)
                self._glances.put(match_id, (stored, glance), _WEIGHT * (len(stored.match) + len(stored.state)))
                return glance
        raise Problem("busy")

    def current(self, match_id: str, viewer: str | None) -> Position:
        """A match as it stands, after decisions that are overdue have been made.

        Args:
            viewer: the id of the player who looks; ``None`` for somebody without a token. To others than those to
                whom it is shown there is no such match.
        """
        return self.glance(match_id, viewer).read

    def events(self, match_id: str, viewer: str | None, after: int, limit: int) -> EventLog:
        """A match as it stands with some of its events, after the first ``after`` ones."""
        return self._events(match_id, _shown_to(viewer), after, limit)

    def events_for_all(self, match_id: str, after: int, limit: int) -> EventLog:
        """The same for several who look at once; each may see it only if it is still shown to them."""
        return self._events(match_id, _anybody, after, limit)

    def _events(self, match_id: str, admits: Callable[[Match], bool], after: int, limit: int) -> EventLog:
        def read() -> tuple[Stored | None, tuple[list[bytes], int]]:
            stored, events, count = self._store.read_events(match_id, after, limit)
            return stored, (events, count)

        position, (events, count) = self._current(admits, read)
        decoder = msgspec.msgpack.Decoder(LoggedEvent[position.game.event_type])  # type: ignore[name-defined]  # known at run time
        try:
            return EventLog(position, after, [decoder.decode(event) for event in events], count)
        except msgspec.DecodeError as error:
            raise Problem("unreadable-match") from error

    def logs(self, match_id: str, viewer: str | None) -> tuple[Position, list[bytes], list[bytes]]:
        """A match as it stands, all of its events and all of its moves, as stored."""
        position = self.current(match_id, viewer)
        return position, *self._store.read_logs(match_id)

    def change(self, match_id: str, admits: Callable[[Match], bool], edit: Callable[[Change], Answer]) -> Answer:
        """Read, let ``edit`` change what was read, write; again if somebody was faster.

        What the store is known to have had lately counts as read, as long as it mostly still has it: a write that
        builds on anything else is refused. Before anything but such a write comes of a guess, the store is asked.

        Args:
            admits: whether the match is there for whoever asks. If not, nothing at all is done.

        Raises:
            Problem: ``busy`` after too many such races.
        """
        for _ in range(MOST_RACES):
            stored, guessed = self._to_build_on(match_id)
            try:
                change = self._opened(stored, admits)
                before = grounds(change.match)
                overdue = change.match.overdue(change.now)
                answer = None if overdue else edit(change)
            except Problem:
                if guessed and not self._still(match_id, stored):
                    continue
                raise
            after = grounds(change.match)
            more_than_a_write = overdue or after != before or change.nothing_to_write
            if guessed and more_than_a_write and not self._still(match_id, stored):
                continue
            if overdue:
                self._played_overdue(stored, change)
                continue
            if change.nothing_to_write:
                done = self._store.confirm(match_id, stored)  # the answer rests on what somebody else has written
            else:
                done = self._write(stored, change, before, after)
                if guessed:
                    self._guesses.note(right=done)
            if done:
                return cast("Answer", answer)
        raise Problem("busy")

    def _to_build_on(self, match_id: str) -> tuple[Stored, bool]:
        """A match to be changed, and whether that is a guess; where those are seldom right, the store is asked."""
        guess = self._store.guess(match_id)
        if guess is not None and self._guesses.pay:
            return guess, True
        stored = self._read(match_id)
        if guess is not None:
            self._guesses.note(right=stored.stamp == guess.stamp)
        return stored, False

    def _still(self, match_id: str, guess: Stored) -> bool:
        """Whether the store has what it was guessed to have."""
        stored = self._store.read(match_id)
        right = stored is not None and stored.stamp == guess.stamp
        self._guesses.note(right=right)
        return right

    def write(self, read: Stored | None, change: Change, before: Grounds | None = None) -> bool:
        """Write a changed or a new match, unless somebody was faster.

        Args:
            read: what the change builds on; ``None`` for a new match.
            before: what the entries of that followed from.
        """
        return self._write(read, change, before, grounds(change.match))

    def _write(self, read: Stored | None, change: Change, before: Grounds | None, after: Grounds) -> bool:
        """The same, with what the entries follow from that it needs now."""
        match = change.match
        lifetime = self._lifetimes.of(match.status)
        match.expires_at = change.now + lifetime
        announced, withdrawn = _differences(before, after)
        if change.now - match.indexed_at > min(self._lifetimes.open, self._lifetimes.playing) // 4:
            # Long matches outlive the indexes' own times to live; so now and then all is entered anew.
            match.indexed_at = change.now
            announced = entries_on(after)
        announced_at = self._clock()
        if announced:
            self._indexes.announce(announced)
        written = self._store.write(
            match.match,
            read,
            msgspec.msgpack.encode(match),
            change.game.dump(change.state) if change.state is not None else b"",
            lifetime=lifetime,
            events=[msgspec.msgpack.encode(LoggedEvent(change.now, event)) for event in change.events],
            moves=[msgspec.msgpack.encode(move) for move in change.moves],
            players=[*match.players(), *change.told],
        )
        if written:
            # The match is written, whatever comes of this; readers find superfluous entries out.
            with suppress(StoreUnavailable, StoreFull):
                if self._clock() - announced_at > GRACE // 2:
                    # Somebody stopped this process: meanwhile a reader may have dropped what was announced.
                    self._indexes.announce(entries_on(after))
                if withdrawn:
                    self._indexes.withdraw(withdrawn)
        self._tell(change, written=written)
        return written

    def _tell(self, change: Change, *, written: bool) -> None:
        """Tell the observer what came of a write."""
        match = change.match
        if not written:
            self._observer.race_lost()
            return
        if match.status != change.was:
            self._observer.match_written(match.game, change.was, match.status)
        if change.moves:
            stood_in = sum(move.stand_in for move in change.moves)
            self._observer.moves_written(match.game, len(change.moves) - stood_in, stood_in)

    def whole(self, match_id: str) -> Whole:
        """All that is stored of a match, as it is: nothing is decoded, and nothing that is overdue is done."""
        whole = self._store.read_whole(match_id)
        if whole is None:
            raise Problem("no-such-match")
        return whole

    def restore(self, match_id: str, whole: Whole) -> Status:
        """Put a match into the store as it was in another one. Who is to decide gets the time for it anew.

        Raises:
            ValueError: its parts do not belong together.
            Problem: ``already-started`` where a match has its id or its join code.
        """
        change = self._opened(whole.stored, _anybody)
        match = change.match
        _check_logs(match_id, match, whole, change.game)
        lifetime = self._lifetimes.of(match.status)
        match.expires_at, match.indexed_at = change.now + lifetime, change.now
        if match.move_seconds is not None and match.deadline is not None:
            match.deadline = change.now + match.move_seconds
        if self._store.read(match_id) is not None:
            raise Problem("already-started")
        if match.join_code is not None and not self._indexes.reserve_code(match.join_code, match_id, lifetime):
            raise Problem("already-started")
        self._indexes.announce(entries(match))
        stored = whole.stored._replace(match=msgspec.msgpack.encode(match))
        if not self._store.restore(match_id, whole._replace(stored=stored), lifetime):
            raise Problem("already-started")
        return match.status

    def reserve_code(self, code: str, match_id: str) -> bool:
        """Have a join code lead to a match; false if it leads to another one."""
        return self._indexes.reserve_code(code, match_id, self._lifetimes.open)

    def match_of_code(self, code: str) -> str | None:
        """The id of the match that a join code leads to."""
        return self._indexes.match_of_code(code)

    def sweep(self, most: int) -> int:
        """Have stand-ins make decisions that are overdue. Several processes may do this at once.

        Args:
            most: how many entries to look at.

        Returns:
            how many there were, stale ones included.
        """
        due = self._indexes.overdue(self.now(), most, self._swept)
        for entry in due:
            try:
                self._sweep(entry)
            except (StoreUnavailable, StoreFull):
                raise
            except Exception as error:  # noqa: BLE001  # all others would wait for ever behind a match that is broken
                self._tell_once(entry.match, error)
        # Next time it goes on from here: entries that cannot be cleared away must not stand before all others.
        self._swept = due[-1] if len(due) == most else None
        return len(due)

    def _sweep(self, entry: Entry) -> None:
        """Look at one match of which it is said that a decision in it is overdue."""
        stored = self._store.read(entry.match)
        try:
            change = None if stored is None else self._opened(stored, _anybody)
        except Problem:
            return  # of another version, which will see to it
        if stored and change and self._played_overdue(stored, change):
            return
        if entry.at < self.now() - GRACE and (change is None or entry not in entries(change.match)):
            # Not withdrawn: our clock may be ahead, and this the entry of a write that is yet to come.
            self._indexes.drop([entry], None)

    def _tell_once(self, match_id: str, error: Exception) -> None:
        """Put into the log that a match is broken, the first time that it is met."""
        if match_id not in self._broken:
            self._broken.add(match_id)
            _log.error("overdue decisions in match %s cannot be made: %s", match_id, trace(error))

    # --- what all of this is made of ---

    def _read(self, match_id: str) -> Stored:
        stored = self._store.read(match_id)
        if stored is None:
            raise Problem("no-such-match")
        return stored

    def _current(
        self, admits: Callable[[Match], bool], read: Callable[[], tuple[Stored | None, Answer]]
    ) -> tuple[Position, Answer]:
        for _ in range(MOST_RACES):
            stored, more = read()
            if stored is None:
                raise Problem("no-such-match")
            change = self._opened(stored, admits)
            if not self._played_overdue(stored, change):
                return change.position, more
        raise Problem("busy")

    def _played_overdue(self, stored: Stored, change: Change) -> bool:
        """Make decisions that are overdue. If there were any, the match is to be read again: by whoever was faster."""
        if not change.match.overdue(change.now):
            return False
        before = grounds(change.match)
        play_overdue(change)
        self.write(stored, change, before)
        return True

    def _opened(self, stored: Stored, admits: Callable[[Match], bool]) -> Change:
        """Decode what was read; a fresh copy each time, so that a failed attempt leaves nothing behind.

        Whom the match does not admit learns nothing of it, not even that it cannot be read.
        """
        try:
            match = _MATCH.decode(stored.match)
        except msgspec.DecodeError as error:
            with suppress(msgspec.DecodeError):
                _admit(_FOREIGN.decode(stored.match), admits)
            raise Problem("unreadable-match") from error
        _admit(match, admits)
        try:
            game = self._games[match.game]
            state = game.load(stored.state) if stored.state else None
        except (msgspec.DecodeError, UnreadableState, KeyError) as error:
            raise Problem("unreadable-match") from error
        if match.rules_version != game.rules_version:
            raise Problem("unreadable-match")  # before the start there is no state that would tell
        return Change(game, match, state, self._clock(), was=match.status)


def _differences(before: Grounds | None, after: Grounds) -> tuple[frozenset[Entry], frozenset[Entry]]:
    """The entries that a write will make true, and those that it makes untrue. Mostly there are none."""
    if before == after:
        return frozenset(), frozenset()
    had, needs = entries_on(before) if before else frozenset(), entries_on(after)
    return needs - had, had - needs


def _admit(match: Match, admits: Callable[[Match], bool]) -> None:
    if not admits(match):
        raise Problem("no-such-match")


def _check_logs(match_id: str, match: Match, whole: Whole, game: AnyGame) -> None:
    """See that the parts of a match belong together and can be read; raises ``ValueError`` if not."""
    if match.match != match_id:
        raise ValueError("it is another match than the file says")
    if match.moves != len(whole.moves):
        raise ValueError("moves are missing, or too many")
    event_type = LoggedEvent[game.event_type]  # type: ignore[name-defined]  # known at run time
    for event in whole.events:
        msgspec.msgpack.decode(event, type=event_type)
    for move in whole.moves:
        msgspec.convert(msgspec.msgpack.decode(move, type=LoggedMove).move, game.move_type)


class _Foreign(Match, forbid_unknown_fields=False):
    """A match that another version of the service has written: enough of it to see whom it admits."""


_MATCH: Final = msgspec.msgpack.Decoder(Match)
_FOREIGN: Final = msgspec.msgpack.Decoder(_Foreign)


def _shown_to(viewer: str | None) -> Callable[[Match], bool]:
    return lambda match: match.shown_to(viewer)


def _anybody(_: Match) -> bool:
    return True
