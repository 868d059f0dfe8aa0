"""To spoil a history, call by call, and what was stored, and to see what the checker says to it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import msgspec
from histories.checker import check
from histories.honest import with_moves
from histories.moves import Entry, Moves
from histories.recorded import Call, History, Outcome
from histories.seating import Seating

from service.match import LoggedMove


def kinds(history: History) -> set[str]:
    return {finding.kind for finding in check(history)}


def started(history: History) -> Outcome:
    (outcome,) = [outcome for outcome in history.outcomes.values() if outcome.state]
    return outcome


def player(history: History, name: str) -> str:
    (player,) = [player for player, called in history.names.items() if called.startswith(name)]
    return player


def calls(history: History, operation: str, who: str | None = None, **wanted: Any) -> list[Call]:
    return [
        call
        for call in history.calls
        if call.operation == operation
        and (who is None or call.player == player(history, who))
        and all(getattr(call, name) == value for name, value in wanted.items())
    ]


def edit(history: History, call: Call, **changes: Any) -> Call:
    edited = replace(call, **changes)
    history.calls[history.calls.index(call)] = edited
    return edited


def answered(history: History, call: Call, change: Callable[[Any], None]) -> Call:
    """Have a call be answered a little differently."""
    answer = deepcopy(call.answer)
    change(answer)
    return edit(history, call, answer=answer)


def store(history: History, outcome: Outcome, **record: Any) -> None:
    history.outcomes[outcome.record.match] = replace(
        outcome, record=msgspec.structs.replace(outcome.record, **record) if record else outcome.record
    )


def entries(history: History) -> list[Entry]:
    """The moves of the match that was started, with the calls that made them."""
    outcome = started(history)
    return Moves(history, outcome, Seating(history, outcome)).entries


def log(history: History, moves: list[LoggedMove]) -> None:
    """Have the store hold a match with these moves, and all that they bring about."""
    store(history, with_moves(started(history), moves))


def forget_after(history: History, call: Call) -> None:
    """Have nothing been asked for after a call."""
    history.calls[:] = [one for one in history.calls if one.number <= call.number]


def legal_at(outcome: Outcome, moves: int) -> list[Any]:
    before = with_moves(outcome, outcome.moves[:moves])
    return outcome.game.legal_moves(outcome.game.load(before.state), outcome.moves[moves].seat)
