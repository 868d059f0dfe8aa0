"""What is worth telling an operator: the words in which the service tells it.

The use cases and the store know this class and nothing of what becomes of it. They tell of numbers, and of names from
lists that are known beforehand; never of players, cards or what anybody sent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

NOTHING: Final = "none"
"""Instead of an operation where the address or the method is none of ours, whatever it is."""

Waiting = Literal["poll", "stream"]
"""How somebody waits: for one answer, or on a live stream."""

Fallback = Literal["let-through", "own-count"]
"""What the rate limits go by when the store does not count."""


class Observer:
    """Somebody who is told everything, and in this class does nothing about it."""

    def request(self, operation: str, status: int, seconds: float) -> None:
        """A request has been answered.

        Args:
            operation: its id, or the name of a page; ``none`` for what is neither.
            seconds: how long it took, without what the client asked to wait.
        """

    def worker_began(self) -> None:
        """This process begins to serve."""

    def problem(self, code: str) -> None:
        """A request has been refused, or has failed."""

    def match_written(self, game: str, was: str | None, became: str) -> None:
        """A match has another status than before; ``None`` is that of one that was not there."""

    def moves_written(self, game: str, played: int, stood_in: int) -> None:
        """Moves have been written: those of players, and those that stand-ins made."""

    def move_repeated(self, game: str) -> None:
        """A move came once more, and had been written before."""

    def move_refused(self, game: str, code: str) -> None:
        """A move was refused."""

    def race_lost(self) -> None:
        """Somebody else was faster to write a match, so a change to it begins again."""

    def limiter_failed(self, fallback: Fallback) -> None:
        """The store did not count an attempt for the rate limits."""

    def trip(self, name: str, began: float, ended: float, error: BaseException | None) -> None:
        """The store was asked.

        Args:
            name: what for: a command or a script.
            began: when, by :func:`time.perf_counter`.
            ended: when the answer was there, or it was clear that there is none.
            error: why there is none.
        """

    @contextmanager
    def waiting(self, how: Waiting) -> Iterator[None]:  # noqa: ARG002 (for those who do something about it)
        """Somebody waits for a change meanwhile."""
        yield


NOBODY = Observer()
"""For whatever is made without anybody who looks on."""
