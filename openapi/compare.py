"""Tell what differs between two versions of the contract: ``python openapi/compare.py OLD NEW``.

Every change is printed, breaking ones first; the exit code is 1 if there is any of those. Without NEW the present
contract is taken, without both the last released one and the present one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml
from changes import Change, breaking, compare

HERE = Path(__file__).parent
PRESENT = HERE / "openapi.yaml"
RELEASED = HERE / "released"


def read(file: Path) -> dict[str, Any]:
    """A contract."""
    document: dict[str, Any] = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return document


def last_released() -> Path:
    """The file of the latest release."""
    return max(RELEASED.glob("*.yaml"), key=lambda file: [int(number) for number in file.stem.split(".")])


def breaking_since_release() -> list[Change]:
    """What breaks clients of the last release."""
    return breaking(read(last_released()), read(PRESENT))


def main(arguments: list[str]) -> int:
    """Compare and print; 1 if something breaks."""
    old, new = [*map(Path, arguments), *[last_released(), PRESENT][len(arguments) :]]
    changes = compare(read(old), read(new))
    for change in changes:
        sys.stdout.write(f"{change}\n")
    broken = sum(change.breaks for change in changes)
    sys.stdout.write(f"{old.name} -> {new.name}: {len(changes)} changes, {broken} breaking\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
