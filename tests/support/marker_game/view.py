"""What the viewers of a match of the marker game may see.

Everything here is built field by field from the state; nothing is copied and then blanked.
"""

from __future__ import annotations

import msgspec

from engine.game import Hand, Seat
from support.marker_game.components import Mark
from support.marker_game.legality import deciding
from support.marker_game.state import MarkerGameState, Phase, Player


class MarkerGameSeat(msgspec.Struct, frozen=True, kw_only=True):
    """What lies open of one seat.

    Attributes:
        laid: the card that it laid in each round; null while that lies face down.
        peeked_at: in each round, the seat whose card it looked at.
        plots: how many it was given.
        has_voted: whether a paper of its is in the urn.
        role: null until the end.
    """

    seat: Seat
    hand_size: int
    laid: list[Mark | None]
    peeked_at: list[Seat]
    plots: int
    has_voted: bool
    role: Mark | None


class MarkerGameVote(msgspec.Struct, frozen=True, kw_only=True):
    """A paper that was in the urn, and the seat that it names."""

    ballot: Mark
    candidate: Seat


class MarkerGameTable(msgspec.Struct, frozen=True, kw_only=True):
    """What lies open for everybody.

    Attributes:
        round: from 0.
        rounds: how many there are.
        phase: what the match waits for.
        turn: the seat that acts; null in a vote and after the end.
        last_vote: what was in the urn when it was opened last, in seat order; empty before the first time.
    """

    round: int
    rounds: int
    phase: Phase
    turn: Seat | None
    seats: list[MarkerGameSeat]
    draw_pile_size: int
    plots_left: int
    last_vote: list[MarkerGameVote]


class MarkerGamePeek(msgspec.Struct, frozen=True, kw_only=True):
    """A card of another seat that this one has looked at."""

    round: int
    seat: Seat
    mark: Mark


class MarkerGameHand(Hand, frozen=True, kw_only=True):
    """What one seat alone knows.

    Attributes:
        hand: its cards, sorted.
        laid: the card that it laid in each round.
        peeked: what it saw of others.
        plots: those that it was given.
        ballots: its papers, one for each candidate, in seat order; none outside of a vote.
        cast: the paper that it put into the urn, until that is opened.
    """

    role: Mark
    hand: list[Mark]
    laid: list[Mark]
    peeked: list[MarkerGamePeek]
    plots: list[Mark]
    ballots: list[Mark]
    cast: Mark | None


def table(state: MarkerGameState) -> MarkerGameTable:
    """What lies open for everybody."""
    in_turn = state.phase in ("lay_mark", "peek_mark")
    return MarkerGameTable(
        round=state.round,
        rounds=state.options.rounds,
        phase=state.phase,
        turn=deciding(state)[0] if in_turn else None,
        seats=[_seat(state, seat, player) for seat, player in enumerate(state.players)],
        draw_pile_size=len(state.draw_pile),
        plots_left=len(state.plots),
        last_vote=[
            MarkerGameVote(ballot=ballot, candidate=candidate)
            for ballot, candidate in zip(state.last_vote, state.votes, strict=True)
        ],
    )


def hand(state: MarkerGameState, seat: Seat) -> MarkerGameHand:
    """What this seat alone knows."""
    player = state.players[seat]
    return MarkerGameHand(
        seat=seat,
        role=state.roles[seat],
        hand=list(player.hand),
        laid=list(player.laid),
        peeked=[
            MarkerGamePeek(round=number, seat=target, mark=state.players[target].laid[number])
            for number, target in enumerate(player.peeked_at)
        ],
        plots=list(player.plots),
        ballots=list(player.ballots),
        cast=player.cast,
    )


def _seat(state: MarkerGameState, seat: Seat, player: Player) -> MarkerGameSeat:
    return MarkerGameSeat(
        seat=seat,
        hand_size=len(player.hand),
        laid=[mark if number in player.exposed else None for number, mark in enumerate(player.laid)],
        peeked_at=list(player.peeked_at),
        plots=len(player.plots),
        has_voted=player.cast is not None,
        role=state.roles[seat] if state.phase == "over" else None,
    )
