"""The use cases: create, join, start, look at and play a match. No HTTP, no Redis.

Every change follows one pattern: read the match, decide on what was read, and write only if nobody was faster;
else begin again, as long as the request still makes sense. So a request is judged against the very state that it
changes, and what is refused changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol, TypeVar, get_args

import msgspec

from engine.game import AnyGame, BadOptions, Event, IllegalMove, Move, Options, Seat, State, UnreadableState
from service.identity import Player
from service.match import LoggedEvent, LoggedMove, Match, Seated, Status, Stored, Visibility, new_id, new_seed
from service.problems import FieldError, Problem
from service.replays import replay
from service.views import next_decision, view

Answer = TypeVar("Answer")

MOST_RACES: Final = 50
"""How often a change begins again because somebody else was faster, before it gives up."""


MOVE_OF_ANOTHER_GAME: Final = "move-of-another-game"
"""The one reason for an illegal move that no game gives itself."""


class Store(Protocol):
    """What the use cases need of a store; :class:`service.store.MatchStore` says what each does."""

    def read(self, match: str) -> Stored | None: ...  # noqa: D102
    def read_logs(self, match: str) -> tuple[list[bytes], list[bytes]]: ...  # noqa: D102
    def write(  # noqa: D102
        self,
        match: str,
        read: Stored | None,
        record: bytes,
        state: bytes,
        *,
        lifetime: float,
        events: Sequence[bytes] = ...,
        moves: Sequence[bytes] = ...,
    ) -> bool: ...


@dataclass(frozen=True)
class Lifetimes:
    """Seconds that a match is kept after the latest write, by its status."""

    open: int
    playing: int
    finished: int

    def of(self, status: Status) -> int:
        """How long a match with this status is kept."""
        return {"open": self.open, "playing": self.playing}.get(status, self.finished)


class Joined(NamedTuple):
    """A match, one's seat in it, and whether that seat was taken just now."""

    match: Match
    seat: Seat
    newly: bool


@dataclass
class _Change:
    """A match between reading and writing."""

    game: AnyGame
    match: Match
    state: State | None
    events: list[Event[Any]] = field(default_factory=list)
    move: LoggedMove | None = None
    nothing_to_write: bool = False

    def started_state(self) -> State:
        """The game's state; refuses what needs one if the match has not started."""
        if self.state is None:
            raise Problem("not-started")
        return self.state


