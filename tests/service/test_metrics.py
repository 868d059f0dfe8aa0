"""What the application counts in one process, where nobody shares files."""

from __future__ import annotations

import pytest
from flask import Flask
from support.clients import Client, InProcess, seated
from support.metrics import Metrics
from support.settings import settings_on
from support.store import StoreServer

from engine.catalogue import GAMES
from service.app import create_app
from service.archive import Archive
from service.limiter import LIMITS, Caller, Limiter
from service.problems import KINDS
from service.store import MatchStore, StoreSlow, StoreUnavailable
from service.telemetry import metrics
from service.telemetry.families import FAMILIES
from service.telemetry.observer import Observer


def look(app: Flask) -> Metrics:
    answer = app.test_client().get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.content_type == metrics.CONTENT_TYPE
    return Metrics(answer.text)


@pytest.fixture
def app(store: StoreServer) -> Flask:
    """An application that nobody else uses, so that what it counts is known."""
    return create_app(settings_on(store.url))


@pytest.fixture
def visitor(app: Flask) -> Client:
    return Client(InProcess(app.test_client()))


def test_every_metric_is_there_and_none_without_a_word(app: Flask, visitor: Client):
    visitor.call("listMatches")
    assert set(look(app).kinds) == set(FAMILIES)


def test_a_request_is_counted_by_its_operation_and_status(app: Flask, visitor: Client):
    match, _ = seated(visitor)
    visitor.view(match)
    visitor.call("getMatch", match="A" * 22)
    visitor.call("getMatch", match="A" * 22)
    app.test_client().get("/elsewhere")
    app.test_client().options("/v1/matches")
    app.test_client().head("/v1/games")
    found = look(app)
    assert found.counted("turncoat_requests_total") == {
        ("createPlayer", "201"): 3,
        ("createMatch", "201"): 1,
        ("joinMatch", "201"): 2,
        ("getView", "200"): 1,
        ("getMatch", "404"): 2,
        ("none", "404"): 1,
        ("preflight", "200"): 1,
        ("listGames", "200"): 1,
    }
    assert found.counted("turncoat_problems_total") == {("no-such-match",): 2, ("not-found",): 1}
    assert found.of("turncoat_requests_total", "getView", "503") == 0
    assert ("getView", "503") in found.samples["turncoat_requests_total"], "a first failure must be seen as a rise"


def test_a_miss_that_is_one_too_many_counts_as_what_it_was_answered(store: StoreServer):
    app = create_app(settings_on(store.url, limits=True, limit_misses="1/hour", id_secret="of this test alone" * 2))
    visitor = Client(InProcess(app.test_client()))
    answers = [visitor.call("getMatch", match="A" * 22).code for _ in range(3)]
    assert answers == ["no-such-match", "too-many-requests", "too-many-requests"]
    assert look(app).counted("turncoat_problems_total") == {("no-such-match",): 1, ("too-many-requests",): 2}


def test_a_write_that_was_too_late_is_a_conflict(app: Flask, visitor: Client, monkeypatch: pytest.MonkeyPatch):
    match, players = seated(visitor)
    intact, late = MatchStore.write, [True, True]
    monkeypatch.setattr(
        MatchStore, "write", lambda *args, **named: not (late and late.pop()) and intact(*args, **named)
    )
    seat = visitor.card(match)["waiting_on"][0]
    decision = players[seat].view(match)["you"]["decision"]
    assert players[seat].move(match, decision["id"], decision["legal_moves"][0]).status == 200
    found = look(app)
    assert found.of("turncoat_conflicts_total") == 2
    assert found.counted("turncoat_moves_total") == {("verraeter", "accepted"): 1}


def test_the_store_is_timed_by_what_it_is_asked_for(app: Flask, visitor: Client):
    match, _ = seated(visitor)
    before = look(app).counted("turncoat_store_seconds_count")
    visitor.view(match)
    visitor.view(match)
    after = look(app).counted("turncoat_store_seconds_count")
    assert after[("read_changed",)] - before[("read_changed",)] == 2
    assert before[("write_match",)] == 3
    assert "other_script" not in {trip for (trip,) in after}
    assert look(app).counted("turncoat_store_errors_total") == {}


@pytest.fixture
def nowhere() -> Flask:
    """An application whose store is not there."""
    return create_app(settings_on("redis://127.0.0.1:1", store_timeout=0.2))


def test_a_store_that_is_gone_is_told_and_hides_nothing_else(nowhere: Flask):
    visitor = Client(InProcess(nowhere.test_client()))
    assert visitor.call("listMatches").status == 503
    found = look(nowhere)
    assert found.of("turncoat_store_up") == 0
    assert "turncoat_public_matches" not in found.samples
    assert found.of("turncoat_requests_total", "listMatches", "503") == 1
    assert sum(found.counted("turncoat_store_errors_total").values()) > 0


@pytest.mark.parametrize(
    ("failure", "fallback"), [(StoreUnavailable, "let-through"), (StoreSlow, "own-count")], ids=["gone", "slow"]
)
def test_a_limiter_without_its_store_is_counted(failure: type[Exception], fallback: str):
    class Broken:
        def incr(self, _name: str, _seconds: int) -> int:
            raise failure

    counted = metrics.Metrics(GAMES, KINDS)
    rates = {name: "5/hour" for names in LIMITS.values() for name in names}
    limiter = Limiter(rates, Broken(), b"secret", 1.0, observer=counted)
    limiter.count("guests", Caller(None, "192.0.2.1"))
    found = Metrics(counted.text().decode())
    assert found.counted("turncoat_limiter_failures_total") == {(fallback,): 1}


def test_whoever_looks_on_is_told_in_words_that_the_first_observer_has():
    """So that nothing is told to somebody who does not listen."""
    told = {name for name in vars(metrics.Metrics) if not name.startswith("_")} - {"text", "serve"}
    assert told == {name for name in vars(Observer) if not name.startswith("_")}
    assert Archive.__init__.__kwdefaults__["observer"].__class__ is Observer
