"""The environment of the peers: made when it is needed, apart from the project's, and thrown away with `make clean`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

_REQUIREMENTS: Final = Path(__file__).with_name("requirements.txt")
_PLACE: Final = Path(__file__).parents[2] / "build" / "bench-peers"


def interpreter() -> Path:
    """The interpreter of an environment that has them, as they are pinned.

    Raises:
        subprocess.CalledProcessError: it cannot be made; what pip says has been printed.
    """
    python, installed = _PLACE / "bin" / "python", _PLACE / ".installed"
    wanted = f"{sys.version}\n{_REQUIREMENTS.read_text(encoding='utf-8')}"
    if installed.exists() and installed.read_text(encoding="utf-8") == wanted:
        return python
    print("  installing the peers, into an environment of their own …", flush=True)
    subprocess.run((sys.executable, "-m", "venv", "--clear", str(_PLACE)), check=True)
    pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run((*pip, "--requirement", str(_REQUIREMENTS)), check=True)
    installed.write_text(wanted, encoding="utf-8")
    return python
