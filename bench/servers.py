"""The service and the bare application, side by side on one store, and a measured load on either."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from bench.asking import AGAIN, GET, STATUS, SWAPPED, Asking
from bench.bare import SWAP
from bench.load import Load, as_fast_as_can_be, at_a_rate
from bench.world import BARE, SERVICE, World

_PER_SECOND_AT_FIRST: Final = 1_500
_WARMING: Final = 0.5
"""Part of the time for which what is asked again and again is asked before, so that each worker knows it."""
_AMPLE: Final = 1.7
"""How many times as many requests are prepared as came to be sent before, where each can be sent only once."""


@dataclass
class Measured:
    """A load, and what it took.

    Attributes:
        cpu: seconds that the servers computed per answer.
        store_cpu: the same of the store.
        load_cpu: the same of what made the load.
    """

    load: Load
    cpu: float
    store_cpu: float
    load_cpu: float

    @property
    def rate(self) -> float:
        """Answers per second."""
        return self.load.rate

    @property
    def bytes(self) -> float:
        """Of an answer."""
        return self.load.bytes / self.load.answered


class Servers:
    """Both servers, and what they are asked."""

    def __init__(self, place: World, *, workers: int, connections: int, games: Iterable[str]) -> None:
        self._place, self._connections = place, connections
        self.service = place.serve(*SERVICE, workers=workers)
        self.bare = place.serve(*BARE, workers=workers)
        place.redis.script_load(SWAP)
        self.asking = Asking(place, self.service.address, connections, games)
        self._rates: dict[tuple[str, str], float] = {}

    def measure(self, game: str, what: str, seconds: float, rate: float | None = None) -> Measured:
        """Prepare a fresh store, and measure one thing.

        Args:
            rate: requests per second; without one, as fast as they are answered.
        """
        expected = rate or self._rates.get((game, what), _PER_SECOND_AT_FIRST)
        lanes = self.asking.lanes(game, what, int(expected * _AMPLE * seconds))
        program = self.bare if what in (GET, SWAPPED) else self.service
        if what in AGAIN:
            as_fast_as_can_be(program.address, lanes, self._connections, _WARMING * seconds).expect(STATUS[what])
        cpu, store_cpu = program.cpu(), self._place.store_cpu()
        if rate is None:
            load = as_fast_as_can_be(program.address, lanes, self._connections, seconds)
            self._rates[game, what] = load.rate
        else:
            load = at_a_rate(program.address, lanes, self._connections, rate, seconds)
        cpu, store_cpu = program.cpu() - cpu, self._place.store_cpu() - store_cpu
        load.expect(STATUS[what])
        each = load.answered
        return Measured(load, cpu / each, store_cpu / each, load.own_cpu / each)
