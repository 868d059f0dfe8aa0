"""What a worker remembers of matches saves trips and decoding, and never changes an answer.

Two workers are two applications here, on two machines, or on one, where they tell each other. Each knows what it has
seen or heard of last; what the other one, or a failover, or time has done since must show in every answer all the same.
"""

from __future__ import annotations

import os
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from flask import Flask
from support.clients import Client, InProcess, seated
from support.settings import settings_on
from support.store import StoreServer, eventually
from support.truth import Truth

from service.app import create_app
from service.launcher import shared_memory
from service.store import StoreFull, keys
from service.store.noticeboard import SLOT


@pytest.fixture(scope="module", params=["two machines", "one machine"])
def workers(store: StoreServer, request: pytest.FixtureRequest) -> tuple[Flask, Flask]:
    with pytest.MonkeyPatch.context() as patch:
        common = bytearray(16 * SLOT) if request.param == "one machine" else None
        patch.setattr(shared_memory, "inherited", lambda: common)
        return create_app(settings_on(store.url)), create_app(settings_on(store.url))


@pytest.fixture
def here(workers: tuple[Flask, Flask]) -> Client:
    return Client(InProcess(workers[0].test_client()))


@pytest.fixture
def elsewhere(workers: tuple[Flask, Flask]) -> Client:
    return Client(InProcess(workers[1].test_client()))


def at(worker: Client, player: Client) -> Client:
    return Client(worker.transport, player.token)


def asked(match: str, players: list[Client]) -> tuple[Client, Any]:
    """Who is asked, and what."""
    player = players[players[0].card(match)["waiting_on"][0]]
    return player, player.view(match)["you"]["decision"]


def test_what_somebody_else_has_written_is_seen_at_once(here: Client, elsewhere: Client):
    match, players = seated(here)
    for _ in range(8):
        player, decision = asked(match, players)
        before = [at(elsewhere, one).call("getView", match=match) for one in players]
        assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200
        after = [one.call("getView", match=match) for one in players]
        assert [at(elsewhere, one).call("getView", match=match).raw for one in players] == [one.raw for one in after]
        assert [one.headers["ETag"] for one in before] != [one.headers["ETag"] for one in after]


def test_moves_go_on_whichever_worker_they_come_to(here: Client, elsewhere: Client, truth: Truth):
    """Each builds on what it knows, which mostly is old."""
    match, players = seated(here, "kabale", 3)
    for number in range(20):
        player, decision = asked(match, [at((here, elsewhere)[number % 3 == 0], player) for player in players])
        mover = at((here, elsewhere)[number % 2], player)
        assert mover.move(match, decision["id"], decision["legal_moves"][-1]).status == 200
    assert truth.match(match).moves == len(truth.moves(match)) == 20


def test_nobody_is_refused_by_what_is_old(here: Client, elsewhere: Client):
    """The worker still believes that somebody else is asked, or that the match has not started."""
    ada, ben, cleo = (here.become(name) for name in ("Ada", "Ben", "Cleo"))
    match = ada.create(seats=3)
    at(elsewhere, ben).join(match)
    assert at(elsewhere, ben).call("getView", match=match).code == "not-started"
    cleo.join(match)
    for _ in range(6):
        player, decision = asked(match, [ada, ben, cleo])
        assert at(elsewhere, player).move(match, decision["id"], decision["legal_moves"][0]).status == 200
        player, decision = asked(match, [at(elsewhere, one) for one in (ada, ben, cleo)])
        assert at(here, player).move(match, decision["id"], decision["legal_moves"][0]).status == 200


def test_nobody_is_let_through_by_what_is_old(here: Client, elsewhere: Client, truth: Truth):
    match, players = seated(here)
    player, decision = asked(match, players)
    at(elsewhere, player).view(match)
    assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200
    with truth.unchanged(match):
        late = at(elsewhere, player).move(match, decision["id"], decision["legal_moves"][0])
    assert late.code == "decision-closed"


