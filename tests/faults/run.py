"""The long run: break whatever can break while clients play, a thousand times, and see nothing be lost or doubled.

Real stores and real workers on this machine, and clients that write down what they asked and what they were told.
Ctrl-C ends it at any time; what was counted up to then is printed.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from faults.kinds import Kind
from faults.places import PLACES, Place
from faults.rounds import PLAYERS, Count, play_round
from faults.world import World
from secrecy_run.progress import Bar, bar
from support.long_run import carry_out

MOST_BROKEN_ROUNDS = 3
SHOWN = 5
"""Findings of a round that are printed at once."""

KINDS = {kind.name.replace(" ", "-"): kind for place in PLACES for kind in place.kinds}


@dataclass
class Counts:
    """What the whole run has found.

    Attributes:
        wanted: how many faults of each kind there are to be, by its name.
        counts: what came of them.
        broken: rounds that did not come to their end, each with the reason.
    """

    wanted: dict[str, int]
    counts: dict[str, Count] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def of(self, kind: Kind) -> Count:
        return self.counts.get(kind.name, Count())

    def add(self, kind: Kind, count: Count) -> None:
        self.counts.setdefault(kind.name, Count()).add(count)

    def missing(self, kind: Kind) -> int:
        """How many faults of a kind are still to come."""
        return self.wanted.get(kind.name, 0) - self.of(kind).faults

    def progress(self, kind: Kind) -> float:
        return self.of(kind).faults / self.wanted[kind.name]

    def faults(self, least: dict[str, int]) -> Iterator[str]:
        """What must not be.

        Args:
            least: how many faults of each kind there must have been.
        """
        for name, count in self.counts.items():
            yield from (f"{name}: {finding}" for finding in count.findings)
        for name, number in least.items():
            happened = self.counts[name].faults if name in self.counts else 0
            if happened < number:
                yield f"{name}: it happened {happened} times, and should {number} times at least"
        yield from self.broken


class Run:
    """Rounds, one after the other, until there were enough or the time is up."""

    def __init__(self, options: argparse.Namespace, counts: Counts, progress: Bar) -> None:
        self._options = options
        self._counts = counts
        self._progress = progress
        self._end = time.monotonic() + 60 * options.minutes
        self._round = options.seed * 10_000

    def break_things(self) -> None:
        """At one place after the other."""
        for place in PLACES:
            while self._next(place) is not None:
                with place.make(workers=self._options.workers) as world:
                    self._break_at(place, world)

    def _next(self, place: Place) -> Kind | None:
        """The kind that is behind all others there; nothing if there is nothing more to do."""
        kinds = [kind for kind in place.kinds if self._counts.missing(kind) > 0]
        if not kinds or time.monotonic() > self._end or len(self._counts.broken) >= MOST_BROKEN_ROUNDS:
            return None
        return min(kinds, key=self._counts.progress)

    def _break_at(self, place: Place, world: World) -> None:
        """Until nothing is left to do, or something is so broken that the place has to be made anew."""
        while kind := self._next(place):
            self._round += 1
            number = min(self._options.per_round, self._counts.missing(kind))
            try:
                count = play_round(
                    world, kind, str(self._round), number, players=self._options.players, note=self._note
                )
            except Exception:  # noqa: BLE001  # whatever it was, it is reported, and others may go better
                self._counts.broken.append(f"{kind.name}, round {self._round}: {traceback.format_exc()}")
                return
            self._counts.add(kind, count)
            for finding in count.findings[:SHOWN]:
                print(f"{kind.name}, round {self._round}: {finding}", flush=True)

    def _note(self) -> None:
        moves = sum(count.moves for count in self._counts.counts.values())
        found = sum(len(count.findings) for count in self._counts.counts.values())
        self._progress.advance(1, f"{moves:,} moves acknowledged, {found} findings in the rounds before")


def report(counts: Counts, least: dict[str, int]) -> None:
    """Print a line for each kind, and what is at fault."""
    print()
    print(f"{'':34}{'faults':>8}{'moves':>8}{'lost':>6}{'doubled':>9}{'other':>7}  longest until it answers again")
    every = Count()
    for name, count in counts.counts.items():
        every.add(count)
        print(_line(name, count))
    print(_line("all", every))
    for fault in counts.faults(least):
        print(f"FAULT {fault}")


def _line(name: str, count: Count) -> str:
    other = len(count.findings) - count.lost - count.doubled
    return (
        f"{name:34}{count.faults:8,}{count.moves:8,}{count.lost:6,}{count.doubled:9,}{other:7,}  {count.longest:.2f} s"
    )


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What to break, and how often."""
    parser = argparse.ArgumentParser(prog="make faults FAULTS_ARGS=", description=__doc__)
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), metavar="KIND")
    parser.add_argument("--list", action="store_true", help="list the kinds and end")
    parser.add_argument("--faults", type=int, help="of each kind (default: as many as make a thousand)")
    parser.add_argument("--minutes", type=float, default=60, help="then end at the latest (default: %(default)s)")
    parser.add_argument("--per-round", type=int, default=10, help="faults per round (default: %(default)s)")
    parser.add_argument("--players", type=int, default=PLAYERS, help="clients at once (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=3, help="of the service (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="other rounds (default: %(default)s)")
    return parser.parse_args(given)


def main() -> int:
    """Run it; 1 if anything was lost or doubled, or something happened too seldom, 130 after an interruption."""
    options = arguments()
    if options.list:
        print("\n".join(KINDS))
        return 0
    kinds = [KINDS[name] for name in options.kinds]
    counts = Counts({kind.name: options.faults or kind.usual for kind in kinds})
    least = {kind.name: min(kind.least, counts.wanted[kind.name]) for kind in kinds}

    def run() -> None:
        with bar("faults", sum(counts.wanted.values())) as progress:
            Run(options, counts, progress).break_things()

    return carry_out(run, lambda: report(counts, least), lambda: counts.faults(least))


if __name__ == "__main__":
    sys.exit(main())
