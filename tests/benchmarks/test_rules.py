"""The benchmark of the rules measures ours and compares it with what others do; these are left out or replaced here.

To install the peers takes the network, which tests do without.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

from bench import engine

HERE = Path(engine.__file__).parent


def test_ours_are_played():
    part = engine.measure(repeats=2, seconds=0.02, games=["kabale", "verraeter"], peers=())
    speeds, ratios = part.tables
    assert [row[0] for row in speeds.rows] == ["kabale", "kabale, every seat", "verraeter", "verraeter, every seat"]
    assert all(float(row[1].partition(" ")[0]) > 0 for row in speeds.rows)
    assert not ratios.rows
    assert not part.budgets


def test_what_is_budgeted(monkeypatch):
    """A peer that makes half as many moves is met; one that makes more is missed."""
    speeds = {"kabale": 200.0, "kabale, every seat": 90.0, "RLCard bridge": 100.0, "RLCard gin-rummy": 101.0}
    monkeypatch.setattr(engine, "interpreter", lambda: Path(sys.executable))
    monkeypatch.setattr(engine, "_moves_per_second", lambda _player, name, _seconds, seed: speeds[name] + 0 * seed)
    part = engine.measure(repeats=3, seconds=1, games=["kabale"], peers=("RLCard bridge", "RLCard gin-rummy"))
    assert [(budget.figure.median, budget.met) for budget in part.budgets] == [(2.0, True), (200 / 101, False)]
    assert part.tables[1].rows[0] == ["RLCard bridge", "2.00 (2.00 to 2.00)", "0.90 (0.90 to 0.90)"]


def test_a_match_is_played_as_often_as_the_time_allows(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    from playing import play

    choices = []

    def match(choose):
        choices.append(choose(range(1000)))
        return 7

    played = play(match, 0.01, Random(5))
    assert played["moves"] == 7 * played["matches"] == 7 * len(choices)
    assert played["seconds"] >= 0.01
    assert choices[:2] == [Random(5).choice(range(1000)), choices[1]]
    assert json.dumps(played)
