"""What was read of a match at one moment, and what has been made of it since."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar, cast

from service.change import Position
from service.event_log import EventLog
from service.match import Match

Read = TypeVar("Read", bound=Position | EventLog)
Made = TypeVar("Made")


class Glance(Generic[Read]):
    """What was read of a match at one moment, for all who looked then. Nobody may change it.

    Attributes:
        read: the match, or a part of its log.
    """

    def __init__(self, read: Read) -> None:
        self.read = read
        self._made: dict[Hashable, Any] = {}

    @property
    def match(self) -> Match:
        """The match."""
        read: Position | EventLog = self.read
        return read.position.match if isinstance(read, EventLog) else read.match

    def made(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is made of it for one kind of viewer, once for all of that kind."""
        if key not in self._made:
            self._made[key] = make()
        return cast("Made", self._made[key])
