"""What a match keeps of those who come and go: pure, as long as it is not stored."""

from __future__ import annotations

import pytest

from service.match import REPEATS_PER_PLAYER, Match, Once


@pytest.fixture
def match() -> Match:
    return Match(
        match="m",
        game="kabale",
        rules_version=1,
        name=None,
        options={},
        visibility="private",
        seats=[None, None],
        capacity=2,
        creator="ada",
        seed=b"",
        status="open",
        created_at=0,
        expires_at=0,
    )


def once(number: int) -> Once:
    return Once(key=b"key %d" % number, fingerprint=b"asked for %d" % number)


def test_who_has_left_is_noted_once(match: Match):
    for player in ("ada", "ben", "ada"):
        match.note_leaver(player)
    assert match.left == ["ben", "ada"]


def test_a_crowd_that_comes_and_goes_does_not_make_a_match_grow_for_ever(match: Match):
    """The latest are remembered."""
    sizes = set()
    for number in range(300):
        match.note_leaver(f"player {number}")
        match.remember(f"player {number}", once(number), 201)
        if number >= 100:
            sizes.add((len(match.left), len(match.repeats)))
    assert len(sizes) == 1
    assert match.left[-1] == "player 299"
    assert match.repeat_of(once(299)).fingerprint == once(299).fingerprint
    assert match.repeat_of(once(0)) is None


def test_of_each_player_the_latest_requests_are_remembered(match: Match):
    """Who sends many forgets their own, and nobody else's."""
    match.remember("ben", once(0), 201)
    for number in range(1, 10):
        match.remember("ada", once(number), 200)
    remembered = [number for number in range(10) if match.repeat_of(once(number))]
    assert remembered == [0, *range(10 - REPEATS_PER_PLAYER, 10)]
