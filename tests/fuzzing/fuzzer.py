"""Schemathesis, let loose on the committed contract and a running service, in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from fuzzing.ledger import LEDGER, Answered, read_ledger
from support.contract import FILE, operations
from support.server import Server, make_folder

ADDRESS = "FUZZING_ADDRESS"
TOKEN = "FUZZING_TOKEN"
SEED = "FUZZING_SEED"
"""Environment variables for the hooks: where the service is, as whom the fuzzer comes unless as nobody, a number."""

INTACT = "fuzzing.served:create_app()"
TESTS = Path(__file__).parents[1]
_NO_TOKENS = ("--generation-with-security-parameters", "false")
PHASES = ("examples", "coverage", "fuzzing", "stateful")


class FuzzedServer(Server):
    """The service with its own store and two workers, writing down what it answers.

    Args:
        folder: for its data, its log and its ledger.
        app: what gunicorn serves.
    """

    def __init__(self, folder: Path, app: str = INTACT, **settings: str) -> None:
        self.ledger = folder / "ledger"
        super().__init__(
            folder,
            PYTHONPATH=str(TESTS),
            TURNCOAT_PORT="0",
            TURNCOAT_MATCHES_PER_PLAYER="1000000",  # the fuzzer's guest plays them all
            TURNCOAT_STREAM_LONGEST="0.1",  # it reads each to its end
            TURNCOAT_STREAMS_AT_ONCE="1000",
            **{LEDGER: str(self.ledger)},
            **settings,
        )
        self._app = app

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "support.marker_game.serve", self._app]


@dataclass
class Found:
    """What came of it.

    Attributes:
        requests: how often each answer was given, as the service counted.
        failures: what is wrong, in a line each.
        printed: what Schemathesis had to say about that.
    """

    requests: Counter[Answered] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    printed: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """What must not be: as Schemathesis says, and as the ledger says, which knows all requests."""
        documented = {operation.id: set(operation.entry["responses"]) for operation in operations().values()}
        undocumented = [
            f"{name} was answered with {status}, {times} times"
            for (name, status), times in sorted(self.requests.items())
            if status >= 500 or (name in documented and str(status) not in documented[name])
        ]
        return self.failures + undocumented

    def add(self, other: Found) -> None:
        """Put another one's findings to these."""
        self.requests += other.requests
        self.failures += other.failures
        self.printed += other.printed


class Fuzzer:
    """A server, and Schemathesis as often as one likes, one after the other."""

    def __init__(self, app: str = INTACT, **settings: str) -> None:
        self._folder = make_folder()
        self._server = FuzzedServer(self._folder, app, **settings)
        self._running: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        self._server.start()
        self._token = self._server.visitor().become("Fuzzer").token
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()
        shutil.rmtree(self._folder)

    def run(
        self,
        *,
        examples: int,
        seed: int,
        as_guest: bool,
        phases: tuple[str, ...] = PHASES,
        operations: tuple[str, ...] = (),
    ) -> Found:
        """Fuzz once through these phases.

        Args:
            examples: of each operation, and scenarios of those in which one leads to the next.
            seed: other cases.
            as_guest: with a good token, or without any.
            phases: by Schemathesis' names.
            operations: only these, by their ids.
        """
        os.truncate(self._server.ledger, 0)
        report = self._folder / "report.json"
        report.unlink(missing_ok=True)
        # Without a token it must not make one up either: a bad one is refused even where none is needed.
        who = ["--header", f"Authorization: Bearer {self._token}"] if as_guest else [*_NO_TOKENS]
        self._running = subprocess.Popen(
            [sys.executable, "-m", "schemathesis.cli", *self._options(examples, seed, report, phases, operations, who)],
            cwd=self._folder,
            env=self._environment(seed, as_guest=as_guest),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        printed, _ = self._running.communicate()
        found = Found(read_ledger(self._server.ledger))
        told = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
        found.failures = list(_failures(told))
        if not found.failures and (self._running.returncode or not told.get("complete")):
            found.failures = [f"Schemathesis ended with {self._running.returncode}"]
        if found.failures:
            found.printed = [printed]
        return found

    def give_up(self) -> None:
        """End what is running, if anything is."""
        if self._running is not None and self._running.poll() is None:
            self._running.kill()

    def _options(
        self,
        examples: int,
        seed: int,
        report: Path,
        phases: tuple[str, ...],
        operations: tuple[str, ...],
        who: list[str],
    ) -> list[str]:
        return [
            *("--config-file", str(Path(__file__).with_name("schemathesis.toml"))),
            *("run", str(FILE), "--url", self._server.address, "--no-color", "--checks", "all"),
            *("--phases", ",".join(phases), "--max-examples", str(examples), "--seed", str(seed)),
            *("--suppress-health-check", "all", "--report", "json", "--report-json-path", str(report)),
            *who,
            *(option for operation in operations for option in ("--include-operation-id", operation)),
        ]

    def _environment(self, seed: int, *, as_guest: bool) -> dict[str, str]:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)]),
            "SCHEMATHESIS_HOOKS": "fuzzing.hooks",
            ADDRESS: self._server.address,
            SEED: str(seed),
        }
        if as_guest:
            environment[TOKEN] = str(self._token)
        return environment


def _failures(report: dict[str, Any]) -> list[str]:
    failures = [
        f"{found['title']}: {operation}" for found in report.get("failures", []) for operation in found["operations"]
    ]
    return failures + [f"an error: {found}" for found in report.get("errors", [])]
