"""What the sweeper does: it makes decisions that are overdue in matches that nobody looks at."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from support.clients import Client, InProcess, seated
from support.settings import settings_on
from support.store import StoreServer
from support.truth import Truth

from service import archive, entries
from service.app import create_app
from service.store import StoreUnavailable, keys

MOVE_SECONDS = 60


@pytest.fixture(scope="module")
def own_store() -> Iterator[StoreServer]:
    """A sweeper would play on whatever other tests have left in theirs."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def truth(own_store: StoreServer) -> Truth:
    truth = Truth(own_store.url)
    truth.redis.flushall()
    return truth


@pytest.fixture
def app(own_store: StoreServer) -> Flask:
    return create_app(settings_on(own_store.url))


def archive_of(app: Flask) -> archive.Archive:
    return app.extensions["turncoat"].matches._archive


def pass_time(app: Flask, seconds: float) -> None:
    archive_of(app)._clock = lambda: time.time() + seconds


def begin(app: Flask, **more: object) -> str:
    """A match that has just started; nobody will ask for it again."""
    return seated(Client(InProcess(app.test_client())), **{"move_seconds": MOVE_SECONDS, **more})[0]


def sweep(app: Flask) -> int:
    return archive_of(app).sweep(100)


def test_an_overdue_decision_is_made(app: Flask, truth: Truth):
    match = begin(app)
    asked = truth.match(match).waiting_on
    pass_time(app, MOVE_SECONDS + 1)
    app.extensions["turncoat"].background._tick()
    assert [move.seat for move in truth.moves(match)] == asked
    assert truth.match(match).deadline > time.time() + MOVE_SECONDS, "whoever is asked now has time again"
    assert truth.match(match).waiting_on


def test_nothing_is_done_in_anybody_s_time(app: Flask, truth: Truth):
    match = begin(app)
    pass_time(app, MOVE_SECONDS - 10)
    assert sweep(app) == 0
    assert truth.moves(match) == []


def test_a_match_without_deadlines_is_left_alone(app: Flask, truth: Truth):
    match = seated(Client(InProcess(app.test_client())))[0]
    pass_time(app, 1_000_000)
    assert sweep(app) == 0
    assert truth.moves(match) == []


def test_whose_turn_it_is_not_does_nothing(app: Flask, truth: Truth):
    match = begin(app)
    pass_time(app, MOVE_SECONDS + 1)
    truth.redis.set(keys.SWEEPER, "another", ex=600)
    app.extensions["turncoat"].background._tick()
    assert truth.moves(match) == []


def test_a_whole_match_is_swept_to_its_end(app: Flask, truth: Truth):
    match = begin(app)
    rounds = 0
    while truth.match(match).status == "playing":
        rounds += 1
        pass_time(app, rounds * (MOVE_SECONDS + 1))
        assert sweep(app) == 1
        assert rounds < 1000
    assert truth.match(match).status == "finished"
    assert sweep(app) == 0, "nothing is left of its deadlines"


def test_many_sweepers_at_once_make_each_decision_once(app: Flask, own_store: StoreServer, truth: Truth):
    matches = [begin(app, game=game) for game in ("verraeter", "kabale", "inside_job") for _ in range(4)]
    others = [create_app(settings_on(own_store.url)) for _ in range(6)]
    for another in others:
        pass_time(another, MOVE_SECONDS + 1)
    with ThreadPoolExecutor(len(others)) as pool:
        list(pool.map(sweep, others))
    for match in matches:
        record = truth.match(match)
        made = Counter(move.seat for move in truth.moves(match))
        assert made
        assert [made[seat] for seat in range(len(record.seats))] == record.answered


def test_one_broken_match_does_not_keep_the_others_waiting(
    app: Flask, truth: Truth, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    broken, *fine = [begin(app) for _ in range(5)]
    intact, words = archive.play_overdue, "the farm in hand 2"

    def play_overdue(change) -> None:
        if change.match.match == broken:
            raise RuntimeError(words)
        intact(change)

    monkeypatch.setattr(archive, "play_overdue", play_overdue)
    pass_time(app, MOVE_SECONDS + 1)
    with caplog.at_level(logging.DEBUG):
        assert sweep(app) == 5
        assert sweep(app) == 1
    assert truth.moves(broken) == []
    assert all(truth.moves(match) for match in fine)
    (record,) = caplog.records
    assert broken in record.getMessage()
    assert "RuntimeError" in record.getMessage()
    assert "farm" not in caplog.text


def test_a_match_that_cannot_be_read_is_left_to_whoever_can(app: Flask, truth: Truth):
    match, other = begin(app), begin(app)
    truth.overwrite(match, match=b"of another version")
    pass_time(app, MOVE_SECONDS + entries.GRACE + 10)
    assert sweep(app) == 2
    assert truth.moves(other)
    assert sweep(app) == 1, "it is still entered"


def test_however_many_cannot_be_cleared_away_the_others_have_their_turn(app: Flask, truth: Truth):
    """Those that are overdue for longest come first, and so would they for ever."""
    stuck = [begin(app) for _ in range(3)]
    for match in stuck:
        truth.overwrite(match, match=b"of another version")
    other = begin(app, move_seconds=MOVE_SECONDS + 1)
    pass_time(app, MOVE_SECONDS + 10)
    assert [archive_of(app).sweep(2) for _ in range(2)] == [2, 2]
    assert truth.moves(other)
    assert [archive_of(app).sweep(2) for _ in range(3)] == [0, 2, 1], "and it begins again"


def test_an_entry_without_a_match_is_cleared_away(app: Flask, truth: Truth):
    match = begin(app)
    truth.redis.delete(keys.record(match))
    pass_time(app, MOVE_SECONDS + entries.GRACE + 10)
    assert sweep(app) == 1
    assert sweep(app) == 1, "perhaps it was announced just now, for a match that is yet to be written"
    announced_earlier(truth, entries.GRACE + 10)
    assert sweep(app) == 1
    assert sweep(app) == 0


def announced_earlier(truth: Truth, seconds: float) -> None:
    """Have all deadlines been announced so much earlier, by the store's clock."""
    key = keys.announced(entries.DEADLINES)
    for member in truth.redis.zrange(key, 0, -1):
        truth.redis.zincrby(key, -seconds, member)


def test_a_clock_that_is_ahead_takes_no_deadline_from_a_match_that_is_being_written(
    app: Flask, own_store: StoreServer, truth: Truth, monkeypatch: pytest.MonkeyPatch
):
    """It sweeps when the deadline has been announced, and the match that has it is not yet written."""
    ahead = create_app(settings_on(own_store.url))
    pass_time(ahead, 3600)
    store = archive_of(app)._store
    write, swept = store.write, []

    def slow_write(*args, **more):
        swept.append(sweep(ahead))
        return write(*args, **more)

    monkeypatch.setattr(store, "write", slow_write)
    match = begin(app)
    assert 1 in swept, "it was looked at"
    needed = {entry.at for entry in entries.entries(truth.match(match)) if entry.name == entries.DEADLINES}
    entered = truth.redis.zrange(keys.index(entries.DEADLINES), 0, -1)
    assert [f"{at:011d}:{match}".encode() for at in needed] == entered


def test_a_store_that_is_down_is_told(own_store: StoreServer):
    app = create_app(settings_on("unix:///nowhere.invalid.sock"))
    with pytest.raises(StoreUnavailable):
        sweep(app)
    with pytest.raises(StoreUnavailable):
        app.extensions["turncoat"].background._tick()
