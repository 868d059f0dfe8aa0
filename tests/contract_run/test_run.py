"""The command itself: what it prints, how it ends, and that it can be stopped."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from contract_run.judging import Planted
from contract_run.playing import Clients
from contract_run.rounds import never_answered
from contract_run.run import PARTS, Findings, arguments, report
from fuzzing.fuzzer import Found
from fuzzing.ledger import Answered
from support.contract import operations
from support.interrupting import interrupt

RUN = Path(__file__).with_name("run.py")


def every_success() -> Counter[Answered]:
    return Counter(
        Answered(operation.id, int(status))
        for operation in operations().values()
        for status in operation.entry["responses"]
        if status < "400"
    )


def test_it_can_be_stopped():
    """By Ctrl-C in a terminal, which reaches all its processes: what was found is printed, and nothing is left."""
    run = subprocess.Popen(
        [sys.executable, str(RUN), "--no-judging", "--no-planting", "--no-clients", "--jobs", "1"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert run.stdout is not None
    assert run.stdout.readline().startswith("fuzzing")
    time.sleep(5)  # to be somewhere in the middle
    interrupt(run)


def test_what_is_reported(capsys: pytest.CaptureFixture[str]):
    requests = every_success() + Counter({Answered("getMe", 200): 1_000, Answered("PUT", 405): 7})
    requests[Answered("getView", 304)] = 0
    findings = Findings(
        lint=["redocly: a rule: here: something"],
        breaking=["listGames: the operation is gone"],
        planted=Planted(9, ["the linters miss: a tab"]),
        clients=Clients(Counter({("python", "kabale"): 2, ("kotlin", "kabale"): 1}), ["the kotlin client stumbles"]),
        fuzzed=Found(requests, ["Something: GET /v1/games"], ["how it went"]),
        fuzzed_enough=True,
    )
    report(findings)
    printed = capsys.readouterr().out
    for line in (
        "operations               17",
        f"fuzz requests            {sum(requests.values()):,}",
        "fuzz failures            1",
        "  getMe             1,001        0        0        0",
        "  others                0        0        7        0",
        "how it went",
        "generated clients        2 (kotlin, python) x 1 games, 3 matches played to the end",
        "lint findings            1",
        "breaking changes         1",
        "planted breaks found     8 of 9",
        "FAULT redocly: a rule: here: something",
        "FAULT breaks clients: listGames: the operation is gone",
        "FAULT the linters miss: a tab",
        "FAULT the kotlin client stumbles",
        "FAULT Something: GET /v1/games",
        "FAULT getView never answered 304",
    ):
        assert line in printed.splitlines()
    assert printed.count("FAULT") == 6


def test_a_run_that_was_too_short_to_meet_every_success_says_nothing_about_them():
    assert list(Findings(fuzzed=Found()).faults()) == []
    assert len(list(Findings(fuzzed=Found(), fuzzed_enough=True).faults())) == len(every_success())
    assert never_answered(Found(every_success())) == []


def test_what_was_not_tried_is_not_reported(capsys: pytest.CaptureFixture[str]):
    report(Findings())
    assert capsys.readouterr().out.split() == ["operations", "17"]


def test_how_much_is_run():
    options = arguments([])
    assert options.requests >= 50_000
    assert not any(getattr(options, f"no_{part}") for part in PARTS)
