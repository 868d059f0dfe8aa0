"""Real servers, started as an operator would, and ended with everything they started."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from support.store import PATIENCE, eventually

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


class Server:
    """A ``turncoat serve`` with the tiny application, what it says, and which processes it has been seen to have."""

    def __init__(self, folder, environment, *options):
        self.out, self.err = folder / "stdout", folder / "stderr"
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, str(HERE / "serve_tiny.py"), "serve", "--port", "0", "--workers", "1", *options],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        self.pids = {self.process.pid}

    @property
    def said(self):
        return self.out.read_text()

    @property
    def complaints(self):
        return self.err.read_text()

    @property
    def address(self):
        return re.search(r"Turncoat serves (\S+)", self.said)[1]

    def wait_ready(self):
        eventually(lambda: "Ctrl-C" in self.said or self.process.poll() is not None, "the server")
        assert self.process.poll() is None, self.complaints
        return self

    def get(self, path):
        with urllib.request.urlopen(f"{self.address}{path}", timeout=PATIENCE) as answer:
            return json.load(answer)

    def look(self):
        seen = self.get("/look")
        self.pids |= {seen["worker"], seen["master"], seen["store"]}
        return seen

    def try_get(self, path):
        """The answer and its status; nothing if the connection fails."""
        try:
            with urllib.request.urlopen(f"{self.address}{path}", timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)
        except OSError:
            return None

    def wait_end(self):
        return self.process.wait(PATIENCE)

    def left(self):
        return {pid for pid in self.pids if _alive(pid)}

    def wait_gone(self):
        eventually(lambda: not self.left(), f"the end of {self.left()}")

    def stop(self):
        self.process.terminate()
        assert self.wait_end() == 0, self.complaints

    def clean_up(self):
        for pid in self.left():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait(PATIENCE)


def _alive(pid):
    """Whether a process runs; one that only nobody has asked about yet does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()


@pytest.fixture
def sockets():
    """Where temporary files go: a short path of the test's own."""
    folder = Path(tempfile.mkdtemp(prefix="tt-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def environment(tmp_path, sockets):
    """An environment with no settings but the data folder."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("TURNCOAT_", "REDIS_"))}
    return clean | {"PYTHONPATH": str(ROOT), "TMPDIR": str(sockets), "TURNCOAT_DATA": str(tmp_path / "data")}


@pytest.fixture
def start(tmp_path, environment, sockets):
    """Start a server, which need not come up. Settings are given by their variables' names.

    A test that ends all its servers also finds out whether they leave temporary files behind.
    """
    servers = []

    def start_one(*options, **settings):
        folder = tmp_path / f"server-{len(servers)}"
        folder.mkdir(exist_ok=True)
        servers.append(Server(folder, environment | settings, *options))
        return servers[-1]

    yield start_one
    ended = all(server.process.poll() is not None for server in servers)
    for server in servers:
        server.clean_up()
    assert not ended or not list(sockets.iterdir())


@pytest.fixture
def serve(start):
    """Start a server and wait until it says that it serves."""
    return lambda *options, **settings: start(*options, **settings).wait_ready()
