"""The guide for authors of clients says what is so: each of its blocks is run, in order, against a running server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from clients import harness
from support.server import Server

GUIDE = Path(__file__).parents[2] / "docs" / "clients.md"
ADDRESS = "http://127.0.0.1:8080"
BETWEEN = "=== the next block ==="


def blocks() -> list[tuple[str, str]]:
    """The code blocks of the page: their language and their text."""
    return re.findall(r"^```([\w-]+)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def shell_blocks() -> list[tuple[str, str]]:
    """The shell blocks, each with what it is said to print."""
    found: list[tuple[str, str]] = []
    for language, text in blocks():
        if language == "sh":
            found.append((text, ""))
        elif language == "text":
            found[-1] = (found[-1][0], text)
    return found


def pattern(printed: str) -> str:
    """What is said to be printed, as an expression; ``…`` stands for anything on a line."""
    return ".*".join(map(re.escape, printed.split("…")))


def test_the_blocks_print_what_the_page_says(server: Server):
    assert shutil.which("curl"), "the guide's lines need curl"
    said = shell_blocks()
    assert len(said) > 12
    script = f"\necho '{BETWEEN}'\n".join(text for text, _ in said)
    assert script.count(ADDRESS) == 1
    done = subprocess.run(
        ["bash", "-eu"],
        input=script.replace(ADDRESS, server.address),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    printed = done.stdout.split(f"{BETWEEN}\n")
    assert len(printed) == len(said)
    for (text, expected), actual in zip(said, printed, strict=True):
        assert re.fullmatch(pattern(expected), actual), f"{text}\nprinted\n{actual}"


def test_the_client_plays_a_match_to_its_end(server: Server, tmp_path: Path):
    (program,) = [text for language, text in blocks() if language == "python"]
    file = tmp_path / "client.py"
    file.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(file), f"{server.address}/v1"], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout in ("I have won.\n", "I have lost.\n")
    assert done.stderr == ""


def test_there_are_no_blocks_that_nobody_runs():
    """Those that generate clients are run by the tests of these."""
    generating = {f"{language}-client" for language in harness.LANGUAGES}
    assert {language for language, _ in blocks()} == {"sh", "text", "python"} | generating
