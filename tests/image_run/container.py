"""Containers by runc, the program that Docker and Kubernetes leave that to, with as few rights as they can give."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from image_run.commands import run
from support.store import PATIENCE, eventually

_NAMESPACES = ("pid", "ipc", "uts", "mount")
"""Not the network: what runs here is to be reached by what has started it."""


class Container:
    """A container of an image: its root read-only, no capability, and none to be had.

    Args:
        folder: for what is known of it; must not be there.
        root: of the image.
        config: of the image, as Docker has it.
        settings: environment variables besides those of the image.
        arguments: instead of the image's CMD.
        entrypoint: instead of the image's.
        user: a number instead of the image's.
    """

    def __init__(
        self,
        folder: Path,
        root: Path,
        config: Mapping[str, Any],
        *,
        settings: Mapping[str, str] | None = None,
        arguments: Sequence[str] | None = None,
        entrypoint: Sequence[str] | None = None,
        user: int | None = None,
    ) -> None:
        folder.mkdir()
        self.name = folder.name
        self._folder = folder
        self._config = config
        self._runc = ("runc", "--root", folder / "state")
        self._process: subprocess.Popen[bytes] | None = None
        uid, gid = (user, user) if user is not None else map(int, config["User"].split(":"))
        process = {
            "user": {"uid": uid, "gid": gid},
            "args": [
                *(config["Entrypoint"] if entrypoint is None else entrypoint),
                *(config["Cmd"] if arguments is None else arguments),
            ],
            "env": [*config["Env"], *(f"{name}={value}" for name, value in (settings or {}).items())],
            "cwd": config["WorkingDir"] or "/",
        }
        self._specify(root, process)

    def _specify(self, root: Path, process: Mapping[str, Any]) -> None:
        run("runc", "spec", "--bundle", self._folder)
        file = self._folder / "config.json"
        spec = json.loads(file.read_text())
        spec["root"] = {"path": str(root), "readonly": True}
        spec["process"] |= {
            **process,
            "terminal": False,
            "capabilities": {kind: [] for kind in spec["process"]["capabilities"]},
            "noNewPrivileges": True,
            "rlimits": [],
        }
        spec["mounts"] = [mount for mount in spec["mounts"] if mount["type"] != "cgroup"]
        spec["linux"]["namespaces"] = [{"type": kind} for kind in _NAMESPACES]
        file.write_text(json.dumps(spec))

    def start(self) -> None:
        """Start it; what it says is kept."""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [str(word) for word in (*self._runc, "run", "--bundle", self._folder, self.name)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    @property
    def _log(self) -> Path:
        return self._folder / "log"

    def said(self) -> str:
        """What it has said so far."""
        return self._log.read_text(errors="replace")

    def says(self, words: str) -> None:
        """Wait until it has said something.

        Raises:
            AssertionError: it has ended before.
        """

        def heard() -> bool:
            assert self._process is not None
            ended = self._process.poll() is not None
            assert words in self.said() or not ended, f"it ended instead of saying {words!r}: {self.said()}"
            return words in self.said()

        eventually(heard, f"{words!r} from {self.name}")

    def ends(self) -> int | None:
        """Wait until it ends; gives its exit code, or nothing if it goes on and on."""
        assert self._process is not None
        try:
            return self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to its first process."""
        run(*self._runc, "kill", self.name, number.name)

    def execute(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run something in it beside its first process, as ``docker exec`` and a health check do."""
        return run(*self._runc, "exec", self.name, *command, check=False)

    def is_healthy(self) -> bool:
        """What the image's own health check says."""
        kind, *command = self._config["Healthcheck"]["Test"]
        assert kind == "CMD", f"a health check by a shell: {shlex.join(command)}"
        return self.execute(*command).returncode == 0

    def close(self) -> None:
        """End it, whatever it is doing."""
        run(*self._runc, "delete", "--force", self.name, check=False)
        if self._process is not None:
            self._process.wait(PATIENCE)
