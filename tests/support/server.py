"""A running service: `turncoat serve` in processes of its own, as users start it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from support.clients import Client, OverHttp
from support.settings import secrets_in_the_environment
from support.store import PATIENCE

ROOT = Path(__file__).parents[2]
"""Of this repository."""


class Server:
    """The service with several workers, on a port of its own.

    Without ``redis_url`` it runs its embedded store on ``folder``. Its code is that of this repository unless ``root``
    is another one.
    """

    def __init__(
        self, folder: Path, *, redis_url: str | None = None, workers: int = 2, root: Path = ROOT, **settings: str
    ) -> None:
        chosen = {
            "TURNCOAT_DATA": str(folder / "data"),
            "TURNCOAT_WORKERS": str(workers),
            "TURNCOAT_LIMITS": "off",  # thousands of requests a minute come from this one address
            **settings,
        }
        if redis_url is not None:
            chosen |= {"REDIS_URL": redis_url, **secrets_in_the_environment()}
        self._environment = clean_environment() | chosen
        self._root = root
        self._log = folder / "log"
        self._process: subprocess.Popen[str] | None = None
        self.address = ""

    def without(self, setting: str) -> None:
        """Start it without one of its usual settings."""
        self._environment.pop(setting)

    def start(self) -> None:
        """Start it and wait until it says where it serves."""
        self.address = ""
        with self._log.open("a") as log:
            self._process = subprocess.Popen(
                self._command(),
                cwd=self._root,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if said := re.match(r"Turncoat serves (\S+)", line):
                self.address = said[1]
                return
        code = self._process.wait(PATIENCE)
        raise AssertionError(f"the service ended with {code} instead of serving: {self.said()}")

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "service.cli", "serve", "--port", "0"]

    def terminate(self) -> None:
        """Ask it to end, as a service manager would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)

    def stop(self, *, hurry: bool = False) -> None:
        """End it as a service manager would, or as somebody does who presses Ctrl-C again and again."""
        if self._process is None:
            return
        self.terminate()
        for _ in range(2 if hurry else 0):
            self._process.send_signal(signal.SIGINT)
            time.sleep(0.1)  # two at once may count as one
        code = self._process.wait(PATIENCE)
        assert code == 0 or not self.address  # before it serves it may not hear a polite request
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def ends(self) -> int:
        """Wait until it ends by itself; gives its exit code."""
        assert self._process is not None
        code = self._process.wait(PATIENCE)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None
        return code

    def children(self, name: str) -> list[int]:
        """The launcher's children that run a program or module of that name."""
        assert self._process is not None
        return [child for child in _children(self._process.pid) if name in _command(child)]

    def said(self) -> str:
        """What it wrote to its log so far."""
        return self._log.read_text()

    def workers(self) -> set[int]:
        """The process ids of gunicorn's workers."""
        assert self._process is not None
        (master,) = self.children("gunicorn")
        return set(_children(master))

    def connections(self, worker: int) -> int:
        """How many clients a worker is connected with."""
        port = urlsplit(self.address).port
        assert port is not None
        return _connections(worker, port)

    def worker_at(self, port: int) -> int | None:
        """The worker whose end of a connection has this port."""
        return next((worker for worker in self.workers() if _connections(worker, port)), None)

    def visitor(self) -> Client:
        """Somebody without a token, with connections of their own."""
        return Client(OverHttp(self.address))


def clean_environment() -> dict[str, str]:
    """The environment without any setting."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith("TURNCOAT_") and name != "REDIS_URL"
    }


def _connections(process: int, port: int) -> int:
    """How many connections a process has on a port of its own."""
    established = {
        f"socket:[{entry[9]}]"
        for entry in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
        if int(entry[1].partition(":")[2], 16) == port and entry[3] == "01"
    }
    return sum(link in established for link in _open_files(process))


def _open_files(process: int) -> Iterator[str]:
    try:
        for file in Path(f"/proc/{process}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # it was closed meanwhile
                yield str(file.readlink())
    except (FileNotFoundError, PermissionError):  # the process has ended
        return


def _children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def _command(process: int) -> str:
    return Path(f"/proc/{process}/cmdline").read_text()


def make_folder() -> Path:
    """A folder with a short path, which the caller removes."""
    return Path(tempfile.mkdtemp(prefix="turncoat-"))
