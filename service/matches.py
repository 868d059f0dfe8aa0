"""The use cases: create, join, start, leave, look at and play a match. No HTTP, no Redis.

Every change follows one pattern: read the match, decide on what was read, and write only if nobody was faster;
else begin again, as long as the request still makes sense. So a request is judged against the very state that it
changes, and what is refused changes nothing.

A request that the client may repeat comes with a :class:`service.match.Once`. That it was carried out is noted in the
match itself, by the very write that carries it out; a repeat finds the note and is answered with the first status.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import msgspec

from engine.game import AnyGame, Move, Options, Seat
from service import change as happen
from service.archive import Archive
from service.change import Change, Position
from service.event_log import EventLog
from service.identity import Player
from service.match import Match, Once, Seated, Visibility, derived_id, new_id, new_join_code, new_seed
from service.problems import Detail, FieldError, Problem
from service.replays import replay
from service.telemetry.observer import NOBODY, Observer
from service.views import next_decision

CREATED: Final = 201
DONE: Final = 200

_CODES_TO_TRY: Final = 5


class Done(NamedTuple):
    """What came of a request.

    Attributes:
        position: the match afterwards.
        status: 201 if something new is there, else 200; of a repeat, the first status.
        repeated: whether the request had been carried out before.
    """

    position: Position
    status: int
    repeated: bool = False


class NewMatch(NamedTuple):
    """What somebody wants to play."""

    game_id: str
    seats: int
    options: Options
    visibility: Visibility
    name: str | None
    move_seconds: int | None


class Matches:
    """All matches of this service.

    Args:
        archive: reads and writes them.
        games: the catalogue, by id.
        id_secret: makes the ids of matches that are created with an Idempotency-Key.
        check_room: refuses (``too-many-matches``) a player, by the id, who sits in as many matches as one may, not
            counting the one with the second id.
        observer: is told of moves that are not played.

    Every method raises ``Problem`` for what is refused, with the codes named there, and what the store raises when
    it fails. A private match is ``no-such-match`` to all but its players.
    """

    def __init__(
        self,
        archive: Archive,
        games: Mapping[str, AnyGame],
        id_secret: str,
        check_room: Callable[[str, str], None],
        observer: Observer = NOBODY,
    ) -> None:
        self._observer = observer
        self._archive = archive
        self._games = games
        self._id_secret = id_secret
        self._check_room = check_room

    def create(self, creator: Player, wanted: NewMatch, once: Once | None = None, key: str | None = None) -> Done:
        """A new match with its creator in seat 0.

        Args:
            key: the Idempotency-Key that belongs to ``once``; the match's id follows from it.

        Raises:
            Problem: ``bad-options``, ``too-many-matches``, ``idempotency-key-reused``; ``no-such-match`` for the
                repeat of a creator who has left a private match; ``busy`` if there is a match with the new id.
        """
        game = self._games[wanted.game_id]
        match_id = derived_id(self._id_secret, creator.id, key) if once and key else new_id()
        if once and (created := self._created_before(match_id, creator, once)):
            return created
        happen.check_options(game, wanted.options, wanted.seats)
        self._check_room(creator.id, match_id)
        now = self._archive.now()
        match = Match(
            match=match_id,
            game=game.id,
            rules_version=game.rules_version,
            name=wanted.name,
            options=msgspec.to_builtins(wanted.options),
            visibility=wanted.visibility,
            join_code=self._join_code(match_id) if wanted.visibility == "private" else None,
            # The creator adds no entropy: what came before the commitment proves nothing.
            seats=[Seated(player=creator.id, name=creator.name), *[None] * (wanted.seats - 1)],
            capacity=wanted.seats,
            creator=creator.id,
            created_with=once.fingerprint if once else b"",
            seed=new_seed(),
            status="open",
            created_at=now,
            expires_at=now,
            move_seconds=wanted.move_seconds,
        )
        if self._archive.write(None, Change(game, match, None, now)):
            return Done(Position(game, match, None), CREATED)
        if once and (created := self._created_before(match_id, creator, once)):
            return created  # by the same request, sent twice at once
        raise Problem("busy")

    def show(self, match_id: str, viewer: str | None) -> Position:
        """A match as it stands, for somebody to look at.

        Args:
            viewer: the id of the player who looks; ``None`` for somebody without a token.

        Raises:
            Problem: ``no-such-match``.
        """
        return self._archive.current(match_id, viewer)

    def events(self, match_id: str, viewer: str | None, after: int, limit: int) -> EventLog:
        """A part of what has happened in a match, as a player, or a spectator, reads it.

        Args:
            viewer: the id of the player who reads; ``None`` for somebody without a token.
            after: the number of the last event that is known.
            limit: how many events at most.

        Raises:
            Problem: ``no-such-match``.
        """
        return self._archive.events(match_id, viewer, after, limit)

    def join(self, match_id: str, player: Player, seat: Seat | None, entropy: str, once: Once | None = None) -> Done:
        """Take a seat: the one asked for or the first free one. The last seat taken starts the match.

        Raises:
            Problem: ``no-such-match``, ``already-started``, ``match-full``, ``match-over``, ``seat-taken``,
                ``too-many-matches``, ``idempotency-key-reused``, ``invalid`` for a seat that the match does not have.
        """
        return self._change(match_id, player, lambda change: self._take_seat(change, player, seat, entropy), once)

    def join_by_code(
        self, join_code: str, player: Player, seat: Seat | None, entropy: str, once: Once | None = None
    ) -> Done:
        """Join a private match by its code alone.

        The code is dead once the match has started; whoever got in by it is still told so.

        Raises:
            Problem: ``wrong-join-code``, and what :meth:`join` raises.
        """
        match_id = self._archive.match_of_code(join_code)
        if match_id is None:
            raise Problem("wrong-join-code")

        def admits(match: Match) -> bool:
            return match.join_code == join_code and (match.status == "open" or match.seat_of(player.id) is not None)

        try:
            return self._change(
                match_id, player, lambda change: self._take_seat(change, player, seat, entropy), once, admits
            )
        except Problem as problem:
            if problem.code == "no-such-match":
                raise Problem("wrong-join-code") from problem
            raise

    def start(self, match_id: str, player: Player, *, stand_ins: bool, once: Once | None = None) -> Done:
        """Start with the seats that are taken; gaps close up, or stand-ins take them.

        Raises:
            Problem: ``no-such-match``, ``not-a-player``, ``not-the-creator``, ``already-started``,
                ``too-few-players``, ``idempotency-key-reused``, ``bad-options`` for so few seats.
        """

        def start(change: Change) -> int:
            match = change.match
            if match.seat_of(player.id) is None:
                raise Problem("not-a-player")
            if match.host() != player.id:
                raise Problem("not-the-creator")
            if match.status != "open":
                raise Problem("already-started")
            nobody = Seated(player=None, name=None) if stand_ins else None
            match.seats = [taken for seated in match.seats if (taken := seated or nobody)]
            if len(match.seats) not in change.game.seats:
                raise Problem("too-few-players")
            happen.start(change)
            return DONE

        return self._change(match_id, player, start, once)

    def leave(self, match_id: str, player: Player) -> None:
        """Give one's seat up. Doing so again, or without a seat, or after the end, changes nothing.

        Raises:
            Problem: ``no-such-match``.
        """

        def leave(change: Change) -> int:
            match = change.match
            if match.seat_of(player.id) is not None and match.status in ("open", "playing"):
                happen.leave(change, player.id)
            else:
                change.nothing_to_write = True
            return DONE

        def admits(match: Match) -> bool:
            return match.shown_to(player.id) or player.id in match.left

        self._change(match_id, player, leave, None, admits)

    def act(self, match_id: str, player: Player, decision: int, move: Move, once: Once | None = None) -> Done:
        """Play a move.

        Args:
            decision: the id of the decision that the move answers.

        Raises:
            Problem: ``no-such-match``, ``not-a-player``, ``not-started``, ``decision-closed``, ``match-over``,
                ``not-your-decision``, ``illegal-move``, ``idempotency-key-reused``.
        """
        judged: dict[Problem, str] = {}

        def play(change: Change) -> int:
            try:
                _answer_decision(change, player, decision, move)
            except Problem as refused:
                judged[refused] = change.game.id  # by what may have been a guess: nobody has been told yet
                raise
            happen.let_stand_ins_play(change)
            return DONE

        try:
            done = self._change(match_id, player, play, once)
        except Problem as refused:
            if refused in judged:
                self._observer.move_refused(judged[refused], refused.code)
            raise
        if done.repeated:
            self._observer.move_repeated(done.position.game.id)
        return done

    def replay(self, match_id: str, viewer: str | None) -> msgspec.Struct:
        """A finished match, told in full.

        Raises:
            Problem: ``no-such-match``, ``match-not-finished``.
        """
        position, events, moves = self._archive.logs(match_id, viewer)
        if position.match.status != "finished":
            raise Problem("match-not-finished")
        try:
            return replay(position, events, moves)
        except msgspec.DecodeError as error:
            raise Problem("unreadable-match") from error

    # --- what the use cases are made of ---

    def _created_before(self, match_id: str, creator: Player, once: Once) -> Done | None:
        """What came of the same request before, if there was one."""
        if self._archive.find(match_id, creator.id) is None:
            return None

        def repeat(change: Change) -> Done:
            if change.match.created_with != once.fingerprint:
                raise Problem("idempotency-key-reused")
            change.nothing_to_write = True
            return Done(change.position, CREATED, repeated=True)

        return self._archive.change(match_id, lambda match: match.shown_to(creator.id), repeat)

    def _join_code(self, match_id: str) -> str:
        for _ in range(_CODES_TO_TRY):
            code = new_join_code()
            if self._archive.reserve_code(code, match_id):
                return code
        raise Problem("busy")

    def _take_seat(self, change: Change, player: Player, wanted: Seat | None, entropy: str) -> int:
        """Seat a player, if that has not been done before; gives the status."""
        match = change.match
        if match.seat_of(player.id) is not None:
            change.nothing_to_write = True
            return DONE
        taken = _choose_seat(match, wanted)
        self._check_room(player.id, match.match)
        match.seats[taken] = Seated(player=player.id, name=player.name, entropy=entropy)
        if not match.free_seats():
            happen.start(change)
        return CREATED

    def _change(
        self,
        match_id: str,
        player: Player,
        change: Callable[[Change], int],
        once: Once | None,
        admits: Callable[[Match], bool] | None = None,
    ) -> Done:
        """Carry a request out, or find that this was done before.

        Args:
            change: edits what was read; gives the status.
            admits: whether the match is there for the player, where that is not whether it is shown to them.
        """

        def edit(opened: Change) -> Done:
            match = opened.match
            repeat = match.repeat_of(once) if once else None
            if once and repeat:
                if not match.shown_to(player.id):
                    raise Problem("no-such-match")
                if repeat.fingerprint != once.fingerprint:
                    raise Problem("idempotency-key-reused")
                opened.nothing_to_write = True
                return Done(opened.position, repeat.status, repeated=True)
            status = change(opened)
            if once:
                # Also where there was nothing else to do: after leaving, a late repeat must not take a seat again.
                match.remember(player.id, once, status)
                opened.nothing_to_write = False
            return Done(opened.position, status)

        return self._archive.change(match_id, admits or (lambda match: match.shown_to(player.id)), edit)


def _choose_seat(match: Match, wanted: Seat | None) -> Seat:
    """The seat that a newcomer gets."""
    # A match that fills up starts at once, so a full match is never open.
    if match.status == "cancelled":
        raise Problem("match-over")
    if match.status != "open":
        raise Problem("match-full" if len(match.seats) == match.capacity else "already-started")
    if wanted is None:
        return match.free_seats()[0]
    if wanted >= match.capacity:
        raise Problem("invalid", errors=[FieldError("/seat", Detail("no-such-seat", seats=match.capacity))])
    if match.seats[wanted] is not None:
        raise Problem("seat-taken")
    return wanted


def _answer_decision(change: Change, player: Player, decision: int, move: Move) -> None:
    """Play a player's move, or refuse it."""
    seat = change.match.seat_of(player.id)
    if seat is None:
        raise Problem("not-a-player")
    _check_decision(change, seat, decision)
    happen.play(change, seat, move)


def _check_decision(change: Change, seat: Seat, decision: int) -> None:
    """Refuse an answer to a decision that is not open for this seat."""
    change.position.started_state()
    match = change.match
    if decision < next_decision(match, seat):
        raise Problem("decision-closed")
    if match.status != "playing":
        raise Problem("match-over")
    if decision > next_decision(match, seat) or seat not in match.waiting_on:
        raise Problem("not-your-decision")
