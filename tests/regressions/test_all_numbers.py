"""Each file here is named after what went wrong in a service of this kind, and retells it in its first line.

The numbers are those of a longer list.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

REPORTS = {
    1: "boardgame.io #1159, #399",
    2: "Secret-Hitler-Online #7",
    6: "phase-rs #5368, ygopro #2363, mage #1428",
    7: "phase-rs #7201",
    8: "throneteki #2924, #3134",
    10: "netrunner #8651",
    11: "Secret-Hitler-Online #140, #157",
    12: "cuttle #785, forceteki #1003, boardgame.io #429, Colyseus #726",
    13: "ProAvalon #258, netrunner #1387, #5213",
    15: "ask-o11y #218, reinhardt #739",
    16: "OWASP cornucopia #2419",
    18: "boardgame.io #429",
    19: "scribbl #3, warp #199",
    20: "secret-hitler #1165, redis #2049",
    21: "Balatro multiplayer #20, #32",
    23: "gunicorn #1186, taranis-ai #196",
    25: "passmower #265, #77, firecrawl #4045",
    27: "flask-smorest #116",
    29: "eve #661",
    31: "apispec #1012, openapi-generator #17763, #14562",
    32: "django-modern-rest #1135, FlareSolverr #1748",
}
"""Where it was reported."""


@pytest.mark.parametrize("number", REPORTS)
def test_a_number_has_a_test(number: int):
    text = Path(__file__).with_name(f"test_{number:02}.py").read_text(encoding="utf-8")
    assert text.startswith('"""Elsewhere ')
    assert re.search(r"^def test_", text, flags=re.MULTILINE)


def test_there_are_no_others():
    found = {int(file.stem[5:]) for file in Path(__file__).parent.glob("test_[0-9]*.py")}
    assert found == set(REPORTS)
