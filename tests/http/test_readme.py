"""What the README says is so: its lines can be pasted, and its table of settings is the service's."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest
from support.readme import README, first_match
from support.server import Server

from service.setting_page import as_markdown, rows
from service.settings import Settings


@pytest.mark.parametrize(("shell", "names"), [("bash", "Ada Ben Cleo"), ("sh", "Ada Ben Cleo Dora")])
def test_the_first_match_with_curl(server: Server, shell: str, names: str):
    assert shutil.which("curl"), "the README's lines need curl"
    done = subprocess.run([shell], input=first_match(server.address, names), capture_output=True, text=True, check=True)
    assert done.stderr == ""
    seats = len(names.split())
    assert f"seat {seats - 1} playing" in done.stdout
    result = json.loads(done.stdout[done.stdout.rindex('{\n "ending"') :])
    assert [entry["seat"] for entry in result["seats"]] == list(range(seats))
    assert any(entry["won"] for entry in result["seats"])


def test_the_table_of_settings():
    """It is what `turncoat settings --format markdown` prints."""
    chapter = README.read_text(encoding="utf-8").partition("## Settings")[2].partition("\n## ")[0]
    table = [line for line in chapter.splitlines() if line.startswith("|")]
    assert table == as_markdown(rows(Settings(), [])).splitlines()
