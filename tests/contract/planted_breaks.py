"""Changes that break clients, planted into the real contract one by one, and what has to be said of each."""

from __future__ import annotations

from changes import breaking
from contract import breaks_in_answers, breaks_in_requests
from contract.edits import planted
from contract.table_of_breaks import BREAKS
from support.contract import document

__all__ = ["BREAKS", "breaks_in_answers", "breaks_in_requests", "found_of_all", "is_found"]


def is_found(what: str) -> bool:
    """Whether the comparison names a planted break."""
    edit, said = BREAKS[what]
    return any(said in str(change) for change in breaking(document(), planted(edit)))


def found_of_all() -> tuple[int, int]:
    """How many planted breaks are found, and how many there are."""
    return sum(is_found(what) for what in BREAKS), len(BREAKS)
