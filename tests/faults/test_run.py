"""The command itself: what it prints, and how it ends."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from faults.kinds import SINGLE
from faults.places import PLACES
from faults.rounds import Count
from faults.run import KINDS, Counts, arguments, report
from histories.recorded import Finding
from support.interrupting import interrupt

RUN = Path(__file__).with_name("run.py")


def start(*options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(RUN), *options], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def test_a_short_run():
    run = start("--faults", "1", "--kinds", "store-full", "connections-of-clients-dropped", "--workers", "2")
    printed, _ = run.communicate(timeout=300)
    assert run.returncode == 0, printed
    assert "faults: 2 of 2" in printed
    (line,) = [line for line in printed.splitlines() if line.startswith("all ")]
    assert line.split()[1] == "2"
    assert line.split()[3:6] == ["0", "0", "0"]
    assert "FAULT" not in printed
    assert "clocks jumping" not in printed


def test_it_can_be_stopped():
    """By Ctrl-C in a terminal, which reaches all its processes: nothing is left."""
    run = start("--kinds", "store-full")
    assert run.stdout is not None
    time.sleep(6)
    interrupt(run, tries=100)


def counted(**more: int) -> Counts:
    """A run with one finding of each column, and with too few faults of one kind."""
    findings = [Finding(kind, "m", "it is gone") for kind in ("lost-move", "unexplained-move", "never-so")]
    counts = Counts({"store full": 20, "store killed": 20})
    counts.add(KINDS["store-full"], Count(20, 300, 1.5, findings))
    counts.add(KINDS["store-killed"], Count(19, 1_000, 2.5, []))
    return counts


def test_what_is_reported(capsys):
    report(counted(), {"store full": 20, "store killed": 20})
    printed = capsys.readouterr().out
    lines = [line.split() for line in printed.splitlines() if line]
    assert ["store", "full", "20", "300", "1", "1", "1", "1.50", "s"] in lines
    assert ["store", "killed", "19", "1,000", "0", "0", "0", "2.50", "s"] in lines
    assert ["all", "39", "1,300", "1", "1", "1", "2.50", "s"] in lines
    assert ["FAULT", "store", "full:", "lost-move", "in", "match", "m:", "it", "is", "gone"] in lines
    assert [
        "FAULT",
        "store",
        "killed:",
        "it",
        "happened",
        "19",
        "times,",
        "and",
        "should",
        "20",
        "times",
        "at",
        "least",
    ] in lines


def test_what_is_at_fault():
    least = {"store full": 20, "store killed": 20}
    assert len(list(counted().faults(least))) == 4
    counts = Counts({"store full": 20})
    counts.add(KINDS["store-full"], Count(20, 300, 1.5, []))
    assert list(counts.faults({"store full": 20})) == []
    assert len(list(counts.faults(least))) == 1, "what never happened was not tried"
    counts.broken.append("store full, round 1: it broke")
    assert list(counts.faults({"store full": 20})) == ["store full, round 1: it broke"]


def test_how_much_is_run():
    options = arguments([])
    kinds = [kind for place in PLACES for kind in place.kinds]
    assert [KINDS[name] for name in options.kinds] == kinds
    assert sum(kind.usual for kind in kinds) >= 1_000
    assert all(kind.usual >= kind.least >= 5 for kind in kinds)
    assert all(kind.least >= 20 for kind in SINGLE)
    assert options.faults is None
