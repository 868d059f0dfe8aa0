"""How fast the rules are: random matches of our games beside those of others, on one core. See README.md."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from bench.engine.peers import interpreter
from bench.figures import Budget, Figure, Part, Table, told

_HERE: Final = Path(__file__).parent
_EVERY_SEAT: Final = ", every seat"
_BUDGETED: Final = ("RLCard bridge", "RLCard gin-rummy")
PEERS: Final = (
    *_BUDGETED,
    "PettingZoo hanabi",
    "PettingZoo texas_holdem",
    "PettingZoo leduc_holdem",
    "OpenSpiel bridge",
    "OpenSpiel gin_rummy",
    "OpenSpiel hanabi",
)
_LEAST_TIMES: Final = 2.0
_NOTE: Final = (
    "Moves per second of computing, in random matches (ours of four seats), the set-up included. Before every move all "
    "legal moves are listed and the view of the seat that decides is made; *every seat* makes the views of all four. "
    "Each peer makes the observation of the seat that decides, and no other."
)


def measure(*, repeats: int, seconds: float, games: Sequence[str], peers: Sequence[str] = PEERS) -> Part:
    """Measure ours and theirs in turn, in two processes on one core, of which one computes at a time."""
    ours = [f"{game}{views}" for game in games for views in ("", _EVERY_SEAT)]
    found: dict[str, list[float]] = {name: [] for name in (*ours, *peers)}
    with ExitStack() as stack:
        here = stack.enter_context(_player(Path(sys.executable), "ours.py"))
        there = stack.enter_context(_player(interpreter(), "theirs.py")) if peers else here
        for repeat in range(repeats):
            for name, values in found.items():
                values.append(_moves_per_second(there if name in peers else here, name, seconds, seed=repeat))
    figures = {name: Figure(tuple(values)) for name, values in found.items()}
    return Part("Engine", [_NOTE], [_speeds(figures), _ratios(ours, peers, figures)], list(_budgets(games, figures)))


@contextmanager
def _player(python: Path, script: str) -> Iterator[subprocess.Popen[str]]:
    """A process that plays, on the last of the cores that this one may use."""
    core = max(os.sched_getaffinity(0))
    environment = os.environ | {"PYTHONPATH": str(_HERE.parents[1]), "PYTHONWARNINGS": "ignore"}
    command = (str(python), str(_HERE / script), str(core))
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def _moves_per_second(player: subprocess.Popen[str], name: str, seconds: float, *, seed: int) -> float:
    assert player.stdin is not None
    assert player.stdout is not None
    print(json.dumps({"name": name, "seconds": seconds, "seed": seed}), file=player.stdin, flush=True)
    answer = player.stdout.readline()
    if not answer:
        raise RuntimeError(f"{name}: the process that plays it has ended")
    played = json.loads(answer)
    return float(played["moves"] / played["seconds"])


def _speeds(figures: Mapping[str, Figure]) -> Table:
    rows = [[name, told(Figure(tuple(value / 1000 for value in figure.values)))] for name, figure in figures.items()]
    return Table(("thousands of moves per second", "of computing"), rows)


def _ratios(ours: Sequence[str], peers: Sequence[str], figures: Mapping[str, Figure]) -> Table:
    rows = [[peer, *(told(figures[name].over(figures[peer])) for name in ours)] for peer in peers]
    return Table(("times as many moves as", *ours), rows)


def _budgets(games: Sequence[str], figures: Mapping[str, Figure]) -> Iterator[Budget]:
    for game in games:
        for peer in _BUDGETED:
            if peer in figures:
                name = f"{game}: times as many moves as {peer}"
                yield Budget(name, figures[game].over(figures[peer]), least=_LEAST_TIMES)
