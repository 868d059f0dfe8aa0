"""The command itself: what it prints, how it ends, and that it can be stopped."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from secrecy_run.hidden import HIDDEN
from secrecy_run.pairs import Counts
from secrecy_run.run import Findings, arguments, report
from secrecy_run.trying import Tried
from support.interrupting import interrupt

RUN = Path(__file__).with_name("run.py")


def start(*options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(RUN), *options], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def test_a_short_run():
    run = start("--matches", "4", "--every", "1", "--no-http", "--no-mutants", "--games", "inside_job", "verraeter")
    printed, _ = run.communicate(timeout=300)
    assert run.returncode == 0
    assert "matches: 8 of 8" in printed
    assert "inside_job: 4 matches" in printed
    assert "of 5 of 5 kinds" in printed
    assert "0 differing, 0 markers leaked" in printed
    assert "mutants" not in printed


def test_it_can_be_stopped():
    """By Ctrl-C in a terminal, which reaches all its processes: the counts so far are printed, and nothing is left."""
    run = start("--no-http", "--no-mutants", "--games", "inside_job", "--jobs", "2")
    assert run.stdout is not None
    time.sleep(6)
    interrupt(run)


def test_what_is_reported(capsys):
    varied = Counter(dict.fromkeys(HIDDEN["kabale"], 2))
    counts = Counts(matches=3, pairs=1000, hidden=99, varied=varied, examples=["one thing"], differing=1)
    findings = Findings({"kabale": counts}, http=False, tried=Tried(killed=7, survivors=["who"]))
    report(findings)
    printed = capsys.readouterr().out
    for line in (
        "  pairs of views compared  1,000",
        "  of these, differing      1",
        "  hidden facts varied      14 of 99, of 7 of 7 kinds",
        "over HTTP: FAILED",
        "mutants: 7 killed, 1 survived, 0 of them explained",
        "FAULT kabale: one thing",
        "FAULT tests/secrecy failed",
        "FAULT survived, and nothing explains it: who",
    ):
        assert line in printed.splitlines()


def test_how_much_is_run():
    options = arguments([])
    assert options.matches >= 2_000
    assert [options.no_pairs, options.no_http, options.no_mutants] == [False] * 3
    assert options.every_mutant == 1
