"""Verifiable shuffles: the published vectors, uniformity, and that streams have nothing to do with each other."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from engine.randomness import Randomness, Stream, commitment

VECTORS = json.loads((Path(__file__).parents[2] / "docs" / "randomness-vectors.json").read_text())


@pytest.mark.parametrize("case", VECTORS["cases"], ids=range(len(VECTORS["cases"])))
def test_the_published_vectors(case):
    seed = bytes.fromhex(case["seed"])
    randomness = Randomness(case["match"], seed, [entropy.encode() for entropy in case["entropies"]])
    assert commitment(case["match"], seed) == case["commitment"]
    deal = randomness.deal()
    assert [deal.below(2**32) for _ in range(10)] == case["deal_words_below_2_32"]
    move = randomness.move(1)
    assert [[bound, move.below(bound)] for bound, _ in case["move_1_below"]] == case["move_1_below"]
    shuffled = list(range(12))
    randomness.move(12).shuffle(shuffled)
    assert shuffled == case["move_12_shuffle_of_0_to_11"]
    stand_in = randomness.stand_in(12)
    assert "".join(stand_in.choice("abcdef") for _ in range(12)) == case["stand_in_12_choice_of_a_to_f"]


def test_the_commitment_is_what_the_page_says():
    label, match, seed = b"turncoat/commitment/1", b"abc", bytes(range(32))
    text = b"".join(len(part).to_bytes(4, "big") + part for part in (label, match, seed))
    assert commitment("abc", seed) == hashlib.sha256(text).hexdigest()


def test_a_stream_is_an_hmac_counter():
    blocks = b"".join(hmac.digest(b"key", i.to_bytes(8, "big"), "sha256") for i in range(2))
    stream = Stream(b"key")
    assert [stream.below(2**32) for _ in range(16)] == [
        int.from_bytes(blocks[start : start + 4], "big") for start in range(0, 64, 4)
    ]


def test_words_that_would_favour_small_numbers_are_thrown_away():
    """A bound just over half of all words rejects nearly every second one; a plain remainder would not."""
    bound = 2**31 + 1
    words, numbers = Stream(b"bias"), Stream(b"bias")
    kept = [word for word in (words.below(2**32) for _ in range(2000)) if word < bound]
    assert 900 < len(kept) < 1100
    assert [numbers.below(bound) for _ in kept] == kept


def test_every_order_is_equally_likely():
    stream = Stream(b"orders")
    counts = Counter()
    for _ in range(12_000):
        items = [0, 1, 2, 3]
        stream.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(4)))
    # 500 of each are expected, with a standard deviation of 22; the stream is fixed, so this cannot flicker.
    assert all(400 < count < 600 for count in counts.values())


def test_streams_of_a_match_differ():
    randomness = Randomness("match", bytes(32))
    streams = [
        randomness.deal(),
        randomness.move(1),
        randomness.move(2),
        randomness.stand_in(1),
        randomness.stand_in(2),
    ]
    assert len({stream.below(2**32) for stream in streams}) == len(streams)


def test_seed_match_and_each_entropy_in_its_place_make_a_difference():
    seed = bytes(32)
    first_words = {
        Randomness(*arguments).deal().below(2**32)
        for arguments in [
            ("match", seed),
            ("hctam", seed),
            ("match", bytes([1]) + bytes(31)),
            ("match", seed, [b""]),
            ("match", seed, [b"", b"ab"]),
            ("match", seed, [b"ab", b""]),
            ("match", seed, [b"a", b"b"]),
        ]
    }
    assert len(first_words) == 7


def test_asking_again_begins_again():
    randomness = Randomness("match", bytes(32))
    assert randomness.move(3).below(2**32) == randomness.move(3).below(2**32)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="32 bytes"):
        Randomness("match", bytes(31))
    for bound in (0, -1, 2**32 + 1):
        with pytest.raises(ValueError, match="bound"):
            Stream(b"key").below(bound)
    with pytest.raises(ValueError, match="bound"):
        Stream(b"key").choice([])
