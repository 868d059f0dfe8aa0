"""The main job: create, join, view and act until a match is scored."""

from __future__ import annotations

import random

import pytest
from support.clients import Client, seated


@pytest.mark.parametrize("seats", [3, 4])
def test_a_match_from_creation_to_its_result(visitor: Client, seats: int):
    match, players = seated(visitor, seats=seats)
    chance = random.Random(seats)
    while (card := visitor.card(match))["status"] == "playing":
        (seat,) = card["waiting_on"]
        decision = players[seat].view(match)["you"]["decision"]
        answer = players[seat].move(match, decision["id"], chance.choice(decision["legal_moves"]))
        assert answer.status == 200
    assert card["status"] == "finished"
    assert card["waiting_on"] == []
    for viewer in [visitor, *players]:
        result = viewer.view(match)["result"]
        assert [entry["seat"] for entry in result["seats"]] == list(range(seats))
        best = max(entry["score"] for entry in result["seats"])
        assert [entry["won"] for entry in result["seats"]] == [entry["score"] == best for entry in result["seats"]]
