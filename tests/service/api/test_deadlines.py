"""Matches with a time for each decision: a stand-in makes those that are overdue, whoever notices, exactly once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from flask import Flask
from support.clients import Answer, Client, InProcess, seated
from support.settings import settings_on
from support.sitting import voting
from support.store import StoreServer
from support.truth import Truth

from service.app import create_app


class Clock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.now = 1_900_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def timed_app(store: StoreServer, clock: Clock) -> Flask:
    """The application with that clock."""
    app = create_app(settings_on(store.url))
    app.extensions["turncoat"].matches._archive._clock = clock
    return app


@pytest.fixture
def table(timed_app: Flask) -> tuple[str, list[Client]]:
    """A match in which a decision may take a minute."""
    return seated(Client(InProcess(timed_app.test_client())), move_seconds=60)


def deadline(card: dict) -> float:
    return datetime.fromisoformat(card["deadline"]).timestamp()


def move(match: str, players: list[Client]) -> Answer:
    (seat,) = players[0].card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    return players[seat].move(match, decision["id"], decision["legal_moves"][0])


def test_the_deadline_is_on_the_card_and_beside_the_view(table, clock: Clock):
    match, players = table
    card = players[0].card(match)
    assert (card["move_seconds"], deadline(card)) == (60, clock.now + 60)
    for viewer in players:
        answer = viewer.call("getView", match=match)
        assert answer.headers["Decision-Deadline"] == card["deadline"].replace("Z", "+00:00")
        assert b"2030" not in answer.raw, "the view has a hash, and stays the same while time passes"


def test_without_a_time_there_is_no_deadline(timed_app: Flask):
    match, players = seated(Client(InProcess(timed_app.test_client())))
    card = players[0].card(match)
    assert (card["move_seconds"], card["deadline"]) == (None, None)
    assert "Decision-Deadline" not in players[0].call("getView", match=match).headers


def test_before_the_start_there_is_no_deadline(timed_app: Flask):
    ada = Client(InProcess(timed_app.test_client())).become("Ada")
    card = ada.card(ada.create(move_seconds=60))
    assert (card["move_seconds"], card["deadline"]) == (60, None)


def test_every_decision_has_the_full_time(table, clock: Clock):
    match, players = table
    for _ in range(5):
        clock.now += 59
        assert move(match, players).status == 200
        assert deadline(players[0].card(match)) == clock.now + 60


def test_the_rest_of_a_second_is_not_taken_off_the_time(table, clock: Clock, truth: Truth):
    """Deadlines are whole seconds; who is asked at the very end of one still has all that was promised."""
    match, players = table
    clock.now += 0.75
    assert move(match, players).status == 200
    assert deadline(players[0].card(match)) == clock.now + 60.25
    clock.now += 60
    players[0].card(match)
    assert len(truth.moves(match)) == 1
    clock.now += 0.25
    players[0].card(match)
    assert len(truth.moves(match)) == 2


NOTICE: dict[str, Callable[[Flask, str, list[Client], int], object]] = {
    "a card": lambda app, match, players, seat: players[0].card(match),
    "a view": lambda app, match, players, seat: players[1].view(match),
    "a spectator": lambda app, match, players, seat: Client(players[0].transport).view(match),
    "a log": lambda app, match, players, seat: players[0].call("listEvents", match=match),
    "a replay": lambda app, match, players, seat: players[0].call("getReplay", match=match),
    "a late move": lambda app, match, players, seat: players[seat].move(match, 1, {"type": "decline_build"}),
    "a join": lambda app, match, players, seat: players[0].call("joinMatch", {}, match=match),
    "the sweeper": lambda app, match, players, seat: app.extensions["turncoat"].archive.sweep(1000),
}


@pytest.mark.parametrize("notice", NOTICE)
def test_whoever_comes_first_has_an_overdue_decision_made(
    timed_app: Flask, table, clock: Clock, truth: Truth, notice: str
):
    match, players = table
    (seat,) = players[0].card(match)["waiting_on"]
    clock.now += 59
    NOTICE[notice](timed_app, match, players, seat)
    assert truth.moves(match) == [], "not a second before"
    clock.now += 1
    NOTICE[notice](timed_app, match, players, seat)
    (made,) = truth.moves(match)
    assert (made.seat, made.stand_in, made.at) == (seat, True, int(clock.now))
    assert truth.match(match).answered[seat] == 1
    assert deadline(players[0].card(match)) == clock.now + 60
    for other in NOTICE.values():
        other(timed_app, match, players, seat)
    assert len(truth.moves(match)) == 1, "and once only"


def test_the_late_answer_meets_a_closed_decision(table, clock: Clock, truth: Truth):
    match, players = table
    (seat,) = players[0].card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    clock.now += 60
    late = players[seat].move(match, decision["id"], decision["legal_moves"][0])
    assert late.code == "decision-closed"
    assert [made.stand_in for made in truth.moves(match)] == [True]


def test_who_was_late_goes_on_playing(table, clock: Clock):
    """Nobody is thrown out for being slow."""
    match, players = table
    for _ in range(6):
        clock.now += 60
        players[0].card(match)
    assert not any(seat["stand_in"] for seat in players[0].card(match)["seats"])
    assert move(match, players).status == 200


def test_stand_ins_play_on_behind_an_overdue_decision(timed_app: Flask, clock: Clock, truth: Truth):
    """In the same write, as behind any other move: nobody waits for a seat without a player."""
    ada = Client(InProcess(timed_app.test_client())).become("Ada")
    match = ada.create(game="kabale", seats=3, move_seconds=60)
    ada.call("startMatch", {"stand_ins": True}, match=match)
    for _ in range(3):
        clock.now += 60
        assert ada.card(match)["waiting_on"] == [0]
    assert {made.seat for made in truth.moves(match)} == {0, 1, 2}


def test_a_match_that_nobody_plays_ends_by_sweeping_alone(timed_app: Flask, clock: Clock, truth: Truth):
    match, _ = seated(Client(InProcess(timed_app.test_client())), game="inside_job", seats=3, move_seconds=60)
    archive = timed_app.extensions["turncoat"].archive
    while truth.match(match).status == "playing":
        clock.now += 60
        archive.sweep(1000)
    assert truth.match(match).status == "finished"
    assert all(made.stand_in for made in truth.moves_of("inside_job", match))


def test_a_vote_that_is_overdue_closes_for_all_who_have_not_voted(timed_app: Flask, clock: Clock, truth: Truth):
    """Those who have voted have done so; the others' votes are cast for them, and all become known at once."""
    match, players = voting(Client(InProcess(timed_app.test_client())), truth, seats=3, move_seconds=60)
    waiting = truth.match(match).waiting_on
    begun = deadline(players[0].card(match))
    clock.now += 30
    voter = waiting[0]
    decision = players[voter].view(match)["you"]["decision"]
    players[voter].move(match, decision["id"], decision["legal_moves"][0])
    assert deadline(players[0].card(match)) == begun, "the others have what is left of the time"
    clock.now += 30
    players[0].card(match)
    last = truth.moves_of("inside_job", match)[-len(waiting) :]
    assert {made.seat: made.stand_in for made in last} == {seat: seat != voter for seat in waiting}


def test_stale_deadlines_are_dropped_and_disturb_nobody(timed_app: Flask, table, clock: Clock, truth: Truth):
    match, players = table
    index = "index:{deadlines}"
    moves = len(truth.moves(match))
    for _ in range(3):
        move(match, players)
    for key in truth.keys_of(match):
        truth.redis.delete(key)
    announced = "index:{deadlines}:announced"
    for member in truth.redis.zrange(announced, 0, -1):
        truth.redis.zincrby(announced, -1000, member)
    clock.now += 1000
    archive = timed_app.extensions["turncoat"].archive
    archive.sweep(1000)
    assert moves == 0
    assert not [member for member in truth.redis.zrange(index, 0, -1) if match.encode() in member]


@pytest.mark.parametrize("seconds", [0, -1, 14 * 24 * 3600 + 1, "60", 1.5, True, None])
def test_a_time_that_cannot_be(visitor: Client, seconds: object):
    body = {"game": "verraeter", "seats": 3, "visibility": "public", "move_seconds": seconds}
    answer = visitor.become("Ada").call("createMatch", body)
    assert (answer.code, answer.body["errors"][0]["pointer"]) == ("invalid", "/move_seconds")
