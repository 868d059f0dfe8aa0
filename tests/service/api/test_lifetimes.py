"""How long a match is kept.

Regression 20: a match expired while it was played, and an overwrite dropped the time to live.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from flask import Flask
from support.clients import Client, seated
from support.store import eventually
from support.truth import Truth

from service.settings import Settings
from service.store import keys

MINUTE = 60_000
SOON = 500_000
"""A time to live in milliseconds that no status has; far enough away for every test to end before."""
LIFETIMES = {
    "open": Settings.open_lifetime * 1000,
    "playing": Settings.playing_lifetime * 1000,
    "finished": Settings.finished_lifetime * 1000,
}


def assert_lives(truth: Truth, match: str, status: str, expected_keys: list[str]) -> None:
    """All keys of the match, and no others, have just been given the time to live of this status."""
    lifetimes = truth.lifetimes(match)
    assert sorted(lifetimes) == sorted(key.encode() for key in expected_keys)
    for left in lifetimes.values():
        assert LIFETIMES[status] - MINUTE < left <= LIFETIMES[status]


def expire_soon(truth: Truth, match: str) -> None:
    for key in truth.keys_of(match):
        truth.redis.pexpire(key, SOON)


def test_the_statuses_have_different_lifetimes():
    assert len(set(LIFETIMES.values())) == 3


def test_every_write_gives_all_keys_the_time_of_the_status(visitor: Client, truth: Truth):
    players = [visitor.become(f"Player {seat}") for seat in range(3)]
    match = players[0].create()
    record, events, moves = keys.record(match), keys.events(match), keys.moves(match)
    assert_lives(truth, match, "open", [record])

    expire_soon(truth, match)
    players[1].join(match)
    assert_lives(truth, match, "open", [record])

    expire_soon(truth, match)
    players[2].join(match)
    assert_lives(truth, match, "playing", [record, events])

    while visitor.card(match)["status"] == "playing":
        expire_soon(truth, match)
        (seat,) = visitor.card(match)["waiting_on"]
        decision = players[seat].view(match)["you"]["decision"]
        players[seat].move(match, decision["id"], decision["legal_moves"][-1])
        if visitor.card(match)["status"] == "playing":
            assert_lives(truth, match, "playing", [record, events, moves])
    assert_lives(truth, match, "finished", [record, events, moves])


def test_a_start_by_hand_gives_the_time_of_a_running_match(visitor: Client, truth: Truth):
    players = [visitor.become(f"Player {seat}") for seat in range(3)]
    match = players[0].create(seats=4)
    for player in players[1:]:
        player.join(match)
    expire_soon(truth, match)
    players[0].call("startMatch", {}, match=match)
    assert_lives(truth, match, "playing", [keys.record(match), keys.events(match)])


def test_what_changes_nothing_lengthens_nothing(visitor: Client, truth: Truth):
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    players[seat].move(match, decision["id"], decision["legal_moves"][0])
    expire_soon(truth, match)

    for viewer in [visitor, *players]:
        viewer.card(match)
        viewer.view(match)
        viewer.call("getView", match=match, headers={"If-None-Match": "*"})
    players[seat].call("joinMatch", {}, match=match)
    players[seat].call("startMatch", {}, match=match)
    players[seat].move(match, decision["id"], decision["legal_moves"][0])
    players[seat].move(match, 2, {"type": "decline_build"})

    assert len(truth.lifetimes(match)) == 3
    assert all(0 < left <= SOON for left in truth.lifetimes(match).values())


def test_nothing_in_the_store_lives_for_ever(app: Flask, visitor: Client, truth: Truth):
    match, players = seated(visitor)
    app.test_client().get("/readyz")
    players[0].call("getMatch", match="nowhere")
    assert [key for key in truth.redis.scan_iter() if truth.redis.pttl(key) == -1] == []
    assert set(truth.keys_of(match)) < set(truth.redis.scan_iter())


def test_the_card_tells_when_the_match_expires(visitor: Client, truth: Truth):
    ada = visitor.become("Ada")
    match = ada.create()
    tells = datetime.fromisoformat(ada.card(match)["expires_at"]).timestamp() * 1000
    really = datetime.now(UTC).timestamp() * 1000 + truth.lifetimes(match)[keys.record(match).encode()]
    assert abs(tells - really) < MINUTE


@pytest.mark.parametrize("missing", ["all", "record"])
def test_after_its_time_a_match_is_cleanly_gone(visitor: Client, truth: Truth, missing: str):
    match, players = seated(visitor)
    for key in truth.keys_of(match) if missing == "all" else [keys.record(match)]:
        truth.redis.pexpire(key, 1)
    eventually(lambda: not truth.redis.exists(keys.record(match)), "the end of the match")
    move = {"decision": 1, "move": {"type": "place_farm", "landscape": 0}}
    for answer in [
        visitor.call("getMatch", match=match),
        players[0].call("getView", match=match),
        players[0].call("playMove", move, match=match),
        players[0].call("joinMatch", {}, match=match),
        players[0].call("startMatch", {}, match=match),
    ]:
        assert (answer.status, answer.code) == (404, "no-such-match")
    assert not truth.redis.exists(keys.record(match))
