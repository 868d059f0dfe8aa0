"""The course of a match of the marker game.

1. Everybody is dealt a role and three cards. One role, two cards and one plot are left over and never seen.
2. In turn, each seat lays a card face down and draws another one.
3. In turn, each seat looks at the card that another seat has just laid.
4. Everybody is handed a ballot paper for each seat and votes in secret. When all have voted, the urn is opened.
5. The card of the seat with most votes is turned up; of several, that of the first in turn. In return that seat may
   read the next plot. All other cards stay face down for good.
6. After the last round everybody shows their role. The least exposed wins, see :mod:`~support.marker_game.scoring`.
"""

from __future__ import annotations

from bisect import insort
from typing import TypeAlias

from engine.game import Event, Seat, openly, secretly
from engine.randomness import Stream
from support.marker_game.components import COMPONENTS, new_mark
from support.marker_game.events import (
    BallotCast,
    BallotsHanded,
    BallotsOpened,
    MarkDrawn,
    MarkerGameBallots,
    MarkerGameDealt,
    MarkerGameDealtCards,
    MarkerGameEnded,
    MarkerGameEvent,
    MarkerGameOneMark,
    MarkExposed,
    MarkLaid,
    MarkPeeked,
    MarkRoundBegun,
    PlotGiven,
)
from support.marker_game.legality import check
from support.marker_game.moves import CastBallot, LayMark, MarkerGameMove, PeekMark
from support.marker_game.options import MarkerGameOptions
from support.marker_game.state import MarkerGameState, Player, seats_in_turn

RULES_VERSION = 1

Log: TypeAlias = list[Event[MarkerGameEvent]]


def deal(seats: int, options: MarkerGameOptions, random: Stream) -> tuple[MarkerGameState, Log]:
    """Set-up (step 1)."""
    state = MarkerGameState(
        rules_version=RULES_VERSION,
        options=options,
        phase="lay_mark",
        round=0,
        acted=0,
        players=[
            Player(hand=sorted(new_mark("card", random) for _ in range(COMPONENTS.hand_size))) for _ in range(seats)
        ],
        roles=[new_mark("role", random) for _ in range(seats + 1)],
        draw_pile=[new_mark("card", random) for _ in range(seats * options.rounds + COMPONENTS.undrawn)],
        plots=[new_mark("plot", random) for _ in range(options.rounds + 1)],
    )
    dealt = {
        seat: MarkerGameDealtCards(role=state.roles[seat], hand=list(player.hand))
        for seat, player in enumerate(state.players)
    }
    return state, [secretly(MarkerGameDealt(seats=seats, rounds=options.rounds), dealt)]


def play(state: MarkerGameState, seat: Seat, move: MarkerGameMove, random: Stream) -> Log:
    """Play one move and all that follows from it, up to the next decision or the end.

    Raises:
        IllegalMove: the move is not legal; nothing has changed.
    """
    check(state, seat, move)
    match move:
        case LayMark():
            return _lay(state, seat, move)
        case PeekMark():
            return _peek(state, seat, move, random)
        case CastBallot():
            return _vote(state, seat, move)


def _all_have_acted(state: MarkerGameState) -> bool:
    """Count one more seat in a phase in which every seat acts in turn; true once the last has."""
    state.acted = (state.acted + 1) % len(state.players)
    return state.acted == 0


def _lay(state: MarkerGameState, seat: Seat, move: LayMark) -> Log:
    """Step 2."""
    player = state.players[seat]
    player.hand.remove(move.mark)
    player.laid.append(move.mark)
    drawn = state.draw_pile.pop()
    insort(player.hand, drawn)
    if _all_have_acted(state):
        state.phase = "peek_mark"
    return [
        secretly(MarkLaid(seat=seat), {seat: MarkerGameOneMark(mark=move.mark)}),
        secretly(MarkDrawn(seat=seat), {seat: MarkerGameOneMark(mark=drawn)}),
    ]


def _peek(state: MarkerGameState, seat: Seat, move: PeekMark, random: Stream) -> Log:
    """Step 3, and after the last look the papers of step 4."""
    state.players[seat].peeked_at.append(move.seat)
    seen = MarkerGameOneMark(mark=state.players[move.seat].laid[-1])
    log: Log = [secretly(MarkPeeked(seat=seat, target=move.seat), {seat: seen})]
    if _all_have_acted(state):
        state.phase = "cast_ballot"
        for player in state.players:
            player.ballots = [new_mark("vote", random) for _ in state.players]
        handed = {seat: MarkerGameBallots(ballots=list(player.ballots)) for seat, player in enumerate(state.players)}
        log.append(secretly(BallotsHanded(), handed))
    return log


def _vote(state: MarkerGameState, seat: Seat, move: CastBallot) -> Log:
    """Step 4; who votes last opens the urn."""
    state.players[seat].cast = move.ballot
    log: Log = [secretly(BallotCast(seat=seat), {seat: MarkerGameOneMark(mark=move.ballot)})]
    if all(player.cast for player in state.players):
        log += [*_open_urn(state), *_finish_round(state)]
    return log


def _open_urn(state: MarkerGameState) -> Log:
    """Step 5. The papers that were not cast are thrown away unseen."""
    state.last_vote = [player.cast for player in state.players if player.cast]
    state.votes = [player.ballots.index(ballot) for player, ballot in zip(state.players, state.last_vote, strict=True)]
    for player in state.players:
        player.ballots, player.cast = [], None
    exposed = max(seats_in_turn(state), key=state.votes.count)
    loser = state.players[exposed]
    loser.exposed.append(state.round)
    loser.plots.append(state.plots.pop())
    return [
        openly(BallotsOpened(ballots=list(state.last_vote), votes=list(state.votes))),
        openly(MarkExposed(seat=exposed, mark=loser.laid[-1])),
        secretly(PlotGiven(seat=exposed), {exposed: MarkerGameOneMark(mark=loser.plots[-1])}),
    ]


def _finish_round(state: MarkerGameState) -> Log:
    """The next round, or step 6."""
    if state.round + 1 == state.options.rounds:
        state.phase = "over"
        return [openly(MarkerGameEnded(roles=state.roles[:-1]))]
    state.phase = "lay_mark"
    state.round += 1
    return [openly(MarkRoundBegun(round=state.round))]
