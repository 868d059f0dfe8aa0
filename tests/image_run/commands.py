"""Programs that are run, and what they are called where they are missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PACKAGES = {
    "buildah": "buildah",
    "ip": "iproute2",
    "mmdebstrap": "mmdebstrap",
    "runc": "runc",
}
"""Programs that the check needs, and Debian's packages of them."""


class Unable(Exception):
    """The check cannot be made; the message says what to do."""


def look_for_programs() -> None:
    """Make sure that all is there.

    Raises:
        Unable: it is not.
    """
    if missing := sorted(package for program, package in PACKAGES.items() if shutil.which(program) is None):
        raise Unable(
            f"missing: {', '.join(missing)}. On Debian and Ubuntu: "
            f"apt-get install --no-install-recommends {' '.join(sorted(PACKAGES.values()))}"
        )
    if os.geteuid() != 0:
        raise Unable("containers and roots are made by root: run it as root, such as with sudo")


def run(*command: str | Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Run a program, and keep what it says to itself unless it fails.

    Raises:
        Unable: it failed.
    """
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise Unable(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done
