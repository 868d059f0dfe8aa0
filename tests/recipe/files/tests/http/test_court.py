"""A match of Court over HTTP, as a client sees it that knows nothing but the contract."""

from __future__ import annotations

import pytest
from support.clients import Client, seated


@pytest.mark.parametrize("seats", [3, 4])
def test_a_match(visitor: Client, seats: int):
    match, players = seated(visitor, "court", seats, options={"tie": "rebels"})
    sides, laid = [], []
    for seat, player in enumerate(players):
        for other in players:
            view = other.view(match)
            assert view["table"]["turn"] == seat
            assert all(place["side"] is place["laid"] is None for place in view["table"]["seats"])
            assert (view["you"]["decision"] is not None) == (other is player), "only who is due is asked"
        you = player.view(match)["you"]
        sides.append(you["side"])
        move = you["decision"]["legal_moves"][seat % 3]
        laid.append(move.get("favour"))
        refused = player.move(match, you["decision"]["id"], {"type": "lay_favour", "favour": _not_in(you["hand"])})
        assert (refused.status, refused.body["reason"]) == (422, "card-not-in-hand")
        assert player.move(match, you["decision"]["id"], move).status == 200
    view = visitor.view(match)
    assert [seat["side"] for seat in view["table"]["seats"]] == sides
    assert [seat["laid"] for seat in view["table"]["seats"]] == laid
    worth = {side: sum(card or 0 for card, of in zip(laid, sides, strict=True) if of == side) for side in sides}
    winner = "crown" if worth.get("crown", 0) > worth.get("rebels", 0) else "rebels"
    assert [seat["won"] for seat in view["result"]["seats"]] == [side == winner for side in sides]


def test_others_are_told_that_a_favour_is_laid_and_not_which(visitor: Client):
    match, players = seated(visitor, "court")
    decision = players[0].view(match)["you"]["decision"]
    players[0].move(match, decision["id"], decision["legal_moves"][0])
    told = [player.call("listEvents", match=match).body["items"][-1]["event"] for player in [*players, visitor]]
    assert [event["type"] for event in told] == ["favour_laid"] * 4
    assert [event["you"] for event in told] == [{"favour": decision["legal_moves"][0]["favour"]}, None, None, None]


def _not_in(hand: list[int]) -> int:
    return next(favour for favour in range(1, 10) if favour not in hand)
