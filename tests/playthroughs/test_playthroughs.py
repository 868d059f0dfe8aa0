"""Every recorded match is played again and compared line by line.

If a difference is meant, `make playthroughs` writes the files anew; their difference belongs to the same commit.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest
from playthroughs.option_sets import DEFAULT, OPTION_SETS
from playthroughs.record import FOLDER, changes, files, text

from engine.catalogue import GAMES

FILES = files()


def first_difference(recorded: str, now: str) -> str:
    """Where two playthroughs part, with the heading of the move that it happens in."""
    heading = "the beginning"
    pairs = zip_longest(recorded.splitlines(), now.splitlines())
    for number, (before, after) in enumerate(pairs, start=1):
        if before != after:
            return f"line {number}, in {heading}:\n  recorded: {before}\n  now:      {after}"
        if before.startswith("=="):
            heading = before
    return ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_match_goes_as_it_was_recorded(path: Path):
    difference = first_difference(path.read_text(encoding="utf-8"), text(*FILES[path]))
    assert not difference, f"{path.relative_to(FOLDER)}: {difference}"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_number_of_seats_is_recorded(game):
    """With the default options; and at least one match with others."""
    sets = OPTION_SETS[game.id]
    assert set(sets[DEFAULT]) == set(game.seats)
    assert set(sets[DEFAULT].values()) == {game.options_type()}
    assert len(sets) > 1
    for by_seats in sets.values():
        for seats, options in by_seats.items():
            game.check_options(options, seats)


def test_there_is_no_other_file():
    assert set(FOLDER.rglob("*.txt")) == set(FILES)


def test_the_first_difference_is_named():
    recorded = "a\n== 1: seat 0\nb\nc\n"
    assert first_difference(recorded, recorded) == ""
    assert first_difference(recorded, "a\n== 1: seat 0\nb\nd\n") == (
        "line 4, in == 1: seat 0:\n  recorded: c\n  now:      d"
    )
    assert first_difference(recorded, "a\n== 1: seat 0\n").startswith("line 3")
    assert "now:      None" in first_difference(recorded, "a\n== 1: seat 0\nb\n")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"a": 1, "b": [1, 2]}, {"a": 2, "b": [1, 2]}, ["a 2"]),
        ({"a": [1, 2]}, {"a": [2, 1]}, ["a [2,1]"]),
        ({"a": [1, 2, 3, 4, 5]}, {"a": [1, 2, 4, 5]}, ["a -3"]),
        ({"a": [5, 3, 4, 1]}, {"a": [5, 3, 4, 1, 2]}, ["a +2"]),
        ({"a": [5, 3, 4, 1]}, {"a": [2, 5, 3, 4, 1]}, ["a [2,5,3,4,1]"]),
        ({"a": [3, 5, 4, 3]}, {"a": [5, 4, 3]}, ["a [5,4,3]"]),
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}]}, ["a[1] and what follows: gone"]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 3}, {"b": 2}]}, ["a[0].b 3", 'a[1] {"b":2}']),
        ({"a": None}, {"a": {"b": 1}}, ['a {"b":1}']),
        (None, {"a": [1], "b": None, "c": [{"d": 1}]}, ["a [1]", 'c[0] {"d":1}']),
    ],
)
def test_changes_are_told(before, after, said):
    assert list(changes(before, after, "")) == said
