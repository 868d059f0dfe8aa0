"""A process that looks once, at the start of the service, whether the store is fit to keep matches.

The launcher starts it before the workers and goes on when it has come to a first conclusion: the store is fit, must not
be used, or is not there yet. In the last case it goes on looking, and the workers serve what needs no store meanwhile.
It is a process of its own because the launcher imports no client of the store.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import closing
from typing import Final

from service.launcher.checking import CONCLUSION, UNFIT
from service.launcher.console import say
from service.settings import BadSetting, Settings, read_settings
from service.store import access, connect
from service.store.check import NotThere, Unfit, examine
from service.store_address import parse_address

_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 2.0
_SAY_AGAIN: Final = 60.0
_SAY_SELDOM: Final = 600.0
"""Seconds between two words to say that it is not there yet: the first time, and later on."""


def main() -> int:
    """Look until there is something to say.

    Returns:
        the exit code.
    """
    try:
        settings = read_settings()
        warnings = _until_there(settings)
    except (BadSetting, Unfit) as error:
        say(f"Error: {error}", trouble=True)
        return UNFIT
    for warning in warnings:
        say(f"Warning: {warning}", trouble=True)
    return 0


def _until_there(settings: Settings) -> list[str]:
    name = parse_address(str(settings.redis_url)).name
    parent = os.getppid()
    waiting = _Waiting(name)
    pause = _FIRST_PAUSE
    with closing(connect(str(settings.redis_url), settings.store_timeout, 1, access(settings))) as client:
        while True:
            try:
                warnings = examine(client, settings.store_replicas)
            except NotThere as reason:
                waiting.say(str(reason))
            else:
                waiting.end()
                return warnings
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
            if os.getppid() != parent:
                return []  # nobody is left to tell


class _Waiting:
    """Says that the store is not there, once for each reason and then seldom."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._reason: str | None = None
        self._silent_until = 0.0
        self._silence = _SAY_AGAIN

    def say(self, reason: str) -> None:
        now = time.monotonic()
        if reason == self._reason and now < self._silent_until:
            return
        if self._reason is None:
            os.write(int(os.environ[CONCLUSION]), b".")  # the launcher may go on
        self._silence = _SAY_AGAIN if reason != self._reason else _SAY_SELDOM
        self._reason, self._silent_until = reason, now + self._silence
        say(f"Waiting for the store ({self._name}): {reason}", trouble=True)

    def end(self) -> None:
        if self._reason is not None:
            say(f"The store is there ({self._name})", trouble=True)


if __name__ == "__main__":
    sys.exit(main())
