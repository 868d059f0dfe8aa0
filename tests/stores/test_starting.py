"""How a service starts on a store that must not be used, that is not there yet, and that is not as it should be."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.clients import Client, InProcess, play_on, seated
from support.server import Server, clean_environment
from support.settings import secrets_in_the_environment, settings_on
from support.several_stores import DURABLE, StoreNode, free_ports
from support.store import PATIENCE, eventually

from service.app import create_app
from service.launcher.checking import StoreCheck

ROOT = Path(__file__).parents[2]
STARTING = {
    "serve": ("serve", "--port", "0"),
    "sweep": ("sweep",),
    "import": ("import", "-"),
    "export": ("export", "a-match"),
}


def environment(url: str) -> dict[str, str]:
    return clean_environment() | secrets_in_the_environment() | {"REDIS_URL": url}


def run(url: str, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *command],
        cwd=ROOT,
        env=environment(url),
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def refused(url: str, *command: str) -> str:
    """Try to start what must not start; gives what it says."""
    done = run(url, *command)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


@pytest.fixture
def evicting() -> Iterator[StoreNode]:
    """A store that throws matches away when its memory is full."""
    node = StoreNode({**DURABLE, "port": free_ports(1)[0], "maxmemory": 10**9, "maxmemory-policy": "allkeys-lru"})
    node.start()
    yield node
    node.close()


@pytest.mark.parametrize("command", ["serve", "sweep", "import"])
def test_a_store_that_must_not_be_used_is_refused_in_one_line(evicting: StoreNode, command: str):
    said = refused(f"redis://127.0.0.1:{evicting.port}", *STARTING[command])
    assert re.fullmatch(r"Error: .*maxmemory-policy.*noeviction\n", said), said


@pytest.mark.parametrize("command", STARTING)
def test_a_store_that_lets_nobody_in_is_refused_in_one_line(evicting: StoreNode, command: str):
    evicting.redis.execute_command("ACL SETUSER", "default", "resetpass", ">another")
    said = refused(f"redis://:hunter2@127.0.0.1:{evicting.port}", *STARTING[command])
    assert re.fullmatch(r"Error: .*password\n", said), said


def test_a_match_is_rescued_out_of_a_store_that_must_not_be_used(evicting: StoreNode):
    match, _ = seated(Client(InProcess(create_app(settings_on(f"redis://127.0.0.1:{evicting.port}")).test_client())))
    done = run(f"redis://127.0.0.1:{evicting.port}", "export", match)
    assert done.returncode == 0
    assert json.loads(done.stdout)["match"] == match
    assert re.fullmatch(r"Warning: .*maxmemory-policy.*noeviction\n", done.stderr), done.stderr


def test_what_is_imported_into_a_store_that_may_lose_it_is_warned_of():
    node = StoreNode({**DURABLE, "port": free_ports(1)[0], "appendonly": "no"})
    node.start()
    try:
        url = f"redis://127.0.0.1:{node.port}"
        match, _ = seated(Client(InProcess(create_app(settings_on(url)).test_client())))
        exported = run(url, "export", match)
        assert (exported.returncode, exported.stderr) == (0, ""), "nothing is kept there by that"
        node.redis.flushall()
        done = run(url, "import", "-", given=exported.stdout)
        assert (done.returncode, done.stdout) == (0, f"Imported: match {match}, playing, with 0 moves\n")
        assert re.fullmatch(r"Warning: .*appendonly.*\n", done.stderr), done.stderr
    finally:
        node.close()


@pytest.mark.parametrize("command", ["import", "export"])
def test_what_is_done_once_does_not_wait_for_the_store(command: str):
    said = refused(f"redis://127.0.0.1:{free_ports(1)[0]}", *STARTING[command])
    assert said == "Error: the store does not answer: nobody listens there\n"


def test_the_sweeper_waits_for_its_store():
    (port,) = free_ports(1)
    node = StoreNode({**DURABLE, "port": port, "appendonly": "no"})
    sweep = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "sweep"],
        cwd=ROOT,
        env=environment(f"redis://127.0.0.1:{port}"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert sweep.stdout is not None
    try:
        assert sweep.stdout.readline() == "Waiting for the store (127.0.0.1): nobody listens there\n"
        node.start()
        there = sweep.stdout.readline()
        assert re.fullmatch(r"The store is there \(127\.0\.0\.1: (Redis|Valkey) [0-9.]+, appendonly off\)\n", there), (
            there
        )
        assert re.match(r"Warning: .*appendonly", sweep.stdout.readline())
        assert "looks for overdue decisions" in sweep.stdout.readline()
        sweep.terminate()
        assert sweep.wait(PATIENCE) == 0
    finally:
        sweep.kill()
        sweep.wait()
        sweep.stdout.close()
        node.close()


def test_the_sweeper_can_be_ended_while_it_waits():
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", "sweep"],
        cwd=ROOT,
        env=environment(f"redis://127.0.0.1:{free_ports(1)[0]}"),
        stderr=subprocess.PIPE,
        text=True,
    ) as sweep:
        assert sweep.stderr is not None
        assert "Waiting for the store" in sweep.stderr.readline()
        sweep.terminate()
        assert sweep.wait(PATIENCE) == 0


def test_a_service_waits_for_its_store_and_then_serves_and_says_what_should_be_known(serving: Callable[..., Server]):
    (port,) = free_ports(1)
    server = serving(f"redis://127.0.0.1:{port}")
    transport = server.visitor().transport
    assert transport.send("GET", "/healthz", {}, None)[0] == 200
    assert transport.send("GET", "/readyz", {}, None)[0] == 503
    assert "Waiting for the store" in server.said()
    node = StoreNode({**DURABLE, "port": port, "appendonly": "no"})
    try:
        node.start()
        eventually(lambda: transport.send("GET", "/readyz", {}, None)[0] == 200, "readiness")
        match, players = seated(server.visitor())
        play_on(match, players, random.Random(1), moves=5)
        eventually(lambda: "Warning" in server.said(), "word that it is there")
        lines = [line for line in server.said().splitlines() if re.match(r"(Waiting for t|T)he store|Warning", line)]
        assert len(lines) == 3, "one line when it begins to wait, one when it is over, and a warning"
        assert "127.0.0.1" in lines[0]
        assert "nobody listens" in lines[0]
        assert "appendonly" in lines[2]
    finally:
        node.close()


def test_a_store_that_comes_and_must_not_be_used_ends_the_service(serving: Callable[..., Server]):
    (port,) = free_ports(1)
    server = serving(f"redis://127.0.0.1:{port}")
    node = StoreNode({**DURABLE, "port": port, "maxmemory": 10**9, "maxmemory-policy": "volatile-lru"})
    try:
        node.start()
        assert server.ends() == 1
        assert "maxmemory-policy volatile-lru" in server.said()
    finally:
        node.close()


def test_the_check_does_not_outlive_its_launcher():
    with StoreCheck(
        {**clean_environment(), **secrets_in_the_environment(), "REDIS_URL": "redis://127.0.0.1:1"}
    ) as check:
        eventually(check.has_concluded, "a first conclusion")
        assert not check.has_refused()
        process = check.process
        assert Path(f"/proc/{process}").exists()
    assert not Path(f"/proc/{process}").exists()
