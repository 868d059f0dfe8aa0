"""What is measured: a store, and servers on it, all of them processes that end with the benchmark."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis import Redis
from support.server import clean_environment
from support.settings import ID_SECRET, KEY, secrets_in_the_environment
from support.store import StoreServer

from bench.processes import cpu_seconds, family, memory
from service.app import Kept, open_archive
from service.identity import Tokens
from service.settings import Settings, default_rates, variable

ROOT = Path(__file__).parents[1]
SERVICE = ("-m", "service.cli", "serve")
BARE = ("-m", "bench.serve_bare")

_PATIENCE = 60.0


class BenchStore(StoreServer):
    """A store as an operator has it: what it was told is on the disk within a second."""

    @property
    def process(self) -> int:
        """Its process id."""
        assert self._process is not None
        process: int = self._process.pid
        return process


class Program:
    """A program that serves until it is told to end, and says where.

    Args:
        command: its command line.
        says: what it writes when it is ready, with its address.
    """

    def __init__(self, command: list[str], says: str, environment: dict[str, str], folder: Path) -> None:
        self._command, self._says, self._environment = command, says, environment
        self._log = Path(tempfile.mkstemp(dir=folder, suffix=".log")[1])
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""

    def start(self, cwd: Path = ROOT) -> None:
        """Start it, and wait until it is ready."""
        with self._log.open("wb") as log:
            # In a session of its own, so that Ctrl-C reaches only us, who end it in good order.
            self._process = subprocess.Popen(
                self._command, cwd=cwd, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )
        self.address = self._heard(self._says)

    def asked(self, number: int, says: str) -> str:
        """Send it a signal, and wait for what it writes thereupon; gives the part in brackets."""
        before = len(self._log.read_text(errors="replace"))
        assert self._process is not None
        self._process.send_signal(number)
        return self._heard(says, before)

    def _heard(self, says: str, after: int = 0) -> str:
        end = time.monotonic() + _PATIENCE
        while not (said := re.search(says, self._log.read_text(errors="replace")[after:])):
            assert self._process is not None
            if self._process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"in vain waited for {says}: {self._log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.02)
        return said[1]

    def close(self) -> None:
        """End it, and all that belongs to it."""
        if self._process is None or self._process.poll() is not None:
            return
        processes = self.processes()
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(_PATIENCE)
        finally:
            for process in processes:
                # In good order all of them have ended before the first of them.
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def processes(self) -> list[int]:
        """The program and its children."""
        assert self._process is not None
        return family(self._process.pid)

    def cpu(self) -> float:
        """Seconds that they have computed up to now."""
        return cpu_seconds(self.processes())

    def memory(self) -> int:
        """Bytes that they hold."""
        return memory(self.processes())


@dataclass
class World:
    """A store with servers on it.

    Attributes:
        kept: the service's own way to the store.
        tokens: the service's own way to make tokens.
    """

    store: BenchStore
    folder: Path
    ending: ExitStack
    redis: Redis
    kept: Kept
    tokens: Tokens

    def serve(self, *command: str, workers: int, **settings: str) -> Program:
        """Start the service, or what is measured beside it, with the same settings."""
        environment = {
            **clean_environment(),
            **secrets_in_the_environment(),
            **high_limits(),
            "REDIS_URL": self.store.url,
            "TURNCOAT_WORKERS": str(workers),
            "PYTHONPATH": str(ROOT),
            **settings,
        }
        command_line = [sys.executable, *command]
        if command == SERVICE:
            command_line += ["--port", "0"]
        else:
            environment["TURNCOAT_PORT"] = "0"
        program = Program(command_line, r"Turncoat serves (\S+)", environment, self.folder)
        self.ending.callback(program.close)
        program.start()
        return program

    def store_cpu(self) -> float:
        """Seconds that the store has computed up to now."""
        return cpu_seconds([self.store.process])

    def store_memory(self) -> int:
        """Bytes that the store uses for what it keeps, and not for what is on its way to its clients and its disk."""
        info: Any = self.redis.info("memory")
        return int(info["used_memory"] - info["mem_clients_normal"] - info["mem_aof_buffer"])

    def empty(self) -> None:
        """Have nothing in the store, and not only in a while."""
        self.redis.execute_command("FLUSHALL SYNC")


@contextmanager
def world() -> Iterator[World]:
    """A store, and in time servers on it. Whatever was started is ended."""
    with ExitStack() as ending:
        folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="turncoat-bench-")))
        store = ending.enter_context(closing(BenchStore()))
        store.start()
        settings = Settings(redis_url=store.url, token_keys=(KEY,), id_secret=ID_SECRET, store_timeout=30.0)
        redis = ending.enter_context(closing(Redis.from_url(store.url)))
        tokens = Tokens(settings.token_keys, settings.token_lifetime, time.time)
        yield World(store, folder, ending, redis, open_archive(settings), tokens)


def high_limits() -> dict[str, str]:
    """Settings with all limits on, and so high that they count and refuse nobody."""
    limits = {variable(setting): "1000000000/minute" for setting in default_rates()}
    return {variable("limits"): "on", variable("matches_per_player"): "1000000", **limits}
