"""What a stand-in does for a seat whose player is gone: it helps its side, with one of its favours or the other."""

from __future__ import annotations

from collections.abc import Sequence

from engine.court.moves import CourtMove, LayFavour
from engine.randomness import Stream


def stand_in(legal_moves: Sequence[CourtMove], random: Stream) -> CourtMove:
    """One of the favours, by chance: what it lays tells nothing of its side."""
    return random.choice([move for move in legal_moves if isinstance(move, LayFavour)])
