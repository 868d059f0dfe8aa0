"""The service beside the ceiling: a bare application that makes as many trips to the store."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urlsplit

import msgspec

from bench.bare import SWAP, VERSION
from bench.figures import Budget, Figure, Part, Table, told
from bench.load import Lane, Load, as_fast_as_can_be
from bench.positions import SEATS, Course, Guest, crowd, halfway, http
from bench.world import BARE, SERVICE, Program, World, world
from engine.catalogue import GAMES

TITLE: Final = "Ceiling"

_GUESTS: Final = 256
_BOARDS: Final = 6
"""Positions of which the matches of one measurement are copies."""
_MATCHES_LOOKED_AT: Final = 96
_MOVES_IN_A_ROW: Final = 10
_PER_SECOND_AT_FIRST: Final = 2_000
_AMPLE: Final = 1.7
"""How many times as many requests are prepared as came to be sent before, where each can be sent only once."""

VIEW, UNCHANGED, ACT, CREATE = "view", "view 304", "act", "create"
GET, SWAPPED = "GET", "GET + EVALSHA"
BESIDE: Final = {VIEW: GET, UNCHANGED: GET, ACT: SWAPPED, CREATE: SWAPPED}
"""What each of our requests is measured beside."""
_LEAST: Final = {VIEW: 0.65, UNCHANGED: 0.75, ACT: 0.6}


@dataclass
class Measured:
    """One measurement.

    Attributes:
        rate: answers per second.
        cpu: seconds that the servers computed per answer.
        store_cpu: the same of the store.
        load_cpu: the same of what makes the load.
        bytes: of an answer.
    """

    rate: float
    cpu: float
    store_cpu: float
    load_cpu: float
    bytes: float


class Ceiling:
    """Both servers, and what they are asked.

    Args:
        seconds: of each measurement.
    """

    def __init__(self, place: World, *, workers: int, connections: int, seconds: float, games: Iterable[str]) -> None:
        self.place, self._connections, self._seconds = place, connections, seconds
        self.games = list(games)
        self.guests = crowd(place.tokens, _GUESTS)
        self._boards = {
            game: [halfway(game, self.guests[:SEATS], seed) for seed in range(_BOARDS)] for game in self.games
        }
        self.service = place.serve(*SERVICE, workers=workers)
        self.bare = place.serve(*BARE, workers=workers)
        place.redis.script_load(SWAP)
        self.blob_sizes: dict[str, int] = {}
        self._rates: dict[tuple[str, str], float] = {}

    def measure(self, game: str, what: str, seconds: float | None = None) -> Measured:
        """Prepare a fresh store, and measure one thing."""
        seconds = seconds or self._seconds
        self.place.empty()
        prepare: dict[str, Callable[[str, int], list[Lane]]] = {
            GET: self._gets,
            SWAPPED: self._swaps,
            VIEW: self._views,
            UNCHANGED: self._unchanged_views,
            ACT: self._moves,
            CREATE: self._creations,
        }
        lanes = prepare[what](game, int(self._rates.get((game, what), _PER_SECOND_AT_FIRST) * _AMPLE * seconds))
        program = self.bare if what in (GET, SWAPPED) else self.service
        load, cpu, store_cpu = self._under(program, lanes, seconds)
        self._rates[game, what] = load.rate
        load.expect({UNCHANGED: 304, CREATE: 201}.get(what, 200))
        each = load.answered
        return Measured(load.rate, cpu / each, store_cpu / each, load.own_cpu / each, load.bytes / each)

    def _under(self, program: Program, lanes: list[Lane], seconds: float) -> tuple[Load, float, float]:
        cpu, store_cpu = program.cpu(), self.place.store_cpu()
        load = as_fast_as_can_be(program.address, lanes, self._connections, seconds)
        return load, program.cpu() - cpu, self.place.store_cpu() - store_cpu

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
        stored = self.place.kept.store.read(self._matches(game, 1)[0].change.match.match)
        assert stored is not None
        size = self.blob_sizes[game] = len(stored.match) + len(stored.state)
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
        connection = HTTPConnection(urlsplit(self.service.address).netloc)
        requests = []
        for match, token in self._lookers(game):
            connection.request("GET", f"/v1/matches/{match}/view", headers={"Authorization": f"Bearer {token}"})
            with connection.getresponse() as answer:
                answer.read()
            requests.append(_look(match, token, If_None_Match=answer.headers["ETag"]))
        connection.close()
        return self._anyhow(requests)

    def _lookers(self, game: str) -> Iterator[tuple[str, str]]:
        """Matches, and the tokens of those who look at them."""
        for course in self._matches(game, _MATCHES_LOOKED_AT):
            yield from ((course.change.match.match, guest.token) for guest in course.players)

    def _moves(self, game: str, count: int) -> list[Lane]:
        courses = self._matches(game, max(count // _MOVES_IN_A_ROW, 2 * self._connections))
        return [iter(list(course.requests(_MOVES_IN_A_ROW))) for course in courses]

    def _creations(self, game: str, count: int) -> list[Lane]:
        body = msgspec.json.encode({"game": game, "seats": SEATS, "visibility": "public"})
        guests = itertools.islice(itertools.cycle(self.guests), count)
        return [iter([http("POST", "/v1/matches", guest.token, body) for guest in guests])] * self._connections

    def _anyhow(self, requests: Iterable[bytes]) -> list[Lane]:
        """Requests that may come in any order, again and again."""
        return [itertools.cycle(list(requests))] * self._connections


def _look(match: str, token: str, **headers: str) -> bytes:
    return http("GET", f"/v1/matches/{match}/view", token, b"", **headers)


Results = dict[tuple[str, str], list[Measured]]


def measure(
    *, repeats: int, seconds: float, workers: int, connections: int, games: Iterable[str] = tuple(GAMES)
) -> Part:
    """Measure all, in turn, again and again."""
    results: Results = defaultdict(list)
    whats = [GET, VIEW, UNCHANGED, SWAPPED, ACT, CREATE]
    with world() as place:
        ceiling = Ceiling(place, workers=workers, connections=connections, seconds=seconds, games=games)
        for game, what in itertools.product(ceiling.games, whats):
            ceiling.measure(game, what, min(0.3, seconds))  # so that nothing is done for the first time
        for repeat in range(repeats):
            # Each time another one comes first: what follows on what must not matter.
            turned = whats[repeat % len(whats) :] + whats[: repeat % len(whats)]
            for game, what in itertools.product(ceiling.games, turned):
                results[game, what].append(ceiling.measure(game, what))
        return part(results, ceiling, workers, connections)


def part(results: Results, ceiling: Ceiling, workers: int, connections: int) -> Part:
    """What is told of it."""
    rows, budgets = [], []
    for game in ceiling.games:
        for ours, theirs in BESIDE.items():
            mine, beside = results[game, ours], results[game, theirs]
            ratio = _figure(mine, "rate").over(_figure(beside, "rate"))
            cpu = _figure(beside, "cpu").over(_figure(mine, "cpu"))
            rows.append([f"{game}: {ours} / {theirs}", told(ratio), told(cpu)])
            if ours in _LEAST:
                budgets.append(Budget(f"{game}: throughput of {ours} / {theirs}", ratio, least=_LEAST[ours]))
    columns = ("measured", "answers/s", "server µs", "store µs", "load µs", "bytes")
    single = [
        [
            f"{game}: {what}",
            told(_figure(measured, "rate")),
            *(told(_figure(measured, name, 1e6)) for name in ("cpu", "store_cpu", "load_cpu")),
            f"{_figure(measured, 'bytes').median:,.0f}",
        ]
        for (game, what), measured in sorted(results.items())
    ]
    sizes = ", ".join(f"{game} {size:,}" for game, size in ceiling.blob_sizes.items())
    return Part(
        TITLE,
        [
            f"{workers} workers, {connections} connections, {SEATS} players a match, at mid-game.",
            f"Bytes of the records as they are stored, and of the blobs beside them: {sizes}.",
        ],
        [
            Table(("ours / ceiling", "throughput", "servers' computing time"), rows),
            Table(columns, single),
        ],
        budgets,
    )


def _figure(measured: list[Measured], name: str, times: float = 1) -> Figure:
    return Figure(tuple(getattr(one, name) * times for one in measured))
