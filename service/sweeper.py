"""What is done now and then beside the requests: making the decisions that are overdue.

A request that meets an overdue decision makes it. The sweeper is for matches that nobody looks at: the match goes on,
and everybody in it is told, although no one has asked.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from typing import Final

from service.faults import trace

AT_ONCE: Final = 100
"""How many overdue matches are asked for at once."""

_MOST_ROUNDS: Final = 10
"""How often that is repeated in one tick, so that entries that nobody can clear away do not keep it for ever."""

_LONGEST_PAUSE: Final = 30.0
_CHANCE: Final = secrets.SystemRandom()

_log = logging.getLogger("turncoat")


def a_while() -> float:
    """A factor from 1 to 1.5, another one each time.

    Of several processes that pause equally long, the one that had the turn once would have it for ever. And if that one
    is of a version that cannot read some of the matches, nobody would ever look at them.
    """
    return _CHANCE.uniform(1.0, 1.5)


class Sweeper:
    """Calls something again and again, in a thread of its own. Whatever it raises, it is called again.

    While it keeps failing, the pauses grow, and only the first failure of a kind is put into the log.

    Args:
        tick: what is called.
        interval: seconds from the end of one call to the beginning of the next, at least; 0 turns the sweeper off.
        stretch: by how much each pause is longer, as a factor.
    """

    def __init__(self, tick: Callable[[], None], interval: float, stretch: Callable[[], float] = a_while) -> None:
        self._tick = tick
        self._interval = interval
        self._stretch = stretch
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._failing: type[Exception] | None = None

    def start(self) -> None:
        """Begin, if that has not been done and the sweeper is not turned off."""
        if self._thread is None and self._interval > 0:
            self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Begin no other call. This does not wait for one that runs."""
        self._stopped.set()

    def join(self, timeout: float) -> bool:
        """Wait for the end of a call that runs.

        Args:
            timeout: seconds to wait at most.

        Returns:
            whether it has ended.
        """
        if self._thread is not None:
            self._thread.join(timeout)
        return self._thread is None or not self._thread.is_alive()

    def _run(self) -> None:
        pause = self._interval
        while not self._stopped.wait(pause * self._stretch()):
            pause = self._interval if self._survived() else max(self._interval, min(2 * pause, _LONGEST_PAUSE))

    def _survived(self) -> bool:
        """Call it once; whether it went well."""
        try:
            self._tick()
        except Exception as error:  # noqa: BLE001  # nobody else would go on sweeping
            if self._failing is not type(error):
                _log.error("sweeping fails, and goes on: %s", trace(error))
            self._failing = type(error)
            return False
        self._failing = None
        return True


def sweeping(take_turn: Callable[[], bool], sweep: Callable[[int], int]) -> Callable[[], None]:
    """One tick: if it is this process's turn, make all decisions that are overdue.

    Args:
        take_turn: whether it is.
        sweep: makes decisions, in so many matches at most, and tells in how many there was something to do.
    """

    def tick() -> None:
        if not take_turn():
            return
        for _ in range(_MOST_ROUNDS):
            if sweep(AT_ONCE) < AT_ONCE:
                return

    return tick
