"""Who sat in a match and when, as far as the answers prove it, and whether everybody was told the same."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

from histories.recorded import CARDS, JOINS, VIEWS, Call, Finding, History, Outcome, Span

from engine.game import Seat


class Seating:
    """The players of one match.

    Attributes:
        seats: the seat that each player had after the start, as they were told.
        joined: when each player may have taken a seat.
        left: when each may have left.
    """

    def __init__(self, history: History, outcome: Outcome) -> None:
        self._outcome = outcome
        self.match = outcome.record.match
        self.names = history.names
        self._end = Span(history.end, history.end)
        self.joined: dict[str, list[Span]] = defaultdict(list)
        self.left: dict[str, list[Span]] = defaultdict(list)
        self._note_creator(history)
        for group in by_request(history.about(self.match, *JOINS)):
            self.joined[player_of(group[0])].append(span_of(group))
        for call in history.about(self.match, "leaveMatch"):
            if not call.refused:
                self.left[player_of(call)].append(Span(call.began, call.ended if call.accepted else math.inf))
        self._told = self._seats_told(history)
        self.seats: dict[str, Seat] = {player: min(told) for player, told in self._told.items()}

    def _note_creator(self, history: History) -> None:
        creator = self._outcome.record.creator
        created = [
            call
            for call in history.calls
            if call.player == creator and call.operation == "createMatch" and call.match in (self.match, None)
        ]
        known = [span_of(group) for group in by_request(created) if any(call.match for call in group)]
        perhaps = [span_of(group) for group in by_request(created)]
        self.joined[creator] += known or [Span(min(span.lo for span in perhaps))] if perhaps else []

    def _seats_told(self, history: History) -> dict[str, dict[Seat, Call]]:
        """What players were told of their seats after the start."""
        told: dict[str, dict[Seat, Call]] = defaultdict(dict)
        for call in history.about(self.match, *CARDS, *VIEWS):
            if call.accepted and call.player and call.answer["status"] in ("playing", "finished"):
                seat = seat_told(call)
                if seat is not None:
                    told[call.player].setdefault(seat, call)
        return told

    def surely_sits(self, player: str, when: Span) -> bool:
        """Whether a player had a seat all the time from ``lo`` to ``hi``."""
        return any(
            arrival.hi <= when.lo and not any(gone.lo < when.hi and gone.hi > arrival.lo for gone in self.left[player])
            for arrival in self.joined[player]
        )

    def surely_gone(self, player: str, when: Span) -> bool:
        """Whether a player had no seat at any time from ``lo`` to ``hi``."""
        before = [arrival for arrival in self.joined[player] if arrival.lo < when.hi]
        return not before or any(
            gone.hi <= when.lo
            and all(arrival.hi < gone.lo or arrival.lo > when.hi for arrival in before)
            and self._before_the_end(player, gone)
            for gone in self.left[player]
        )

    def _before_the_end(self, player: str, gone: Span) -> bool:
        """Whether somebody left a match that was not over: from one that is, nobody can."""
        if self._outcome.record.status != "finished":
            return True
        return any(lo > gone.hi for lo in self.later_moves) or self._outcome.seat_of(player) is None

    later_moves: Iterable[float] = ()
    """Since when each move may have been made, where that is known; set by who knows."""

    @property
    def cancelled(self) -> bool:
        return self._outcome.record.status == "cancelled"

    def check(self) -> Iterator[Finding]:
        """Compare what the players were told with each other and with the store."""
        yield from self._check_told()
        yield from self._check_end()

    def _check_told(self) -> Iterator[Finding]:
        holders: dict[Seat, tuple[str, Call]] = {}
        for player, told in self._told.items():
            if len(told) > 1:
                yield self._finding(
                    "two-seats", f"{self._who(player)} was told of seats {sorted(told)}", *told.values()
                )
            for seat, call in told.items():
                other, before = holders.setdefault(seat, (player, call))
                if other != player:
                    what = f"{self._who(other)} and {self._who(player)} both sat in seat {seat}"
                    yield self._finding("seat-sold-twice", what, before, call)

    def _check_end(self) -> Iterator[Finding]:
        sitting = self._sitting()
        for player in sorted({player for player in sitting if sitting.count(player) > 1}):
            yield self._finding("two-seats", f"{self._who(player)} has two seats")
        for player in sorted({*self.joined, *sitting}):
            if player in sitting and self.surely_gone(player, self._end):
                yield self._finding("leaver-resurrected", f"{self._who(player)} sits there and should not")
            if player not in sitting and self.surely_sits(player, self._end):
                yield self._finding("lost-join", f"{self._who(player)} never left and sits there no longer")
        for player, told in self._told.items():
            stored = self._outcome.seat_of(player)
            if stored is not None and stored not in told:
                yield self._finding(
                    "two-seats", f"{self._who(player)} sits in seat {stored}, not where told", *told.values()
                )

    def _sitting(self) -> list[str]:
        return [seated.player for seated in self._outcome.record.seats if seated and seated.player is not None]

    def _who(self, player: str) -> str:
        return self.names.get(player, player)

    def _finding(self, kind: str, what: str, *calls: Call) -> Finding:
        return Finding(kind, self.match, what, calls)


def check_sales(history: History, seating: Seating) -> Iterator[Finding]:
    """Whether a seat was given away before the start that somebody surely had."""
    sales = [
        call
        for call in history.about(seating.match, *JOINS, "createMatch")
        if call.status == 201 and not call.replayed and call.answer["seat"] is not None
    ]
    for place, call in enumerate(sales):
        for other in sales[:place]:
            if call.player == other.player or call.answer["seat"] != other.answer["seat"]:
                continue
            ours, theirs = _surely_held(call, seating), _surely_held(other, seating)
            if max(ours.lo, theirs.lo) < min(ours.hi, theirs.hi):
                what = f"seat {call.answer['seat']} was given to two players"
                yield Finding("seat-sold-twice", seating.match, what, (other, call))


def _surely_held(sale: Call, seating: Seating) -> Span:
    """From when until when somebody surely had the seat that this call gave them."""
    gone = [span.lo for span in seating.left[player_of(sale)] if span.hi > sale.began]
    return Span(sale.ended, min(gone, default=math.inf))


def seat_told(call: Call) -> Seat | None:
    """The asker's seat by an answer with a card or a view."""
    if call.operation in VIEWS:
        return call.answer["you"] and call.answer["you"]["seat"]
    return call.answer["seat"]


def by_request(calls: Iterable[Call]) -> list[list[Call]]:
    """Group the calls that are one request, sent again with its key; leave out what was refused."""
    groups: dict[object, list[Call]] = defaultdict(list)
    for call in calls:
        if not call.refused:
            groups[(call.player, call.operation, call.key) if call.key else call.number].append(call)
    return list(groups.values())


def span_of(group: list[Call]) -> Span:
    """When a request that was sent so often took effect."""
    return Span(
        min(call.began for call in group),
        min((call.ended for call in group if call.accepted), default=math.inf),
    )


def player_of(call: Call) -> str:
    assert call.player is not None
    return call.player
