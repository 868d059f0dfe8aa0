"""Memory that the workers of a service have in common: gunicorn's master makes it, and they inherit it.

It has no name and lies in no file: nobody else can reach it, and it goes with the last of them. What is kept there, and
how readers tell that a writer was in the midst of it, is the business of whoever uses it.
"""

from __future__ import annotations

import mmap
from typing import Final

SIZE: Final = 16 * 2**20
"""Bytes. The system gives them only where something is written."""

_made: list[mmap.mmap] = []


def make() -> None:
    """Make it, in a process that forks the workers later."""
    _made.append(mmap.mmap(-1, SIZE))


def inherited() -> mmap.mmap | None:
    """The memory, if this process has it in common with others."""
    return _made[-1] if _made else None
