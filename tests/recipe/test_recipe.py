"""Whoever follows docs/adding-a-game.md arrives: its game is held to what games are held to, and plays over HTTP."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from recipe.page import FILES, PAGE, blocks, carry_out
from support.server import clean_environment, make_folder

from engine.catalogue import GAMES

GAME = "court"


@pytest.fixture(scope="module")
def copy() -> Iterator[Path]:
    """A copy of the repository in which the page was followed."""
    folder = make_folder()
    carry_out(folder)
    yield folder
    shutil.rmtree(folder)


def run(copy: Path, *command: str) -> str:
    """Run a tool in the copy, on the copy's code."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=copy,
        env=clean_environment() | {"PYTHONPATH": str(copy), "PYTEST_ADDOPTS": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_the_page_and_the_files_are_one():
    shown = {block.path: block.content for block in blocks() if block.language != "diff"}
    kept = {
        str(file.relative_to(FILES)): file.read_text().lstrip("\n") for file in FILES.rglob("*.*") if file.is_file()
    }
    assert shown == {path: text for path, text in kept.items() if "__pycache__" not in path}


def test_the_steps_are_numbered():
    steps = re.findall(r"^## (\d+)\. ", PAGE.read_text(), flags=re.MULTILINE)
    assert steps == [str(number) for number in range(1, len(steps) + 1)]


def test_the_product_does_not_have_the_game():
    assert GAME not in GAMES


def test_the_game_is_held_to_the_conformance_suite_and_plays_over_http(copy: Path):
    run(copy, "openapi/write.py")
    assert "CourtMove" in (copy / "openapi/openapi.yaml").read_text()
    run(copy, "tests/playthroughs/write.py")
    said = run(
        copy,
        *("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-rA"),
        *("tests/conformance", "tests/service/test_named_ids.py", "tests/http/test_court.py", "tests/playthroughs"),
        *("-k", f"{GAME} or every_game or belong_to_one_game"),
    )
    passed = re.findall(r"^PASSED (\S+)::(\w+)(\S*)", said, flags=re.MULTILINE)
    assert {"test_other_states_look_the_same", "test_playing_on_tells_nothing", "test_events_give_table_and_hand"} <= {
        name for _, name, case in passed if GAME in case
    }
    assert len([name for file, name, _ in passed if file == "tests/http/test_court.py"]) == 3


def test_nobody_can_tell_its_states_apart(copy: Path):
    """As the long run of secrecy looks at it, and all that is hidden is varied."""
    few = ("--matches", "20", "--every", "1", "--jobs", "1", "--no-http", "--no-mutants")
    said = run(copy, "tests/secrecy_run/run.py", "--games", GAME, *few)
    assert "of 5 of 5 kinds" in said
    assert "pairs compared, 0 differing" in said


def test_it_breaks_no_client(copy: Path):
    run(copy, "openapi/write.py")
    run(copy, "openapi/compare.py")


def test_linters_like_it(copy: Path):
    run(copy, "-m", "ruff", "check", "--no-cache", "engine", "tests/conformance", "tests/http")
    run(copy, "-m", "ruff", "format", "--no-cache", "--check", "engine", "tests/conformance", "tests/http")
    run(copy, "-c", "from importlinter.cli import lint_imports_command as c; c(['--no-cache'])")
    run(copy, "-m", "mypy", "--cache-dir", os.devnull, "-p", "engine")
