"""What the service was asked is counted where it arrives, and judged without the fuzzer's help."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from flask import Flask
from fuzzing.fuzzer import Found
from fuzzing.ledger import LEDGER, Answered, read_ledger
from fuzzing.served import keep_ledger
from support.clients import Client, InProcess
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app


@pytest.fixture
def noted(store: StoreServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Flask, Path]:
    monkeypatch.setenv(LEDGER, str(tmp_path / "ledger"))
    app = create_app(settings_on(store.url))
    keep_ledger(app)
    return app, tmp_path / "ledger"


def test_every_answer_is_counted(noted: tuple[Flask, Path]):
    app, ledger = noted
    visitor = Client(InProcess(app.test_client()))
    match = visitor.become("Ada").create()
    visitor.call("getMatch", match="nothing")
    visitor.call("getMatch", match=match)
    visitor.call("getMatch", match=match)
    visitor.call("createPlayer", raw=b"{")
    app.test_client().put("/v1/players")
    app.test_client().get("/nowhere")
    assert read_ledger(ledger) == {
        Answered("createPlayer", 201): 1,
        Answered("createMatch", 201): 1,
        Answered("getMatch", 404): 1,
        Answered("getMatch", 200): 2,
        Answered("createPlayer", 400): 1,
        Answered("PUT", 405): 1,
        Answered("GET", 404): 1,
    }


def test_what_only_prepares_a_request_is_not_counted(noted: tuple[Flask, Path]):
    app, ledger = noted
    Client(InProcess(app.test_client())).call("listGames", headers={"X-Request-Id": "stage-7"})
    assert read_ledger(ledger) == {}


def test_what_must_not_be_answered_is_a_fault_whatever_the_fuzzer_says():
    good = {Answered("getMe", 200): 5, Answered("TRACE", 405): 2, Answered("createMatch", 409): 1}
    assert Found(Counter(good)).faults() == []
    bad = {
        Answered("getMe", 500): 1,
        Answered("getMe", 202): 3,
        Answered("PUT", 502): 1,
        Answered("createMatch", 503): 4,
    }
    assert Found(Counter({**good, **bad}), failures=["something"]).faults() == [
        "something",
        "PUT was answered with 502, 1 times",
        "createMatch was answered with 503, 4 times",
        "getMe was answered with 202, 3 times",
        "getMe was answered with 500, 1 times",
    ]
