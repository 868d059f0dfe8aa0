"""What a process remembers, bounded by its size: hints that save work, never the truth."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, Generic, TypeVar

Value = TypeVar("Value")

OVERHEAD: Final = 500
"""Bytes that an entry takes beside what it weighs, roughly."""


class Memory(Generic[Value]):
    """Values by name; those that were not used for the longest time are forgotten.

    Args:
        size: how many bytes all of them may weigh. With 0 nothing is remembered.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._weight = 0
        self._entries: OrderedDict[str, tuple[Value, int]] = OrderedDict()

    def get(self, name: str) -> Value | None:
        """What is remembered under a name, if anything is."""
        entry = self._entries.get(name)
        if entry is None:
            return None
        self._entries.move_to_end(name)
        return entry[0]

    def put(self, name: str, value: Value, weight: int) -> None:
        """Remember a value in place of what was remembered under the name.

        Args:
            weight: bytes that it takes, roughly.
        """
        self.forget(name)
        self._entries[name] = (value, weight + OVERHEAD)
        self._weight += weight + OVERHEAD
        while self._weight > self._size:
            self._weight -= self._entries.popitem(last=False)[1][1]

    def forget(self, name: str) -> None:
        """Remember nothing under a name."""
        entry = self._entries.pop(name, None)
        if entry is not None:
            self._weight -= entry[1]

    def __len__(self) -> int:
        return len(self._entries)
