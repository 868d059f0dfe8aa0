"""The table of planted breaks; who fills it and who reads it are other modules."""

from __future__ import annotations

from collections.abc import Callable

from contract.edits import Edit

BREAKS: dict[str, tuple[Edit, str]] = {}
"""By what it is: an edit of the contract, and a part of what a breaking change then says."""


def breaks(what: str, said: str) -> Callable[[Edit], Edit]:
    """Enter an edit into the table."""

    def enter(edit: Edit) -> Edit:
        assert what not in BREAKS
        BREAKS[what] = edit, said
        return edit

    return enter
