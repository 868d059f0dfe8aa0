"""Elsewhere a player without a legal target got no prompt, so the others could tell.

Here who is waited for, and when, depends on public facts only: a decision with a single legal answer is asked like any
other, nobody's answer is given for them, and all are told alike who owes one.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

from support.clients import Client
from support.sitting import Sitting, every_game
from support.truth import Truth

from engine.game import AnyGame
from engine.kabale import KABALE
from engine.verraeter import VERRAETER

FORCED = {"verraeter": {"play_supplies"}, "kabale": set(), "inside_job": {"play_card", "cast_vote"}}
"""Kinds of decision that leave some players no choice now and then. In Kabale und Hiebe it takes a rare table."""

ALL_ALIKE = {"verraeter": {"draft_action", "play_supplies"}, "kabale": set(), "inside_job": {"play_card"}}
"""Kinds of decision that every seat is asked for equally often, whatever it holds."""


@every_game
def test_who_has_no_choice_is_asked_all_the_same(visitor: Client, truth: Truth, game: AnyGame):
    forced: dict[str, int] = defaultdict(int)
    for number in range(40):
        sitting = Sitting(visitor, truth, game, number, seats=game.seats[0])
        asked = {kind: Counter(dict.fromkeys(range(game.seats[0]), 0)) for kind in ALL_ALIKE[game.id]}
        for moves in sitting.steps():
            assert len(truth.moves(sitting.match)) == moves, "a move was made that nobody had sent"
            for seat in sitting.waiting_on():
                decision = sitting.players[seat].view(sitting.match)["you"]["decision"]
                assert decision["legal_moves"]
                if len(decision["legal_moves"]) == 1:
                    forced[decision["kind"]] += 1
                if decision["kind"] in asked:
                    asked[decision["kind"]][seat] += 1
        assert all(len(set(times.values())) == 1 for times in asked.values()), asked
        if forced.keys() >= FORCED[game.id]:
            return
    raise AssertionError(f"only these were asked of somebody without a choice: {dict(forced)}")


@every_game
def test_who_is_waited_for_is_told_alike_to_all(visitor: Client, truth: Truth, game: AnyGame):
    sitting = Sitting(visitor, truth, game, 1)
    for moves in sitting.steps():
        if moves % 5:
            continue
        told = [
            viewer.call(operation, match=sitting.match).body["waiting_on"]
            for _, viewer in sitting.viewers
            for operation in ("getMatch", "getView")
        ]
        assert all(waiting_on == told[0] for waiting_on in told)
        asked = [player.view(sitting.match)["you"]["decision"] is not None for player in sitting.players]
        assert asked == [seat in told[0] for seat in range(len(sitting.players))]


@every_game
def test_who_is_asked_for_what_is_the_same_whatever_lies_hidden(visitor: Client, truth: Truth, game: AnyGame):
    """In all worlds that a spectator cannot tell apart, the same seats are asked for the same kind of decision."""
    sitting = Sitting(visitor, truth, game, 2)
    for moves in sitting.steps():
        if moves % 4 == 0:
            asked = kinds(sitting)
            for _ in range(3):
                with sitting.another_world(None):
                    assert kinds(sitting) == asked


def kinds(sitting: Sitting) -> dict[int, str]:
    """What each seat is asked that is waited for, by the rules and in its view, in the world that lies in the store."""
    state = sitting.state()
    asked = {}
    for seat in sitting.game.deciding(state):
        decision = sitting.players[seat].view(sitting.match)["you"]["decision"]
        assert decision["legal_moves"], "somebody is asked who cannot answer"
        asked[seat] = decision["kind"]
    assert list(asked) == sitting.waiting_on()
    return asked


def test_the_last_card_is_asked_for_with_one_column_left(visitor: Client, truth: Truth):
    sitting = Sitting(visitor, truth, KABALE, seats=2)

    def one_way(state: Any) -> None:
        state.players[state.turn].hand = ["king"]
        for column in state.columns[1:]:
            column.closed = True

    truth.lay_out(sitting.match, one_way)
    (seat,) = sitting.waiting_on()
    decision = sitting.players[seat].view(sitting.match)["you"]["decision"]
    assert decision["legal_moves"] == [{"type": "place_card", "card": "king", "column": 0}]
    sitting.move()
    assert len(truth.moves(sitting.match)) == 1


def test_empty_hands_are_asked_for_supplies(visitor: Client, truth: Truth):
    """The public sees hands of no cards; the questions come in their turn all the same."""
    sitting = Sitting(visitor, truth, VERRAETER, seats=3)

    def empty_hands(state: Any) -> None:
        state.phase, state.conflict, state.turn = "play_supplies", 0, 0
        for player in state.players:
            player.offered, player.action, player.supplies = ["builder", "farmer"], "farmer", []

    truth.lay_out(sitting.match, empty_hands)
    first = visitor.view(sitting.match)["table"]["start_seat"]
    for seat in (first, (first + 1) % 3, (first + 2) % 3):
        assert sitting.waiting_on() == [seat]
        decision = sitting.players[seat].view(sitting.match)["you"]["decision"]
        assert decision["legal_moves"] == [{"type": "play_supplies", "cards": []}]
        if seat != (first + 2) % 3:  # the last one would have the conflict resolved, which does not fit these cards
            sitting.move()


@every_game
def test_stand_ins_answer_whatever_they_are_asked_in_no_time(visitor: Client, truth: Truth, game: AnyGame):
    """Whether they have a choice or not, nobody ever sees that one is waited for, and every answer is in the log."""
    players = [visitor.become(f"Player {seat}") for seat in range(2)]
    match = players[0].create(game.id, game.seats[-1])
    players[1].join(match)
    assert players[0].call("startMatch", {"stand_ins": True}, match=match).status == 200
    chance = random.Random(game.id)
    while waiting_on := visitor.card(match)["waiting_on"]:
        assert set(waiting_on) <= {0, 1}
        player = players[waiting_on[0]]
        decision = player.view(match)["you"]["decision"]
        answer = player.move(match, decision["id"], chance.choice(decision["legal_moves"]))
        assert set(answer.body["waiting_on"]) <= {0, 1}
    record, logged = truth.match(match), truth.moves(match)
    assert Counter(entry.seat for entry in logged) == {s: count for s, count in enumerate(record.answered) if count}
    assert {entry.seat for entry in logged if entry.stand_in} == set(range(2, game.seats[-1]))
