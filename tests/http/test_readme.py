"""What the README says is so: its lines can be pasted, and its table of settings is the service's."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import fields

import pytest
from support.readme import README, first_match
from support.server import Server

from service.settings import Settings, variable


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
    chapter = README.read_text(encoding="utf-8").partition("## Settings")[2]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", chapter, flags=re.MULTILINE))
    described = _descriptions()
    assert list(rows) == [variable(setting.name) for setting in fields(Settings)]
    for setting in fields(Settings):
        default = "" if setting.default in (None, ()) else f"`{setting.default}`"
        text = described[setting.name]
        assert rows[variable(setting.name)] == f"{default} | {text[0].upper()}{text[1:]}"


def _descriptions() -> dict[str, str]:
    """What the docstring says of each setting."""
    section = (Settings.__doc__ or "").replace("``", "`").partition("Attributes:")[2]
    entries = (entry.strip().partition(":") for entry in re.split(r"\n(?=        \w)", section))
    return {name: " ".join(text.split()) for name, _, text in entries if name}
