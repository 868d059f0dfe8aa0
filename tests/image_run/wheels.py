"""The locked wheels for each architecture, from the registry and with the hashes of the lock file."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path

from image_run.commands import run
from packaging.requirements import Requirement

MACHINES = ("x86_64", "aarch64")
"""What the image is promised for, as Python calls them."""

LOCK = Path(__file__).parents[2] / "requirements.txt"

_GLIBC = ("manylinux_2_28", "manylinux2014")
"""Wheels for systems as old as these run on every Debian that the image may be made of."""


def here() -> str:
    """The machine that this is."""
    machine = platform.machine()
    return {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)


def locked(lock: str, python: str, machine: str) -> dict[Requirement, list[str]]:
    """What a lock file has for a Python such as ``3.13`` on a machine, with the hashes of each.

    pip would judge the markers by the Python that it runs on itself.
    """
    environment = {
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_system": "Linux",
        "python_full_version": f"{python}.99",
        "python_version": python,
        "sys_platform": "linux",
    }
    found = {}
    for entry in re.split(r"\n(?=\S)", lock.strip()):
        first, *hashes = (line.strip(" \\") for line in entry.splitlines())
        requirement = Requirement(first)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            found[requirement] = hashes
    return found


def versions(lock: str, python: str, machine: str) -> set[tuple[str, str]]:
    """Names and versions of the packages that a lock file has for a machine."""
    return {(each.name, str(each.specifier).removeprefix("==")) for each in locked(lock, python, machine)}


def fetch(folder: Path, python: str, machine: str) -> int:
    """Download all wheels for a machine, whichever this one is; gives their number.

    Raises:
        Unable: there is no wheel of something, or one with another hash.
    """
    folder.mkdir(parents=True)
    wanted = folder.with_suffix(".txt")
    entries = locked(LOCK.read_text(), python, machine)
    wanted.write_text("".join(f"{each.name}{each.specifier} {' '.join(hashes)}\n" for each, hashes in entries.items()))
    run(
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"),
        *("--only-binary", ":all:", "--implementation", "cp", "--python-version", python),
        *(word for glibc in _GLIBC for word in ("--platform", f"{glibc}_{machine}")),
        *("--dest", folder, "--requirement", wanted),
    )
    return len(list(folder.glob("*.whl")))
