"""Ask whether any dependency has a known vulnerability, and fail also where nobody answered.

pip-audit ends with 0 when it could look up nothing at all. An audit counts only if it covers every package that the
lock file names.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

LOCK = Path(__file__).parents[1] / "requirements.txt"
COMMAND = ["uv", "tool", "run", "pip-audit"]


def locked(lock: str) -> set[str]:
    """The names of the packages in a lock file that this machine needs."""
    lines = re.findall(r"^[a-z0-9][^\\\n]*", lock, flags=re.MULTILINE)
    wanted = [Requirement(line.strip()) for line in lines]
    return {package.name for package in wanted if package.marker is None or package.marker.evaluate()}


def report(command: list[str], lock: Path) -> list[dict[str, Any]]:
    """What pip-audit found, one entry for each package; nothing if it failed."""
    done = subprocess.run(  # noqa: S603  # the command is ours
        [*command, "--requirement", str(lock), "--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        dependencies: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        print(done.stderr, file=sys.stderr)
        return []
    return dependencies


def findings(names: set[str], dependencies: Iterable[dict[str, Any]]) -> list[str]:
    """Why this audit is no reason to be at ease; nothing if it is one."""
    audited = {entry["name"] for entry in dependencies if "skip_reason" not in entry}
    vulnerable = [
        f"{entry['name']} {entry['version']}: {', '.join(vulnerability['id'] for vulnerability in entry['vulns'])}"
        for entry in dependencies
        if entry.get("vulns")
    ]
    missing = sorted(names - audited)
    return [*vulnerable, *([f"not audited: {', '.join(missing)}"] if missing or not names else [])]


def main(command: list[str]) -> int:
    """Audit; 0 if every locked package was looked up and none has a known vulnerability."""
    names = locked(LOCK.read_text(encoding="utf-8"))
    found = findings(names, report(command, LOCK))
    for finding in found:
        print(finding)
    print(f"{len(names)} packages, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or COMMAND))
