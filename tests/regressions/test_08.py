"""Elsewhere the log, or the refusal of a move, named a hidden card.

Here what a refusal says depends on nothing but the rule that refuses, and the refused move leaves no trace: not with
others, not in the store, not in the log of the service.
"""

from __future__ import annotations

import json
import logging
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from support.clients import Answer, Client
from support.server import Server
from support.sitting import REQUEST_ID, Sitting, every_game
from support.truth import Truth

from engine.game import AnyGame
from engine.inside_job import INSIDE_JOB

Body = dict[str, Any]


class Refused:
    """Moves that somebody tries and cannot make, among them everything that was ever legal for anybody."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        foreign = "decline_tuck" if sitting.game.id == "verraeter" else "decline_build"
        self._known: dict[str, Any] = {"foreign": {"type": foreign}}

    def tries(self) -> Iterator[tuple[int | None, Client, Body]]:
        """What will be refused at this moment, by whoever is to send it."""
        sitting = self._sitting
        legal = {seat: self._legal_moves(player) for seat, player in enumerate(sitting.players)}
        self._known |= {str(move): move for moves in legal.values() for move in moves}
        foreign, *known = self._known.values()
        for seat, viewer in sitting.viewers:
            next_ = 1 if seat is None else sitting.next_decision(seat)
            for move in [foreign, *sitting.chance.sample(known, min(6, len(known)))]:
                for decision in {1, next_ - 1, next_, next_ + 1} - {0}:
                    if seat is None or decision != next_ or move not in legal[seat]:
                        yield seat, viewer, {"decision": decision, "move": move}

    def _legal_moves(self, player: Client) -> list[Any]:
        decision = player.view(self._sitting.match)["you"]["decision"]
        return decision["legal_moves"] if decision else []


def refused(sitting: Sitting, sender: Client, body: Body) -> Answer:
    answer = sender.call("playMove", body, match=sitting.match, headers=REQUEST_ID)
    assert answer.code is not None
    return answer


@every_game
def test_a_refusal_names_nothing_and_leaves_no_trace(
    visitor: Client, truth: Truth, game: AnyGame, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    sitting = Sitting(visitor, truth, game, 1)
    wrong, told = Refused(sitting), defaultdict(set)
    for moves in sitting.steps():
        if moves % 16 == 0 or not sitting.waiting_on():
            before = truth.everything(sitting.match), sitting.shown()
            for _, sender, body in wrong.tries():
                answer = refused(sitting, sender, body)
                told[answer.code, answer.body.get("reason")].add(answer.raw)
            assert (truth.everything(sitting.match), sitting.shown()) == before
    assert caplog.records == []
    assert {rule: texts for rule, texts in told.items() if len(texts) > 1} == {}
    assert {code for code, _ in told} == {
        *["not-your-decision", "decision-closed", "illegal-move"],
        *["match-over", "not-a-player", "unauthenticated"],
    }
    assert len(told) > 6, "hardly any rule of the game was broken"


@every_game
def test_a_refusal_is_the_same_whatever_lies_hidden(visitor: Client, truth: Truth, game: AnyGame):
    """In a world that the sender cannot tell apart, the same moves are refused in the same words."""
    sitting = Sitting(visitor, truth, game, 2)
    wrong = Refused(sitting)
    for moves in sitting.steps():
        if moves % 15 == 0:
            tries = list(wrong.tries())
            for seat in {seat for seat, _, _ in tries}:
                own = [(sender, body) for place, sender, body in tries if place == seat]
                here = [refused(sitting, sender, body).raw for sender, body in own]
                with sitting.another_world(seat):
                    assert [refused(sitting, sender, body).raw for sender, body in own] == here


def test_the_log_of_a_running_server_tells_of_no_move(server: Server, truth: Truth):
    sitting = Sitting(server.visitor(), truth, INSIDE_JOB)
    wrong = Refused(sitting)
    said = len(server.said())
    for moves in sitting.steps():
        if moves % 9 == 0:
            for _, sender, body in wrong.tries():
                refused(sitting, sender, body)
    told = [json.loads(line) for line in server.said()[said:].splitlines()]
    assert {line["event"] for line in told} == {"request"}
    assert {name for line in told for name in line} == {
        *["timestamp", "level", "event", "id", "operation", "status", "ms", "problem", "match"]
    }
    assert {line["match"] for line in told if "match" in line} == {sitting.match}
