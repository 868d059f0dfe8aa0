"""The use cases of finding matches: the lobby, a player's own matches, and how many of these are not over.

What the indexes name is looked up and believed only if the match agrees. Whatever the filters leave out, a request
reads no more than a fixed number of matches; then the page is a short one and says where to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, get_args

import msgspec

from engine.game import AnyGame
from service.cursors import cursor, place_of
from service.entries import Entry, Found, Place, entries, lobby, of_player
from service.match import Match, Status
from service.problems import Problem

STATUSES: Final[tuple[Status, ...]] = get_args(Status)

MOST_READ: Final = 400
"""How many matches a request looks at, at most; it may pass this by one chunk."""

_CHUNK: Final = 100
"""How many of them in one trip, where the first ones were not enough."""


class Records(Protocol):
    """What lists need of the matches' store; :class:`service.store.MatchStore` says what it does."""

    def read_records(self, matches: Sequence[str]) -> list[bytes | None]: ...  # noqa: D102


class Index(Protocol):
    """What lists need of the indexes; :class:`service.store.Indexes` says what each does."""

    def newest(self, names: Sequence[str], after: Place | None, count: int) -> Found: ...  # noqa: D102
    def drop(self, entries: Iterable[Entry], as_of: int) -> None: ...  # noqa: D102
    def size(self, names: Sequence[str]) -> int: ...  # noqa: D102


class Page(NamedTuple):
    """A part of a list.

    Attributes:
        matches: what it shows.
        next_cursor: where to go on; ``None`` at the end.
    """

    matches: list[Match]
    next_cursor: str | None


class Lists:
    """All lists of matches.

    Args:
        records: where the matches lie.
        indexes: by what they are found.
        games: the catalogue, by id.
        most_per_player: in how many matches that are not over a player may sit.

    Every method raises what the store raises when it fails.
    """

    def __init__(self, records: Records, indexes: Index, games: Mapping[str, AnyGame], most_per_player: int) -> None:
        self._records = records
        self._indexes = indexes
        self._games = games
        self._most_per_player = most_per_player

    def public(
        self,
        *,
        game: str | None,
        status: Status | None,
        has_open_seat: bool | None,
        after: str | None,
        limit: int,
    ) -> Page:
        """Public matches, those first that have their status since the latest moment.

        Args:
            game: only matches of this game.
            status: only matches with this status.
            has_open_seat: only those that can, or cannot, be joined. Whatever is open has a free seat: the last seat
                that is taken starts the match.
            after: the cursor of the page before.
            limit: how many to show at most.

        Raises:
            Problem: ``bad-cursor``.
        """
        statuses = [
            possible
            for possible in STATUSES
            if status in (None, possible) and has_open_seat in (None, possible == "open")
        ]
        names = [lobby(id_, possible) for id_ in self._games if game in (None, id_) for possible in statuses]
        return self._page(f"lobby {game} {status} {has_open_seat}", names, after, limit, lambda _: True)

    def of_player(
        self,
        player: str,
        *,
        status: Status | None,
        waiting_on_me: bool | None,
        after: str | None,
        limit: int,
    ) -> Page:
        """The matches in which a player has a seat, those first that were created last.

        Args:
            player: their id.
            status: only matches with this status.
            waiting_on_me: only those that wait, or do not wait, for a decision of the player.
            after: the cursor of the page before.
            limit: how many to show at most.

        Raises:
            Problem: ``bad-cursor``.
        """
        statuses = [
            possible
            for possible in STATUSES
            if status in (None, possible) and (not waiting_on_me or possible == "playing")
        ]

        def wanted(match: Match) -> bool:
            return waiting_on_me in (None, match.seat_of(player) in match.waiting_on)

        names = [of_player(player, possible) for possible in statuses]
        return self._page(f"mine {status} {waiting_on_me}", names, after, limit, wanted)

    def count_unfinished(self, player: str, most: int, besides: str | None = None) -> int:
        """In how many matches that are not over a player sits.

        Args:
            player: their id.
            most: at how many to stop. If even the index has fewer, its size is the answer, which may be a few too many.
            besides: a match that does not count.
        """
        names = [of_player(player, status) for status in ("open", "playing")]
        size = self._indexes.size(names)
        if size < most:
            return size
        counted, read, place = 0, 0, None
        while read < MOST_READ:
            found = self._indexes.newest(names, place, _CHUNK)
            counted += sum(place.match != besides for place in self._believed(found))
            if counted >= most or len(found.places) < _CHUNK:
                return min(counted, most)
            read += len(found.places)
            place = found.places[-1]
        return most  # so much was left within the last minute that nobody can tell; by then it is dropped

    def check_room(self, player: str, match: str) -> None:
        """Refuse a match to a player who sits in as many others as one may. Of several at once, some may slip in.

        The match itself does not count: the same request may have been sent twice.

        Raises:
            Problem: ``too-many-matches``.
        """
        if self.count_unfinished(player, self._most_per_player, match) >= self._most_per_player:
            raise Problem("too-many-matches")

    def _page(
        self,
        of_list: str,
        names: Sequence[str],
        after: str | None,
        limit: int,
        wanted: Callable[[Match], bool],
    ) -> Page:
        place = None if after is None else place_of(after, of_list)
        matches: list[Match] = []
        read, count = 0, limit + 1
        while names and read < MOST_READ:
            found = self._indexes.newest(names, place, count)
            believed = self._believed(found)
            for at in found.places:
                match = believed.get(at)
                if match and wanted(match):
                    if place and len(matches) == limit:
                        return Page(matches, cursor(of_list, place))
                    matches.append(match)
                place = at
            if len(found.places) < count:
                return Page(matches, None)
            read += count
            count = _CHUNK
        return Page(matches, cursor(of_list, place) if place and names else None)

    def _believed(self, found: Found) -> dict[Place, Match]:
        """The matches that agree with what was found. What they contradict is dropped."""
        records = self._records.read_records([place.match for place in found.places]) if found.places else []
        believed: dict[Place, Match] = {}
        wrong: list[Entry] = []
        for place, record in zip(found.places, records, strict=True):
            match = self._readable(record)
            if record is not None and match is None:
                continue  # another version of the service may read it
            needed = entries(match) if match else frozenset()
            wrong += [entry for entry in found.entries[place] if entry not in needed]
            if match and not needed.isdisjoint(found.entries[place]):
                believed[place] = match
        if wrong:
            self._indexes.drop(wrong, found.as_of)
        return believed

    def _readable(self, record: bytes | None) -> Match | None:
        if record is None:
            return None
        try:
            match = _MATCH.decode(record)
        except msgspec.DecodeError:
            return None
        game = self._games.get(match.game)
        return match if game and match.rules_version == game.rules_version else None


_MATCH: Final = msgspec.msgpack.Decoder(Match)
