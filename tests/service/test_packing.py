"""Values as they lie in the store: whatever they are, they come back unbent, also those of earlier versions."""

from __future__ import annotations

import hashlib
import random
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.play import Playthrough, whole_matches

from engine.catalogue import GAMES
from service.match import LoggedEvent
from service.store.packing import DICTIONARY, packed, unpacked

MARK = b"\xc1\x02"
MARK_OF_ZLIB = b"\xc1\x01"


@whole_matches(200)
@given(st.binary(max_size=300))
def test_any_bytes_come_back(value: bytes):
    assert unpacked(packed(value)) == value
    for mark in (MARK, MARK_OF_ZLIB):
        assert unpacked(packed(mark + value)) == mark + value, "also such as look packed"


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_comes_back_from_a_third_of_its_room(game: str):
    played = Playthrough(GAMES[game], max(GAMES[game].seats), GAMES[game].options_type(), bytes(32))
    values = [GAMES[game].dump(state) for state in played.steps()]
    values += [msgspec.msgpack.encode(LoggedEvent(1_800_000_000, event)) for event in played.log]
    stored = [packed(value) for value in values]
    assert list(map(unpacked, stored)) == values
    assert sum(map(len, stored)) < sum(map(len, values)) / 3


def test_what_is_short_lies_there_as_it_is():
    assert packed(b"") == b""
    assert packed(b"x" * 31) == b"x" * 31
    assert packed(b"x" * 32).startswith(MARK)


def test_what_nobody_has_packed_is_read_as_it_is():
    value = msgspec.msgpack.encode({"rules_version": 1, "hand": list(range(100))})
    assert unpacked(value) == value


@pytest.mark.parametrize("length", [2, 3, 10, 50])
def test_what_is_damaged_is_given_to_whoever_judges_it(length: int):
    """No packed value is MessagePack, so nobody takes it for one."""
    stored = packed(random.Random(1).randbytes(200))
    assert unpacked(stored[:length]) == stored[:length]
    with pytest.raises(msgspec.DecodeError):
        msgspec.msgpack.decode(unpacked(stored[:length]))


def test_what_is_not_as_long_as_it_says_is_given_to_whoever_judges_it():
    frame = bytes.fromhex("28b52ffd") + b"\xe0"
    endless = MARK + frame + (2**62).to_bytes(8, "little") + bytes(20)
    assert unpacked(endless) == endless
    stored = packed(random.Random(1).randbytes(200))
    assert unpacked(stored + b"more") == stored + b"more"


def test_several_threads_pack_at_once():
    """What packs may be used by one at a time only, and lets others run meanwhile."""
    values = [random.Random(number).randbytes(100_000) * 3 for number in range(8)]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(5):
            assert list(threads.map(lambda value: unpacked(packed(value)), values)) == values


@pytest.mark.parametrize("stored", ["WITH_ZLIB", "WITH_ZSTANDARD"])
def test_what_was_packed_once_is_read_for_ever(stored: str):
    """Whoever changes the dictionary loses every match there is: a new one has another number."""
    assert hashlib.sha256(DICTIONARY.read_bytes()).hexdigest() == DIGEST
    assert unpacked(bytes.fromhex(globals()[stored])) == msgspec.msgpack.encode(
        {"rules_version": 1, "options": {}, "phase": "place_card", "columns": [{"owner": 5, "face_up": True}] * 3}
    )


DIGEST = "65e2bfda85930181fe53f23af6e90bd7f65b0071feea10c1e18919309a31bf44"
WITH_ZLIB = "c1016b411b945c0e1d8e6c585a9091580cf321285060ee9cdc046d782d4f0379beb4e030610100"
WITH_ZSTANDARD = (
    "c10228b52ffd20666d0100b88480a57068617363617264938205a7666163655f7570c30600341d129033703f4948f9918ab143c08d75e70a"
)
