"""Everything there is to know about a running match of the marker game, secrets included."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.game import Seat, State
from support.marker_game.components import Mark
from support.marker_game.options import MarkerGameOptions

Phase: TypeAlias = Literal["lay_mark", "peek_mark", "cast_ballot", "over"]
"""What the match waits for: the kind of decision that is due, or ``over``."""


class Player(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What belongs to one seat.

    Attributes:
        hand: sorted.
        laid: the card that it laid face down in each round.
        exposed: the rounds, from 0, whose card has been turned up.
        peeked_at: in each round, the seat whose card of that round it looked at.
        plots: those that it was given, which it alone has read.
        ballots: its papers, one for each candidate, in seat order; none outside of a vote.
        cast: the paper that it put into the urn; null before.
    """

    hand: list[Mark]
    laid: list[Mark] = []
    exposed: list[int] = []
    peeked_at: list[Seat] = []
    plots: list[Mark] = []
    ballots: list[Mark] = []
    cast: Mark | None = None


class MarkerGameState(State, kw_only=True):
    """A match of the marker game.

    Attributes:
        round: from 0.
        acted: in phases in which every seat acts in turn, how many have acted; else 0.
        roles: in seat order, and at the end the one that nobody has.
        draw_pile: the next card is the last one.
        plots: the next one is the last one.
        last_vote: the papers that were in the urn, in seat order, once it has been opened.
        votes: the seats that they named.
    """

    options: MarkerGameOptions
    phase: Phase
    round: int
    acted: int
    players: list[Player]
    roles: list[Mark]
    draw_pile: list[Mark]
    plots: list[Mark]
    last_vote: list[Mark] = []
    votes: list[Seat] = []


def seats_in_turn(state: MarkerGameState) -> list[Seat]:
    """All seats in the order in which they act in this round; another one begins each time."""
    count = len(state.players)
    return [(state.round + step) % count for step in range(count)]