def test_a_repeat_is_found_where_it_was_not_written(here: Client, elsewhere: Client, truth: Truth):
    match, players = seated(here)
    player, decision = asked(match, players)
    at(elsewhere, player).view(match)
    once = {"Idempotency-Key": "of-this-very-move"}
    body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    assert player.call("playMove", body, match=match, headers=once).status == 200
    with truth.unchanged(match):
        repeat = at(elsewhere, player).call("playMove", body, match=match, headers=once)
    assert (repeat.status, repeat.headers["Idempotency-Replayed"]) == (200, "true")


def test_who_has_left_is_out_at_every_worker(here: Client, elsewhere: Client):
    ada, ben = here.become("Ada"), here.become("Ben")
    created = ada.call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private"}).body
    match = created["match"]
    assert ben.call("joinByCode", {"join_code": created["join_code"]}).status == 201
    assert at(elsewhere, ben).call("getMatch", match=match).status == 200
    assert ben.call("leaveMatch", match=match).status == 204
    assert at(elsewhere, ben).call("getMatch", match=match).code == "no-such-match"
    assert at(elsewhere, ben).call("startMatch", {}, match=match).code == "no-such-match"


@pytest.mark.parametrize("how", ["deleted", "expired"])
def test_what_is_gone_is_gone(
    workers: tuple[Flask, Flask], here: Client, truth: Truth, how: str, monkeypatch: pytest.MonkeyPatch
):
    """And is not looked for again and again, because somebody on this machine still told of it."""
    archive = workers[0].extensions["turncoat"].archive
    opened = Mock(wraps=archive._opened)
    monkeypatch.setattr(archive, "_opened", opened)
    match, players = seated(here)
    player, decision = asked(match, players)
    record = keys.record(match)
    if how == "expired":
        truth.redis.pexpire(record, 1)
        eventually(lambda: not truth.redis.exists(record), "the end of the match")
    else:
        truth.redis.delete(record)
    opened.reset_mock()
    assert player.move(match, decision["id"], decision["legal_moves"][0]).code == "no-such-match"
    assert opened.call_count == 1
    assert player.call("getView", match=match).code == "no-such-match"
    assert player.call("leaveMatch", match=match).code == "no-such-match"
    assert not truth.redis.exists(record)


def test_after_a_failover_the_history_that_there_is_counts(here: Client, truth: Truth):
    """Another move was played with the same number: the worker remembers the one that is lost."""
    match, players = seated(here)
    player, decision = asked(match, players)
    names = [keys.record(match), keys.events(match), keys.moves(match)]
    replica = {name: truth.redis.dump(name) for name in names}
    assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200
    lost = [one.call("getView", match=match) for one in players]
    for name in names:
        truth.redis.delete(name)
        if replica[name] is not None:
            truth.redis.restore(name, 3_600_000, replica[name])
    assert asked(match, players)[1] == decision, "it is asked again"
    assert player.move(match, decision["id"], decision["legal_moves"][1]).status == 200
    for one, before in zip(players, lost, strict=True):
        now = one.call("getView", match=match, headers={"If-None-Match": before.headers["ETag"]})
        assert (now.status == 304) == (now.raw == b"")
        assert now.status == 200 or before.raw == one.call("getView", match=match).raw
    assert len(truth.moves(match)) == 1


def test_what_is_remembered_is_what_lies_in_the_store(workers: tuple[Flask, Flask], here: Client, truth: Truth):
    """Not even half a move, a refused one or a stand-in's, is left in what others look at."""
    archive = workers[0].extensions["turncoat"].archive
    match, players = seated(here, "inside_job", 3, move_seconds=60)
    for number in range(20):
        player, decision = asked(match, players)
        seen = archive.glance(match, None)
        legal = decision["legal_moves"]
        assert player.move(match, decision["id"], {**legal[0], "type": "no_such_move"}).status == 422
        assert player.move(match, decision["id"] + 1, legal[0]).status == 409
        assert archive.glance(match, None) is seen
        as_stored(seen, truth)
        assert player.move(match, decision["id"], legal[number % len(legal)]).status == 200
        assert archive.glance(match, None) is not seen
        as_stored(archive.glance(match, None), truth)


