"""How many connections each worker has, told to all of them, so that none takes what others have more room for.

Workers wait at one listening socket, and what comes is taken by whoever is awake. When many connections come at once
that is a single worker, which then has all of them for as long as their clients keep them open, while the others idle.

The numbers lie in memory that gunicorn's master makes and its workers inherit. Each is written by one worker alone.
"""

from __future__ import annotations

import mmap
from typing import Final

PLACES: Final = 256
"""For workers that are there at one time; those who find no place take what comes, as if they were alone."""

_FREE: Final = -1
_ABSENT: Final = -2
"""Instead of a number of connections: nobody has the place, or who has it takes none yet, or no more."""


class Crowd:
    """The numbers of all workers."""

    def __init__(self) -> None:
        self._counts = memoryview(mmap.mmap(-1, 4 * PLACES)).cast("i")
        for number in range(PLACES):
            self._counts[number] = _FREE

    def place(self) -> Place | None:
        """A place for one more worker, if there is any; for the master, which makes one worker after the other."""
        for number in range(PLACES):
            if self._counts[number] == _FREE:
                self._counts[number] = _ABSENT
                return Place(self._counts, number)
        return None


class Place:
    """One worker among all. The worker itself begins and ends to take part; the master gives its place away."""

    def __init__(self, counts: memoryview[int], number: int) -> None:
        self._counts = counts
        self._number = number

    def begin(self) -> None:
        """Take connections from now on."""
        self._counts[self._number] = 0

    def came(self) -> None:
        """One more connection."""
        self._count(1)

    def went(self) -> None:
        """One less."""
        self._count(-1)

    def _count(self, more: int) -> None:
        if self._counts[self._number] != _ABSENT:
            self._counts[self._number] += more

    def end(self) -> None:
        """Take no more connections; those that are there do not count any more."""
        self._counts[self._number] = _ABSENT

    def free(self) -> None:
        """Let another worker have the place: this one is gone."""
        self._counts[self._number] = _FREE

    def is_crowded(self) -> bool:
        """Whether another worker has so much fewer connections that it should take the next one.

        Among many connections a few more or less do not matter, and waiting for each other would take its time.
        """
        own = self._counts[self._number]
        least = min((count for count in self._counts if count >= 0), default=own)
        return own > least + 1 + least // 8


_made: list[Crowd] = []


def make() -> None:
    """Make it, in a process that forks the workers later."""
    _made.append(Crowd())


def place() -> Place | None:
    """A place for the worker that is forked next."""
    return _made[-1].place() if _made else None
