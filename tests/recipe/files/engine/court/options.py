"""What may be chosen for a match of Court."""

from __future__ import annotations

from engine.court.components import Side
from engine.game import Options


class CourtOptions(Options, frozen=True, kw_only=True):
    """The rulings that groups differ in.

    Attributes:
        tie: the side that wins if both have done equally well.
    """

    tie: Side = "crown"
