"""Change control: what differs from the last release, and whether the comparison finds what it must."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from changes import breaking, compare, may_break
from compare import breaking_since_release, last_released, read
from contract.edits import operation, planted
from contract.harmless_changes import HARMLESS
from contract.planted_breaks import BREAKS
from support.contract import FILE, document

ROOT = FILE.parents[1]
COMPARE = FILE.with_name("compare.py")
RELEASED = {file.stem: file for file in (FILE.parent / "released").glob("*.yaml")}


def numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


LATEST = last_released().stem


def test_nothing_breaks_the_clients_of_the_last_release():
    """Unless the version says so."""
    found = breaking_since_release()
    version = document()["info"]["version"]
    assert found == [] or may_break(LATEST, version), "\n".join(map(str, found))


def test_releases_are_named_after_their_version():
    for version, file in RELEASED.items():
        assert read(file)["info"]["version"] == version


def test_the_version_never_goes_back():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert document()["info"]["version"] == project["version"]
    assert numbers(project["version"]) >= numbers(LATEST)


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("0.1.0", "0.1.0", False),
        ("0.1.0", "0.1.7", False),
        ("0.1.0", "0.2.0", True),
        ("0.9.3", "1.0.0", True),
        ("1.0.0", "1.9.0", False),
        ("1.4.2", "2.0.0", True),
        ("0.0.3", "0.0.4", True),
        ("2.0.0", "1.9.0", False),
        ("0.10.0", "0.9.0", False),
    ],
)
def test_which_versions_may_break_clients(old: str, new: str, allowed: bool):
    assert may_break(old, new) is allowed


def test_a_contract_does_not_differ_from_itself():
    assert compare(document(), document()) == []


@pytest.mark.parametrize("what", BREAKS)
def test_a_planted_break_is_found(what: str):
    edit, said = BREAKS[what]
    found = [str(change) for change in breaking(document(), planted(edit))]
    assert any(said in change for change in found), "\n".join(found)


def test_there_are_enough_of_them():
    assert len(BREAKS) >= 30


@pytest.mark.parametrize("what", HARMLESS)
def test_a_harmless_change_passes_and_is_told(what: str):
    edit, said = HARMLESS[what]
    changes = compare(document(), planted(edit))
    assert [str(change) for change in changes if change.breaks] == []
    assert [str(change) for change in changes if said in str(change)] or said == ""


@pytest.mark.parametrize("what", HARMLESS)
def test_what_is_harmless_to_add_must_not_be_taken_away(what: str):
    """Most of them break clients in the other direction; those that do not are prose, or say so."""
    edit, said = HARMLESS[what]
    back = breaking(planted(edit), document())
    reversible = said == "" or "deprecated" in said or "the other way round" in what
    assert bool(back) != reversible, "\n".join(map(str, back))


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(COMPARE), *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_the_command_prints_breaking_changes_first_and_fails(tmp_path: Path):
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")

    def edit(contract):
        del contract["paths"]["/v1/join"]
        operation(contract, "getMe")["deprecated"] = True

    new.write_text(yaml.dump(planted(edit), allow_unicode=True), encoding="utf-8")
    done = run(old, new)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "BREAKS  /v1/join: the path is gone"
    assert "fine    getMe: deprecated" in lines
    assert lines[-1].endswith("breaking")
    kinds = [line.split()[0] for line in lines[:-1]]
    assert kinds == sorted(kinds)


def test_the_command_is_content_where_nothing_breaks():
    done = run(FILE, FILE)
    assert (done.returncode, done.stdout) == (0, "openapi.yaml -> openapi.yaml: 0 changes, 0 breaking\n")
