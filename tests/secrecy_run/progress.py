"""Progress bars, or plain lines where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Bar(Protocol):
    """How far one part of the run is."""

    def advance(self, steps: int, note: str = "") -> None:
        """So many steps more are done."""


class _Lines:
    """A line every ten seconds, and at the end."""

    def __init__(self, title: str, total: int) -> None:
        self.title, self.total, self.done = title, total, 0
        self.printed = time.monotonic()

    def advance(self, steps: int, note: str = "") -> None:
        self.done += steps
        if time.monotonic() > self.printed + 10 or self.done == self.total:
            self.printed = time.monotonic()
            print(f"{self.title}: {self.done:,} of {self.total:,}  {note}", flush=True)


class _Rich:
    def __init__(self, progress: Any, title: str, total: int) -> None:
        self.progress, self.task = progress, progress.add_task(title, total=total, note="")

    def advance(self, steps: int, note: str = "") -> None:
        self.progress.update(self.task, advance=steps, note=note)


@contextmanager
def bar(title: str, total: int) -> Iterator[Bar]:
    """Show how far something with so many steps is."""
    if sys.stdout.isatty():
        try:
            from rich import progress as rich
        except ImportError:
            pass
        else:
            columns = (
                rich.TextColumn("{task.description:12}"),
                rich.BarColumn(),
                rich.MofNCompleteColumn(),
                rich.TimeRemainingColumn(),
                rich.TextColumn("{task.fields[note]}"),
            )
            with rich.Progress(*columns) as progress:
                yield _Rich(progress, title, total)
            return
    yield _Lines(title, total)
