"""What was checked, line by line, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Sequence


class Report:
    """Prints each thing that was looked at as soon as it is known.

    Attributes:
        faults: how much must not be.
        checked: how much was looked at.
    """

    def __init__(self) -> None:
        self.faults = 0
        self.checked = 0
        self._begin = time.monotonic()

    def step(self, what: str) -> None:
        """Something begins that takes a while."""
        print(f"[{time.monotonic() - self._begin:4.0f} s] {what} …", flush=True)

    def check(self, what: str, findings: Sequence[str] = ()) -> None:
        """Something was looked at; it is in order if nothing was found."""
        self.checked += 1
        self.faults += len(findings)
        for finding in findings:
            print(f"  FAULT  {what}: {finding}", flush=True)
        if not findings:
            print(f"  ok     {what}", flush=True)

    def conclude(self) -> int:
        """The exit code."""
        print(f"{self.checked} checks, {self.faults} faults, {time.monotonic() - self._begin:.0f} s")
        return 1 if self.faults else 0
