"""Seeded shuffles that anybody can repeat, in any language.

A match has one secret 32-byte seed. Everything that chance decides in it comes from streams derived from that
seed, so whoever learns the seed after the end can repeat every shuffle; the commitment, published when the match
is created, proves that the seed was not chosen later. ``docs/randomness.md`` specifies the algorithm byte for
byte, with test vectors; a change to anything here is a new :data:`VERSION`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
from itertools import count
from struct import Struct
from typing import TypeVar

VERSION = 1
SEED_BYTES = 32

_BLOCK = Struct(">8I")
_WORD_VALUES = 1 << 32

Item = TypeVar("Item")


def _length_prefixed(parts: Iterable[bytes]) -> bytes:
    """Join byte strings so that no two different lists give the same bytes: each after its length (4 bytes)."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def commitment(match: str, seed: bytes) -> str:
    """The SHA-256 that a match shows from its creation on, as 64 lower-case hexadecimal digits."""
    parts = (b"turncoat/commitment/%d" % VERSION, match.encode(), seed)
    return hashlib.sha256(_length_prefixed(parts)).hexdigest()


def _words(key: bytes) -> Iterator[int]:
    """The words of a stream, one after the other, without end."""
    for counter in count():
        yield from _BLOCK.unpack(hmac.digest(key, counter.to_bytes(8, "big"), "sha256"))


class Stream:
    """Uniform random numbers from one HMAC-SHA-256 counter stream.

    Block ``i`` is ``HMAC(key, i as 8 bytes, big-endian)``; it is used up as eight 32-bit big-endian words.

    Args:
        key: of the stream, or what derives it. That is called when the first number is asked for: most moves leave
            nothing to chance.
    """

    __slots__ = ("_key", "_words")

    def __init__(self, key: bytes | Callable[[], bytes]) -> None:
        self._key = key
        self._words: Iterator[int] | None = None

    def _begun(self) -> Iterator[int]:
        self._words = _words(self._key if isinstance(self._key, bytes) else self._key())
        return self._words

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound - 1``, each equally likely.

        Words in the incomplete last group of ``bound`` are thrown away, so there is no modulo bias.

        Raises:
            ValueError: ``bound`` is not in 1..2**32.
        """
        if not 1 <= bound <= _WORD_VALUES:
            raise ValueError(f"bound must be in 1..{_WORD_VALUES}, not {bound}")
        words = self._words or self._begun()
        limit = _WORD_VALUES - _WORD_VALUES % bound
        while (word := next(words)) >= limit:
            pass
        return word % bound

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Shuffle in place (Fisher-Yates from the last place down), every order equally likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def choice(self, items: Sequence[Item]) -> Item:
        """One of ``items``, each equally likely.

        Raises:
            ValueError: ``items`` is empty.
        """
        return items[self.below(len(items))]


class Randomness:
    """All randomness of one match: its streams, by name.

    Args:
        match: the id of the match.
        seed: its secret seed, :data:`SEED_BYTES` long.
        entropies: what each seat added when joining, in seat order; empty for a seat that added nothing.

    Raises:
        ValueError: the seed has the wrong length.
    """

    __slots__ = ("_derived", "_parts", "_seed")

    def __init__(self, match: str, seed: bytes, entropies: Sequence[bytes] = ()) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._seed = seed
        self._parts = (b"turncoat/match/%d" % VERSION, match.encode(), *entropies)
        self._derived: bytes | None = None

    def deal(self) -> Stream:
        """The stream that sets the match up."""
        return Stream(lambda: self._key("deal"))

    def move(self, number: int) -> Stream:
        """The stream for what move ``number`` sets off; the first move of a match is number 1."""
        return Stream(lambda: self._key(f"move/{number}"))

    def stand_in(self, number: int) -> Stream:
        """The stream from which a stand-in chooses move ``number``.

        It is not the stream of the move itself: what a stand-in chose must tell nothing about what is drawn next.
        """
        return Stream(lambda: self._key(f"stand-in/{number}"))

    def _key(self, label: str) -> bytes:
        """The key of the stream with this name."""
        return hmac.digest(self._root(), label.encode(), "sha256")

    def _root(self) -> bytes:
        """What all streams of the match are derived from; itself derived when the first one begins."""
        if self._derived is None:
            self._derived = hmac.digest(self._seed, _length_prefixed(self._parts), "sha256")
        return self._derived
