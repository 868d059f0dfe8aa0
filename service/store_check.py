"""Whether the store is fit to keep matches: looked at once, when something starts that will use it.

For ``turncoat serve`` that is done by this module as a process of its own, because the launcher imports no client of
the store. The launcher starts it before the workers and goes on when it has come to a first conclusion: the store is
fit, must not be used, or is not there yet. In the last case it goes on looking, and the workers serve what needs no
store meanwhile.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Final

from service.launcher.checking import CONCLUSION, NOT_THERE_YET, UNFIT
from service.launcher.console import say
from service.settings import BadSetting, Settings, read_settings
from service.store import access, connect
from service.store.check import NotThere, Unfit, describe, examine
from service.store_address import parse_address

_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 2.0
_SAY_AGAIN: Final = 60.0
_SAY_SELDOM: Final = 600.0
"""Seconds between two words to say that it is not there yet: the first time, and later on."""


def main() -> int:
    """Look until there is something to say to the launcher.

    Returns:
        the exit code.
    """
    parent, conclusion = os.getppid(), int(os.environ[CONCLUSION])

    def pause(seconds: float) -> bool:
        time.sleep(seconds)
        return os.getppid() == parent  # else nobody is left to tell

    try:
        found = until_there(read_settings(), pause, begins_to_wait=lambda: os.write(conclusion, NOT_THERE_YET))
    except (BadSetting, Unfit) as error:
        say(f"Error: {error}", trouble=True)
        return UNFIT
    with suppress(OSError):  # the launcher may have come to an end
        os.write(conclusion, (found or "").encode())
    return 0


def until_there(
    settings: Settings, pause: Callable[[float], bool], begins_to_wait: Callable[[], object] = lambda: None
) -> str | None:
    """Wait for the store, say so where that takes time, and say what an operator should know of it.

    Args:
        settings: with the address of one.
        pause: waits for so many seconds; says whether to go on.
        begins_to_wait: called once if it is not there at first.

    Returns:
        what is there, in a few words; nothing if it was not waited for any longer.

    Raises:
        Unfit: it must not be used.
    """
    waiting = _Waiting(parse_address(str(settings.redis_url)).name, begins_to_wait)
    seconds = _FIRST_PAUSE
    with closing(connect(str(settings.redis_url), settings.store_timeout, 1, access(settings))) as client:
        while True:
            try:
                warnings = examine(client, settings.store_replicas)
            except NotThere as reason:
                waiting.say(str(reason))
            else:
                found = describe(client)
                waiting.end(found)
                for warning in warnings:
                    say(f"Warning: {warning}", trouble=True)
                return found
            if not pause(seconds):
                return None
            seconds = min(2 * seconds, _LONGEST_PAUSE)


class _Waiting:
    """Says that the store is not there, once for each reason and then seldom."""

    def __init__(self, name: str, begins: Callable[[], object]) -> None:
        self._name = name
        self._begins = begins
        self._reason: str | None = None
        self._silent_until = 0.0
        self._silence = _SAY_AGAIN

    def say(self, reason: str) -> None:
        now = time.monotonic()
        if reason == self._reason and now < self._silent_until:
            return
        if self._reason is None:
            self._begins()
        self._silence = _SAY_AGAIN if reason != self._reason else _SAY_SELDOM
        self._reason, self._silent_until = reason, now + self._silence
        say(f"Waiting for the store ({self._name}): {reason}", trouble=True)

    def end(self, found: str) -> None:
        if self._reason is not None:
            say(f"The store is there ({self._name}{found and f': {found}'})", trouble=True)


if __name__ == "__main__":
    sys.exit(main())
