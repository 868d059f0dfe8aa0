"""Tools that a plain machine may lack, and that some tests cannot do without."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

REQUIRED = os.environ.get("TEST_TOOLS") == "required"
"""Whether a missing tool is a failure, as where changes are checked before they land, or skips its tests."""


def command(*names: str) -> str:
    """The path of the first of these programs that this machine has.

    The test that asks is skipped, or fails where tools are required, if there is none of them.
    """
    for name in names:
        if found := shutil.which(name):
            return found
    return _missing(f"no {' or '.join(names)} on this machine")


def node_tool(folder: Path, name: str) -> str:
    """The path of a program that ``make`` installs with npm beside a ``package.json``."""
    found = folder / "node_modules" / ".bin" / name
    if not found.exists():
        return _missing(f"{name} is not installed: `make test` does it where there is npm")
    return str(found)


def node_package(folder: Path, name: str) -> Path:
    """Where a package is that ``make`` installs with npm beside a ``package.json``."""
    found = folder / "node_modules" / name
    if not found.is_dir():
        return _missing(f"{name} is not installed: `make test` does it where there is npm")
    return found


def _missing(reason: str) -> NoReturn:
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)
