"""The one order of a match's moves, played again in the engine: all that could be seen of it, moment by moment."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from histories.recorded import Outcome

from engine.game import AnyGame, IllegalMove, Seat, State
from engine.randomness import Randomness
from engine.replay import BadReplay, read, verify

BEFORE_THE_START = -1


class Broken(Exception):
    """The stored moves do not give what is stored of the match."""


class Moment(NamedTuple):
    """A match after some of its moves.

    Attributes:
        answered: how many decisions each seat has answered.
        deadline: when the open decisions are overdue, or at most a second later: the log has whole seconds only.
        events: how many events have happened.
        legal: what the seats that are asked may answer.
        views: what each seat, and a spectator (``None``), sees.
    """

    status: str
    waiting_on: list[Seat]
    answered: list[int]
    deadline: int | None
    events: int
    legal: dict[Seat, list[Any]]
    views: dict[Seat | None, bytes]


class Line:
    """All moments of a match that has started: number 0 is the deal, number ``n`` follows upon move ``n``.

    A match that was cancelled has one more moment, without a move.

    Attributes:
        choices: what a stand-in would have done, by the number of the move; only where one did.

    Raises:
        Broken: says where the log, the events, the state or the replay disagree.
    """

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.moments: list[Moment] = []
        self.choices: dict[int, Any] = {}
        self._game = outcome.game
        self._answered = [0] * len(outcome.record.seats)
        self._asked: list[Seat] = []
        self._deadline: int | None = None
        self._events: list[Any] = []
        self._play()
        self._check_events()

    def _play(self) -> None:
        record, game = self.outcome.record, self._game
        randomness = record.randomness()
        options = msgspec.convert(record.options, game.options_type)
        state, events = game.deal(len(record.seats), options, randomness.deal())
        self._events += events
        if record.started_at is None:
            raise Broken("there is a state of a match that has not started")
        self._note(state, record.started_at, None)
        for number, logged in enumerate(self.outcome.moves, start=1):
            if logged.seat not in game.deciding(state):
                raise Broken(f"move {number} is of seat {logged.seat}, which was not asked")
            if logged.stand_in:
                self.choices[number] = stand_in(game, state, logged.seat, randomness, number)
            try:
                self._events += game.play(state, logged.seat, logged.move, randomness.move(number))
            except IllegalMove as error:
                raise Broken(f"move {number} is not legal: {error.reason}") from error
            self._answered[logged.seat] += 1
            self._note(state, logged.at, logged.seat)
        if game.dump(state) != self.outcome.state:
            raise Broken(f"the {len(self.outcome.moves)} moves do not give the stored state")
        if record.status == "cancelled":
            self._note_end(state)
        if self.outcome.replay is not None:
            check_replay(self.outcome)

    def _note(self, state: State, at: int, mover: Seat | None) -> None:
        game = self._game
        asked = list(game.deciding(state))
        if self.outcome.record.move_seconds is None or not asked:
            self._deadline = None
        elif any(seat not in self._asked or seat == mover for seat in asked):
            self._deadline = at + self.outcome.record.move_seconds
        self._asked = asked
        status = "playing" if game.result(state) is None else "finished"
        self._add(state, status, asked, self._deadline)

    def _note_end(self, state: State) -> None:
        self._add(state, "cancelled", [], None)

    def _add(self, state: State, status: str, asked: list[Seat], deadline: int | None) -> None:
        legal = {seat: self._game.legal_moves(state, seat) for seat in asked}
        views = {
            viewer: shown(
                {
                    "status": status,
                    "waiting_on": asked,
                    "table": self._game.table(state),
                    "you": None if viewer is None else self._you(state, viewer, legal),
                    "result": self._game.result(state),
                }
            )
            for viewer in (None, *range(len(self._answered)))
        }
        self.moments.append(Moment(status, asked, list(self._answered), deadline, len(self._events), legal, views))

    def _you(self, state: State, seat: Seat, legal: dict[Seat, list[Any]]) -> dict[str, Any]:
        decision = None
        if seat in legal:
            decision = {
                "id": self._answered[seat] + 1,
                "kind": self._game.kind(state, seat),
                "legal_moves": legal[seat],
            }
        return {**msgspec.to_builtins(self._game.hand(state, seat)), "decision": decision}

    def _check_events(self) -> None:
        for number, (ours, stored) in enumerate(zip(self._events, self.outcome.events, strict=False), start=1):
            if ours != stored.event:
                raise Broken(f"event {number} is not what the moves bring about")
        if len(self._events) != len(self.outcome.events):
            raise Broken(f"{len(self.outcome.events)} events are stored, the moves bring about {len(self._events)}")

    # --- where somebody may have been who saw something ---

    @cached_property
    def _by_view(self) -> dict[tuple[Seat | None, bytes], list[int]]:
        places: dict[tuple[Seat | None, bytes], list[int]] = {}
        for number, moment in enumerate(self.moments):
            for viewer, view in moment.views.items():
                places.setdefault((viewer, view), []).append(number)
        return places

    def showing(self, view: Any) -> list[int]:
        """The moments at which this was to be seen, by the seat that it is for."""
        viewer = view["you"] and view["you"]["seat"]
        return self._by_view.get((viewer, shown(view)), [])

    def where(self, condition: Any) -> list[int]:
        """The moments that are so."""
        return [number for number, moment in enumerate(self.moments) if condition(moment)]


def shown(view: Any) -> bytes:
    """What all views have in common, in one order."""
    parts = {name: view[name] for name in ("status", "waiting_on", "table", "you", "result")}
    return msgspec.json.encode(msgspec.to_builtins(parts, str_keys=True), order="sorted")


def stand_in(game: AnyGame, state: State, seat: Seat, randomness: Randomness, number: int) -> Any:
    """What a stand-in does, from what the seat may know."""
    return game.stand_in(
        game.table(state), game.hand(state, seat), game.legal_moves(state, seat), randomness.stand_in(number)
    )


def check_replay(outcome: Outcome) -> None:
    """Hold what the service tells of a finished match against the store; from it alone the state must follow."""
    assert outcome.replay is not None
    try:
        game, replay = read(outcome.replay, {outcome.game.id: outcome.game})
        verify(game, replay)
    except BadReplay as error:
        raise Broken(f"the replay: {error}") from error
    if [(entry.seat, entry.move) for entry in replay.moves] != [(entry.seat, entry.move) for entry in outcome.moves]:
        raise Broken("the replay tells other moves than are stored")
    if [(entry.public, entry.private) for entry in replay.events] != [
        (entry.event.public, {str(seat): private for seat, private in entry.event.private.items()})
        for entry in outcome.events
    ]:
        raise Broken("the replay tells other events than are stored")
    entropies = [seat.entropy.encode() for seat in replay.seats]
    randomness = Randomness(replay.match, bytes.fromhex(replay.seed), entropies)
    options = msgspec.convert(msgspec.to_builtins(replay.options), game.options_type)
    state, _ = game.deal(len(replay.seats), options, randomness.deal())
    for entry in replay.moves:
        game.play(state, entry.seat, entry.move, randomness.move(entry.number))
    if game.dump(state) != outcome.state:
        raise Broken("the replay does not give the stored state")
