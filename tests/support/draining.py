"""A process that is about to end, as far as it knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.launcher import draining


@contextmanager
def begun() -> Iterator[None]:
    """Inside, the end has begun."""
    draining.begin()
    try:
        yield
    finally:
        draining._state.update(announced=False, begun=False)
