"""The benchmarks: ratios between what is measured side by side, in turn and repeated, and whether the budgets are met.

Everything is started and ended here, and talks to this machine only, but for the installation of others' games that the
rules are measured beside. Ctrl-C ends it at any time, and writes nothing.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from bench import ceiling, engine, growth, latency, memory, report, rival
from bench.figures import Part
from engine.catalogue import GAMES

_FEW: Final = {"latency": 5, "memory": 3, "boardgame.io": 5}
"""Repeats of what takes long, or differs little from one to the next, so that all is done in a quarter of an hour."""


def _repeats(chosen: argparse.Namespace, part: str) -> int:
    return min(chosen.repeats, _FEW[part])


def _usual(chosen: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(chosen, name) for name in ("repeats", "seconds", "workers", "connections", "games")}


_PARTS: Final[dict[str, Callable[[argparse.Namespace], Part]]] = {
    "engine": lambda chosen: engine.measure(repeats=chosen.repeats, seconds=chosen.seconds, games=chosen.games),
    "ceiling": lambda chosen: ceiling.measure(**_usual(chosen)),
    "latency": lambda chosen: latency.measure(**{**_usual(chosen), "repeats": _repeats(chosen, "latency")}),
    "growth": lambda chosen: growth.measure(
        repeats=chosen.repeats, workers=chosen.workers, games=chosen.games, sizes=growth.Sizes(chosen.stored)
    ),
    "memory": lambda chosen: memory.measure(
        repeats=_repeats(chosen, "memory"), workers=chosen.workers, games=chosen.games, waiting=chosen.waiting
    ),
    "boardgame.io": lambda chosen: rival.measure(
        repeats=_repeats(chosen, "boardgame.io"), workers=chosen.workers, games=chosen.games
    ),
}


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What to measure, and how often."""
    parser = argparse.ArgumentParser(prog="make bench BENCH_ARGS=", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(_PARTS), default=list(_PARTS), metavar="PART")
    parser.add_argument("--list", action="store_true", help="list the parts and end")
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES), metavar="GAME")
    parser.add_argument("--repeats", type=int, default=7, help="of each measurement (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each measurement (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="of the servers (default: %(default)s)")
    parser.add_argument("--connections", type=int, default=32, help="of the load (default: %(default)s)")
    parser.add_argument(
        "--stored", nargs="+", type=int, default=growth.Sizes.stored, help="matches in the store (default: %(default)s)"
    )
    parser.add_argument("--waiting", type=int, default=memory.WAITING, help="clients that wait (default: %(default)s)")
    parser.add_argument(
        "--results",
        type=Path,
        help="where to write (default: results.md beside this; of some parts only, the terminal)",
    )
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Measure; 1 if a budget is missed, 130 after an interruption."""
    options = arguments(given)
    if options.list:
        print("\n".join(_PARTS))
        return 0
    if not sys.platform.startswith("linux"):
        print("The benchmarks ask Linux how long each process has computed, and run nowhere else.", file=sys.stderr)
        return 2
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it would be ignored
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    begun, parts = time.monotonic(), []
    try:
        for name in options.only:
            print(f"{name} …", flush=True)
            parts.append(_PARTS[name](options))
            report.summary(parts[-1:])
    except KeyboardInterrupt:
        print("\ninterrupted; nothing is written")
        return 130
    page = report.page(parts, _command(given), time.monotonic() - begun)
    # A part of the results must not take the place of all of them.
    if results := options.results or (report.RESULTS if options.only == list(_PARTS) else None):
        results.write_text(page, encoding="utf-8")
        print(f"written: {results.name}")
    else:
        print(f"\n{page}")
    return int(not all(budget.met for part in parts for budget in part.budgets))


def _command(given: Sequence[str] | None) -> str:
    """How to measure the same again; where the results were written is nobody's business."""
    words = list(sys.argv[1:] if given is None else given)
    if "--results" in words:
        place = words.index("--results")
        del words[place : place + 2]
    return f'make bench BENCH_ARGS="{" ".join(words)}"' if words else "make bench"


if __name__ == "__main__":
    sys.exit(main())
