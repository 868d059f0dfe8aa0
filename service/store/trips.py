"""Telling the observer how long the store took, and that it failed."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from types import TracebackType
from typing import Any

from redis.exceptions import NoScriptError

from service.store.scripts import name_of
from service.telemetry.observer import Observer


class Trips:
    """All trips of one client to the store.

    Args:
        observer: is told.
    """

    __slots__ = ("_observer",)

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def begun(self, command: Sequence[Any]) -> _Trip:
        """A trip that begins now, to be entered; of several commands, the first one names it."""
        return _Trip(self._observer, command)


class _Trip:
    """One of them. It is made on every request, so it is a class and no generator."""

    __slots__ = ("_began", "_command", "_observer")

    def __init__(self, observer: Observer, command: Sequence[Any]) -> None:
        self._observer = observer
        self._command = command

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, NoScriptError):  # then the script is sent as a whole, and that is the trip
            self._observer.trip(name_of(self._command), self._began, perf_counter(), error)
