"""The indexes: in which matches somebody plays, what the lobby shows, which deadlines are over, where codes lead.

They lie in slots of their own, beside the matches, and are never the truth. An entry is announced **before** the
write of the match that needs it and withdrawn after the write of one that no longer does, so a crash between the two
leaves an entry too many and never one too few. Readers believe an entry only if the match agrees, and drop it if
not, unless it was announced so shortly before that its match may be about to be written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, cast

from redis import Redis

from service.entries import DEADLINES, GRACE, Entry, Found, Place
from service.store import keys
from service.store.connection import StoreFull, StoreUnavailable, asked, failures_told
from service.store.scripts import NO_REPLICAS, Replicas, read_script

_ANNOUNCE: Final = read_script("announce_entry")
_DROP: Final = read_script("drop_entries")
_READ: Final = read_script("read_index")

_CODE: Final = "code:"
_AT_ONCE: Final = -1
"""Instead of a grace: whatever was announced, if only within this second."""


class Indexes:
    """All indexes. One trip to the store per call; in a cluster, one to each node that has something of it.

    Every method but :meth:`drop` raises ``StoreUnavailable`` when the store does not answer, and ``StoreFull`` when
    something is to be written and there is no room.

    Args:
        client: the store.
        lifetime: seconds that an entry, and an index, is kept after it was announced last. It must be longer than a
            match can live after all of its entries were announced last.
        replicas: who must have an entry before it counts as announced. In a cluster they are others than those who
            will have the match.
    """

    def __init__(self, client: Redis, lifetime: int, replicas: Replicas = NO_REPLICAS) -> None:
        self._client = client
        self._lifetime = lifetime
        self._replicas = replicas

    # --- writing ---

    def announce(self, entries: Iterable[Entry]) -> None:
        """Enter what a match needs, before the match is written."""
        confirmations: list[int] = []
        with failures_told(), self._client.pipeline(transaction=False) as trip:
            for entry in entries:
                if entry.name.startswith(_CODE):
                    key = keys.code(entry.name.removeprefix(_CODE))
                    trip.set(key, entry.match, nx=True, ex=self._lifetime)
                    trip.expire(key, self._lifetime)
                else:
                    trip.eval(_ANNOUNCE, 2, *_keys(entry.name), _member(entry), self._lifetime)
                if self._replicas.count:
                    confirmations.append(len(trip))
                    self._replicas.ask(trip)
            answers = trip.execute()
            for place in confirmations:
                self._replicas.check(answers[place])

    def withdraw(self, entries: Iterable[Entry]) -> None:
        """Take out what a match needed, after it was written.

        An entry that may return stays if it was announced within the grace: perhaps it was so just now, for a
        write that comes after the one that made it superfluous. Readers drop it later. A match keeps its join code
        for ever, so there is none to be withdrawn.
        """
        with failures_told(), self._client.pipeline(transaction=False) as trip:
            for entry in entries:
                trip.eval(_DROP, 2, *_keys(entry.name), "", GRACE if entry.may_return else _AT_ONCE, _member(entry))
            trip.execute()

    def drop(self, entries: Iterable[Entry], as_of: int | None) -> None:
        """Take out what the matches contradict, but for what was announced within the grace before it was read.

        If the store does not do it, the next reader will: what was read is no less good for that.

        Args:
            entries: what was found.
            as_of: when; see :class:`Found`. ``None``: now.
        """
        by_name: defaultdict[str, list[bytes]] = defaultdict(list)
        for entry in entries:
            by_name[entry.name].append(_member(entry))
        with suppress(StoreUnavailable, StoreFull), failures_told(), self._client.pipeline(transaction=False) as trip:
            for name, members in by_name.items():
                trip.eval(_DROP, 2, *_keys(name), "" if as_of is None else as_of, GRACE, *members)
            trip.execute()

    def reserve_code(self, code: str, match: str, lifetime: float) -> bool:
        """Make a join code lead to a match, before the match is written.

        Args:
            lifetime: seconds that the code is kept, unless the match is announced again.

        Returns:
            False, and nothing is changed, if the code leads to another match.
        """
        with failures_told():
            # With NX and GET together, the answer is what was there before.
            before = self._client.set(keys.code(code), match, nx=True, get=True, px=int(lifetime * 1000))
        return before is None or before == match.encode()

    # --- reading ---

    def match_of_code(self, code: str) -> str | None:
        """Where a join code leads. Whether the match agrees is for the caller to see."""
        match = asked(lambda: cast("bytes | None", self._client.get(keys.code(code))))
        return None if match is None else match.decode()

    def newest(self, names: Sequence[str], after: Place | None, count: int) -> Found:
        """Read several indexes as one, newest first.

        Args:
            names: of the indexes.
            after: a place that was read before, to go on after it; ``None`` to begin.
            count: how many places to find at most. Fewer are found only at the end.
        """
        top = b"+" if after is None else b"(" + _text(after)

        def ask() -> list[Any]:
            with self._client.pipeline(transaction=False) as trip:
                for name in names:
                    trip.eval(_READ, 1, keys.index(name), top, count)
                return trip.execute()

        read = asked(ask)
        # Of several clocks the slowest counts: by the others something may have been announced only just now.
        now = min((int(time) for time, _ in read), default=0)
        return _merged(dict(zip(names, (members for _, members in read), strict=True)), count, now)

    def overdue(self, now: int, count: int, after: Entry | None = None) -> list[Entry]:
        """The deadlines that are over, the longest overdue first.

        Whoever finds that a match contradicts one may drop it as soon as the grace has passed since the deadline: it
        was announced before that, if the clocks of all writers are right.

        Args:
            now: seconds since 1970; a deadline at this very second is over.
            count: how many to find at most.
            after: one that was read before, to go on after it; ``None`` to begin.
        """
        start = b"-" if after is None else b"(" + _member(after)
        end = b"(" + _text(Place(now + 1, ""))
        key = keys.index(DEADLINES)
        read = asked(lambda: cast("list[bytes]", self._client.zrangebylex(key, start, end, 0, count)))
        return [Entry(DEADLINES, *_place(member)) for member in read]

    def count_overdue(self, now: int) -> int:
        """How many deadlines are over."""
        end = b"(" + _text(Place(now + 1, ""))
        return asked(lambda: self._client.zlexcount(keys.index(DEADLINES), b"-", end))

    def size(self, names: Sequence[str]) -> int:
        """How many entries several indexes have together; the matches may contradict some of them."""
        return sum(self.sizes(names))

    def sizes(self, names: Sequence[str]) -> list[int]:
        """How many entries each of several indexes has; the matches may contradict some of them."""

        def ask() -> list[int]:
            with self._client.pipeline(transaction=False) as trip:
                for name in names:
                    trip.zcard(keys.index(name))
                return trip.execute()

        return asked(ask)


def _keys(name: str) -> tuple[str, str]:
    return keys.index(name), keys.announced(name)


def _text(place: Place) -> bytes:
    """A place in bytes that have the order of the places."""
    return f"{place.at:011d}:{place.match}".encode()


def _member(entry: Entry) -> bytes:
    return _text(Place(entry.at, entry.match))


def _place(member: bytes) -> Place:
    at, _, match = member.decode().partition(":")
    return Place(int(at), match)


def _merged(read: Mapping[str, Sequence[bytes]], count: int, as_of: int) -> Found:
    """Several indexes' entries as one list. Of equal places there is one, so no page's end can part them."""
    found: defaultdict[Place, list[Entry]] = defaultdict(list)
    for name, members in read.items():
        for member in members:
            place = _place(member)
            found[place].append(Entry(name, *place))
    places = sorted(found, key=_text, reverse=True)[:count]
    return Found(places, {place: found[place] for place in places}, as_of)
