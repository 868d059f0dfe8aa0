"""Kabale und Hiebe over HTTP: two clients, and decisions that fall to the one who is not on turn."""

from __future__ import annotations

import random

from support.clients import Client, seated
from support.server import Server


def play(visitor: Client, players: list[Client], match: str, chance: random.Random) -> set[str]:
    """Play to the end; gives the kinds of decision that were asked of a seat that was not on turn."""
    out_of_turn = set()
    while waiting_on := visitor.card(match)["waiting_on"]:
        (seat,) = waiting_on
        view = players[seat].view(match)
        decision = view["you"]["decision"]
        if seat != view["table"]["turn"]:
            out_of_turn.add(decision["kind"])
            check_others_wait(players, match, seat, view["table"])
        answer = players[seat].move(match, decision["id"], chance.choice(decision["legal_moves"]))
        assert answer.status == 200, answer.body
    return out_of_turn


def check_others_wait(players: list[Client], match: str, seat: int, table: dict) -> None:
    """The one on turn sees who is asked, is asked nothing, and cannot move instead."""
    on_turn = table["turn"]
    other = players[on_turn].view(match)
    assert table["pending"]["seat"] == seat == other["table"]["pending"]["seat"]
    assert other["waiting_on"] == [seat]
    assert other["you"]["decision"] is None
    refused = players[on_turn].move(match, 999, {"type": "decline_swap"})
    assert refused.code == "not-your-decision"


def test_two_clients_play_with_decisions_out_of_turn(server: Server, visitor: Client):
    chance = random.Random(6)
    kinds: set[str] = set()
    for _ in range(20):
        match, players = seated(visitor, "kabale", 2)
        kinds |= play(visitor, players, match, chance)
        result = visitor.view(match)["result"]
        assert [entry["seat"] for entry in result["seats"]] == [0, 1]
        assert any(entry["won"] for entry in result["seats"])
        if kinds == {"swap_goals", "tuck_card"}:
            return
    raise AssertionError(f"in 20 matches only {kinds} fell to somebody who was not on turn")
