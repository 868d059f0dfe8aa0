"""Two linters, with all of their rules and the house's own, find nothing in the contract and every planted fault."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import lint
import pytest
import yaml
from contract.planted_faults import FAULTS, with_all_faults
from lint import Finding
from support.contract import FILE, document
from support.tools import command, node_tool

FOLDER = FILE.parent
NO_NETWORK = Path(__file__).with_name("no_network.cjs")


@pytest.fixture(scope="module", autouse=True)
def _linters() -> None:
    for name in ("redocly", "spectral"):
        node_tool(FOLDER, name)


def test_redocly_finds_nothing():
    assert [str(finding) for finding in lint.redocly(FILE)] == []


def test_spectral_finds_nothing():
    assert [str(finding) for finding in lint.spectral(FILE)] == []


def test_a_rule_that_is_switched_off_has_its_reason_beside_it():
    for name in ("redocly.yaml", "spectral.yaml"):
        lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
        off = [number for number, line in enumerate(lines) if line.endswith(": off")]
        assert off
        assert all(lines[number - 1].lstrip().startswith("# ") for number in off)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    """What is found in a contract with all the faults that there can be."""
    file = tmp_path_factory.mktemp("lint") / "faulty.yaml"
    file.write_text(yaml.dump(with_all_faults(), allow_unicode=True, sort_keys=False), encoding="utf-8")
    return lint.findings(file)


@pytest.mark.parametrize("what", FAULTS)
def test_a_planted_fault_is_found(faulty: list[Finding], what: str):
    rules = {(finding.linter, finding.rule) for finding in faulty}
    for linter, rule in (("redocly", FAULTS[what].redocly), ("spectral", FAULTS[what].spectral)):
        assert rule is None or (linter, rule) in rules


def test_every_rule_of_the_house_has_a_fault():
    config = yaml.safe_load((FOLDER / "redocly.yaml").read_text(encoding="utf-8"))
    own = {name for name in config["rules"] if name.startswith("rule/")}
    own |= {
        name
        for name in yaml.safe_load((FOLDER / "spectral.yaml").read_text(encoding="utf-8"))["rules"]
        if name.startswith("turncoat-")
    }
    planted = {rule for fault in FAULTS.values() for rule in (fault.redocly, fault.spectral)}
    assert own <= planted


def test_the_linters_talk_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Neither of what they found nor of themselves, and they fetch nothing."""
    command("node")
    tried = tmp_path / "tried"
    tried.touch()
    monkeypatch.setenv("NODE_OPTIONS", f"--require={NO_NETWORK}")
    monkeypatch.setenv("NETWORK_TRIED", str(tried))
    monkeypatch.setenv("HOME", str(tmp_path))  # nothing is remembered that would spare a call
    lint.findings(FILE)
    assert tried.read_text() == ""
    # The watchman itself sees a call.
    script = "fetch('http://elsewhere.example').catch(() => {})"
    subprocess.run([command("node"), "-e", script], env=os.environ, check=True)
    assert "elsewhere.example" in tried.read_text()


def test_the_command_prints_what_it_finds_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    contract = {**document(), "tags": document()["tags"][1:]}
    file = tmp_path / "contract.yaml"
    file.write_text(yaml.dump(contract, allow_unicode=True), encoding="utf-8")
    assert lint.main([str(file)]) == 1
    *lines, total = capsys.readouterr().out.splitlines()
    assert any(line.startswith("redocly: operation-tag-defined: ") for line in lines)
    assert any(line.startswith("spectral: operation-tag-defined: ") for line in lines)
    assert total == f"{len(lines)} findings"


def test_a_linter_that_fails_is_no_good_news(tmp_path: Path):
    with pytest.raises(lint.LinterFailed):
        lint.spectral(tmp_path / "nothing.yaml")
    with pytest.raises(lint.LinterFailed):
        lint.redocly(tmp_path / "nothing.yaml")
