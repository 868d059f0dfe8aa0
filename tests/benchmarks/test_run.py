"""The benchmarks run, write what they have found and nothing else, and leave nothing running.

How fast anything was is not asked: that is what they are for, and not a matter of tests.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.server import ROOT, make_folder
from support.store import eventually
from support.tools import node_package

from bench import growth, report, rival, run
from bench.ceiling import BESIDE
from bench.figures import Budget, Figure, Part, told
from bench.processes import family, runs

SHORT = ["--games", "kabale", "--repeats", "2", "--seconds", "0.2", "--workers", "1", "--connections", "4"]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results.md"


def rows_of(page: str) -> dict[str, list[str]]:
    """The lines of its tables, by their first cells."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:1] == "|"]
    return {line[0]: line[1:] for line in lines}


def test_the_service_beside_the_ceiling(results, capsys):
    code = run.main(["--only", "ceiling", *SHORT, "--results", str(results)])
    page = results.read_text()
    rows = rows_of(page)
    for ours, theirs in BESIDE.items():
        assert re.fullmatch(r"[\d.]+ \([\d.]+ to [\d.]+\)", rows[f"kabale: {ours} / {theirs}"][0])
        assert rows[f"kabale: {ours}"][0] != rows[f"kabale: {theirs}"][0]
    judged = [line for line in capsys.readouterr().out.splitlines() if line.startswith(("met", "MISSED"))]
    assert len(judged) == 3
    for line in judged:
        name, _, measured = re.sub(r"^(met|MISSED) +", "", line).partition(": throughput ")
        name, _, measured = f"{name}: throughput {measured}".rpartition(": ")
        assert rows[name][1] == measured.split(", ")[0], "what is printed is what is written"
        assert rows[name][2] == ("yes" if line.startswith("met") else "**no**")
    assert code == int("MISSED" in "".join(judged))
    assert str(results) not in page
    assert str(ROOT) not in page


@pytest.mark.parametrize(
    ("part", "more", "measured"),
    [
        ("latency", [], ["kabale: view", "kabale: act", "bare: GET", "bare: GET + EVALSHA"]),
        ("memory", ["--waiting", "8"], ["kabale"]),
    ],
    ids=["latency", "memory"],
)
def test_the_other_parts(part, more, measured, results):
    code = run.main(["--only", part, *SHORT, "--repeats", "1", *more, "--results", str(results)])
    rows = rows_of(results.read_text())
    for name in measured:
        assert rows[name]
        assert all(float(cell.replace(",", "").partition(" ")[0]) > 0 for cell in rows[name])
    verdicts = {row[-1] for row in rows.values() if row[0].startswith(("at least", "at most"))}
    assert verdicts
    assert verdicts <= {"yes", "**no**"}
    assert code == int("**no**" in verdicts)


def test_what_a_move_costs():
    sizes = growth.Sizes(stored=(2, 12), workers=(1,), at_once=2, moves=5, spread=4, matches=4)
    part = growth.measure(repeats=2, workers=1, games=["kabale"], sizes=sizes)
    lines = [[row[0] for row in table.rows] for table in part.tables]
    assert lines == [
        ["2", "12", "12, spread over 4 of them"],
        [growth.FIRST, growth.LAST, growth.BARE_LAST, growth.FINAL],
        ["1"],
    ]
    for table in part.tables:
        assert table.rows[0][-1] == "1.00 (1.00 to 1.00)", "the first line is compared with itself"
    stored, last = part.budgets
    assert (stored.name, stored.most) == ("a move with 12 stored matches / 2", 1.1)
    assert (last.name, last.most) == ("kabale: a move of the last tenth / the first tenth", 1.1)
    assert told(stored.figure) == part.tables[0].rows[1][-1]
    assert told(last.figure) == part.tables[1].rows[1][-1]


def test_the_other_server():
    node_package(rival.FOLDER, "boardgame.io")
    part = rival.measure(repeats=1, workers=1, games=["kabale"], matches=2)
    for table, more in zip(part.tables[:2], ({rival.ON_OUR_STACK}, set()), strict=True):
        assert {row[0] for row in table.rows} == {rival.IN_MEMORY, rival.ON_REDIS, "kabale"} | more
        paces = {row[0]: float(row[2].replace(",", "")) for row in table.rows}
        assert min(paces.values()) > 0
        for row in table.rows:
            assert float(row[3]) == pytest.approx(paces[row[0]] / paces[rival.ON_REDIS], rel=0.02, abs=0.01)
    (budget,) = part.budgets
    assert budget.least == 1
    assert told(budget.figure) == next(row[3] for row in part.tables[0].rows if row[0] == "kabale")


def test_the_other_server_is_not_made_up_where_it_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr(rival, "FOLDER", tmp_path)
    part = rival.measure(repeats=1, workers=1, games=["kabale"])
    assert (part.tables, part.budgets) == ((), ())
    assert "Not measured" in part.notes[0]


def test_a_part_of_the_results_does_not_take_the_place_of_all(tmp_path, monkeypatch, capsys):
    found = Part("Found", ["A note."], (), [Budget("one", Figure((2.0,)), least=1)])
    monkeypatch.setattr(run, "_PARTS", {"one": lambda _: found, "other": lambda _: found})
    monkeypatch.setattr(report, "RESULTS", tmp_path / "results.md")
    assert run.main(["--only", "one"]) == 0
    assert "A note." in capsys.readouterr().out
    assert not report.RESULTS.exists()
    assert run.main([]) == 0
    assert report.RESULTS.read_text().count("A note.") == 2


def test_ctrl_c_ends_all_that_was_started(results):
    folder = make_folder()
    command = [sys.executable, "-m", "bench.run", "--only", "ceiling", *SHORT, "--repeats", "1000"]
    with subprocess.Popen(
        [*command, "--results", str(results)],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ceiling …\n"
            while len(family(process.pid)) < 8:  # the store, and two launchers with a master and a worker each
                assert process.poll() is None
            started = family(process.pid)
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "interrupted" in said
    assert not results.exists()
    eventually(lambda: not any(map(runs, started)), "the end of all that was started")
    folder.rmdir()  # which it can be only if it is empty
