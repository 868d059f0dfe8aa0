"""Cursors: each leads on in the list that it was made for, and nothing else does."""

from __future__ import annotations

import base64

import pytest

from service.cursors import cursor, place_of
from service.entries import Place
from service.match import new_id
from service.problems import Problem

PLACES = [Place(0, "m"), Place(1_700_000_000, new_id()), Place(99_999_999_999, "-" * 64), Place(7, "AZaz09_-")]


def of(text: str) -> str:
    """What would be a cursor if it had the right content."""
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def inside(text: str) -> str:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()


GOOD = cursor("list", Place(17, "match"))
MARK = inside(GOOD).partition(":")[0]


@pytest.mark.parametrize("place", PLACES)
def test_a_cursor_leads_back_to_its_place(place: Place):
    assert place_of(cursor("list", place), "list") == place


def test_a_cursor_is_one_word_that_needs_no_quoting():
    for place in PLACES:
        assert cursor("list", place).replace("-", "").replace("_", "").isalnum()


def test_this_is_how_the_ones_below_are_made():
    assert of(f"{MARK}:17:match") == GOOD


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            " ",
            "nonsense",
            "null",
            "0",
            "a" * 5000,
            "\x00",
            "ä",
            "\udcff",
            "🂡",
            GOOD + "=",
            GOOD + "==",
            GOOD + "\n",
        ],
        *[" " + GOOD, GOOD[:-1], GOOD[1:], GOOD + "A", GOOD + GOOD, GOOD[:8] + "." + GOOD[8:], GOOD.swapcase()],
        *[of(f"{MARK}:{at}:match") for at in ("", "-1", "+1", "01", "1.0", "1e3", " 1", "1 ", "\u0661", "1" * 12)],
        *[of(f"{MARK}:17:{match}") for match in ("", "a b", "ä", "a:b", "{a}", "a" * 65, "match\n", "\x00")],
        *[of(f"{mark}:17:match") for mark in ("", "0" * 8, MARK.upper() + "A", MARK[1:], MARK + "0")],
        *[of("17:match"), of(f"{MARK}:17"), of(f"{MARK}:17:match:"), of(f"{MARK}/17/match")],
    ],
)
def test_anything_else_is_refused(text: str):
    with pytest.raises(Problem) as refused:
        place_of(text, "list")
    assert refused.value.code == "bad-cursor"
    assert refused.value.detail is None, "and nothing of it is repeated"


def test_the_same_bytes_written_otherwise_are_refused():
    """The last character of base64 has bits to spare."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    same = [GOOD[:-1] + last for last in alphabet if inside(GOOD[:-1] + last) == inside(GOOD)]
    assert len(same) > 1
    for text in set(same) - {GOOD}:
        with pytest.raises(Problem):
            place_of(text, "list")


def test_a_cursor_of_another_list_is_refused():
    with pytest.raises(Problem) as refused:
        place_of(GOOD, "another list")
    assert refused.value.code == "bad-cursor"
