"""The HTTP server: the port, and gunicorn as a child of the launcher that inherits it.

The launcher opens the port itself. A port that is taken is then known at once, before anything else has started, and
port 0 has a number that can be printed.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from service.launcher import LaunchError
from service.launcher.gunicorn_conf import DRAIN, LAUNCHER, LOG_FORMAT, LOG_LEVEL, READY, backlog
from service.launcher.measures import Measures
from service.settings import Settings, variable
from service.telemetry.families import SHARED_FOLDER

_MOST_FILES = 65_536


class Web:
    """gunicorn and its workers. Leaving it kills what is left of them.

    Args:
        listener: the port.
        settings: those of the service.
        app: what gunicorn serves.
        chosen: settings that the workers find in their environment, and that we do not have in ours.
        measures: where they count.
    """

    def __init__(
        self, listener: socket.socket, settings: Settings, app: str, chosen: Mapping[str, str], measures: Measures
    ) -> None:
        self._measures = measures
        self._listener = listener
        self._settings = settings
        self._app = app
        self._chosen = chosen
        self._ready = 0

    def __enter__(self) -> Self:
        self.ready, writer = os.pipe()
        os.set_blocking(self.ready, False)
        environment = {
            **os.environ,
            **self._chosen,
            LAUNCHER: str(os.getpid()),
            READY: str(writer),
            DRAIN: str(self._settings.drain_seconds),
            LOG_FORMAT: self._settings.log_format,
            LOG_LEVEL: self._settings.log_level,
            SHARED_FOLDER: str(self._measures.path),
        }
        try:
            self._process = subprocess.Popen(  # noqa: S603  # nothing of this comes from a client
                self._command(),
                # The folder that the packages are in comes first on the path, whatever lies where the operator is.
                cwd=Path(__file__).parents[2],
                env=environment,
                stdin=subprocess.DEVNULL,
                pass_fds=[self._listener.fileno(), writer, self._measures.lock],
                start_new_session=True,
            )
        except OSError as error:
            os.close(self.ready)
            raise LaunchError(f"gunicorn cannot be started: {error}") from error
        finally:
            os.close(writer)
            # Once gunicorn stops listening, nobody must.
            self._listener.close()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._process.wait()
        os.close(self.ready)

    def _command(self) -> list[str]:
        return [
            *(sys.executable, "-m", "gunicorn"),
            *("--config", "python:service.launcher.gunicorn_conf"),
            *("--bind", f"fd://{self._listener.fileno()}"),
            *("--workers", str(self._settings.workers)),
            self._app,
        ]

    def all_ready(self) -> bool:
        """Whether all workers have loaded the application; :attr:`ready` can be read when there is news."""
        with contextlib.suppress(BlockingIOError):
            self._ready += len(os.read(self.ready, 64))
        return self._ready >= self._settings.workers

    def exit_code(self) -> int | None:
        """How gunicorn has ended, if it has."""
        return self._process.poll()

    def terminate(self) -> None:
        """Have gunicorn stop listening, finish the requests that run, and end."""
        self._process.terminate()

    def hasten(self) -> None:
        """Have gunicorn end without finishing anything."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End gunicorn and its workers, also those that have outlived it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)


def listen(host: str, port: int) -> socket.socket:
    """Open the port.

    Raises:
        LaunchError: that is not possible.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        both = family == socket.AF_INET6 and host == "::" and socket.has_dualstack_ipv6()
        return socket.create_server(address[:2], family=family, backlog=backlog, dualstack_ipv6=both)
    except OSError as error:
        reason = error.strerror or str(error)
        raise LaunchError(
            f"cannot listen on {host} port {port}: {reason}. "
            f"Choose another with --host and --port, or with {variable('host')} and {variable('port')}"
        ) from error


def address_of(host: str, listener: socket.socket) -> str:
    """The address to print: one that a browser on this machine can open, with the real port."""
    port = listener.getsockname()[1]
    everywhere = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "": "127.0.0.1"}  # noqa: S104
    return f"http://{everywhere.get(host) or (f'[{host}]' if ':' in host else host)}:{port}"


def raise_open_files() -> None:
    """Raise the number of files that this process and its children may open, as far as they may do that alone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return
    # macOS names no hard limit and has one all the same.
    for files in (most, 10_240):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
            return
