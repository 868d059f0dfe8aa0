"""The vote of Inside Job over two workers: all voters at once, and nobody gets in another's way."""

from __future__ import annotations

import random
from functools import partial

import pytest
from support.at_once import at_once, copies
from support.clients import Client, play_on, seated
from support.server import Server


@pytest.fixture
def vote(visitor: Client) -> tuple[str, list[Client]]:
    """A match of five in which everybody is asked for a vote."""
    chance = random.Random(5)
    for _ in range(60):
        match, players = seated(visitor, "inside_job", 5)
        while len(waiting_on := visitor.card(match)["waiting_on"]) == 1:
            play_on(match, players, chance, moves=1)
        if len(waiting_on) == 5:
            return match, players
    raise AssertionError("no match of 60 came to a vote of all")


def test_simultaneous_votes_are_all_recorded(server: Server, visitor: Client, vote: tuple[str, list[Client]]):
    """Regression 15: none is answered with a conflict, though all read the same state."""
    match, players = vote
    decisions = [player.view(match)["you"]["decision"] for player in players]
    assert {decision["kind"] for decision in decisions} == {"cast_vote"}
    ballots = [decision["legal_moves"][seat % len(decision["legal_moves"])] for seat, decision in enumerate(decisions)]
    devices = [copies(server, player, 1)[0] for player in players]
    answers = at_once(
        [
            partial(device.move, match, decision["id"], ballot)
            for device, decision, ballot in zip(devices, decisions, ballots, strict=True)
        ]
    )
    assert [answer.status for answer in answers] == [200] * 5
    view = visitor.view(match)
    assert view["status"] == "finished"
    cast = [seat["votes"] for seat in view["table"]["seats"]]
    assert cast == [ballot["targets"] for ballot in ballots]


def test_a_vote_changes_nothing_for_others_but_who_is_waited_for(visitor: Client, vote: tuple[str, list[Client]]):
    match, players = vote
    voters = list(range(5))
    random.Random(1).shuffle(voters)
    for voted, seat in enumerate(voters[:-1], start=1):
        others = [player for other, player in enumerate(players) if other != seat]
        before = [viewer.view(match) for viewer in [visitor, *others]]
        decision = players[seat].view(match)["you"]["decision"]
        assert players[seat].move(match, decision["id"], decision["legal_moves"][-1]).status == 200
        after = [viewer.view(match) for viewer in [visitor, *others]]
        still_asked = sorted(voters[voted:])
        for old, new in zip(before, after, strict=True):
            assert new.pop("waiting_on") == still_asked
            old.pop("waiting_on")
            assert without_who_has_voted(new) == without_who_has_voted(old)
        assert all(entry["votes"] is None for entry in visitor.view(match)["table"]["seats"])


def without_who_has_voted(view: dict) -> dict:
    """A view without the other public sign of it, which says the same as ``waiting_on``."""
    for seat in view["table"]["seats"]:
        seat.pop("owes_vote")
    return view
