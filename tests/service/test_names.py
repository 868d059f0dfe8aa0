"""Names that come from elsewhere are made such that the contract would have let them in."""

from __future__ import annotations

import re
import sys

import pytest
from support.bodies import resolved
from support.contract import document

from service.names import FIT, LONGEST_PLAYER_NAME, made_fit

ODD = [chr(code) for code in range(sys.maxunicode + 1) if code < 0x3000 or 0xD7F0 <= code < 0xE010 or code > 0xFE00]


def test_whatever_comes_is_fit_or_nothing():
    for start in range(0, len(ODD), 97):
        name = made_fit("".join(ODD[start : start + 97]), LONGEST_PLAYER_NAME)
        assert not name or (re.fullmatch(FIT, name) and len(name) <= LONGEST_PLAYER_NAME)
        name.encode()


@pytest.mark.parametrize("name", ["Ada", "Ada Lovelace", "José 李", "x" * 40, "🂡"])
def test_a_fit_name_stays_as_it_is(name: str):
    assert made_fit(name, LONGEST_PLAYER_NAME) == name


def test_the_contract_says_what_is_fit():
    name = resolved(document()["components"]["schemas"]["NewPlayer"])["properties"]["name"]
    assert (name["pattern"], name["maxLength"]) == (FIT, LONGEST_PLAYER_NAME)
