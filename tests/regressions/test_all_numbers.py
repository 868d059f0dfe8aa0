"""Each thing that went wrong elsewhere has its file here, with at least one test.

Number 31, unions that generated clients cannot read, is for the tests of the contract and of generated clients.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

NUMBERS = [1, 2, 6, 7, 8, 10, 11, 12, 13, 15, 16, 18, 19, 20, 21, 23, 25, 27, 29, 32]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_has_a_test(number: int):
    text = Path(__file__).with_name(f"test_{number:02}.py").read_text(encoding="utf-8")
    assert re.search(r"^def test_", text, flags=re.MULTILINE)


def test_there_are_no_others():
    found = {int(file.stem[5:]) for file in Path(__file__).parent.glob("test_[0-9]*.py")}
    assert found == set(NUMBERS)
