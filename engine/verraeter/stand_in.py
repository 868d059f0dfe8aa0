"""What a stand-in does for a seat whose player is gone."""

from __future__ import annotations

from collections.abc import Sequence

from engine.randomness import Stream
from engine.verraeter.moves import VerraeterMove
from engine.verraeter.view import VerraeterHand, VerraeterTable


def stand_in(
    table: VerraeterTable,
    hand: VerraeterHand,
    legal_moves: Sequence[VerraeterMove],
    random: Stream,
) -> VerraeterMove:
    """Placeholder"""
    return random.choice(legal_moves)
