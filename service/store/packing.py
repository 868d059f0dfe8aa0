"""Values as they lie in the store: without the words that all of them share.

A value is compressed with a dictionary of what such values are made of, so that even an event of a hundred bytes
becomes thirty. What begins with another byte than :data:`_MARK`, which begins no MessagePack, lies there as it is.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

DICTIONARY: Final = Path(__file__).with_name("dictionary_1")
"""Never changed once a version with it is released: what was packed with it is read with it."""

_MARK: Final = b"\xc1\x01"
"""The second byte is the number of the dictionary."""

_SHORT: Final = 32
"""Bytes that are not worth the trouble."""

_WINDOW: Final = -13
"""8 KiB, and no header. Larger windows and tables take longer to be made than to be used."""
_MEMORY: Final = 5

_WORDS: Final = DICTIONARY.read_bytes()
_PACKER: Final = zlib.compressobj(1, zlib.DEFLATED, _WINDOW, _MEMORY, zlib.Z_DEFAULT_STRATEGY, _WORDS)


def packed(value: bytes) -> bytes:
    """A value as it shall lie in the store."""
    if len(value) < _SHORT and not value.startswith(_MARK[:1]):
        return value
    packer = _PACKER.copy()  # which has taken the dictionary in already
    return _MARK + packer.compress(value) + packer.flush()


def unpacked(stored: bytes) -> bytes:
    """A value from what lies in the store; what nobody has packed comes as it is, for its reader to judge."""
    if not stored.startswith(_MARK):
        return stored
    unpacker = zlib.decompressobj(_WINDOW, _WORDS)
    try:
        value = unpacker.decompress(stored[len(_MARK) :])
    except zlib.error:
        return stored
    return value if unpacker.eof else stored
