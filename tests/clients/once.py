"""Work that several processes need done, and one of them does."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def once(folder: Path, make: Callable[[Path], object]) -> Path:
    """Have a folder made by whoever comes first; the others wait. Gives the folder.

    Who comes after somebody that failed tries again, and fails by itself.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = folder.with_name(f"{folder.name}.done")
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            done.touch()
    return folder


def workshop(factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of a run of the tests share."""
    own = factory.getbasetemp()
    return (own.parent if own.name.startswith("popen-") else own) / "clients"
