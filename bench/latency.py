"""How long one waits for an answer while the service does half of what it can."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from statistics import quantiles
from typing import Final

from bench.asking import ACT, GET, SWAPPED, VIEW
from bench.figures import Budget, Figure, Part, Table, told
from bench.servers import Servers
from bench.world import world

_PART: Final = 0.5
_MOST: Final = 4.0
_BARE: Final = (GET, SWAPPED)
"""What the machine itself makes of it: the bare application does nothing that could keep anybody waiting."""
_TIMES_AS_LONG: Final = 2
"""As the measurements of what can be done at most: a hundredth of few latencies is one of them."""


def measure(*, repeats: int, seconds: float, workers: int, connections: int, games: Sequence[str]) -> Part:
    """Measure how much can be done, and then the latencies at half of that, again and again."""
    asked = [*itertools.product(games, (VIEW, ACT)), *itertools.product(games[:1], _BARE)]
    found: dict[tuple[str, str], list[tuple[float, float, float]]] = defaultdict(list)
    with world() as place:
        servers = Servers(place, workers=workers, connections=connections, games=games)
        for game, what in asked:
            servers.measure(game, what, min(0.3, seconds))
        for _, (game, what) in itertools.product(range(repeats), asked):
            rate = _PART * servers.measure(game, what, seconds).rate
            latencies = servers.measure(game, what, _TIMES_AS_LONG * seconds, rate).load.latencies
            hundredths = quantiles(latencies, n=100)
            found[game, what].append((rate, 1e3 * hundredths[49], 1e3 * hundredths[98]))
    rows, budgets = [], []
    for (game, what), each in found.items():
        rates, median, last = (Figure(values) for values in zip(*each, strict=True))
        ratio = last.over(median)
        if what not in _BARE:
            budgets.append(Budget(f"{game}: p99 / median of {what} at half of the load", ratio, most=_MOST))
        who = "bare" if what in _BARE else game
        rows.append([f"{who}: {what}", *map(told, (rates, median, last, ratio))])
    columns = ("measured", "requests/s", "median, ms", "p99, ms", "p99 / median")
    note = (
        f"{workers} workers, {connections} connections. Requests come at fixed times, at half of the rate that was "
        "measured just before; a latency counts from the time at which the request was due."
    )
    return Part("Latency", [note], [Table(columns, rows)], budgets)
