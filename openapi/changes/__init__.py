"""What differs between two versions of the contract, and what of it breaks a client of the older one.

The policy that is judged by is ``docs/compatibility.md``: requests are closed, answers are open, names are promises.
Whatever the comparison does not understand counts as breaking.
"""

from __future__ import annotations

from typing import Any

from changes.contracts import compare_contracts
from changes.found import Change, Found

__all__ = ["Change", "breaking", "compare", "may_break"]


def compare(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """All changes from one contract to the next, breaking ones first."""
    found = Found(old, new)
    compare_contracts(found)
    return found.in_order()


def breaking(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """The changes that break a client of the old contract."""
    return [change for change in compare(old, new) if change.breaks]


def may_break(old: str, new: str) -> bool:
    """Whether a version may break clients of another: the first number that is not 0 has to be a higher one."""
    before, after = ([int(number) for number in version.split(".")] for version in (old, new))
    leading = next((place for place, number in enumerate(before) if number), len(before) - 1)
    return after[: leading + 1] > before[: leading + 1]
