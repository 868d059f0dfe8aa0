"""Everything there is to know about a running match of Court, secrets included."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.court.components import Favour, Side
from engine.court.options import CourtOptions
from engine.game import State

Phase: TypeAlias = Literal["do_favour", "over"]
"""What the match waits for: the kind of decision that is due, or ``over``."""


class Player(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What belongs to one seat.

    Attributes:
        hand: sorted.
        laid: the favour that it has laid face down; null if it has laid none.
    """

    side: Side
    hand: list[Favour]
    laid: Favour | None = None


class CourtState(State, kw_only=True):
    """A running match.

    Attributes:
        turn: the seat that is due, or how many there are if all have had their turn.
        spare_side: the allegiance card that nobody has; nobody ever sees it.
        spare_favours: those that nobody has, sorted; nobody ever sees them.
    """

    options: CourtOptions
    players: list[Player]
    turn: int
    spare_side: Side
    spare_favours: list[Favour]

    def phase(self) -> Phase:
        """What the match waits for."""
        return "do_favour" if self.turn < len(self.players) else "over"
