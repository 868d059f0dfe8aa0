"""What the workers of a machine tell each other: what the store had of a match when one of them last heard of it.

Each would else know only what came to itself, and with every further worker it would be outdated more often. It is a
hint like all that is remembered: who builds on it writes by a script that checks it.

The board is a table of slots in memory that all of them write, without locks: a worker that is killed while it holds
one would stop all others. An entry begins with a hash of itself instead, so that one that is only half written, or by
two at once, counts as none. Each match has one slot, which it shares with others by chance; the latest entry stays.
"""

from __future__ import annotations

import hashlib
import mmap
import struct
import zlib
from typing import Final, NamedTuple

SLOT: Final = 4096
"""Bytes: a page, and more than nearly every running match takes."""

_ID_BYTES: Final = 22
_HASH_BYTES: Final = 16
_HEAD: Final = struct.Struct(f"={_ID_BYTES}s8sQHH")
"""Match, stamp, version, and how long the record and the state are that follow."""
_NOTHING: Final = bytes(_HASH_BYTES + _HEAD.size)


class Notice(NamedTuple):
    """A match as it lies in the store, packed.

    Attributes:
        record: who plays what.
        state: the game's own state; empty before the start.
    """

    version: int
    stamp: bytes
    record: bytes
    state: bytes


class Noticeboard:
    """The latest notice of each match, as long as no other match has taken its slot.

    Args:
        memory: what all workers have in common, of any content.
    """

    def __init__(self, memory: mmap.mmap | bytearray) -> None:
        self._memory = memory
        self._slots = len(memory) // SLOT

    def stamp(self, match: str) -> bytes | None:
        """The stamp of the latest notice of a match, if there is one; it may turn out to be unreadable."""
        id_ = match.encode()
        found, stamp, *_ = _HEAD.unpack_from(self._memory, self._place(id_) + _HASH_BYTES)
        return bytes(stamp) if found == id_ else None

    def read(self, match: str) -> Notice | None:
        """The latest notice of a match, if there is one and it is whole."""
        id_ = match.encode()
        place = self._place(id_)
        slot = bytes(self._memory[place : place + SLOT])
        found, stamp, version, record, state = _HEAD.unpack_from(slot, _HASH_BYTES)
        if found != id_:
            return None
        begin = _HASH_BYTES + _HEAD.size
        middle, end = begin + record, begin + record + state
        if _hash(slot[_HASH_BYTES:end]) != slot[:_HASH_BYTES]:
            return None
        return Notice(version, stamp, slot[begin:middle], slot[middle:end])

    def put(self, match: str, notice: Notice) -> None:
        """Replace what is there. What is too large is not told, and nothing older is told instead."""
        id_ = match.encode()
        if len(id_) != _ID_BYTES:
            return
        version, stamp, record, state = notice
        entry = _NOTHING
        if len(_NOTHING) + len(record) + len(state) <= SLOT:
            told = _HEAD.pack(id_, stamp, version, len(record), len(state)) + record + state
            entry = _hash(told) + told
        self._write(id_, entry)

    def forget(self, match: str) -> None:
        """Tell nothing of a match, which there is no more."""
        if self.stamp(match) is not None:
            self._write(match.encode(), _NOTHING)

    def _write(self, id_: bytes, entry: bytes) -> None:
        place = self._place(id_)
        self._memory[place : place + len(entry)] = entry

    def _place(self, id_: bytes) -> int:
        return zlib.crc32(id_) % self._slots * SLOT


def _hash(entry: bytes) -> bytes:
    return hashlib.blake2b(entry, digest_size=_HASH_BYTES).digest()
