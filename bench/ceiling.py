"""The service beside the ceiling: a bare application that makes as many trips to the store."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from bench.asking import ACT, CREATE, FIRST_VIEW, GET, SWAPPED, UNCHANGED, VIEW
from bench.figures import Budget, Figure, Part, Table, told
from bench.positions import SEATS
from bench.servers import Measured, Servers
from bench.world import world

BESIDE: Final = {VIEW: GET, FIRST_VIEW: GET, UNCHANGED: GET, ACT: SWAPPED, CREATE: SWAPPED}
"""What each of our requests is measured beside."""
_LEAST: Final = {VIEW: 0.65, UNCHANGED: 0.75, ACT: 0.6}


Results = dict[tuple[str, str], list[Measured]]


def measure(*, repeats: int, seconds: float, workers: int, connections: int, games: Sequence[str]) -> Part:
    """Measure all, in turn, again and again."""
    results: Results = defaultdict(list)
    whats = [GET, VIEW, FIRST_VIEW, UNCHANGED, SWAPPED, ACT, CREATE]
    with world() as place:
        servers = Servers(place, workers=workers, connections=connections, games=games)
        for game, what in itertools.product(games, whats):
            servers.measure(game, what, min(0.3, seconds))  # so that nothing is done for the first time
        for repeat in range(repeats):
            # Each time another one comes first: what follows on what must not matter.
            turned = whats[repeat % len(whats) :] + whats[: repeat % len(whats)]
            for game, what in itertools.product(games, turned):
                results[game, what].append(servers.measure(game, what, seconds))
        sizes = ", ".join(f"{game} {size:,}" for game, size in servers.asking.blob_sizes.items())
    return _part(
        results,
        [
            f"{workers} workers, {connections} connections, {SEATS} players a match, at mid-game.",
            f"Bytes of the records as they are stored, and of the blobs beside them: {sizes}.",
        ],
    )


def _part(results: Results, notes: list[str]) -> Part:
    """What is told of it."""
    rows, budgets = [], []
    for game in dict.fromkeys(game for game, _ in results):
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
    return Part(
        "Ceiling",
        notes,
        [
            Table(("ours / ceiling", "throughput", "servers' computing time"), rows),
            Table(columns, single),
        ],
        budgets,
    )


def _figure(measured: list[Measured], name: str, times: float = 1) -> Figure:
    return Figure(tuple(getattr(one, name) * times for one in measured))
