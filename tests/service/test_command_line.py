"""The command line: it teaches, it prints all settings, and it refuses what is wrong with their names."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from support.server import clean_environment

from service.cli import main
from service.setting_page import chosen
from service.settings import ABOUT, Settings, TokenKey, variable

ROOT = Path(__file__).parents[2]
SECRET = "hunter2-hunter2-hunter2-hunter2-"
SECRETS = {
    "REDIS_URL": f"rediss://anna:{SECRET}@store.example:6380/0",
    "TURNCOAT_TOKEN_KEYS": f"new:{SECRET},old:{SECRET}",
    "TURNCOAT_ID_SECRET": SECRET,
    "TURNCOAT_SENTINEL_PASSWORD": SECRET,
}
WIDTH = 80


def run(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        cwd=ROOT,
        env=clean_environment() | {"COLUMNS": str(WIDTH)} | settings,
        capture_output=True,
        text=True,
        check=False,
    )


def as_json(**settings: str) -> tuple[int, dict[str, Any]]:
    done = run("settings", "--format", "json", **settings)
    return done.returncode, {row["name"]: row for row in json.loads(done.stdout)}


def commands() -> list[str]:
    return main.list_commands(click.Context(main))


@pytest.mark.parametrize("command", ["", *sorted(main.commands)])
def test_help_teaches(command: str):
    done = run(*filter(None, [command]), "--help")
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= WIDTH, "it fits a terminal"
    assert len(done.stdout.splitlines()) > 8, "it says more than what the command is called"


def test_every_command_is_there():
    assert commands() == ["export", "import", "serve", "settings", "sweep", "verify"]


def test_it_tells_its_version():
    assert re.fullmatch(r".* \d+\.\d+\.\d+\n", run("--version").stdout)


def test_every_setting_is_printed_with_its_default_and_its_meaning():
    done = run("settings")
    assert (done.returncode, done.stderr) == (0, "")
    entries = dict(entry.split("\n", 1) for entry in done.stdout.split("\n\n")[:-1])
    assert list(entries) == [variable(about.name) for about in ABOUT]
    for about in ABOUT:
        *meaning, default = entries[variable(about.name)].splitlines()
        assert " ".join(map(str.strip, meaning)) == about.meaning
        assert default.startswith("    Default: ")
    assert "    Default: 8080" in entries["TURNCOAT_PORT"]
    assert max(map(len, done.stdout.splitlines())) <= WIDTH
    assert "0 of them are set." in done.stdout


def test_what_is_set_is_printed_and_no_secret():
    done = run("settings", **SECRETS, TURNCOAT_PORT="9000")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nTURNCOAT_PORT=9000\n" in done.stdout
    assert "REDIS_URL=store.example (the address is not shown)\n" in done.stdout
    assert "TURNCOAT_TOKEN_KEYS=new, old (the secrets are not shown)\n" in done.stdout
    assert "TURNCOAT_ID_SECRET=(not shown)\n" in done.stdout
    assert "TURNCOAT_SENTINEL_PASSWORD=(not shown)\n" in done.stdout
    assert "5 of them are set." in done.stdout
    for form in ("text", "markdown", "json"):
        printed = run("settings", "--format", form, **SECRETS, TURNCOAT_PORT="9000")
        assert "hunter2" not in printed.stdout + printed.stderr


def test_what_is_wrong_is_said_with_each_setting_and_all_is_printed():
    wrong = {
        "TURNCOAT_PORT": "http",
        "TURNCOAT_PROT": "9000",
        "TURNCOAT_KEY_SET": f"http://anna:{SECRET}@id.example",
        "TURNCOAT_ID_SECRET": "hunter2",
        "REDIS_URL": f"https://{SECRET}",
    }
    code, rows = as_json(**wrong, TURNCOAT_WORKERS="3")
    assert code == 2
    assert {name for name, row in rows.items() if row["wrong"]} == set(wrong)
    assert all(rows[name]["value"] is None and rows[name]["set"] for name in wrong)
    assert (rows["TURNCOAT_WORKERS"]["value"], rows["TURNCOAT_WORKERS"]["default"]) == ("3", "2")
    assert len(rows) == len(ABOUT) + 1
    done = run("settings", **wrong)
    assert done.returncode == 2
    assert "TURNCOAT_PORT (set)\n    WRONG: Not a valid integer.\n    Port to listen on.\n" in done.stdout
    assert f"{len(wrong)} are wrong." in done.stdout
    assert [line.split()[1].strip(":") for line in done.stderr.splitlines()] == [
        "TURNCOAT_PROT",
        "REDIS_URL",
        "TURNCOAT_PORT",
        "TURNCOAT_KEY_SET",
        "TURNCOAT_ID_SECRET",
    ]
    assert "hunter2" not in done.stdout + done.stderr


def test_what_is_missing_is_said_too():
    code, rows = as_json(REDIS_URL="redis://store.example", TURNCOAT_AUDIENCE="turncoat")
    assert code == 2
    wrong = {name for name, row in rows.items() if row["wrong"]}
    assert wrong == {"TURNCOAT_ID_SECRET", "TURNCOAT_ISSUER"}, "who has a provider needs no keys"
    assert rows["TURNCOAT_ISSUER"]["set"] is False


@pytest.mark.parametrize("command", ["serve", "sweep"])
def test_all_that_is_wrong_is_refused_at_once(command: str):
    done = run(command, REDIS_URL="redis://store.example", TURNCOAT_WORKERS="many", TURNCOAT_LIMIT_READS="often")
    assert (done.returncode, done.stdout) == (2, "")
    named = re.findall(r"^Error: (\w+)", done.stderr, flags=re.MULTILINE)
    assert named == ["TURNCOAT_WORKERS", "TURNCOAT_LIMIT_READS", "TURNCOAT_TOKEN_KEYS", "TURNCOAT_ID_SECRET"]


def test_the_start_shows_what_is_set_and_no_secret():
    """What a service says of settings when it serves is what `settings` may print."""
    settings = Settings(port=9000, id_secret=SECRET, token_keys=(TokenKey("new", SECRET),), limits=False)
    assert chosen(settings) == [
        "TURNCOAT_PORT=9000",
        "TURNCOAT_TOKEN_KEYS=new (the secrets are not shown)",
        "TURNCOAT_ID_SECRET=(not shown)",
        "TURNCOAT_LIMITS=off",
    ]
