"""Processes as the kernel sees them: how long they have computed, and how much memory they hold. Linux only."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path


def cpu_seconds(processes: Iterable[int]) -> float:
    """Seconds for which these processes have computed, in the kernel's own reckoning and not in its ticks."""
    total = 0.0
    for process in processes:
        try:
            # The kernel's name for the clock of a process, which clock_getcpuclockid would tell.
            total += time.clock_gettime((~process << 3) | 2)
        except OSError:  # it has ended
            continue
    return total


def family(process: int) -> list[int]:
    """A process, its children, and theirs."""
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except FileNotFoundError:
        return []
    return [process, *(member for child in children for member in family(int(child)))]


def memory(processes: Iterable[int]) -> int:
    """Bytes that these processes hold in memory and share with nobody, and their part of what they share."""
    return sum(_proportional(process) for process in processes)


def _proportional(process: int) -> int:
    for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def runs(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has asked about yet does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
