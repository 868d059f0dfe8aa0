"""The data folder: who may use it, and what lies in it.

::

    .turncoat/
      lock          held by the launcher; a second one on the same data is refused
      store.lock    held by the launcher and the store; tells where the store listens
      store.log     what the store has to say
      store/        the store's append-only file
      token-keys    what signs the tokens
      id-secret     what ids of matches are derived from

Both locks are the kernel's, so they end with the processes that hold them, however these end, and no process number
has to be trusted. Two of them tell two cases apart: if ``lock`` is held, a server runs; if only ``store.lock`` is,
a launcher was killed and its store lives on. Such a store is asked to end, since two on the same file would ruin it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from service.launcher import LaunchError
from service.launcher.resp import ask
from service.settings import variable

_PATIENCE = 15.0
"""Seconds that a store which was left behind gets to end."""


class DataFolder:
    """The folder of the embedded store, locked while it is entered.

    Raises:
        LaunchError: on entering, if another server uses the folder or it cannot be used at all.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.store = self.path / "store"
        self.store_log = self.path / "store.log"
        self.token_keys = self.path / "token-keys"
        self.id_secret = self.path / "id-secret"

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            try:
                self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
                self.store.mkdir(mode=0o700, exist_ok=True)
                self._lock = opened.enter_context(_Lock(self.path / "lock"))
                self._store_lock = opened.enter_context(_Lock(self.path / "store.lock"))
            except OSError as error:
                raise LaunchError(f"the data folder {self.path} cannot be used: {error.strerror}") from error
            self._take()
            self._held = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.close()

    @property
    def store_lock(self) -> int:
        """The file descriptor that the store inherits, and with it the lock."""
        return self._store_lock.file

    def store_listens_at(self, socket: Path) -> None:
        """Leave word where the store listens, for whoever finds it without its launcher."""
        self._store_lock.write(str(socket))

    def _take(self) -> None:
        if not self._lock.acquire():
            owner = self._lock.read() or "unknown"
            raise LaunchError(
                f"another turncoat serve (process {owner}) uses the data in {self.path}. "
                f"Stop it, or choose another folder with {variable('data')}"
            )
        self._lock.write(str(os.getpid()))
        left_behind = self._store_lock.read()
        if not self._store_lock.acquire():
            self._end_store(Path(left_behind))
        if left_behind:
            _remove_socket(Path(left_behind))
            self._store_lock.write("")

    def _end_store(self, socket: Path) -> None:
        """End a store whose launcher was killed: it has the lock, and nobody looks after it."""
        ask(socket, "SHUTDOWN")
        deadline = time.monotonic() + _PATIENCE
        while not self._store_lock.acquire():
            if time.monotonic() > deadline:
                raise LaunchError(
                    f"a store that an earlier turncoat serve left behind still uses the data in {self.path} "
                    "and does not end when asked to. End the process valkey-server, then start again"
                )
            time.sleep(0.02)


def url_of_running_store(path: Path) -> str | None:
    """Where the store of a running server listens, in the form of ``REDIS_URL``.

    Args:
        path: the data folder.
    """
    with contextlib.suppress(OSError):
        socket = Path((path.absolute() / "store.lock").read_text(encoding="utf-8").strip())
        if socket.is_socket() and ask(socket, "PING") == "+PONG":
            return url_of(socket)
    return None


def url_of(socket: Path) -> str:
    """A store that listens on a unix socket, in the form of ``REDIS_URL``."""
    return f"unix://{quote(str(socket))}"


class _Lock:
    """A file with a line in it and a lock on it."""

    def __init__(self, path: Path) -> None:
        self.file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self.file)

    def acquire(self) -> bool:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def read(self) -> str:
        return os.pread(self.file, 4096, 0).decode(errors="replace").strip()

    def write(self, line: str) -> None:
        os.ftruncate(self.file, 0)
        os.pwrite(self.file, f"{line}\n".encode() if line else b"", 0)


def _remove_socket(socket: Path) -> None:
    """Remove what a killed launcher could not: its socket and the folder that was made for it."""
    with contextlib.suppress(OSError):
        socket.unlink(missing_ok=True)
        socket.parent.rmdir()
