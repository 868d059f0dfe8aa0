"""How a service starts on a store that must not be used, that is not there yet, and that is not as it should be."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from support.clients import play_on, seated
from support.server import Server, clean_environment
from support.settings import secrets_in_the_environment
from support.several_stores import DURABLE, StoreNode, free_ports
from support.store import PATIENCE, eventually

from service.launcher.checking import StoreCheck


def refused(url: str) -> str:
    """Try to start a service that must not start; gives what it says."""
    environment = clean_environment() | secrets_in_the_environment() | {"REDIS_URL": url}
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "serve", "--port", "0"],
        cwd=Path(__file__).parents[2],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


def test_a_store_that_must_not_be_used_is_refused_in_one_line():
    node = StoreNode({**DURABLE, "port": free_ports(1)[0], "maxmemory": 10**9, "maxmemory-policy": "allkeys-lru"})
    try:
        node.start()
        said = refused(f"redis://127.0.0.1:{node.port}")
        assert re.fullmatch(r"Error: .*maxmemory-policy.*noeviction\n", said), said
        node.redis.execute_command("ACL SETUSER", "default", "resetpass", ">another")
        said = refused(f"redis://:hunter2@127.0.0.1:{node.port}")
        assert re.fullmatch(r"Error: .*password\n", said), said
    finally:
        node.close()


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
