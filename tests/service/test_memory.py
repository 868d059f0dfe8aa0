"""What a process remembers: never more than it may."""

from __future__ import annotations

import pytest

from service.memory import OVERHEAD, Memory


def test_what_was_put_is_there_until_it_is_forgotten():
    memory: Memory[str] = Memory(10_000)
    assert memory.get("a") is None
    memory.put("a", "one", 10)
    memory.put("a", "two", 10)
    assert (memory.get("a"), len(memory)) == ("two", 1)
    memory.forget("a")
    memory.forget("a")
    assert (memory.get("a"), len(memory)) == (None, 0)


def test_what_was_not_used_for_the_longest_time_gives_way():
    memory: Memory[int] = Memory(3 * (OVERHEAD + 100))
    for number, name in enumerate("abc"):
        memory.put(name, number, 100)
    memory.get("a")
    memory.put("d", 3, 100)
    assert [memory.get(name) for name in "abcd"] == [0, None, 2, 3]


def test_a_large_value_takes_the_room_of_several_and_gives_it_back():
    memory: Memory[int] = Memory(3 * (OVERHEAD + 100))
    for name in "abc":
        memory.put(name, 0, 100)
    memory.put("d", 1, 2 * OVERHEAD)
    assert [memory.get(name) for name in "abcd"] == [None, None, None, 1]
    memory.put("d", 1, 100)
    memory.put("e", 2, 100)
    memory.put("f", 3, 100)
    assert len(memory) == 3


@pytest.mark.parametrize("size", [0, OVERHEAD])
def test_what_is_larger_than_all_of_it_is_not_remembered(size: int):
    memory: Memory[int] = Memory(size)
    memory.put("a", 1, 1)
    assert (memory.get("a"), len(memory)) == (None, 0)
    memory.put("a", 1, size + 1)
    assert len(memory) == 0
