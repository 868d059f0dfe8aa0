"""What workers tell each other is the latest, whole, or nothing."""

from __future__ import annotations

import random

import pytest

from service.match import new_id
from service.store.noticeboard import SLOT, Notice, Noticeboard

STAMP = b"stamp-01"
LATER = b"stamp-02"


@pytest.fixture
def memory() -> bytearray:
    return bytearray(8 * SLOT)


def notice(stamp: bytes = STAMP, *, version: int = 1, record: bytes = b"record", state: bytes = b"state") -> Notice:
    return Notice(version, stamp, record, state)


def test_what_one_puts_up_another_one_reads(memory: bytearray):
    mine, other = Noticeboard(memory), Noticeboard(memory)
    match = new_id()
    assert (other.stamp(match), other.read(match)) == (None, None)
    for told in (notice(), notice(LATER, version=2**40, state=b"")):
        mine.put(match, told)
        assert (other.stamp(match), other.read(match)) == (told.stamp, told)


def test_the_latest_stays_also_if_it_is_shorter(memory: bytearray):
    board, match = Noticeboard(memory), new_id()
    board.put(match, notice(state=b"s" * 2000))
    board.put(match, notice(LATER, state=b"s"))
    assert board.read(match) == notice(LATER, state=b"s")


def test_what_is_forgotten_is_told_to_nobody():
    board, match, other = Noticeboard(bytearray(SLOT)), new_id(), new_id()
    board.put(match, notice())
    board.forget(other)
    assert board.read(match) == notice(), "it has the same slot, and is another match"
    board.forget(match)
    assert (board.stamp(match), board.read(match)) == (None, None)
    board.put(match, notice(LATER))
    assert board.read(match) == notice(LATER)


def test_matches_in_one_slot_drive_each_other_out():
    board = Noticeboard(bytearray(SLOT))
    first, second = new_id(), new_id()
    board.put(first, notice())
    board.put(second, notice(LATER))
    assert (board.stamp(first), board.read(first)) == (None, None)
    assert board.read(second) == notice(LATER)


def test_what_is_too_large_is_not_told_and_nothing_older_instead(memory: bytearray):
    board, match = Noticeboard(memory), new_id()
    board.put(match, notice())
    board.put(match, notice(LATER, state=bytes(SLOT)))
    assert (board.stamp(match), board.read(match)) == (None, None)
    most = SLOT
    while board.read(match) is None:
        most -= 1
        board.put(match, notice(record=b"", state=bytes(most)))
    assert SLOT - most < 100, "the slot holds hardly more than the match"


@pytest.mark.parametrize("id_", ["", "x", "ü" * 11, "x" * 21, "x" * 23, "x" * 5000, "\0" * 22])
def test_whatever_is_asked_for_is_not_there(memory: bytearray, id_: str):
    board = Noticeboard(memory)
    assert (board.stamp(id_), board.read(id_)) in [(None, None), (bytes(8), None)]
    board.put(id_, notice())
    assert board.read(id_) in (None, notice())
    assert (board.read(id_) is None) == (len(id_.encode()) != 22)


def test_an_entry_that_is_not_whole_counts_as_none():
    """Of two that write at once, each may have got a part in: from any byte on the one, up to there the other."""
    match, old, new = new_id(), notice(state=bytes(range(256))), notice(LATER, version=2, state=bytes(range(256))[::-1])
    slots = []
    for told in (old, new):
        memory = bytearray(SLOT)
        Noticeboard(memory).put(match, told)
        slots.append(bytes(memory))
    length = len(slots[0].rstrip(b"\0"))
    for place in range(1, length):
        for one, other in (slots, slots[::-1]):
            torn = one[:place] + other[place:]
            found = Noticeboard(bytearray(torn)).read(match)
            assert found is None or torn in slots


def test_no_byte_of_an_entry_can_be_another_one():
    memory, match = bytearray(SLOT), new_id()
    Noticeboard(memory).put(match, notice())
    length = len(bytes(memory).rstrip(b"\0"))
    for place in range(length):
        for bit in range(8):
            bent = bytearray(memory)
            bent[place] ^= 1 << bit
            assert Noticeboard(bent).read(match) is None


def test_whatever_lies_in_the_memory_is_read_without_harm():
    chance, match = random.Random(7), new_id()
    for _ in range(500):
        memory = bytearray(chance.randbytes(SLOT))
        memory[16:38] = match.encode()
        board = Noticeboard(memory)
        assert board.read(match) is None
        assert board.stamp(match) == bytes(memory[38:46])
