"""Values as they lie in the store: without the words that all of them share.

A value is compressed with a dictionary of what such values are made of, so that even an event of a hundred bytes
becomes fifty. What begins with another byte than that of a mark, which begins no MessagePack, lies there as it is.

Zstandard prepares a dictionary once; zlib copies what has taken it in for each value, and a move packs half a dozen,
which took a fifth of its time. What was packed with zlib is still read.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Final

from gevent.monkey import get_original
from zstandard import (
    DICT_TYPE_RAWCONTENT,
    ZstdCompressionDict,
    ZstdCompressionParameters,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
)

DICTIONARY: Final = Path(__file__).with_name("dictionary_1")
"""Never changed once a version with it is released: what was packed with it is read with it."""

_MARK: Final = b"\xc1\x02"
_MARK_OF_ZLIB: Final = b"\xc1\x01"
"""The second byte says with what a value was packed, and with which dictionary."""

_SHORT: Final = 32
"""Bytes that are not worth the trouble."""

_LEVEL: Final = -1
"""Without Huffman tables, which make values a fortieth smaller and take as long as all else."""

_TABLE: Final = 12
"""Binary logarithm of the entries of the dictionary's table, which shall stay in the processor's nearest cache."""

_WINDOW_OF_ZLIB: Final = -13
"""8 KiB, and no header."""

_WORDS: Final = DICTIONARY.read_bytes()
_PREPARED: Final = ZstdCompressionDict(_WORDS, dict_type=DICT_TYPE_RAWCONTENT)
_HOW: Final = ZstdCompressionParameters.from_level(_LEVEL, dict_size=len(_WORDS), hash_log=_TABLE)
_PREPARED.precompute_compress(level=0, compression_params=_HOW)
_PACKER: Final = ZstdCompressor(compression_params=_HOW, dict_data=_PREPARED)
_UNPACKER: Final = ZstdDecompressor(dict_data=_PREPARED)
_ONE_AT_A_TIME: Final = get_original("threading", "Lock")()
"""Neither may be used by two threads at once, where there are threads. Greenlets do not come between; their lock would
take as long as packing an event does."""


def packed(value: bytes) -> bytes:
    """A value as it shall lie in the store."""
    if len(value) < _SHORT and not value.startswith(_MARK[:1]):
        return value
    with _ONE_AT_A_TIME:
        return _MARK + _PACKER.compress(value)


def unpacked(stored: bytes) -> bytes:
    """A value from what lies in the store; what nobody has packed comes as it is, for its reader to judge."""
    if stored.startswith(_MARK):
        try:
            with _ONE_AT_A_TIME:
                return _UNPACKER.decompress(stored[len(_MARK) :], allow_extra_data=False)
        except (ZstdError, MemoryError):  # the latter where a damaged length asks for more than there is
            return stored
    return _unpacked_by_zlib(stored) if stored.startswith(_MARK_OF_ZLIB) else stored


def _unpacked_by_zlib(stored: bytes) -> bytes:
    unpacker = zlib.decompressobj(_WINDOW_OF_ZLIB, _WORDS)
    try:
        value = unpacker.decompress(stored[len(_MARK_OF_ZLIB) :])
    except zlib.error:
        return stored
    return value if unpacker.eof else stored
