"""gunicorn's configuration; what differs from run to run is on its command line (see ``web.py``).

gunicorn's master imports this module, so it imports nothing that a worker's gevent would have to replace.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from pathlib import Path
from types import FrameType
from typing import Any

from service.launcher import crowd, draining, shared_memory

LAUNCHER = "LAUNCHER_PID"
"""Environment variable that tells gunicorn's master whose child it is."""

READY = "LAUNCHER_READY_FD"
"""Environment variable with the file descriptor to which a worker writes when it is ready."""

DRAIN = "LAUNCHER_DRAIN_SECONDS"
"""Environment variable with the seconds for which a worker that is told to end still accepts connections."""

LOG_FORMAT = "LAUNCHER_LOG_FORMAT"
LOG_LEVEL = "LAUNCHER_LOG_LEVEL"
"""Environment variables with the form of the log, and from which level on it is written."""

worker_class = "service.launcher.worker.Worker"
preload_app = False
"""The application is imported in each worker, after gevent has patched the standard library there."""

_OTHER_FILES = 512
"""Files that a worker has open besides its clients' connections: the store's connections, modules, the listener."""

# A client that waits for a change holds a connection all the time; gunicorn's default of 1000 would be used up by
# waiting clients, and then not even the health check gets through. Never more than there are files to be had: a
# worker that cannot accept a connection spins.
worker_connections = min(10_000, max(64, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - _OTHER_FILES))
backlog = 2048

keepalive = 75
"""Seconds; longer than the minute after which usual proxies close an idle connection to us."""

timeout = 60
"""Seconds after which a worker that does not come round to show a sign of life is replaced."""

graceful_timeout = 25
"""Seconds that the end may take, draining included; less than the 30 that Kubernetes waits."""

# The workers' signs of life are written to a file; on a busy disk that can block, in memory it cannot.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() and os.access("/dev/shm", os.W_OK) else None  # noqa: S108

accesslog = None
errorlog = "-"
logger_class = "service.launcher.logger.Logger"
loglevel = "warning"
control_socket_disable = True

_LOOK_EVERY = 1.0


def on_starting(_server: Any) -> None:
    """Make what the workers will inherit."""
    shared_memory.make()
    crowd.make()


def pre_fork(_server: Any, worker: Any) -> None:
    """Give the worker a place among the others."""
    worker.place = crowd.place()


def when_ready(_server: Any) -> None:
    """Have the master look after its launcher: a launcher that was killed takes the service with it.

    A timer and a look at the parent's number work on every system and need no thread, which a master that forks
    should not have. Its workers inherit no timer; they notice by themselves when the master is gone.
    """
    launcher = int(os.environ[LAUNCHER])

    def look(_number: int, _frame: FrameType | None) -> None:
        if os.getppid() != launcher:
            signal.setitimer(signal.ITIMER_REAL, 0)
            os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _LOOK_EVERY, _LOOK_EVERY)


def child_exit(_server: Any, worker: Any) -> None:
    """Forget what a worker that has ended said of the moment; what it has counted stays."""
    # Only now, and in the parent: the workers that come after it have nothing of this replaced that they wait for.
    from prometheus_client.multiprocess import mark_process_dead

    if worker.place is not None:
        worker.place.free()
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Start what the application does beside its requests, and tell the launcher that one more worker is ready."""
    if parts := getattr(worker.wsgi, "extensions", {}).get("turncoat"):
        parts.background.start()
        draining.when_begun(parts.background.stop)
        parts.observer.worker_began()
    with contextlib.suppress(OSError):  # later on, when a worker is replaced, nobody listens any more
        os.write(int(os.environ[READY]), b".")
