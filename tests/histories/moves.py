"""Whether the moves that were acknowledged, and no others, are the ones that were made, and in an order that can be."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from histories.line import Line
from histories.recorded import Call, Finding, History, Outcome, Span
from histories.seating import Seating

from engine.game import Seat
from service.match import LoggedMove


class Entry(NamedTuple):
    """A move in the log.

    Attributes:
        decision: which of its seat's decisions it answers.
        calls: the requests for this very move, but for refused ones.
        span: when it may have been made.
    """

    number: int
    decision: int
    logged: LoggedMove
    calls: list[Call]
    span: Span

    @property
    def acknowledged(self) -> list[Call]:
        return [call for call in self.calls if call.accepted]


class Moves:
    """The moves of one match, with what was asked for and what was told.

    Attributes:
        entries: the log, in order; move ``n`` is ``entries[n - 1]``.
    """

    def __init__(self, history: History, outcome: Outcome, seating: Seating) -> None:
        self._outcome = outcome
        self._seating = seating
        self._match = outcome.record.match
        self._asked: dict[tuple[Seat, int], list[Call]] = defaultdict(list)
        self._seatless: list[Call] = []
        for call in history.about(self._match, "playMove"):
            seat = seating.seats.get(call.player or "")
            if seat is not None:
                self._asked[seat, call.body["decision"]].append(call)
            elif call.accepted:
                self._seatless.append(call)
        self.entries = list(self._entries())
        seating.later_moves = [entry.span.lo for entry in self.entries if not entry.logged.stand_in]

    def _entries(self) -> Iterator[Entry]:
        answered: dict[Seat, int] = defaultdict(int)
        for number, logged in enumerate(self._outcome.moves, start=1):
            answered[logged.seat] += 1
            decision = answered[logged.seat]
            calls = [
                call
                for call in self._asked[logged.seat, decision]
                if not call.refused and self._move_of(call) == logged.move
            ]
            yield Entry(number, decision, logged, calls, self._span(logged, calls))

    def _span(self, logged: LoggedMove, calls: list[Call]) -> Span:
        acknowledged = min((call.ended for call in calls if call.accepted), default=math.inf)
        if logged.stand_in:
            return Span(-math.inf, acknowledged)
        return Span(min((call.began for call in calls), default=-math.inf), acknowledged)

    def _move_of(self, call: Call) -> Any:
        return msgspec.convert(call.body["move"], self._outcome.game.move_type)

    def check(self) -> Iterator[Finding]:
        """Compare the log with the requests."""
        for call in self._seatless:
            yield self._finding("lost-move", "a move was acknowledged to somebody without a seat", call)
        yield from self._check_acknowledged()
        for entry in self.entries:
            yield from self._check_entry(entry)
        yield from self._check_order()

    def _check_acknowledged(self) -> Iterator[Finding]:
        made = {(entry.logged.seat, entry.decision): entry for entry in self.entries}
        for (seat, decision), calls in sorted(self._asked.items()):
            acknowledged = [call for call in calls if call.accepted]
            moves = [self._move_of(call) for call in acknowledged]
            if any(move != moves[0] for move in moves):
                what = f"decision {decision} of seat {seat} was acknowledged with two moves"
                yield self._finding("two-answers", what, *acknowledged)
            if len({call.key or call.number for call in acknowledged}) > 1:
                what = f"decision {decision} of seat {seat} was acknowledged to two requests"
                yield self._finding("two-answers", what, *acknowledged)
            entry = made.get((seat, decision))
            lost = [call for call in acknowledged if entry is None or call not in entry.calls]
            if lost:
                what = f"an acknowledged answer of seat {seat} to decision {decision} is not in the log"
                yield self._finding("lost-move", what, *lost)

    def _check_entry(self, entry: Entry) -> Iterator[Finding]:
        """Whether somebody made this move who could."""
        logged = entry.logged
        what = f"move {entry.number}, of seat {logged.seat} to decision {entry.decision}"
        if logged.stand_in:
            if entry.acknowledged:
                yield self._finding("two-answers", f"{what}, was a stand-in's", *entry.acknowledged)
        elif not entry.calls:
            refused = [
                call
                for call in self._asked[logged.seat, entry.decision]
                if call.refused and call.code != "decision-closed" and self._is(call, logged)
            ]
            kind = "refused-and-made" if refused else "unexplained-move"
            yield self._finding(kind, f"nobody was told of {what}, or it was refused", *refused)

    def _is(self, call: Call, logged: LoggedMove) -> bool:
        try:
            return bool(self._move_of(call) == logged.move)
        except msgspec.ValidationError:
            return False

    def _check_order(self) -> Iterator[Finding]:
        """Whether no move was acknowledged before one that comes earlier in the log was even asked for."""
        latest: Entry | None = None
        for entry in self.entries:
            if latest and entry.span.hi < latest.span.lo:
                what = f"move {entry.number} was acknowledged before move {latest.number} was asked for"
                yield self._finding("reordered", what, *latest.calls, *entry.calls)
            if latest is None or entry.span.lo > latest.span.lo:
                latest = entry

    def _finding(self, kind: str, what: str, *calls: Call) -> Finding:
        return Finding(kind, self._match, what, calls)


def check_stand_ins(moves: Moves, seating: Seating, line: Line, outcome: Outcome) -> Iterator[Finding]:
    """Whether stand-ins played where they should, as they should, and players only in time."""
    match = outcome.record.match
    gone: set[Seat] = {
        seat for seat, seated in enumerate(outcome.record.seats) if seated and seated.stand_in and seated.name is None
    }
    for entry in moves.entries:
        logged = entry.logged
        deadline = line.moments[entry.number - 1].deadline
        overdue = deadline is not None and logged.at >= deadline
        too_late = deadline is not None and logged.at > deadline
        what = f"move {entry.number}, of seat {logged.seat}"
        if not logged.stand_in:
            if logged.seat in gone:
                yield Finding(
                    "leaver-resurrected", match, f"{what}, comes after a stand-in had taken over", (*entry.calls,)
                )
            if too_late:
                yield Finding("late-move", match, f"{what}, was overdue", (*entry.calls,))
            continue
        if line.choices[entry.number] != logged.move:
            yield Finding("stand-in", match, f"{what}, is not what a stand-in does")
        if not overdue:
            gone.add(logged.seat)
            if not _left(seating, logged.seat, outcome):
                yield Finding("stand-in", match, f"{what}, was made by a stand-in, and nobody had left")


def _left(seating: Seating, seat: Seat, outcome: Outcome) -> bool:
    """Whether the player of a seat asked to leave, or there never was one."""
    seated = outcome.record.seats[seat]
    if seated is None or seated.name is None:
        return True
    (player,) = [player for player, name in seating.names.items() if name == seated.name]
    return bool(seating.left[player])
