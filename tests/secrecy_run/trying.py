"""Running the fast tests of secrecy on a mutant, in a copy of the repository."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from playthroughs.option_sets import GAMES
from secrecy_run.mutants import Mutant

ROOT = Path(__file__).parents[2]
COPIED = ("engine", "tests", "docs", "pyproject.toml")
SERVER = Path(__file__).with_name("server.py")


def relevant_tests(game: str, mutant: Mutant | None = None) -> list[str]:
    """What is run on a mutant of this game, first what is most likely to find it."""
    parts = ["visible", "fold", "events", "non_interference"]
    if mutant is not None and not mutant.file.endswith("view.py"):
        parts = ["fold", "events", "visible", "non_interference"]
    others = " or ".join(sorted(set(GAMES) - {game}))
    return [
        *(f"tests/conformance/test_{name}.py" for name in parts),
        f"tests/engine/{game}",
        *("-k", f"{game} or not ({others})"),
    ]


class Copy:
    """A copy of the repository in which one mutant after the other is tried."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="turncoat-mutants-"))
        self.server: subprocess.Popen[str] | None = None
        for name in COPIED:
            source, target = ROOT / name, self.root / name
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
            else:
                shutil.copy(source, target)
        (self.root / "tests" / "conftest.py").unlink()  # it starts the service, which is not in question

    def passes(self, game: str, mutant: Mutant | None) -> bool:
        """Whether the tests pass, on a mutant or on the original."""
        if mutant is None:
            return self._run(relevant_tests(game))
        path = self.root / mutant.file
        original = path.read_text(encoding="utf-8")
        path.write_text(mutant.source, encoding="utf-8")
        try:
            return self._run(relevant_tests(game, mutant))
        finally:
            path.write_text(original, encoding="utf-8")

    def _run(self, tests: list[str]) -> bool:
        if self.server is None:
            self.server = subprocess.Popen(
                [sys.executable, str(SERVER)],
                cwd=self.root,
                env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        assert self.server.stdin is not None
        assert self.server.stdout is not None
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0"]
        options += ["-W", "ignore:Module already imported"]  # on purpose, see the server
        self.server.stdin.write(json.dumps([*options, *tests]) + "\n")
        self.server.stdin.flush()
        return self.server.stdout.readline() == "0\n"

    def stop(self) -> None:
        """End what is running."""
        if self.server is not None and self.server.poll() is None:
            os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait()

    def remove(self) -> None:
        """Leave nothing behind."""
        self.stop()
        if self.server is not None and self.server.stdin is not None and self.server.stdout is not None:
            self.server.stdout.close()
            with suppress(BrokenPipeError):
                self.server.stdin.close()
        shutil.rmtree(self.root, ignore_errors=True)


class NothingToGoBy(Exception):
    """The tests fail without a mutant, so they say nothing about any."""


@dataclass
class Tried:
    """How it went.

    Attributes:
        survivors: the names of the mutants on which every test passed.
    """

    killed: int = 0
    survivors: list[str] = field(default_factory=list)


def try_mutants(found: Iterable[Mutant], jobs: int, progress: Callable[[Tried], None]) -> Tried:
    """Try mutants, several at once; on an interruption, stop and leave nothing behind.

    Raises:
        NothingToGoBy: on the original.
    """
    found = list(found)
    tried = Tried()
    copies = [Copy() for _ in range(jobs)]
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)
    stopping = threading.Event()

    def attempt(game: str, mutant: Mutant | None) -> bool:
        if stopping.is_set():
            raise CancelledError
        copy = free.get()
        try:
            return copy.passes(game, mutant)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(jobs) as pool:
        try:
            games = sorted({mutant.game for mutant in found})
            for game, passes in zip(games, pool.map(attempt, games, [None] * len(games)), strict=True):
                if not passes:
                    raise NothingToGoBy(game)
            running: dict[Future[bool], Mutant] = {pool.submit(attempt, m.game, m): m for m in found}
            for future in as_completed(running):
                if future.result():
                    tried.survivors.append(running[future].name)
                else:
                    tried.killed += 1
                progress(tried)
        finally:
            stopping.set()
            for copy in copies:
                copy.stop()
            pool.shutdown(cancel_futures=True)
            for copy in copies:
                copy.remove()
    return tried
