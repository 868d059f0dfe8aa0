"""What a move costs when there is much: stored matches, moves behind it, workers."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from bench.figures import Budget, Figure, Part, Table, told
from bench.load import as_fast_as_can_be
from bench.positions import SEATS, Course, Guest, crowd, halfway
from bench.world import SERVICE, World, world

FIRST, LAST, BARE_LAST = "the first tenth", "the last tenth", "the last tenth, and no log"
FINAL = "the one that ends it"

_CONNECTIONS: Final = 8
_BOARDS: Final = 6
_PLAYERS: Final = 4_096
_TENTH: Final = 0.1
_FLAT: Final = 1.1


@dataclass(frozen=True)
class Sizes:
    """How much is measured.

    Attributes:
        stored: so many matches are there.
        workers: so many serve.
        at_once: so many matches are played on from their middle at the same time.
        moves: of each of them, so many at most.
        spread: over so many matches moves are spread where they are spread widely.
        matches: of so many the first moves, or the last ones, are measured.
    """

    stored: Sequence[int] = (10, 1_000, 100_000)
    workers: Sequence[int] = (1, 2, 4)
    at_once: int = 10
    moves: int = 60
    spread: int = 1_000
    matches: int = 48


@dataclass
class Cost:
    """What a move took.

    Attributes:
        rate: moves per second.
        servers: microseconds that the servers computed.
        store: the same of the store.
    """

    rate: float
    servers: float
    store: float

    @property
    def all(self) -> float:
        """Of servers and store."""
        return self.servers + self.store


class Ground:
    """A store with matches in it, and a service on it."""

    def __init__(self, place: World, games: Sequence[str], *, stored: int, workers: int) -> None:
        self._place, self._games = place, games
        self._guests = crowd(place.tokens, _PLAYERS)
        self._matches = itertools.count()
        self._boards: dict[float, list[Course]] = {}
        self.stored = stored
        self.fill(stored)
        self.service = place.serve(*SERVICE, workers=workers)

    def fill(self, count: int) -> None:
        """Store so many matches at mid-game, with all that belongs to them but their logs."""
        for course in itertools.islice(self.courses(0.5, log=False), count):
            course.store(self._place.kept)

    def courses(self, part: float, *, log: bool) -> Iterator[Course]:
        """Matches without end, of all games in turn, of which that part is played; not stored yet."""
        if part not in self._boards:
            players = self._guests[:SEATS]
            self._boards[part] = [halfway(game, players, seed, part) for seed in range(_BOARDS) for game in self._games]
        for board in itertools.cycle(self._boards[part]):
            yield board.copy(self._players(), next(self._matches), log=log)

    def _players(self) -> list[Guest]:
        first = SEATS * next(self._matches)
        return [self._guests[(first + seat) % _PLAYERS] for seat in range(SEATS)]

    def play(self, part: float, count: int, moves: int, *, log: bool = True, to_the_end: bool = True) -> Cost:
        """Put matches into the store and play them on; tells what a move has cost.

        Where only ten matches are stored, they are the ones.

        Args:
            part: how much of each has been played before.
            count: how many matches.
            moves: how many of each at most.
            to_the_end: whether those count that end a match.
        """
        if self.stored <= count:
            self._place.empty()
        courses = list(itertools.islice(self.courses(part, log=log), count))
        for course in courses:
            course.store(self._place.kept)
        lanes = [iter(list(course.requests(moves, to_the_end=to_the_end))) for course in courses]
        servers, store = self.service.cpu(), self._place.store_cpu()
        load = as_fast_as_can_be(self.service.address, lanes, _CONNECTIONS, 600)
        servers, store = self.service.cpu() - servers, self._place.store_cpu() - store
        load.expect(200)
        return Cost(load.rate, 1e6 * servers / load.answered, 1e6 * store / load.answered)


Costs = dict[str, list[Cost]]
"""By what differs; the first is what the others are compared with."""


def measure(*, repeats: int, workers: int, games: Sequence[str], sizes: Sizes) -> Part:
    """Measure all three; whatever is compared is there at once, and measured in turn."""
    by_stored = _by_stored(repeats, workers, games, sizes)
    by_age = {game: _by_age(repeats, workers, game, sizes.matches) for game in games}
    by_workers = _by_workers(repeats, games, sizes)
    fewest, most = f"{sizes.stored[0]:,}", f"{sizes.stored[-1]:,}"
    budgets = [
        Budget(f"a move with {most} stored matches / {fewest}", _ratio(by_stored[most], by_stored[fewest]), most=_FLAT),
        *(
            Budget(f"{game}: a move of {LAST} / {FIRST}", _ratio(costs[LAST], costs[FIRST]), most=_FLAT)
            for game, costs in by_age.items()
        ),
    ]
    note = (
        "What a move costs: how long servers and store compute for it, and how many times as long as in the first line."
    )
    tables = [_table("stored matches", by_stored)]
    tables += [_table(f"{game}: moves of", costs) for game, costs in by_age.items()]
    return Part("Growth", [note], [*tables, _table("workers", by_workers)], budgets)


def _by_stored(repeats: int, workers: int, games: Sequence[str], sizes: Sizes) -> Costs:
    costs: Costs = defaultdict(list)
    with ExitStack() as ending:
        grounds = [
            Ground(ending.enter_context(world()), games, stored=count, workers=workers) for count in sizes.stored
        ]
        for ground in grounds:
            ground.play(0.5, sizes.at_once, sizes.moves)
        for _, ground in itertools.product(range(repeats), grounds):
            costs[f"{ground.stored:,}"].append(ground.play(0.5, sizes.at_once, sizes.moves))
        for _ in range(repeats):
            widely = f"{grounds[-1].stored:,}, spread over {sizes.spread:,} of them"
            costs[widely].append(grounds[-1].play(0.5, sizes.spread, 1))
    return costs


def _by_age(repeats: int, workers: int, game: str, matches: int) -> Costs:
    """The move that ends a match changes the indexes too, and is measured by itself.

    Matches of one position do not all end with the same move, so those that would end among the others leave it out.
    """
    costs: Costs = defaultdict(list)
    with world() as place:
        ground = Ground(place, [game], stored=0, workers=workers)
        length = len(list(next(ground.courses(0.0, log=True)).requests(10_000)))
        tenth = max(1, round(_TENTH * length))
        late, end = (length - 1 - tenth) / length, (length - 1) / length
        ages = ((FIRST, 0.0, True), (LAST, late, True), (BARE_LAST, late, False), (FINAL, end, True))
        for repeat in range(repeats + 1):
            for age, part, log in ages:
                moves, ends = (1, True) if age == FINAL else (tenth, False)
                cost = ground.play(part, matches, moves, log=log, to_the_end=ends)
                if repeat:  # the first time is for warming up
                    costs[age].append(cost)
    return costs


def _by_workers(repeats: int, games: Sequence[str], sizes: Sizes) -> Costs:
    stored = sizes.stored[len(sizes.stored) // 2]
    costs: Costs = defaultdict(list)
    with ExitStack() as ending:
        grounds = {
            count: Ground(ending.enter_context(world()), games, stored=stored, workers=count) for count in sizes.workers
        }
        for repeat, (count, ground) in itertools.product(range(repeats + 1), grounds.items()):
            cost = ground.play(0.5, sizes.at_once, sizes.moves)
            if repeat:
                costs[f"{count}"].append(cost)
    return costs


def _ratio(costs: Sequence[Cost], beside: Sequence[Cost]) -> Figure:
    return Figure(tuple(cost.all for cost in costs)).over(Figure(tuple(cost.all for cost in beside)))


def _table(what: str, costs: Costs) -> Table:
    first = next(iter(costs.values()))
    rows = [
        [
            name,
            *(told(Figure(tuple(getattr(cost, part) for cost in each))) for part in ("rate", "servers", "store")),
            told(_ratio(each, first)),
        ]
        for name, each in costs.items()
    ]
    return Table((what, "moves/s", "server µs", "store µs", "times the first"), rows)
