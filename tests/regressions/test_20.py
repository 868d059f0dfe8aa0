"""Elsewhere a match expired while it was being played, and an overwrite dropped the time to live of a key.

Here no key is without a time to live, every write gives all keys of a match the time of its status together, what
changes nothing lengthens nothing, and what is left after the end is one clean 404.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from flask import Flask
from support.bodies import bodies
from support.clients import Client
from support.contract import operations
from support.sitting import Sitting, every_game
from support.store import eventually
from support.truth import Truth

from engine.game import AnyGame
from service.settings import Settings
from service.store import keys

BODIES = {body.operation: body.value for body in reversed(bodies())}
MINUTE = 60_000
SOON = 500_000
"""A time to live in milliseconds that no status has; far enough away for every test to end before."""
LIFETIMES = {
    "open": Settings.open_lifetime * 1000,
    "playing": Settings.playing_lifetime * 1000,
    "finished": Settings.finished_lifetime * 1000,
}


def assert_lives(truth: Truth, match: str, status: str) -> None:
    """All keys of the match, whichever there are, have just been given the time to live of this status."""
    lifetimes = truth.lifetimes(match)
    assert keys.record(match).encode() in lifetimes
    for key, left in lifetimes.items():
        assert LIFETIMES[status] - MINUTE < left <= LIFETIMES[status], key


def expire_soon(truth: Truth, match: str) -> None:
    for key in truth.keys_of(match):
        truth.redis.pexpire(key, SOON)


def test_the_statuses_have_different_lifetimes():
    assert len(set(LIFETIMES.values())) == 3


@every_game
def test_every_write_gives_all_keys_the_time_of_the_status(visitor: Client, truth: Truth, game: AnyGame):
    players = [visitor.become(f"Player {seat}") for seat in range(3)]
    match = players[0].create(game.id, len(players))
    assert_lives(truth, match, "open")
    for player in players[1:]:
        expire_soon(truth, match)
        player.join(match)
        assert_lives(truth, match, "open" if player is not players[-1] else "playing")
    while play_some(truth, match, players, moves=8):
        expire_soon(truth, match)
        play_some(truth, match, players, moves=1)
        assert_lives(truth, match, truth.match(match).status)
    assert_lives(truth, match, "finished")
    assert set(truth.keys_of(match)) >= {key.encode() for key in (keys.events(match), keys.moves(match))}


def play_some(truth: Truth, match: str, players: list[Client], *, moves: int) -> bool:
    """Play so many moves, if there are so many to play; gives whether the match goes on."""
    for _ in range(moves):
        if not (waiting_on := truth.match(match).waiting_on):
            return False
        seat = waiting_on[0]
        decision = players[seat].view(match)["you"]["decision"]
        assert players[seat].move(match, decision["id"], decision["legal_moves"][-1]).status == 200
    return truth.match(match).status == "playing"


@every_game
def test_a_start_by_hand_gives_the_time_of_a_running_match(visitor: Client, truth: Truth, game: AnyGame):
    players = [visitor.become(f"Player {seat}") for seat in range(game.seats[0])]
    match = players[0].create(game.id, game.seats[-1])
    for player in players[1:]:
        player.join(match)
    expire_soon(truth, match)
    assert players[0].call("startMatch", {}, match=match).status == 200
    assert_lives(truth, match, "playing")


@every_game
def test_what_changes_nothing_lengthens_nothing(visitor: Client, truth: Truth, game: AnyGame):
    sitting = Sitting(visitor, truth, game)
    seat, _ = sitting.move()
    match, player = sitting.match, sitting.players[seat]
    expire_soon(truth, match)

    for _, viewer in sitting.viewers:
        sitting.read(viewer)
        viewer.call("getView", match=match, headers={"If-None-Match": "*"})
    with truth.unchanged(match):
        for operation in operations().values():
            if operation.method == "post" and "{match}" in operation.path:
                player.call(operation.id, BODIES[operation.id], match=match)

    assert all(0 < left <= SOON for left in truth.lifetimes(match).values())


def test_nothing_in_the_store_lives_for_ever(app: Flask, visitor: Client, truth: Truth):
    """Whatever was stored by all that was asked, and by all tests before this one."""
    player = visitor.become("Ada")
    match = player.create()
    app.test_client().get("/readyz")
    for operation in operations().values():
        for viewer in (player, visitor):
            about = {"match": match, "game": "verraeter"}
            parameters = {name: value for name, value in about.items() if f"{{{name}}}" in operation.path}
            viewer.call(operation.id, BODIES.get(operation.id), **parameters)
    assert [key for key in truth.redis.scan_iter() if truth.redis.pttl(key) == -1] == []
    assert set(truth.keys_of(match)) < set(truth.redis.scan_iter())


def test_the_card_tells_when_the_match_expires(visitor: Client, truth: Truth):
    ada = visitor.become("Ada")
    match = ada.create()
    tells = datetime.fromisoformat(ada.card(match)["expires_at"]).timestamp() * 1000
    really = datetime.now(UTC).timestamp() * 1000 + truth.lifetimes(match)[keys.record(match).encode()]
    assert abs(tells - really) < MINUTE


@pytest.mark.parametrize("missing", ["all", "record"])
@every_game
def test_after_its_time_a_match_is_cleanly_gone(visitor: Client, truth: Truth, game: AnyGame, missing: str):
    """Whichever operation is asked, it is as if the match had never been."""
    sitting = Sitting(visitor, truth, game)
    sitting.move()
    match = sitting.match
    for key in truth.keys_of(match) if missing == "all" else [keys.record(match)]:
        truth.redis.pexpire(key, 1)
    eventually(lambda: not truth.redis.exists(keys.record(match)), "the end of the match")
    for operation in operations().values():
        if "{match}" in operation.path:
            answer = sitting.players[0].call(operation.id, BODIES.get(operation.id), match=match)
            assert (answer.status, answer.code) == (404, "no-such-match")
    assert not truth.redis.exists(keys.record(match))
