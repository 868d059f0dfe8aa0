"""How a fault is put into a log."""

from __future__ import annotations

import traceback


def trace(error: BaseException) -> str:
    """Where a fault arose, and those before it, without their words: these may name a card, and logs travel far."""
    here = type(error).__name__ + "\n" + "".join(traceback.format_tb(error.__traceback__))
    earlier = error.__cause__ or error.__context__
    return here if earlier is None else f"{here}after {trace(earlier)}"