def test_what_could_not_be_written_is_left_in_nobodys_sight(
    workers: tuple[Flask, Flask], here: Client, truth: Truth, monkeypatch: pytest.MonkeyPatch
):
    """The move was played, and then the store was full."""
    parts = workers[0].extensions["turncoat"]
    match, players = seated(here)
    player, decision = asked(match, players)
    before = [one.call("getView", match=match).raw for one in players]
    with monkeypatch.context() as patch:
        patch.setattr(parts.store, "write", Mock(side_effect=StoreFull))
        assert player.move(match, decision["id"], decision["legal_moves"][0]).code == "store-full"
    assert [one.call("getView", match=match).raw for one in players] == before
    as_stored(parts.archive.glance(match, None), truth)
    assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200


def as_stored(glance: Any, truth: Truth) -> None:
    game, match, state = glance.read
    assert msgspec.msgpack.encode(match) == truth.stored(match.match, "match")
    assert game.dump(state) == truth.stored(match.match, "state")


def test_what_is_overdue_is_played_though_it_was_seen_before(store: StoreServer, truth: Truth):
    """Nobody has written anything since: only the time is another one."""
    app = create_app(settings_on(store.url))
    archive = app.extensions["turncoat"].archive
    match, players = seated(Client(InProcess(app.test_client())), move_seconds=3600)
    for look in (True, False):
        player, decision = asked(match, players)
        moved = len(truth.moves(match))
        now = archive._clock()
        archive._clock = lambda now=now: now + 3601
        if look:
            assert player.view(match)["you"]["decision"] != decision
        else:
            late = player.move(match, decision["id"], decision["legal_moves"][0])
            assert late.code == "decision-closed"
        assert [move.stand_in for move in truth.moves(match)[moved:]] == [True]


def test_a_worker_that_may_remember_nothing_plays_all_the_same(store: StoreServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("service.memory.OVERHEAD", 2**40)
    visitor = Client(InProcess(create_app(settings_on(store.url)).test_client()))
    match, players = seated(visitor)
    for _ in range(5):
        player, decision = asked(match, players)
        answer = player.move(match, decision["id"], decision["legal_moves"][0])
        assert (answer.status, answer.raw) == (200, player.call("getView", match=match).raw)


def test_records_without_a_stamp_are_read_and_written(here: Client, truth: Truth):
    """As a version before there were any has left them."""
    match, players = seated(here)
    truth.redis.hdel(keys.record(match), "stamp")
    player, decision = asked(match, players)
    assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200
    assert len(truth.redis.hget(keys.record(match), "stamp")) == len(os.urandom(8))


def test_who_guesses_wrong_again_and_again_asks_first_until_guesses_are_right_again(store: StoreServer):
    """On another machine, of which this one hears nothing: what it knows is always one move old."""
    machines = [create_app(settings_on(store.url)) for _ in range(2)]
    here, elsewhere = (Client(InProcess(machine.test_client())) for machine in machines)
    archive = machines[0].extensions["turncoat"].archive
    archive._opened = Mock(wraps=archive._opened)
    match, players = seated(here, "kabale", 3)
    tries = []
    for number in range(40):
        for worker in (elsewhere, here):
            player, decision = asked(match, [at(elsewhere, one) for one in players])
            archive._opened.reset_mock()
            move = decision["legal_moves"][number % 2]
            assert at(worker, player).move(match, decision["id"], move).status == 200
        tries.append(archive._opened.call_count)
    learned = tries.index(1)
    assert 5 < learned < 20
    assert tries == [2] * learned + [1] * (40 - learned)
    assert not archive._guesses.pay
    match, players = seated(here, "kabale", 3)
    while not archive._guesses.pay:  # asking tells what guessing would have been worth
        player, decision = asked(match, players)
        assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200
