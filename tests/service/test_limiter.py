"""The counting behind the rate limits, without a store."""

from __future__ import annotations

import itertools

import pytest

from service.limiter import LIMITS, Caller, Limiter, WorkerCounters
from service.quotas import Quota, quotas
from service.settings import Settings, default_rates

NAMES = [name for names in LIMITS.values() for name in names]


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        ("20/minute", [("x", 20, 60)]),
        ("5 per 10 minutes", [("x", 5, 600)]),
        (" 1/second ", [("x", 1, 1)]),
        ("100/hour;20/minute", [("x-60", 20, 60), ("x-3600", 100, 3600)]),
        ("1/day", [("x", 1, 86400)]),
        ("", []),
        ("  ", []),
    ],
)
def test_a_rate_is_read(rate: str, expected: list[tuple[str, int, int]]):
    assert quotas("x", rate) == [Quota(*quota) for quota in expected]


@pytest.mark.parametrize(
    "rate",
    [
        *["often", "20", "20/", "20/fortnight", "-1/minute", "1.5/minute", "20/minute;", ";", "20/minute 30/hour"],
        *["0/minute", "20/minute;0/hour", "1/year", "1/2months", "1/99999999999hours"],
        *["20/minute;30/minute", "60/minute;1/60seconds", f"{10**10}/minute"],
    ],
)
def test_a_rate_that_makes_no_sense_is_refused(rate: str):
    with pytest.raises(ValueError, match=r"."):
        quotas("x", rate)


def test_every_limit_has_a_setting_and_the_other_way_round():
    assert {f"limit_{name.replace('-', '_')}" for name in NAMES} == set(default_rates())


def test_the_defaults_can_be_read():
    """They are not tried out when the settings are read."""
    for name, rate in default_rates().items():
        assert getattr(Settings, name) == rate
        assert quotas(name, rate)


def test_a_worker_keeps_the_counters_that_are_used():
    counters = WorkerCounters(size=3)
    for name in ("a", "b", "c", "a", "d"):
        counters.incr(name, 60)
    assert counters.incr("a", 60) == 3
    assert counters.incr("b", 60) == 1, "the one that was not used for longest is gone"


def test_a_limiter_remembers_no_more_callers_without_misses_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr("service.limiter._REMEMBERED_MISSES", 3)
    limiter = _limiter(misses="1/minute")
    callers = [Caller(str(number), "192.0.2.1") for number in range(5)]
    for caller in callers:
        limiter.count_miss(caller)
    assert [bool(limiter.out_of_misses(caller)) for caller in callers] == [False, False, True, True, True]


def test_a_player_and_an_address_of_the_same_name_are_two():
    limiter = _limiter(reads="1/minute")
    assert not limiter.count("reads", Caller("192.0.2.1", "10.0.0.1"))[0].exceeded
    assert not limiter.count("reads", Caller(None, "192.0.2.1"))[0].exceeded


def test_a_window_is_as_long_as_it_says():
    now = [1_000_000.0]
    limiter = _limiter(now, reads="1000000/minute")
    caller = Caller("somebody", "192.0.2.1")
    changes = []
    used = 0
    for _ in range(600):
        (standing,) = limiter.count("reads", caller)
        if standing.used < used:
            changes.append(now[0])
            assert standing.used == 1
            assert standing.resets_in == 60
        used = standing.used
        now[0] += 0.5
    assert {later - earlier for earlier, later in itertools.pairwise(changes)} == {60.0}
    assert len(changes) in (4, 5)


def _limiter(now: list[float] | None = None, **rates: str) -> Limiter:
    all_rates = {name: rates.get(name, "") for name in NAMES}
    return Limiter(all_rates, WorkerCounters(), b"secret", 60.0, lambda: (now or [1_000_000.0])[0])
