"""Cards dealt to places of which some may hold no card of certain suits: how many ways there are, and one at random.

Places with the same suits allowed are dealt to as one heap. Heaps that may not hold every suit are settled one after
the other by how many cards of each suit they get, counted with what that leaves to the others; the last heap may
hold anything and takes the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb, factorial, prod
from typing import TypeAlias

from engine.inside_job.components import CARDS, SUITS
from engine.inside_job.ids import Card, Suit
from engine.randomness import Stream

_WORD = 1 << 32

Counts: TypeAlias = tuple[int, ...]
"""Of each suit, in the order of :data:`SUITS`."""


class Dealing:
    """All ways to deal some cards.

    Args:
        cards: in a fixed order.
        sizes: how many cards each place gets; all of them together take every card.
        forbidden: for each place, the suits that it may not hold.
    """

    def __init__(self, cards: Sequence[Card], sizes: Sequence[int], forbidden: Sequence[set[Suit]]) -> None:
        self._cards = cards
        self._sizes = sizes
        heaps: dict[tuple[int, ...], list[int]] = {}
        for place, suits in enumerate(forbidden):
            allowed = tuple(row for row, suit in enumerate(SUITS) if suit not in suits)
            heaps.setdefault(allowed, []).append(place)
        anything = heaps.pop(tuple(range(len(SUITS))), [])
        self._heaps = sorted(heaps.items())
        self._anything = anything
        self._counts = tuple(sum(CARDS[card].suit == suit for card in cards) for suit in SUITS)
        self._ways_from = cache(self._count_ways_from)

    def ways(self) -> int:
        """How many there are."""
        split = prod(_ways_to_split([self._sizes[place] for place in places]) for _, places in self._heaps)
        rest = _ways_to_split([self._sizes[place] for place in self._anything])
        return split * rest * self._ways_from(0, self._counts)

    def _count_ways_from(self, heap: int, counts: Counts) -> int:
        """The ways to settle this heap and those after it, with so many cards of each suit left."""
        if heap == len(self._heaps):
            return 1
        return sum(ways for _, ways in self._shares(heap, counts))

    def _shares(self, heap: int, counts: Counts) -> Iterator[tuple[Counts, int]]:
        """What a heap may get of each suit, and the ways to deal that and all that follows."""
        allowed, places = self._heaps[heap]
        size = sum(self._sizes[place] for place in places)
        for share in _shares(counts, allowed, size):
            left = tuple(count - own for count, own in zip(counts, share, strict=True))
            following = self._ways_from(heap + 1, left)
            if following:
                yield share, following * prod(map(comb, counts, share))

    def one(self, random: Stream) -> list[list[Card]]:
        """The cards of every place, each way equally likely; there must be one."""
        suits = [[card for card in self._cards if CARDS[card].suit == suit] for suit in SUITS]
        for cards in suits:
            random.shuffle(cards)
        dealt: list[list[Card]] = [[] for _ in self._sizes]
        counts = self._counts
        for heap, (_, places) in enumerate(self._heaps):
            shares = list(self._shares(heap, counts))
            share = shares[weighted([ways for _, ways in shares], random)][0]
            counts = tuple(count - own for count, own in zip(counts, share, strict=True))
            cards = [suit.pop() for suit, own in zip(suits, share, strict=True) for _ in range(own)]
            self._split(cards, places, dealt, random)
        self._split([card for suit in suits for card in suit], self._anything, dealt, random)
        return dealt

    def _split(self, cards: list[Card], places: Sequence[int], dealt: list[list[Card]], random: Stream) -> None:
        random.shuffle(cards)
        for place in places:
            dealt[place] = [cards.pop() for _ in range(self._sizes[place])]


def _shares(counts: Counts, allowed: Sequence[int], size: int) -> Iterator[Counts]:
    """All ways to take ``size`` cards of the allowed suits, by how many of each."""
    if not allowed:
        if not size:
            yield (0,) * len(counts)
        return
    suit, *others = allowed
    for own in range(min(counts[suit], size) + 1):
        for share in _shares(counts, others, size - own):
            yield (*share[:suit], own, *share[suit + 1 :])


def _ways_to_split(sizes: Sequence[int]) -> int:
    """How many ways there are to split a heap into parts of these sizes."""
    return factorial(sum(sizes)) // prod(map(factorial, sizes))


def weighted(weights: Sequence[int], random: Stream) -> int:
    """An index, as likely as its weight says; weights may be of any size."""
    number = _below(sum(weights), random)
    for index, weight in enumerate(weights):
        number -= weight
        if number < 0:
            return index
    raise AssertionError


def _below(bound: int, random: Stream) -> int:
    """A number from 0 to ``bound - 1``, each equally likely, however large the bound is."""
    values = 1
    while values < bound:
        values *= _WORD
    limit = values - values % bound
    while True:
        number, reach = 0, 1
        while reach < values:
            number = number * _WORD + random.below(_WORD)
            reach *= _WORD
        if number < limit:
            return number % bound
