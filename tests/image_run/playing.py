"""The image, run: a match of each game in a container that may do next to nothing, its health, and its end."""

from __future__ import annotations

import random
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from image_run.container import Container
from image_run.report import Report
from support.clients import Client, OverHttp, play_on, seated
from support.settings import secrets_in_the_environment
from support.store import eventually, store_program

from engine.catalogue import GAMES

ADDRESS = "http://127.0.0.1:8080"
"""Where the image listens unless it is told otherwise; the network is our own, so nobody else does."""

_STORE = 6379
_SETTINGS = {
    "REDIS_URL": f"redis://127.0.0.1:{_STORE}/0",
    "TURNCOAT_LIMITS": "off",
    **secrets_in_the_environment(),
}
_LONGEST_END = 30.0
"""Seconds that Kubernetes waits for a container to end."""

_WHO = """
import pathlib
for status in pathlib.Path("/proc").glob("[0-9]*/status"):
    said = dict(line.split(":", 1) for line in status.read_text().splitlines())
    print(said["Uid"].split()[0], said["CapEff"].strip(), said["NoNewPrivs"].strip(), said["Name"].strip())
"""
_IN_MEMORY = """
import os
for folder, _, files in os.walk("/dev/shm"):
    for name in files:
        print(os.path.join(folder, name))
"""
_CAN_WRITE = """
import pathlib, sys
for folder in ("/", "/opt/turncoat", "/etc", "/usr/local/lib", "/tmp", "/var/tmp", "/run", "/home"):
    try:
        pathlib.Path(folder, "written").write_text("x")
    except OSError:
        continue
    print(folder)
"""


@contextmanager
def store(folder: Path) -> Iterator[None]:
    """A store on the usual port."""
    folder.mkdir()
    process = subprocess.Popen(
        [
            *(store_program(), "--port", str(_STORE), "--bind", "127.0.0.1", "--dir", str(folder)),
            *("--appendonly", "yes", "--save", "", "--maxmemory-policy", "noeviction"),
        ],
        stdout=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


class Trial:
    """Containers of one image, one after the other.

    Args:
        folder: for what the containers leave.
        root: of the image.
        config: of the image.
        report: what is told.
    """

    def __init__(self, folder: Path, root: Path, config: Mapping[str, Any], report: Report) -> None:
        self._folder = folder
        self._root = root
        self._config = config
        self._report = report

    @contextmanager
    def _running(self, name: str, **how: Any) -> Iterator[Container]:
        container = Container(self._folder / name, self._root, self._config, **how)
        container.start()
        try:
            yield container
        finally:
            container.close()

    def commands(self) -> None:
        """What needs no store."""
        with self._running("help", arguments=["--help"]) as container:
            self._expect(
                "`--help` lists the commands", container.ends() == 0 and "serve" in container.said(), container
            )
        with self._running("homeless") as container:
            refused = container.ends() != 0 and "REDIS_URL" in container.said()
            self._expect("without a store it ends, and says to set REDIS_URL", refused, container)

    def health(self) -> None:
        """The health check where nothing serves."""
        with self._running("idle", entrypoint=["sleep"], arguments=["600"]) as container:
            eventually(lambda: container.execute("true").returncode == 0, "the container")
            self._expect("the health check fails where nothing serves", not container.is_healthy(), container)

    def serve(self) -> None:
        """A match of each game, and how it ends."""
        with self._running("serving", settings=_SETTINGS) as container:
            container.says("Turncoat serves")
            self._expect("the health check passes where it serves", container.is_healthy(), container)
            for game in GAMES.values():
                self._report.check(f"a match of {game.id}, every answer held to the contract", _play(game.id))
            metrics = Client(OverHttp(ADDRESS)).transport.send("GET", "/metrics", {}, None)[2]
            counted = [] if b"turncoat_moves_total" in metrics else [metrics.decode(errors="replace")]
            self._report.check("its metrics have counted the moves", counted)
            self._look_inside(container)
            begin = time.monotonic()
            container.signal(signal.SIGTERM)
            code, took = container.ends(), time.monotonic() - begin
            self._expect(f"SIGTERM ends it with 0, here in {took:.1f} s", code == 0 and took < _LONGEST_END, container)

    def _look_inside(self, container: Container) -> None:
        who = [line.split() for line in container.execute("python", "-c", _WHO).stdout.splitlines()]
        wrong = [" ".join(each) for each in who if each[:3] != ["10001", "0" * 16, "1"]]
        what = f"its {len(who)} processes have the image's user and no rights"
        self._report.check(what, wrong or ([] if who else ["there are none"]))
        writable = container.execute("python", "-c", _CAN_WRITE)
        self._report.check("its root is read-only", [*writable.stdout.split(), *writable.stderr.splitlines()])
        traces = container.execute("python", "-c", "import service.telemetry.traces")
        self._report.check("what traces need is there", traces.stderr.splitlines()[-1:])
        written = container.execute("python", "-c", _IN_MEMORY).stdout.split()
        kept = [each for each in written if not each.startswith("/dev/shm/turncoat-metrics-")]
        self._report.check(f"all that it keeps in memory is {len(written)} files with its counters", kept)

    def sweep(self) -> None:
        """The other command that runs on and on, as a user whom the image does not know."""
        with self._running("sweeping", settings=_SETTINGS, arguments=["sweep"], user=54_321) as container:
            container.says("Turncoat looks for overdue decisions")
            container.signal(signal.SIGTERM)
            self._expect("`sweep` runs as any user, and SIGTERM ends it", container.ends() == 0, container)

    def _expect(self, what: str, holds: bool, container: Container) -> None:
        self._report.check(what, [] if holds else [container.said().strip() or "it said nothing"])


def _play(game: str) -> list[str]:
    try:
        match, players = seated(Client(OverHttp(ADDRESS)), game)
        play_on(match, players, random.Random(1))
        return [] if players[0].card(match)["status"] == "finished" else ["the match did not come to its end"]
    except (AssertionError, OSError) as error:
        return [str(error)]
