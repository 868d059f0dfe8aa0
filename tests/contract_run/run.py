"""The long run: hold the service to its contract with other people's tools, and see planted faults found.

Ctrl-C ends it at any time; what was found up to then is printed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "openapi"))

from contract_run import judging, playing
from contract_run.judging import Planted
from contract_run.playing import Clients
from contract_run.rounds import Rounds, never_answered, table
from fuzzing.fuzzer import Found
from secrecy_run.progress import bar
from support.contract import operations
from support.long_run import carry_out


@dataclass
class Findings:
    """What the whole run has found; null is what was not tried.

    Attributes:
        lint: what linters do not like.
        breaking: what breaks clients of the last release.
        planted: faults that were planted into the contract.
        clients: generated clients, and what they played.
        fuzzed: what the fuzzer met.
        fuzzed_enough: whether it came to its end.
    """

    lint: list[str] | None = None
    breaking: list[str] | None = None
    planted: Planted | None = None
    clients: Clients | None = None
    fuzzed: Found | None = None
    fuzzed_enough: bool = False

    def faults(self) -> Iterator[str]:
        """What must not be."""
        yield from self.lint or []
        yield from (f"breaks clients: {change}" for change in self.breaking or [])
        if self.planted is not None:
            yield from self.planted.missed
        if self.clients is not None:
            yield from self.clients.faults
        if self.fuzzed is not None:
            yield from self.fuzzed.faults()
            if self.fuzzed_enough:
                yield from never_answered(self.fuzzed)


def judge(_: argparse.Namespace, findings: Findings) -> None:
    """The file alone: linters, and the comparison with the last release."""
    print("linting and comparing …", flush=True)
    findings.lint = judging.lint_findings()
    findings.breaking = judging.breaking_changes()


def plant(_: argparse.Namespace, findings: Findings) -> None:
    """Faults in the contract, for those who judge it."""
    print("planting faults into the contract …", flush=True)
    findings.planted = judging.plant()


def play(options: argparse.Namespace, findings: Findings) -> None:
    """Generated clients."""
    findings.clients = Clients()
    print("generating clients, checking them and letting them play …", flush=True)
    with bar("clients", len(playing.LANGUAGES)) as progress:
        playing.play(options.matches, findings.clients, lambda language: progress.advance(1, language))


def fuzz(options: argparse.Namespace, findings: Findings) -> None:
    """As a guest and as nobody, until there were enough requests."""
    rounds = Rounds(options.requests, options.seed, options.jobs)
    findings.fuzzed = rounds.found
    print(f"fuzzing, at least {options.requests:,} requests …", flush=True)
    with bar("fuzz requests", options.requests) as progress:
        rounds.run(progress.advance)
    findings.fuzzed_enough = True


PARTS = {"judging": judge, "planting": plant, "clients": play, "fuzzing": fuzz}


def report(findings: Findings) -> None:
    """Print the counts."""
    print()
    print(f"operations               {len(operations())}")
    if findings.clients is not None:
        games = {game for _, game in findings.clients.played}
        languages = {language for language, _ in findings.clients.played}
        print(
            f"generated clients        {len(languages)} ({', '.join(sorted(languages))}) x {len(games)} games, "
            f"{findings.clients.played.total()} matches played to the end"
        )
    if findings.fuzzed is not None:
        print(f"fuzz requests            {findings.fuzzed.requests.total():,}")
        print(f"fuzz failures            {len(findings.fuzzed.faults())}")
        print("\n".join(table(findings.fuzzed)))
    if findings.lint is not None:
        print(f"lint findings            {len(findings.lint)}")
    if findings.breaking is not None:
        print(f"breaking changes         {len(findings.breaking)}")
    if findings.planted is not None:
        planted, found = findings.planted.planted, findings.planted.planted - len(findings.planted.missed)
        print(f"planted breaks found     {found} of {planted}{' (all)' if found == planted else ''}")
    for printed in findings.fuzzed.printed if findings.fuzzed else []:
        print(printed)
    for fault in findings.faults():
        print(f"FAULT {fault}")


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What to run, and how much of it."""
    parser = argparse.ArgumentParser(prog="make contract CONTRACT_ARGS=", description=__doc__)
    parser.add_argument("--requests", type=int, default=50_000, help="of the fuzzer, at least (default: %(default)s)")
    parser.add_argument("--matches", type=int, default=2, help="per client and game (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="other cases (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="services at once (default: %(default)s)")
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
