"""Whether to build on what was seen last, or to ask first."""

from __future__ import annotations

from typing import Final

_ENOUGH: Final = 2 / 3
"""A right guess saves the trip that reads. A wrong one costs the trip that was to write, and the move is played again,
which takes twice as long as a trip: so of three, one may be wrong."""

_LATEST: Final = 32


class Guesses:
    """How often the latest guesses were right, or would have been.

    Where all requests for a match come to one machine they nearly always are; among many machines that know nothing of
    each other, seldom.
    """

    def __init__(self) -> None:
        self._right = 1.0

    @property
    def pay(self) -> bool:
        """Whether it is quicker to guess than to ask."""
        return self._right >= _ENOUGH

    def note(self, *, right: bool) -> None:
        """Note what came of one, or would have come of it."""
        self._right += (right - self._right) / _LATEST
