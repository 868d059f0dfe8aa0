"""The long run: try, with thousands of matches, to tell apart what nobody may, and see planted faults found.

Ctrl-C ends it at any time; what was counted up to then is printed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playthroughs.option_sets import GAMES
from secrecy_run.explained import EXPLAINED
from secrecy_run.hidden import HIDDEN
from secrecy_run.mutants import Mutant, mutants
from secrecy_run.pairs import Counts, compare_matches
from secrecy_run.progress import bar
from secrecy_run.trying import ROOT, Tried, try_mutants
from support.long_run import carry_out

MATCHES_PER_TASK = 10
HTTP_TESTS = "tests/secrecy"


@dataclass
class Findings:
    """What the whole run has found.

    Attributes:
        counts: of each game.
        http: whether the tests over HTTP passed; null if they were not run.
        tried: how the mutants fared.
    """

    counts: dict[str, Counts] = field(default_factory=dict)
    http: bool | None = None
    tried: Tried | None = None

    def faults(self) -> Iterator[str]:
        """What must not be."""
        for game, counts in self.counts.items():
            yield from (f"{game}: {example}" for example in counts.examples)
            if counts.pairs:
                yield from (f"{game}: {kind} never varied" for kind in sorted(HIDDEN[game] - set(counts.varied)))
                yield from (f"{game}: {kind} varied" for kind in sorted(set(counts.varied) - HIDDEN[game]))
        if self.http is False:
            yield f"{HTTP_TESTS} failed"
        for survivor in sorted(self.tried.survivors) if self.tried else []:
            if survivor not in EXPLAINED:
                yield f"survived, and nothing explains it: {survivor}"


def _tasks(options: argparse.Namespace) -> list[tuple[str, int, range, int]]:
    return [
        (game, options.seed, range(start, min(start + MATCHES_PER_TASK, options.matches)), options.every)
        for start in range(0, options.matches, MATCHES_PER_TASK)
        for game in options.games
    ]


def _compare(task: tuple[str, int, range, int]) -> tuple[str, Counts]:
    return task[0], compare_matches(*task)


def _leave_interruptions_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def compare(options: argparse.Namespace, findings: Findings) -> None:
    """Non-interference in the engine, on all cores."""
    tasks = _tasks(options)
    spawn = multiprocessing.get_context("spawn")
    with (
        spawn.Pool(options.jobs, initializer=_leave_interruptions_to_the_parent) as pool,
        bar("matches", options.matches * len(options.games)) as progress,
    ):
        for game, counts in pool.imap_unordered(_compare, tasks):
            findings.counts.setdefault(game, Counts()).add(counts)
            pairs = sum(found.pairs for found in findings.counts.values())
            differing = sum(found.differing for found in findings.counts.values())
            progress.advance(counts.matches, f"{pairs:,} pairs, {differing} differ")


def over_http(options: argparse.Namespace, findings: Findings) -> None:
    """The tests that scan everything that goes over HTTP, with more matches than usual."""
    print(f"{HTTP_TESTS}, with SECRECY_MATCHES={options.http_matches} …", flush=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        HTTP_TESTS,
    ]  # in one process, so that it can print counts
    environment = os.environ | {"SECRECY_MATCHES": str(options.http_matches)}
    findings.http = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def plant(options: argparse.Namespace, findings: Findings) -> None:
    """Mutants, one after the other."""
    found: list[Mutant] = [m for game in options.games for m in mutants(ROOT, game, min(GAMES[game].seats))]
    found = list(islice(found, 0, None, options.every_mutant))
    findings.tried = Tried()
    with bar("mutants", len(found)) as progress:

        def note(tried: Tried) -> None:
            findings.tried = tried
            progress.advance(1, f"{tried.killed} killed, {len(tried.survivors)} survived")

        try_mutants(found, options.jobs, note)


PARTS = {"pairs": compare, "http": over_http, "mutants": plant}


def report(findings: Findings) -> None:
    """Print the counts."""
    print()
    for game, counts in findings.counts.items():
        varied = sum(number for kind, number in counts.varied.items() if kind in HIDDEN[game])
        kinds = len(HIDDEN[game] & set(counts.varied))
        print(f"{game}: {counts.matches:,} matches")
        print(f"  pairs of views compared  {counts.pairs:,}")
        print(f"  answers compared         {counts.refusals:,}")
        print(f"  moves played on          {counts.sequels:,}")
        print(f"  secret moves compared    {counts.secret_moves:,}")
        print(f"  of these, differing      {counts.differing:,}")
        print(f"  hidden facts varied      {varied:,} of {counts.hidden:,}, of {kinds} of {len(HIDDEN[game])} kinds")
        print(f"  markers looked for       {counts.markers:,}")
        print(f"  markers leaked           {counts.leaked:,}")
    if findings.counts:
        every = list(findings.counts.values())
        print(
            f"all games: {sum(c.pairs for c in every):,} pairs compared, {sum(c.differing for c in every)} differing, "
            f"{sum(c.leaked for c in every)} markers leaked"
        )
    if findings.http is not None:
        print(f"over HTTP: {'passed, no marker leaked' if findings.http else 'FAILED'}")
    if findings.tried is not None:
        explained = sum(survivor in EXPLAINED for survivor in findings.tried.survivors)
        survived = len(findings.tried.survivors)
        print(f"mutants: {findings.tried.killed} killed, {survived} survived, {explained} of them explained")
    for fault in findings.faults():
        print(f"FAULT {fault}")


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What to run, and how much of it."""
    parser = argparse.ArgumentParser(prog="make secrecy SECRECY_ARGS=", description=__doc__)
    parser.add_argument("--games", nargs="+", choices=list(GAMES), default=list(GAMES))
    parser.add_argument("--matches", type=int, default=2_000, help="per game (default: %(default)s)")
    parser.add_argument("--every", type=int, default=2, help="compare in one of so many states (default: %(default)s)")
    parser.add_argument("--http-matches", type=int, default=10, help="SECRECY_MATCHES (default: %(default)s)")
    parser.add_argument("--every-mutant", type=int, default=1, help="try one of so many mutants (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="other matches (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)")
    for part in PARTS:
        parser.add_argument(f"--no-{part}", action="store_true")
    return parser.parse_args(given)


def main() -> int:
    """Run all parts; 1 if anything is at fault, 130 after an interruption."""
    options = arguments()
    findings = Findings()

    def run() -> None:
        for name, part in PARTS.items():
            if not getattr(options, f"no_{name}"):
                part(options, findings)

    return carry_out(run, lambda: report(findings), findings.faults)


if __name__ == "__main__":
    sys.exit(main())
