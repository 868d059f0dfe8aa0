"""The least of the store's protocol: one command without arguments, and the first line of its answer."""

from __future__ import annotations

import socket
from pathlib import Path

_TIMEOUT = 2.0


def ask(path: Path, command: str) -> str:
    """Send a command to the store that listens on a unix socket.

    Returns:
        the answer's first line, such as ``+PONG`` or ``-LOADING …``; nothing if there is no answer.
    """
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_TIMEOUT)
            connection.connect(str(path))
            connection.sendall(f"{command}\r\n".encode())
            return connection.makefile("rb").readline().decode(errors="replace").strip()
    except OSError:
        return ""