class Matches:
    """All matches of this service.

    Args:
        store: where they lie.
        games: the catalogue, by id.
        lifetimes: how long they are kept.
        clock: the time, in seconds since 1970.

    Every method raises ``Problem`` for what is refused, with the codes named there, and what the store raises when
    it fails.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        lifetimes: Lifetimes,
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._games = games
        self._lifetimes = lifetimes
        self._clock = clock

    def create(
        self,
        creator: Player,
        *,
        game_id: str,
        seats: int,
        options: Options,
        visibility: Visibility,
        name: str | None,
    ) -> Joined:
        """A new match with its creator in seat 0.

        Raises:
            Problem: ``bad-options``, and ``busy`` if there is a match with the new id.
        """
        game = self._games[game_id]
        _check_options(game, options, seats)
        now = self._now()
        match = Match(
            match=new_id(),
            game=game.id,
            rules_version=game.rules_version,
            name=name,
            options=msgspec.to_builtins(options),
            visibility=visibility,
            # The creator adds no entropy: what came before the commitment proves nothing.
            seats=[Seated(player=creator.id, name=creator.name), *[None] * (seats - 1)],
            capacity=seats,
            creator=creator.id,
            seed=new_seed(),
            status="open",
            created_at=now,
            expires_at=now + self._lifetimes.open,
        )
        if not self._save(None, _Change(game, match, None)):
            raise Problem("busy")
        return Joined(match, 0, newly=True)

    def card(self, match_id: str) -> Match:
        """Who plays what since when.

        Raises:
            Problem: ``no-such-match``.
        """
        return self._opened(self._read(match_id)).match

    def join(self, match_id: str, player: Player, seat: Seat | None, entropy: str) -> Joined:
        """Take a seat: the one asked for or the first free one. The last seat taken starts the match.

        Raises:
            Problem: ``no-such-match``, ``already-started``, ``match-full``, ``seat-taken``, ``invalid`` for a seat
                that the match does not have.
        """

        def take_seat(change: _Change) -> Joined:
            match = change.match
            sits_at = match.seat_of(player.id)
            if sits_at is not None:
                change.nothing_to_write = True
                return Joined(match, sits_at, newly=False)
            taken = _choose_seat(match, seat)
            match.seats[taken] = Seated(player=player.id, name=player.name, entropy=entropy)
            if not match.free_seats():
                self._start(change)
            return Joined(match, taken, newly=True)

        return self._change(match_id, take_seat)

    def start(self, match_id: str, player: Player) -> Match:
        """Start with the seats that are taken; gaps close up.

        Raises:
            Problem: ``no-such-match``, ``not-a-player``, ``not-the-creator``, ``already-started``,
                ``too-few-players``, ``bad-options`` for so few seats.
        """

        def start(change: _Change) -> Match:
            match = change.match
            if match.seat_of(player.id) is None:
                raise Problem("not-a-player")
            if match.creator != player.id:
                raise Problem("not-the-creator")
            if match.status != "open":
                raise Problem("already-started")
            match.seats = [seated for seated in match.seats if seated]
            if len(match.seats) not in change.game.seats:
                raise Problem("too-few-players")
            self._start(change)
            return match

        return self._change(match_id, start)

    def view(self, match_id: str, player: Player | None) -> msgspec.Struct:
        """What a player, or a spectator, sees of a match.

        Raises:
            Problem: ``no-such-match``, ``not-started``.
        """
        return self._view(self._opened(self._read(match_id)), player)

    def act(self, match_id: str, player: Player, decision: int, move: Move) -> msgspec.Struct:
        """Play a move; answers what the player sees afterwards.

        Args:
            decision: the id of the decision that the move answers.

        Raises:
            Problem: ``no-such-match``, ``not-a-player``, ``not-started``, ``decision-closed``, ``match-over``,
                ``not-your-decision``, ``illegal-move``.
        """

        def play(change: _Change) -> _Change:
            seat = change.match.seat_of(player.id)
            if seat is None:
                raise Problem("not-a-player")
            self._check_decision(change, seat, decision)
            self._play(change, seat, move)
            return change

        return self._view(self._change(match_id, play), player)

    def replay(self, match_id: str) -> msgspec.Struct:
        """A finished match, told in full.

        Raises:
            Problem: ``no-such-match``, ``match-not-finished``.
        """
        opened = self._opened(self._read(match_id))
        if opened.match.status != "finished":
            raise Problem("match-not-finished")
        events, moves = self._store.read_logs(match_id)
        try:
            return replay(opened.game, opened.match, opened.started_state(), events, moves)
        except msgspec.DecodeError as error:
            raise Problem("unreadable-match") from error

    # --- what the use cases are made of ---

    def _now(self) -> int:
        return int(self._clock())

    def _read(self, match_id: str) -> Stored:
        stored = self._store.read(match_id)
        if stored is None:
            raise Problem("no-such-match")
        return stored

    def _opened(self, stored: Stored) -> _Change:
        """Decode what was read; a fresh copy each time, so that a failed attempt leaves nothing behind."""
        try:
            match = _MATCH.decode(stored.match)
            game = self._games[match.game]
            state = game.load(stored.state) if stored.state else None
        except (msgspec.DecodeError, UnreadableState, KeyError) as error:
            raise Problem("unreadable-match") from error
        if match.rules_version != game.rules_version:
            raise Problem("unreadable-match")  # before the start there is no state that would tell
        return _Change(game, match, state)

    def _change(self, match_id: str, change: Callable[[_Change], Answer]) -> Answer:
        """Read, let ``change`` edit what was read, write; again if somebody was faster."""
        for _ in range(MOST_RACES):
            stored = self._read(match_id)
            opened = self._opened(stored)
            answer = change(opened)
            if opened.nothing_to_write or self._save(stored, opened):
                return answer
        raise Problem("busy")

    def _save(self, read: Stored | None, change: _Change) -> bool:
        match = change.match
        now = self._now()
        lifetime = self._lifetimes.of(match.status)
        match.expires_at = now + lifetime
        return self._store.write(
            match.match,
            read,
            msgspec.msgpack.encode(match),
            change.game.dump(change.state) if change.state is not None else b"",
            lifetime=lifetime,
            events=[msgspec.msgpack.encode(LoggedEvent(now, event)) for event in change.events],
            moves=[msgspec.msgpack.encode(change.move)] if change.move else [],
        )

    def _start(self, change: _Change) -> None:
        """Deal. Everybody who plays is seated."""
        match, game = change.match, change.game
        options = msgspec.convert(match.options, game.options_type)
        _check_options(game, options, len(match.seats))
        change.state, events = game.deal(len(match.seats), options, match.randomness().deal())
        change.events += events
        match.status = "playing"
        match.started_at = self._now()
        match.answered = [0] * len(match.seats)
        match.waiting_on = list(game.deciding(change.state))

    def _check_decision(self, change: _Change, seat: Seat, decision: int) -> None:
        """Refuse an answer to a decision that is not open for this seat."""
        change.started_state()
        match = change.match
        if decision < next_decision(match, seat):
            raise Problem("decision-closed")
        if match.status != "playing":
            raise Problem("match-over")
        if decision > next_decision(match, seat) or seat not in match.waiting_on:
            raise Problem("not-your-decision")

    def _play(self, change: _Change, seat: Seat, move: Move) -> None:
        match, game, state = change.match, change.game, change.started_state()
        number = match.moves + 1
        if not isinstance(move, get_args(game.move_type)):
            raise Problem("illegal-move", reason=MOVE_OF_ANOTHER_GAME)
        try:
            change.events += game.play(state, seat, move, match.randomness().move(number))
        except IllegalMove as refused:
            raise Problem("illegal-move", reason=refused.reason) from refused
        now = self._now()
        change.move = LoggedMove(now, seat, move)
        match.moves = number
        match.answered[seat] += 1
        match.waiting_on = list(game.deciding(state))
        if game.result(state) is not None:
            match.status = "finished"
            match.finished_at = now

    def _view(self, seen: _Change, player: Player | None) -> msgspec.Struct:
        viewer = None if player is None else seen.match.seat_of(player.id)
        return view(seen.game, seen.match, seen.started_state(), viewer)


_MATCH: Final = msgspec.msgpack.Decoder(Match)


def _check_options(game: AnyGame, options: Options, seats: int) -> None:
    try:
        game.check_options(options, seats)
    except BadOptions as error:
        wrong = FieldError(f"/options/{error.field}", error.reason)
        raise Problem("bad-options", reason=error.reason, errors=[wrong]) from error


def _choose_seat(match: Match, wanted: Seat | None) -> Seat:
    """The seat that a newcomer gets."""
    if match.status != "open":
        # A match that fills up starts at once, so a full match is never open.
        raise Problem("match-full" if len(match.seats) == match.capacity else "already-started")
    if wanted is None:
        return match.free_seats()[0]
    if wanted >= match.capacity:
        raise Problem("invalid", errors=[FieldError("/seat", f"The match has {match.capacity} seats.")])
    if match.seats[wanted] is not None:
        raise Problem("seat-taken")
    return wanted
