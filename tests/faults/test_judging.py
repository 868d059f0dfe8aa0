"""What is planted in a history is found, and counted as what it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import msgspec
import pytest
from faults.judging import DOUBLED, LOST, judge
from histories.honest import honest_history
from histories.planting import calls, edit, entries, log, player, started, store
from histories.recorded import Finding, History
from redis import Redis
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app
from service.entries import DEADLINES
from service.entries import entries as needed
from service.store import keys


@pytest.fixture(scope="module")
def own_store():
    """A store with nothing in it but one history."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def redis(own_store):
    redis = Redis.from_url(own_store.url)
    yield redis
    redis.close()


@pytest.fixture(scope="module")
def played(own_store, redis) -> History:
    """A match that is far from its end, however the cards were dealt, and so has a deadline; another never starts."""
    app = create_app(settings_on(own_store.url))
    return honest_history(app, redis, 1, rounds=5, game="verraeter", move_seconds=600)


@pytest.fixture
def history(played) -> History:
    return History(dict(played.names), list(played.calls), dict(played.outcomes))


@pytest.fixture
def lobby(history) -> set[str]:
    return {match for match, outcome in history.outcomes.items() if outcome.record.visibility == "public"}


@pytest.fixture
def found(history, redis, lobby):
    """What is found in the history as it is by then."""

    def judged() -> list[Finding]:
        return judge(history, redis, lobby)

    return judged


def lost(findings: list[Finding]) -> set[str]:
    return {finding.kind for finding in findings} & LOST


def doubled(findings: list[Finding]) -> set[str]:
    return {finding.kind for finding in findings} & DOUBLED


def test_nothing_is_found_where_nothing_is_wrong(history, found):
    assert found() == []
    assert len(history.outcomes) == 2
    assert not LOST & DOUBLED


def test_a_lost_move(history, found):
    last = [entry for entry in entries(history) if not entry.logged.stand_in][-1]
    log(history, started(history).moves[: last.number - 1])
    assert "lost-move" in lost(found())


def test_a_doubled_move(history, found):
    outcome = started(history)
    store(history, replace(outcome, moves=[*outcome.moves[:6], *outcome.moves[5:]]))
    assert "unexplained-move" in doubled(found())


def test_a_reordered_move(history, found):
    """Both were made, and the second one was acknowledged before the first one was asked for."""
    outcome = started(history)
    made = [entry for entry in entries(history) if not entry.logged.stand_in]
    first, second = next(
        (one, other)
        for one, other in pairwise(made)
        if one.logged.seat != other.logged.seat and one.span.hi < other.span.lo and other.number == one.number + 1
    )
    moves = list(outcome.moves)
    moves[first.number - 1], moves[second.number - 1] = second.logged, first.logged
    store(history, replace(outcome, moves=moves))
    assert "reordered" in doubled(found())


def test_a_lost_join(history, found):
    outcome = next(outcome for outcome in history.outcomes.values() if not outcome.state)
    asked = calls(history, "joinMatch", "Cleo")[0]
    card = calls(history, "createMatch", "Ben")[0].answer
    ben = calls(history, "createMatch", "Ben")[0]
    joined = replace(
        asked,
        number=10_000,
        match=outcome.record.match,
        key="a key of hers",
        began=ben.ended + 1e-9,
        ended=ben.ended + 2e-9,
        status=201,
        answer={**card, "seat": 1},
    )
    history.calls.append(joined)
    assert {"lost-join", "too-few-writes"} <= lost(found())


def test_a_lost_leaving(history, found):
    outcome = started(history)
    seat = next(seat for seat, seated in enumerate(outcome.record.seats) if seated and seated.stand_in)
    seats = list(outcome.record.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], player=player(history, "Ben"))
    store(history, outcome, seats=seats)
    assert "leaver-resurrected" in lost(found())


def test_a_lost_match(history, found):
    del history.outcomes[started(history).record.match]
    assert {"lost-match", "half-written"} <= lost(found())


def test_a_match_that_was_made_twice(history, found):
    outcome = next(outcome for outcome in history.outcomes.values() if not outcome.state)
    record = msgspec.structs.replace(outcome.record, match="another", join_code=None)
    history.outcomes["another"] = replace(outcome, record=record)
    assert "unexplained-match" in doubled(found())


@pytest.mark.parametrize("part", ["moves", "events", "state", "answered", "started"])
def test_a_match_of_which_a_part_was_written(history, found, part):
    outcome = started(history)
    if part == "moves":
        store(history, replace(outcome, moves=outcome.moves[:-1]))
    elif part == "events":
        store(history, replace(outcome, events=[]))
    elif part == "state":
        store(history, replace(outcome, state=b""))
    elif part == "answered":
        store(history, outcome, answered=[0, *outcome.record.answered[1:]])
    else:
        store(history, outcome, started_at=None, status="open")
    assert "half-written" in {finding.kind for finding in found()}


@pytest.mark.parametrize(("change", "kind"), [(-20, "too-few-writes"), (200, "too-many-writes")])
def test_a_match_that_was_written_too_often_or_too_seldom(history, found, change, kind):
    outcome = started(history)
    store(history, replace(outcome, version=outcome.version + change))
    assert kind in {finding.kind for finding in found()}


def test_an_entry_that_is_missing(history, found, redis):
    for entry in needed(started(history).record):
        member = f"{entry.at:011d}:{entry.match}"
        assert redis.zrem(keys.index(entry.name), member) == 1
        assert "not-indexed" in lost(found())
        redis.zadd(keys.index(entry.name), {member: 0})
    assert any(entry.name == DEADLINES for entry in needed(started(history).record))


def test_a_match_that_went_on_meanwhile_is_looked_at_again(history, found):
    """By the sweeper: it needs other entries now than when it was read."""
    outcome = started(history)
    earlier = outcome.record.deadline - 30
    store(history, replace(outcome, version=outcome.version - 1), deadline=earlier)
    assert "not-indexed" not in lost(found())
    store(history, outcome, deadline=earlier)
    assert "not-indexed" in lost(found())


def test_a_code_that_leads_nowhere(history, found, redis):
    outcome = next(outcome for outcome in history.outcomes.values() if outcome.record.join_code)
    store(history, outcome, join_code="ANOTHER2")
    assert "not-indexed" in lost(found())


def test_a_match_that_the_lobby_does_not_show(found, lobby):
    lobby.clear()
    assert lost(found()) == {"not-in-lobby"}


def test_a_key_without_an_end(history, found, redis):
    key = keys.moves(started(history).record.match)
    left = redis.pttl(key)
    redis.persist(key)
    assert lost(found()) == {"half-written"}
    redis.pexpire(key, left)


def test_faults_excuse_what_they_explain_and_nothing_else(history, found):
    call = calls(history, "getView", "Ada", status=200)[0]
    edit(history, call, status=503, answer={"code": "store-unavailable"})
    assert found() == []


@pytest.mark.parametrize("status", [500, 502])
def test_a_failure_of_which_the_service_knows_no_reason(history, found, status):
    call = calls(history, "getView", "Ada", status=200)[0]
    edit(history, call, status=status, answer={"code": "internal-error"})
    assert {finding.kind for finding in found()} == {"failed"}
