"""A match between reading and writing, and what may happen to it: it starts, moves are played, players leave.

Nothing here reads or writes the store. A seat without a player is played by the game's stand-in, from what that seat
may know, as soon as it is asked: in the same change, so that no time passes that could tell anything.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple, get_args

import msgspec

from engine.game import AnyGame, BadOptions, Event, IllegalMove, Move, Options, Seat, State
from service.match import LoggedMove, Match, Status
from service.problems import FieldError, Problem

MOVE_OF_ANOTHER_GAME: Final = "move-of-another-game"
"""The one reason for an illegal move that no game gives itself."""


class Position(NamedTuple):
    """A match as it stands.

    Attributes:
        state: the game's own state; ``None`` before the start.
    """

    game: AnyGame
    match: Match
    state: State | None

    def started_state(self) -> State:
        """The game's state; refuses what needs one if the match has not started.

        Raises:
            Problem: ``not-started``.
        """
        if self.state is None:
            raise Problem("not-started")
        return self.state


@dataclass
class Change:
    """A match between reading and writing.

    Attributes:
        time: the exact time, in seconds since 1970.
        state: the game's own state; ``None`` before the start.
        events: what has happened since the match was read.
        moves: what was played since.
        told: ids of players who see a change in their list of matches, besides those who play.
        nothing_to_write: the match is as it was read.
        was: the status that was read; ``None`` of a new match.
    """

    game: AnyGame
    match: Match
    state: State | None
    time: float
    events: list[Event[Any]] = field(default_factory=list)
    moves: list[LoggedMove] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    nothing_to_write: bool = False
    was: Status | None = None

    @property
    def now(self) -> int:
        """The time in whole seconds."""
        return int(self.time)

    @property
    def position(self) -> Position:
        """The match as it stands now."""
        return Position(self.game, self.match, self.state)


def check_options(game: AnyGame, options: Options, seats: int) -> None:
    """Refuse options that no match of so many seats can be played with.

    Raises:
        Problem: ``bad-options``.
    """
    try:
        game.check_options(options, seats)
    except BadOptions as error:
        wrong = FieldError(f"/options/{error.field}")
        raise Problem("bad-options", reason=error.reason, errors=[wrong]) from error


def start(change: Change) -> None:
    """Deal. Every seat is taken, by a player or by a stand-in.

    Raises:
        Problem: ``bad-options`` for so many seats, ``unreadable-match`` if the options cannot be read.
    """
    match, game = change.match, change.game
    try:
        options = msgspec.convert(match.options, game.options_type)
    except msgspec.ValidationError as error:
        raise Problem("unreadable-match") from error
    check_options(game, options, len(match.seats))
    change.state, events = game.deal(len(match.seats), options, match.randomness().deal())
    change.events += events
    match.status = "playing"
    match.started_at = change.now
    match.answered = [0] * len(match.seats)
    _ask(change, game.deciding(change.state))
    let_stand_ins_play(change)


def play(change: Change, seat: Seat, move: Move, *, stand_in: bool = False) -> None:
    """Play a move of a seat that owes a decision.

    Raises:
        Problem: ``illegal-move``; the change is as it was.
    """
    match, game, state = change.match, change.game, change.position.started_state()
    number = match.moves + 1
    if not isinstance(move, _move_types(game)):
        raise Problem("illegal-move", reason=MOVE_OF_ANOTHER_GAME)
    try:
        change.events += game.play(state, seat, move, match.randomness().move(number))
    except IllegalMove as refused:
        raise Problem("illegal-move", reason=refused.reason) from refused
    change.moves.append(LoggedMove(change.now, seat, move, stand_in))
    match.moves = number
    match.answered[seat] += 1
    _ask(change, game.deciding(state), answered=seat)
    if game.result(state) is not None:
        _end(change, finished=True)


@cache
def _move_types(game: AnyGame) -> tuple[type[Move], ...]:
    types: tuple[type[Move], ...] = get_args(game.move_type)
    return types


def let_stand_ins_play(change: Change) -> None:
    """Play all decisions of seats without a player, until a player is asked or the match is over."""
    match = change.match
    while asked := [seat for seat in match.waiting_on if (seated := match.seats[seat]) and seated.stand_in]:
        _stand_in_for(change, asked[0])


def play_overdue(change: Change) -> None:
    """Make the decisions that nobody has made in time; what is asked thereupon has a time of its own."""
    match = change.match
    for seat in list(match.waiting_on):
        if seat in match.waiting_on and match.overdue(change.now):
            _stand_in_for(change, seat)
    let_stand_ins_play(change)


def leave(change: Change, player: str) -> None:
    """Take a player out of a match that is not over. A match that all have left is cancelled."""
    match = change.match
    seat = match.seat_of(player)
    assert seat is not None  # who has no seat cannot leave it
    seated = match.seats[seat]
    match.note_leaver(player)
    change.told.append(player)
    if match.status == "open":
        match.seats[seat] = None
    elif seated is not None:
        match.seats[seat] = msgspec.structs.replace(seated, player=None)
    if not match.players():
        _end(change, finished=False)
    elif match.status == "playing":
        let_stand_ins_play(change)


def _stand_in_for(change: Change, seat: Seat) -> None:
    """Have a stand-in make a seat's decision: it sees what the seat sees, and draws from a stream of its own."""
    game, state = change.game, change.position.started_state()
    move = game.stand_in(
        game.table(state),
        game.hand(state, seat),
        game.legal_moves(state, seat),
        change.match.randomness().stand_in(change.match.moves + 1),
    )
    play(change, seat, move, stand_in=True)


def _ask(change: Change, deciding: tuple[Seat, ...], answered: Seat | None = None) -> None:
    """Note who is asked. Who is asked anew has the full time; who goes on deciding, what is left of it."""
    match = change.match
    anew = {seat for seat in deciding if seat not in match.waiting_on or seat == answered}
    match.waiting_on = list(deciding)
    if match.move_seconds is None or not deciding:
        match.deadline = None
    elif anew:
        # Rounded up: what is left of this second must not be taken off the time to decide.
        match.deadline = math.ceil(change.time) + match.move_seconds


def _end(change: Change, *, finished: bool) -> None:
    match = change.match
    match.status = "finished" if finished else "cancelled"
    match.finished_at = change.now
    match.waiting_on = []
    match.deadline = None
