"""What a stand-in does for a seat whose player is gone: anything at random, but it does not vote for itself."""

from __future__ import annotations

from collections.abc import Sequence

from engine.randomness import Stream
from support.marker_game.moves import CastBallot, MarkerGameMove
from support.marker_game.view import MarkerGameHand, MarkerGameTable


def stand_in(
    table: MarkerGameTable,
    hand: MarkerGameHand,
    legal_moves: Sequence[MarkerGameMove],
    random: Stream,
) -> MarkerGameMove:
    """A sensible one of the legal moves."""
    own = CastBallot(ballot=hand.ballots[hand.seat]) if hand.ballots else None
    return random.choice([move for move in legal_moves if move != own])
