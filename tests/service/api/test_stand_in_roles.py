"""A stand-in for the insider and one for an agent are the same to look at: by what they do, and by when.

One match is brought to a moment twice. The second time, the one who leaves has the role of another player and nothing
else is different; whoever knows neither role must not be able to tell.
"""

from __future__ import annotations

import os
import random
from typing import Any

import pytest
from flask import Flask
from support.clients import Client, InProcess, seated
from support.settings import settings_on
from support.store import StoreServer
from support.truth import Truth

from engine.inside_job import INSIDE_JOB
from service.app import create_app
from service.store import keys
from service.store.packing import unpacked

NOW = 1_900_000_000.0
SAME = {"X-Request-Id": "same"}


@pytest.fixture(scope="module")
def stopped(store: StoreServer) -> Flask:
    """The application with a clock that stands still, so that times tell nothing either."""
    app = create_app(settings_on(store.url))
    app.extensions["turncoat"].archive._clock = lambda: NOW
    return app


def shown(viewer: Client, match: str) -> list[Any]:
    """All that somebody receives."""
    answers = [
        viewer.call("getMatch", match=match, headers=SAME),
        viewer.call("getView", match=match, headers=SAME),
        viewer.call("listEvents", match=match, query="?limit=100", headers=SAME),
    ]
    return [
        (answer.status, sorted((name, value) for name, value in answer.headers.items() if name != "Date"), answer.raw)
        for answer in answers
    ]


def put_back(truth: Truth, match: str, stored: list[Any], state: bytes) -> None:
    """The match as it lay in the store, with another state."""
    record, events, moves = stored
    truth.redis.delete(keys.record(match), keys.events(match), keys.moves(match))
    truth.redis.hset(keys.record(match), mapping={**record, b"state": state, b"stamp": os.urandom(8)})
    for key, entries in ((keys.events(match), events), (keys.moves(match), moves)):
        if entries:
            truth.redis.rpush(key, *entries)


BEGINNINGS = 40


def test_a_stand_in_does_not_give_its_role_away(stopped: Flask, truth: Truth):
    """The end of a match shows all roles, and whether it has come may depend on them: such pairs are no pairs."""
    compared = [seen for number in range(BEGINNINGS) if len(seen := both_ways(stopped, truth, number)) == 2]
    assert len(compared) > BEGINNINGS / 2
    for number, (one, other) in enumerate(compared):
        assert one == other, number


def both_ways(stopped: Flask, truth: Truth, number: int) -> list[Any]:
    """What a spectator and a player who knows neither role receive when somebody leaves, with either role."""
    chance = random.Random(number)
    visitor = Client(InProcess(stopped.test_client()))
    with pytest.MonkeyPatch.context() as patch:  # the same cards in every run
        patch.setattr("service.matches.new_id", lambda: f"stand-in-{number:013}")
        patch.setattr("service.matches.new_seed", lambda: random.Random(number).randbytes(32))
        match, players = seated(visitor, "inside_job", 4)
    for _ in range(chance.randrange(2, 14)):
        (seat, *_) = visitor.card(match)["waiting_on"]
        decision = players[seat].view(match)["you"]["decision"]
        players[seat].move(match, decision["id"], chance.choice(decision["legal_moves"]))
        if visitor.card(match)["status"] != "playing":
            return []
    stored = truth.everything(match)
    state = INSIDE_JOB.load(unpacked(stored[0][b"state"]))
    roles = [player.role for player in state.players]
    insider = roles.index("insider")
    leaver = chance.choice([seat for seat in range(4) if seat != insider])
    onlooker = chance.choice([seat for seat in range(4) if seat not in (insider, leaver)])
    seen = []
    for swapped in (False, True):
        state = INSIDE_JOB.load(unpacked(stored[0][b"state"]))
        if swapped:
            state.players[leaver].role, state.players[insider].role = roles[insider], roles[leaver]
        put_back(truth, match, stored, INSIDE_JOB.dump(state))
        assert players[leaver].call("leaveMatch", match=match).status == 204
        if visitor.card(match)["status"] == "playing":
            seen.append([shown(viewer, match) for viewer in (visitor, players[onlooker])])
    return seen
