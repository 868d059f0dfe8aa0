"""Matches in the store: read one, write one if nobody was faster.

What lies in a match is the business of the use cases; here it is bytes, which are packed on their way.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Final

from redis import Redis

from service.match import Stored, Whole
from service.memory import Memory
from service.store import keys
from service.store.connection import asked, check_writable, failures_told
from service.store.noticeboard import Notice, Noticeboard
from service.store.packing import packed, unpacked
from service.store.scripts import NO_REPLICAS, Replicas, Script, read_script

_FIELDS: Final = ["version", "stamp", "match", "state"]
_STAMP_BYTES: Final = 8

MEMORY: Final = 16 * 2**20
"""Bytes."""


class MatchStore:
    """All matches in one store. One trip to it per call; in a cluster, one to each node that has something of it.

    Every method raises ``StoreUnavailable`` when the store does not answer; what writes raises ``StoreFull`` when
    it has no room.

    Args:
        client: the store.
        replicas: who must have what was written before it counts as written.
        memory: bytes that may be taken by what the store was lately seen to have.
        board: where the workers of this machine tell each other what they have seen.
    """

    def __init__(
        self,
        client: Redis,
        replicas: Replicas = NO_REPLICAS,
        memory: int = MEMORY,
        board: Noticeboard | None = None,
    ) -> None:
        self._client = client
        self._seen: Memory[Stored] = Memory(memory)
        self._board = board
        self._replicas = replicas
        self._confirm = Script(client, read_script("confirm_match"), replicas)
        self._write = Script(client, read_script("write_match"), replicas)
        self._read_changed = Script(client, read_script("read_changed"))
        self._read_events = Script(client, read_script("read_events"))
        self._read_whole = Script(client, read_script("read_whole"))
        self._restore = Script(client, read_script("restore_match"), replicas)

    def read(self, match: str) -> Stored | None:
        """A match, or ``None`` if there is none (any more).

        One that was read or written before and has not been written since is the same object again: of that the
        store sends no more than a word.
        """
        known = self.guess(match)
        if known is None:
            fields: Any = asked(lambda: self._client.hmget(keys.record(match), _FIELDS))
        else:
            fields = asked(lambda: self._read_changed([keys.record(match)], [known.stamp]))
            if not isinstance(fields, list):
                return known
        return self._see(match, _notice(fields))

    def guess(self, match: str) -> Stored | None:
        """What the store had when this machine last heard of the match, without asking; ``None`` if it never did."""
        known = self._seen.get(match)
        if self._board is None:
            return known
        stamp = self._board.stamp(match)
        if stamp is None or (known is not None and known.stamp == stamp):
            return known
        notice = self._board.read(match)
        return known if notice is None else self._remember(match, _unpacked(notice))

    def _see(self, match: str, notice: Notice | None) -> Stored | None:
        """Remember what the store has of a match, and tell the others."""
        if notice is None:
            self._seen.forget(match)
            if self._board is not None:
                self._board.forget(match)
            return None
        self._tell(match, notice)
        return self._remember(match, _unpacked(notice))

    def _tell(self, match: str, notice: Notice) -> None:
        if self._board is not None and len(notice.stamp) == _STAMP_BYTES:
            self._board.put(match, notice)

    def _remember(self, match: str, stored: Stored) -> Stored:
        if stored.stamp:  # else nobody could tell it from what comes later
            self._seen.put(match, stored, len(stored.match) + len(stored.state))
        return stored

    def read_logs(self, match: str) -> tuple[list[bytes], list[bytes]]:
        """All events and all moves of a match, oldest first."""

        def ask() -> list[list[bytes]]:
            with self._client.pipeline(transaction=False) as both:
                both.lrange(keys.events(match), 0, -1)
                both.lrange(keys.moves(match), 0, -1)
                return both.execute()

        events, moves = asked(ask)
        return list(map(unpacked, events)), list(map(unpacked, moves))

    def read_events(self, match: str, after: int, limit: int) -> tuple[Stored | None, list[bytes], int]:
        """A match with a part of its log.

        Args:
            after: how many events, from the oldest, to skip.
            limit: how many to read at most.

        Returns:
            the match, as :meth:`read` has it; the events; how many there are in all.
        """
        fields, events, count = asked(
            lambda: self._read_events([keys.record(match), keys.events(match)], [after, after + limit - 1])
        )
        notice = _notice(fields)
        return _unpacked(notice) if notice else None, list(map(unpacked, events)), count

    def read_whole(self, match: str) -> Whole | None:
        """Everything of a match, as it was at one moment; ``None`` if there is none."""
        names = [keys.record(match), keys.events(match), keys.moves(match)]
        fields, events, moves = asked(lambda: self._read_whole(names, []))
        notice = _notice(fields)
        if notice is None:
            return None
        return Whole(_unpacked(notice), list(map(unpacked, events)), list(map(unpacked, moves)))

    def read_records(self, matches: Sequence[str]) -> list[bytes | None]:
        """Several matches without their states, in order; ``None`` for what is not there (any more)."""

        def ask() -> list[bytes | None]:
            with self._client.pipeline(transaction=False) as trip:
                for match in matches:
                    trip.hget(keys.record(match), "match")
                return trip.execute()

        return [None if record is None else unpacked(record) for record in asked(ask)]

    def write(
        self,
        match: str,
        read: Stored | None,
        record: bytes,
        state: bytes,
        *,
        lifetime: float,
        events: Sequence[bytes] = (),
        moves: Sequence[bytes] = (),
        players: Sequence[str] = (),
    ) -> bool:
        """Write a match, append to its logs, refresh the time to live of all its keys and tell who waits.

        Args:
            match: its id.
            read: what this write builds on; ``None`` to create the match.
            record: who plays what, as it shall be stored.
            state: the game's own state.
            lifetime: seconds until all of it expires.
            events: what happened, to be appended.
            moves: what was played, to be appended.
            players: ids of those whose list of matches looks different now.

        Returns:
            False, and nothing is changed, if the match is no longer as it was read.
        """
        stamp = _new_stamp()
        packed_record, packed_state = packed(record), packed(state)
        arguments: list[Any] = [
            read.version if read else 0,
            read.stamp if read else b"",
            stamp,
            int(lifetime * 1000),
            packed_record,
            packed_state,
            len(events),
            len(moves),
            *map(packed, events),
            *map(packed, moves),
            keys.changes(match),
            *map(keys.player_changes, players),
        ]
        self._seen.forget(match)  # whatever comes of this
        with failures_told():
            answer = self._write(
                keys=[keys.record(match), keys.events(match), keys.moves(match)],
                args=arguments,
            )
        if isinstance(answer, list):
            self._see(match, _notice(answer))
            return False
        version = int(answer)
        self._tell(match, Notice(version, stamp, packed_record, packed_state))
        self._remember(match, Stored(version, record, state, stamp))
        return True

    def confirm(self, match: str, read: Stored) -> bool:
        """Have the replicas confirm what was read, where they confirm what is written; else there is nothing to do.

        What somebody else wrote may be read before the replicas have it, and then be lost with the primary.

        Args:
            match: its id.
            read: what is to be acknowledged.

        Returns:
            False if the match is no longer as it was read.
        """
        if not self._replicas.count:
            return True
        with failures_told():
            return bool(self._confirm(keys=[keys.record(match)], args=[read.version, read.stamp]))

    def restore(self, match: str, whole: Whole, lifetime: float) -> bool:
        """Put a match into the store as it was in another one.

        Args:
            match: its id.
            whole: all of it.
            lifetime: seconds until all of it expires.

        Returns:
            False, and nothing is changed, if there is a match with this id.
        """
        stored, events, moves = whole
        arguments: list[Any] = [
            stored.version,
            int(lifetime * 1000),
            packed(stored.match),
            packed(stored.state),
            len(events),
            _new_stamp(),
        ]
        with failures_told():
            restored = self._restore(
                keys=[keys.record(match), keys.events(match), keys.moves(match)],
                args=[*arguments, *map(packed, [*events, *moves])],
            )
        return bool(restored)

    def check_writable(self) -> None:
        """See whether the store takes writes; raises if not."""
        check_writable(self._client)


def _notice(fields: list[bytes | None]) -> Notice | None:
    """What the store answered, if it has the match."""
    version, stamp, record, state = fields
    if version is None or record is None:
        return None
    return Notice(int(version), stamp or b"", record, state or b"")


def _unpacked(notice: Notice) -> Stored:
    return Stored(notice.version, unpacked(notice.record), unpacked(notice.state), notice.stamp)


def _new_stamp() -> bytes:
    return os.urandom(_STAMP_BYTES)
