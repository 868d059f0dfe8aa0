"""Running the fast tests of secrecy on a mutant, in a copy of the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from secrecy_run.mutants import Mutant

ROOT = Path(__file__).parents[2]
COPIED = ("engine", "tests", "docs", "pyproject.toml")
LONGEST_TRY = 600


def tests_of(game: str) -> list[str]:
    """What is run on a mutant of this game, the fastest first."""
    return [
        *(f"tests/conformance/test_{name}.py" for name in ("visible", "events", "fold", "non_interference")),
        f"tests/engine/{game}/test_views.py",
        f"tests/engine/{game}/test_events.py",
        *("-k", f"{game} or test_views or test_events"),
    ]


class Copy:
    """A copy of the repository in which one mutant after the other is tried."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="turncoat-mutants-"))
        self.running: subprocess.Popen[bytes] | None = None
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
            return self._run(game)
        path = self.root / mutant.file
        original = path.read_text(encoding="utf-8")
        path.write_text(mutant.source, encoding="utf-8")
        try:
            return self._run(game)
        finally:
            path.write_text(original, encoding="utf-8")

    def _run(self, game: str) -> bool:
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0"]
        self.running = subprocess.Popen(
            [sys.executable, "-m", "pytest", *options, *tests_of(game)],
            cwd=self.root,
            env=os.environ | {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            return self.running.wait(LONGEST_TRY) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            self.stop()

    def stop(self) -> None:
        """End what is running."""
        if self.running is not None and self.running.poll() is None:
            self.running.kill()
            self.running.wait()

    def remove(self) -> None:
        """Leave nothing behind."""
        self.stop()
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
            for game in sorted({mutant.game for mutant in found}):
                if not attempt(game, None):
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
