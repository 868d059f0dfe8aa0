"""The folder in which the workers count what operators ask for: files in memory, where the system has such.

It is made anew for each run: counters begin at 0 then, as Prometheus expects it of a service that started again. What a
launcher that was killed has left behind is removed by the next one; the kernel's lock tells whether anybody uses a
folder still.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from service.launcher import LaunchError
from service.launcher.gunicorn_conf import worker_tmp_dir

_PREFIX = "turncoat-metrics-"
_LOCK = "lock"


class Measures:
    """A folder, in use while it is entered.

    Attributes:
        path: where it is.
        lock: the file descriptor that all who use it inherit, and with it the lock.
    """

    def __enter__(self) -> Self:
        parent = Path(worker_tmp_dir or tempfile.gettempdir())
        _clear(parent)
        try:
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
            # It gets its name once it is held, lest somebody finds it in between and takes the folder for left behind.
            unnamed = self.path / f"{_LOCK}.new"
            self.lock = os.open(unnamed, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self.lock, fcntl.LOCK_EX)
            unnamed.rename(self.path / _LOCK)
        except OSError as error:
            raise LaunchError(f"there is no room for metrics in {parent}: {error.strerror}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


def _clear(parent: Path) -> None:
    """Remove the folders that nobody uses any more. Those of other users are none of our business."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError), (folder / _LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)
