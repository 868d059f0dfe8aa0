"""What the servers are asked: views, moves and new matches; and of the bare application what is like them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urlsplit

import msgspec

from bench.bare import VERSION
from bench.load import Lane
from bench.positions import SEATS, Course, Guest, crowd, halfway, http
from bench.world import World

_GUESTS: Final = 256
_BOARDS: Final = 6
"""Positions of which the matches of one measurement are copies."""
_MATCHES_LOOKED_AT: Final = 96
_MOVES_IN_A_ROW: Final = 10

VIEW, FIRST_VIEW, UNCHANGED, ACT, CREATE = "view", "view, first look", "view 304", "act", "create"
GET, SWAPPED = "GET", "GET + EVALSHA"
STATUS: Final = {GET: 200, SWAPPED: 200, VIEW: 200, FIRST_VIEW: 200, UNCHANGED: 304, ACT: 200, CREATE: 201}
"""What a good answer has."""
AGAIN: Final = frozenset({GET, VIEW, UNCHANGED})
"""What is asked again and again while nothing changes."""


class Asking:
    """Requests about matches at mid-game, which are put into the store for them.

    Args:
        address: of the service; only the ETags are asked for there.
        connections: over how many they will be sent.

    Attributes:
        blob_sizes: how large the blobs were, by the game.
    """

    def __init__(self, place: World, address: str, connections: int, games: Iterable[str]) -> None:
        self.place, self._address, self._connections = place, address, connections
        self.guests = crowd(place.tokens, _GUESTS)
        self._boards = {game: [halfway(game, self.guests[:SEATS], seed) for seed in range(_BOARDS)] for game in games}
        self.blob_sizes: dict[str, int] = {}

    def lanes(self, game: str, what: str, count: int) -> list[Lane]:
        """Empty the store, and prepare it and the requests.

        Args:
            count: how many at least of what can be sent only once.
        """
        prepare: dict[str, Callable[[str, int], list[Lane]]] = {
            GET: self._gets,
            SWAPPED: self._swaps,
            VIEW: self._views,
            FIRST_VIEW: self._first_views,
            UNCHANGED: self._unchanged_views,
            ACT: self._moves,
            CREATE: self._creations,
        }
        self.place.empty()
        return prepare[what](game, count)

    def _matches(self, game: str, count: int) -> list[Course]:
        """So many matches at mid-game, stored."""
        boards = itertools.cycle(self._boards[game])
        courses = [
            board.copy([self.guests[(SEATS * number + seat) % _GUESTS] for seat in range(SEATS)], number, log=True)
            for number, board in zip(range(count), boards, strict=False)
        ]
        for course in courses:
            course.store(self.place.kept)
        return courses

    # --- what is asked ---

    def _blobs(self, game: str) -> list[str]:
        """Blobs of the size of the records, as many as there are matches beside them."""
        records = [self.place.kept.store.read(course.change.match.match) for course in self._matches(game, _BOARDS)]
        size = self.blob_sizes[game] = sum(len(one.match) + len(one.state) for one in records if one) // _BOARDS
        names = [f"{number}" for number in range(_MATCHES_LOOKED_AT)]
        for name in names:
            self.place.redis.set(name, b"0" * VERSION + b"x" * (size - VERSION))
        return names

    def _gets(self, game: str, _count: int) -> list[Lane]:
        return self._anyhow(http("GET", f"/blobs/{name}", self._guest(name).token) for name in self._blobs(game))

    def _swaps(self, game: str, _count: int) -> list[Lane]:
        body = next(self._boards[game][0].copy(self.guests[:SEATS], 0, log=False).requests(1)).partition(b"\r\n\r\n")[2]
        return [
            itertools.repeat(http("POST", f"/blobs/{name}", self._guest(name).token, body))
            for name in self._blobs(game)
        ]

    def _guest(self, name: str) -> Guest:
        return self.guests[int(name)]

    def _views(self, game: str, _count: int) -> list[Lane]:
        return self._anyhow(itertools.starmap(_look, self._lookers(game)))

    def _unchanged_views(self, game: str, _count: int) -> list[Lane]:
        return self._anyhow(unchanged_views(self._address, self._lookers(game)))

    def _first_views(self, game: str, count: int) -> list[Lane]:
        looks = itertools.starmap(_look, self._lookers(game, count // SEATS + 1))
        return [iter(list(looks))] * self._connections

    def _lookers(self, game: str, matches: int = _MATCHES_LOOKED_AT) -> Iterator[tuple[str, str]]:
        """Matches, and the tokens of those who look at them."""
        for course in self._matches(game, matches):
            yield from ((course.change.match.match, guest.token) for guest in course.players)

    def _moves(self, game: str, count: int) -> list[Lane]:
        courses = self._matches(game, max(count // _MOVES_IN_A_ROW, 2 * self._connections))
        look_at_each(self._address, [(course.change.match.match, course.players[0].token) for course in courses])
        return [iter(list(course.requests(_MOVES_IN_A_ROW))) for course in courses]

    def _creations(self, game: str, count: int) -> list[Lane]:
        body = msgspec.json.encode({"game": game, "seats": SEATS, "visibility": "public"})
        guests = itertools.islice(itertools.cycle(self.guests), count)
        return [iter([http("POST", "/v1/matches", guest.token, body) for guest in guests])] * self._connections

    def _anyhow(self, requests: Iterable[bytes]) -> list[Lane]:
        """Requests that may come in any order, again and again."""
        return [itertools.cycle(list(requests))] * self._connections


def look_at_each(address: str, lookers: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Have matches looked at; gives the ETags of what was seen.

    Args:
        lookers: matches, each with the token of somebody who looks at it.
    """
    etags = {}
    with closing(HTTPConnection(urlsplit(address).netloc)) as connection:
        for match, token in lookers:
            connection.request("GET", f"/v1/matches/{match}/view", headers={"Authorization": f"Bearer {token}"})
            with connection.getresponse() as answer:
                answer.read()
            etags[match, token] = answer.headers["ETag"]
    return etags


def unchanged_views(address: str, lookers: Iterable[tuple[str, str]], **headers: str) -> list[bytes]:
    """Requests for views that the askers have already, by their ETags.

    Args:
        lookers: matches, each with the token of somebody who looks at it.
    """
    return [
        _look(match, token, If_None_Match=etag, **headers)
        for (match, token), etag in look_at_each(address, lookers).items()
    ]


def _look(match: str, token: str, **headers: str) -> bytes:
    return http("GET", f"/v1/matches/{match}/view", token, b"", **headers)
