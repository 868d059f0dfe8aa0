"""Have two linters judge the contract by the rules beside this file: ``python openapi/lint.py [FILE]``.

Every finding is printed, warnings and hints too; the exit code is 1 if there is any. ``npm ci --prefix openapi`` brings
the linters, and ``make lint-contract`` does all of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CONTRACT = HERE / "openapi.yaml"
TOOLS = HERE / "node_modules" / ".bin"

_SILENT = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true", "CI": "true"}
"""Has Redocly tell nobody that it runs, and not look for a newer one of itself."""


@dataclass(frozen=True, order=True)
class Finding:
    """Something that a linter does not like."""

    linter: str
    rule: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.linter}: {self.rule}: {self.where}: {self.what}"


class LinterFailed(Exception):
    """A linter could not do its work; nothing is known about the contract."""


def redocly(file: Path) -> list[Finding]:
    """What Redocly finds."""
    config = HERE / "redocly.yaml"
    found = _run("redocly", ["lint", file, f"--config={config}", "--format=json", "--max-problems=100000"])
    return [
        Finding("redocly", problem["ruleId"], problem["location"][0].get("pointer", ""), problem["message"])
        for problem in found["problems"]
    ]


def spectral(file: Path) -> list[Finding]:
    """What Spectral finds."""
    rules = HERE / "spectral.yaml"
    found = _run("spectral", ["lint", file, f"--ruleset={rules}", "--format=json", "--quiet", "--fail-severity=hint"])
    return [
        Finding("spectral", problem["code"], "/".join(map(str, problem["path"])), problem["message"])
        for problem in found
    ]


def findings(file: Path = CONTRACT) -> list[Finding]:
    """What either of them finds."""
    return sorted([*redocly(file), *spectral(file)])


def _run(name: str, arguments: Sequence[str | Path]) -> Any:
    """What a linter says, in JSON; it says nothing else if it works."""
    done = subprocess.run(  # noqa: S603 - our own tool, with our own arguments
        [str(TOOLS / name), *map(str, arguments)],
        env=os.environ | _SILENT,
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        return json.loads(done.stdout)
    except ValueError:
        raise LinterFailed(f"{name} ended with {done.returncode}: {done.stdout}{done.stderr}") from None


def main(arguments: list[str]) -> int:
    """Print all findings; 1 if there are any."""
    found = findings(*map(Path, arguments))
    for finding in found:
        sys.stdout.write(f"{finding}\n")
    sys.stdout.write(f"{len(found)} findings\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
