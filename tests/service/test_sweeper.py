"""The sweeper: what is done now and then whatever happens, by one process at a time."""

from __future__ import annotations

import itertools
import logging
import threading
from contextlib import closing
from typing import Any

import pytest
from redis import Redis
from support.store import PATIENCE, StoreServer, eventually

from service.store import StoreUnavailable, Turns, connect
from service.sweeper import AT_ONCE, Sweeper, sweeping

OFTEN = 0.001
_tasks = (f"task-{number}" for number in itertools.count())


class Tick:
    """Something to be called, which fails as long as it shall."""

    def __init__(self) -> None:
        self.calls = 0
        self.failure: Exception | None = None

    def __call__(self) -> None:
        self.calls += 1
        if self.failure is not None:
            raise self.failure

    def is_called_again(self) -> None:
        calls = self.calls
        eventually(lambda: self.calls > calls + 1, "another call")


@pytest.fixture
def tick() -> Tick:
    return Tick()


@pytest.fixture
def sweeper(tick: Tick):
    sweeper = Sweeper(tick, OFTEN)
    sweeper.start()
    yield sweeper
    sweeper.stop()
    assert sweeper.join(PATIENCE)


class Pauses(threading.Event):
    """In place of the event that ends the pauses: they last no time, and are written down."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.lengths: list[float | None] = []
        self._most = most

    def wait(self, timeout: float | None = None) -> bool:
        self.lengths.append(timeout)
        return len(self.lengths) > self._most


def pauses(tick: Any, interval: float, count: int) -> list[float | None]:
    """How long a sweeper pauses before each call."""
    return pauses_of(Sweeper(tick, interval, stretch=lambda: 1.0), count)


def pauses_of(sweeper: Sweeper, count: int) -> list[float | None]:
    sweeper._stopped = Pauses(count)
    sweeper._run()
    return sweeper._stopped.lengths


# --- again and again ---


def test_it_calls_again_and_again(sweeper: Sweeper, tick: Tick):
    tick.is_called_again()


def test_it_pauses_between_two_calls(tick: Tick):
    assert pauses(tick, 2.5, 3) == [2.5] * 4
    assert tick.calls == 3


def test_no_two_sweepers_keep_step(tick: Tick):
    """Else the one that had the turn first would have it for ever."""
    lengths = pauses_of(Sweeper(tick, 2.0), 50)
    assert len(set(lengths)) > 40
    assert all(length is not None and 2.0 <= length <= 3.0 for length in lengths)


def test_it_is_started_once(sweeper: Sweeper):
    thread = sweeper._thread
    sweeper.start()
    assert sweeper._thread is thread


def test_it_holds_up_no_process_s_end(sweeper: Sweeper):
    assert sweeper._thread is not None
    assert sweeper._thread.daemon


def test_turned_off_it_never_calls(tick: Tick):
    sweeper = Sweeper(tick, 0)
    sweeper.start()
    assert sweeper._thread is None
    assert sweeper.join(0)
    sweeper.stop()


def test_it_stops_in_the_middle_of_a_pause(tick: Tick):
    sweeper = Sweeper(tick, 3600)
    sweeper.start()
    sweeper.stop()
    assert sweeper.join(PATIENCE)
    assert tick.calls == 0


def test_stopping_waits_for_no_call_that_runs():
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        go_on.wait(PATIENCE)

    sweeper = Sweeper(slow, OFTEN)
    sweeper.start()
    assert begun.wait(PATIENCE)
    sweeper.stop()
    assert not sweeper.join(0.01)
    go_on.set()
    assert sweeper.join(PATIENCE)


# --- failures ---


@pytest.mark.parametrize("failure", [StoreUnavailable(), RuntimeError("x"), MemoryError(), RecursionError()])
def test_it_survives_whatever_happens(sweeper: Sweeper, tick: Tick, failure: Exception):
    tick.failure = failure
    tick.is_called_again()
    tick.failure = None
    tick.is_called_again()


def test_pauses_grow_while_the_store_is_down_and_are_short_again_afterwards(tick: Tick):
    def sometimes() -> None:
        tick.calls += 1
        if 2 <= tick.calls <= 8:
            raise StoreUnavailable

    assert pauses(sometimes, 1.0, 10) == [1.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 1.0, 1.0]


def test_pauses_are_never_shorter_than_the_interval(tick: Tick):
    tick.failure = StoreUnavailable()
    assert pauses(tick, 50.0, 3) == [50.0] * 4


def test_a_failure_is_logged_once_and_without_its_words(tick: Tick, caplog: pytest.LogCaptureFixture):
    failures = iter([None, *[RuntimeError("the witch is in hand 2")] * 3, ValueError("seed"), None, ValueError("seed")])

    def fail() -> None:
        if (failure := next(failures)) is not None:
            raise failure

    with caplog.at_level(logging.DEBUG):
        pauses(fail, 1.0, 7)
    messages = [record.getMessage() for record in caplog.records]
    assert [message.split()[5] for message in messages] == ["RuntimeError", "ValueError", "ValueError"]
    assert all("in fail" in message for message in messages), "where it happened"
    assert "witch" not in caplog.text
    assert "seed" not in caplog.text


# --- turns ---


def test_a_turn_is_taken_by_one_of_many(store: StoreServer):
    task = next(_tasks)
    with closing(connect(store.url, 2.0, 4)) as client:
        everybody = [Turns(client, task, 600) for _ in range(8)]
        assert sum(turns.take() for turns in everybody) == 1
        assert not any(turns.take() for turns in everybody), "nor by the same one again"


def test_a_turn_ends_by_itself(store: StoreServer):
    task = next(_tasks)
    with closing(connect(store.url, 2.0, 4)) as client:
        assert Turns(client, task, 0.05).take()
        eventually(Turns(client, task, 600).take, "the end of the turn")
        assert 0 < Redis.pttl(client, task) <= 600_000


def test_tasks_know_nothing_of_each_other(store: StoreServer):
    with closing(connect(store.url, 2.0, 4)) as client:
        assert Turns(client, next(_tasks), 600).take()
        assert Turns(client, next(_tasks), 600).take()


def test_without_a_store_there_are_no_turns():
    with pytest.raises(StoreUnavailable):
        Turns(connect("unix:///nowhere.invalid.sock", 0.5, 1), "task", 1).take()


# --- one tick ---


def test_whose_turn_it_is_not_sweeps_nothing():
    asked: list[int] = []
    sweeping(lambda: False, asked.append)()  # type: ignore[arg-type,func-returns-value]
    assert asked == []


@pytest.mark.parametrize(
    ("found", "rounds"), [([0], 1), ([3], 1), ([AT_ONCE, AT_ONCE, 5], 3), ([AT_ONCE, 0], 2), ([AT_ONCE] * 99, 10)]
)
def test_one_tick_goes_on_until_all_is_done_but_not_for_ever(found: list[int], rounds: int):
    left = iter(found)
    asked: list[int] = []

    def sweep(most: int) -> int:
        asked.append(most)
        return next(left)

    sweeping(lambda: True, sweep)()
    assert asked == [AT_ONCE] * rounds
