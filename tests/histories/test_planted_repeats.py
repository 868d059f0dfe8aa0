"""The checker finds repeats that are not answered like what they repeat."""

from __future__ import annotations

from typing import Any

import pytest
from histories.checker import check
from histories.planting import (
    answered,
    calls,
    edit,
    kinds,
)
from histories.recorded import Call, History


def repeats(history: History, operation: str) -> list[Call]:
    """All calls with one key that were answered twice, the second time as a repeat."""
    last = calls(history, operation, replayed=True)[0]
    first = calls(history, operation, key=last.key)[0]
    if first.status is None:
        first = edit(history, first, status=last.status, answer=last.answer, match=last.match)
    return [first, last]


KEYED = pytest.mark.parametrize("operation", ["createMatch", "joinMatch", "playMove"])


@KEYED
def test_another_status_for_a_repeat(history, operation):
    _, last = repeats(history, operation)
    assert check(history) == []
    edit(history, last, status={200: 201, 201: 200}[last.status])
    assert "two-answers" in kinds(history)


@KEYED
def test_a_refused_repeat(history, operation):
    _, last = repeats(history, operation)
    edit(history, last, status=409, answer={"code": "decision-closed"}, replayed=False)
    assert "two-answers" in kinds(history)


@KEYED
def test_a_repeat_that_is_done_again(history, operation):
    _, last = repeats(history, operation)
    edit(history, last, replayed=False)
    assert "two-answers" in kinds(history)


@KEYED
def test_a_repeat_of_nothing(history, operation):
    first, _ = repeats(history, operation)
    history.calls.remove(first)
    assert "two-answers" in kinds(history)


@KEYED
def test_another_request_with_the_same_key(history, operation):
    _, last = repeats(history, operation)
    edit(history, last, body={**last.body, "entropy": "other"})
    assert "two-answers" in kinds(history)


@KEYED
def test_a_key_that_is_wrongly_taken_for_used(history, operation):
    _, last = repeats(history, operation)
    edit(history, last, status=422, answer={"code": "idempotency-key-reused"}, replayed=False)
    assert "two-answers" in kinds(history)


def test_a_repeat_that_shows_what_never_was(history):
    _, last = repeats(history, "playMove")
    answered(history, last, lambda view: view["table"].update(round=99))
    assert "never-so" in kinds(history)


def test_another_match_for_a_repeat(history):
    _, last = repeats(history, "createMatch")
    other = calls(history, "createMatch", "Ben")[0]
    edit(history, last, match=other.match)
    assert "two-answers" in kinds(history)


def test_one_decision_acknowledged_with_two_moves(history):
    call = next(call for call in calls(history, "playMove", "Ada", status=409) if len(legal_moves(history, call)) > 1)
    other = next(move for move in legal_moves(history, call) if move != call.body["move"])
    edit(
        history,
        call,
        status=200,
        body={**call.body, "move": other},
        answer=calls(history, "playMove", "Ada", status=200)[0].answer,
    )
    assert {"two-answers", "lost-move"} <= kinds(history)


def legal_moves(history: History, asked: Call) -> list[Any]:
    """What could have been answered to the decision that a call is about."""
    for call in calls(history, "getView"):
        decision = (
            call.accepted and call.player == asked.player and call.answer["you"] and call.answer["you"]["decision"]
        )
        if decision and decision["id"] == asked.body["decision"]:
            return decision["legal_moves"]
    return []


def test_one_decision_acknowledged_twice(history):
    """To two requests with different keys."""
    call = calls(history, "playMove", "Ada", status=409)[0]
    before = history.calls[history.calls.index(call) - 1]
    edit(history, call, status=200, answer=before.answer, key="another key of hers")
    assert "two-answers" in kinds(history)
