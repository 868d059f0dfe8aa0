"""Whether all that was read belongs to the one order of moves, and nobody ever saw it run backwards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import accumulate
from typing import Any

import msgspec
from histories.line import BEFORE_THE_START, Line
from histories.moves import Moves
from histories.recorded import CARDS, VIEWS, Call, Finding, History, Outcome, Span
from histories.seating import Seating, seat_told

from engine.game import Seat

UNSEATED = ("not-a-player", "no-such-match")


class Reads:
    """What was read of one match. Its line is missing if it never started."""

    def __init__(self, history: History, outcome: Outcome, seating: Seating, moves: Moves, line: Line | None) -> None:
        self._outcome = outcome
        self._match = outcome.record.match
        self._seating = seating
        self._moves = moves
        self._line = line
        self._calls = [
            call
            for call in history.calls
            if call.match == self._match and (call.accepted or call.refused) and call.operation != "leaveMatch"
        ]
        self._names = history.names

    def check(self) -> Iterator[Finding]:
        """Look at each answer by itself, then at all of them one after another."""
        for call in self._calls:
            yield from self._check_seat(call)
            if call.accepted and call.operation in CARDS:
                yield from self._check_names(call)
        yield from self._check_order()

    # --- each answer by itself ---

    def _check_seat(self, call: Call) -> Iterator[Finding]:
        """Whether the asker was treated as a player while surely being one, and only then."""
        if call.player is None:
            return
        when = Span(call.began, call.ended)
        if call.refused:
            if call.code in UNSEATED and self._seating.surely_sits(call.player, when):
                yield self._finding("lost-join", "a player was treated as a stranger", call)
            return
        if call.operation not in (*CARDS, *VIEWS) or call.answer["status"] == "cancelled":
            return
        seat = seat_told(call)
        if seat is None and self._seating.surely_sits(call.player, when):
            yield self._finding("lost-join", "a player was told of no seat", call)
        if seat is not None and self._seating.surely_gone(call.player, when):
            yield self._finding("leaver-resurrected", "somebody without a seat was told of one", call)

    def _check_names(self, call: Call) -> Iterator[Finding]:
        """Whether a card names those who surely play, and nobody else."""
        when = Span(call.began, call.ended)
        playing = {entry["name"] for entry in call.answer["seats"] if entry["name"] and not entry["stand_in"]}
        for player, name in self._names.items():
            if name in playing and self._seating.surely_gone(player, when):
                yield self._finding("leaver-resurrected", f"the card names {name}", call)
            if name not in playing and self._seating.surely_sits(player, when) and call.answer["status"] != "cancelled":
                yield self._finding("lost-join", f"the card does not name {name}", call)

    # --- all of them together ---

    def _check_order(self) -> Iterator[Finding]:
        """Find for every answer the earliest moment that it can belong to; there must always be one.

        No earlier than what anybody had read or been acknowledged before the question, and no move can be seen in
        the answer that was asked for only after it. Taking the earliest moment each time finds an order if one exists.
        """
        floors: list[tuple[float, int, Call | None]] = [
            (entry.span.hi, entry.number, entry.acknowledged[0]) for entry in self._moves.entries if entry.acknowledged
        ]
        begun = list(accumulate((entry.span.lo for entry in self._moves.entries), max, initial=float("-inf")))
        for call in sorted(self._calls, key=lambda call: call.ended):
            fitting = self._moments(call)
            if fitting is None:
                continue
            floor, witness = max(
                ((number, before) for ended, number, before in floors if ended < call.began),
                key=lambda found: found[0],
                default=(BEFORE_THE_START, None),
            )
            possible = [number for number in fitting if number < 0 or begun[min(number, len(begun) - 1)] < call.ended]
            reached = [number for number in possible if number >= floor]
            if not reached:
                kind = "backwards" if possible else "never-so" if not fitting else "too-early"
                what = f"fits moments {fitting[:10]}, but moment {floor} was there before"
                yield self._finding(kind, what, *((witness,) if witness and possible else ()), call)
            else:
                floors.append((call.ended, reached[0], call))

    def _moments(self, call: Call) -> list[int] | None:
        """The moments that an answer can belong to; ``None`` if it tells nothing about that."""
        if call.refused:
            return self._moments_of_refusal(call)
        if call.operation in CARDS:
            return self._moments_of_card(call.answer)
        if call.operation in VIEWS:
            return self._line.showing(call.answer) if self._line else []
        if call.operation == "listEvents":
            return self._moments_of_events(call)
        return None

    def _moments_of_card(self, card: Any) -> list[int] | None:
        if card["status"] == "open":
            return [BEFORE_THE_START]
        if self._line is None:
            return None if card["status"] == self._outcome.record.status == "cancelled" else []
        deadline = card["deadline"] and int(datetime.fromisoformat(card["deadline"]).timestamp())
        return self._line.where(
            lambda moment: (
                (moment.status, moment.waiting_on) == (card["status"], card["waiting_on"])
                and deadline in (moment.deadline, moment.deadline and moment.deadline + 1)
            )
        )

    def _moments_of_events(self, call: Call) -> list[int]:
        """By the number of the latest event; the part that was read must be what this reader may know of the log."""
        page = call.answer
        if page["latest"] == 0:
            return [BEFORE_THE_START]
        numbers = [item["number"] for item in page["items"]]
        after = int(dict(part.split("=") for part in call.query.lstrip("?").split("&"))["after"])
        if numbers != list(range(after + 1, after + 1 + len(numbers))):
            return []
        if not any(self._reads_like(page["items"], seat) for seat in self._perhaps(call)) or self._line is None:
            return []
        return self._line.where(lambda moment: moment.events == page["latest"])

    def _perhaps(self, call: Call) -> list[Seat | None]:
        """The eyes with which somebody may have read."""
        when = Span(call.began, call.ended)
        if call.player is None or self._seating.surely_gone(call.player, when):
            return [None]
        seat = self._seating.seats.get(call.player, self._outcome.seat_of(call.player))
        if seat is None:  # somebody who was never told, and has left
            return [None, *range(len(self._outcome.record.seats))]
        return [seat] if self._seating.surely_sits(call.player, when) else [seat, None]

    def _reads_like(self, items: list[Any], viewer: Seat | None) -> bool:
        stored = self._outcome.events
        return all(
            item["number"] <= len(stored) and item["event"] == _json(stored[item["number"] - 1].event.seen_by(viewer))
            for item in items
        )

    def _moments_of_refusal(self, call: Call) -> list[int] | None:
        if call.code == "not-started":
            return [BEFORE_THE_START]
        seat = self._seating.seats.get(call.player or "")
        if call.operation != "playMove" or seat is None or self._line is None:
            return None
        decision = call.body["decision"]
        conditions = {
            "decision-closed": lambda moment: decision <= moment.answered[seat],
            "not-your-decision": lambda moment: (
                decision > moment.answered[seat] + 1
                or (decision == moment.answered[seat] + 1 and seat not in moment.waiting_on)
            ),
            "match-over": lambda moment: moment.status != "playing",
            "illegal-move": lambda moment: (
                decision == moment.answered[seat] + 1
                and seat in moment.waiting_on
                and call.body["move"] not in _json(moment.legal[seat])
            ),
        }
        condition = conditions.get(call.code or "")
        return condition and self._line.where(condition)

    def _finding(self, kind: str, what: str, *calls: Call) -> Finding:
        return Finding(kind, self._match, what, calls)


def _json(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
