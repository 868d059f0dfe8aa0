"""The store of the manifests, and the one of docker-compose.yaml, started as it says there, with the service on it."""

from __future__ import annotations

import random
import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from checking.environment import expanded, found_by, lay_out
from checking.rendering import VARIANTS
from redis import Redis
from support import compose
from support.clients import play_on, seated
from support.manifests import Rendering, container, made_up_secrets, one, pod
from support.server import Server, make_folder
from support.store import eventually, store_program
from support.tools import command


class Described(NamedTuple):
    """A store, as somebody has described it."""

    arguments: list[str]
    probe: list[str]
    url: str
    settings: dict[str, str]


def of_the_manifests(rendered: Rendering, folder: Path) -> Described:
    resources = rendered(VARIANTS[0])
    which = {"kind": "StatefulSet", "name": "turncoat-store"}
    store = container(resources, **which)
    lay_out(store, pod(resources, **which), resources, folder)
    known = found_by(store, resources)
    arguments = [expanded(argument, known) for argument in [*store["command"], *store["args"]]]
    assert arguments[1] == "/etc/valkey/valkey.conf"
    arguments[1] = str(folder / "etc/valkey/valkey.conf")
    settings = found_by(container(resources), resources)
    return Described(arguments, store["readinessProbe"]["exec"]["command"], settings["REDIS_URL"], settings)


def of_compose(_rendered: Rendering, _folder: Path) -> Described:
    services = compose.services(made_up_secrets())
    verb, line = services["store"]["healthcheck"]["test"]
    assert verb == "CMD-SHELL"
    settings = services["turncoat"]["environment"]
    return Described(shlex.split(services["store"]["command"]), ["sh", "-c", line], settings["REDIS_URL"], settings)


@contextmanager
def running(described: Described, folder: Path) -> Iterator[int]:
    """The store, where something else may have its port and folder; gives the port."""
    assert described.arguments[0] == "valkey-server"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "data").mkdir(exist_ok=True)
    process = subprocess.Popen(
        [store_program(), *described.arguments[1:], "--port", str(port)],
        cwd=folder / "data",
        stdout=subprocess.DEVNULL,
    )
    try:
        eventually(lambda: process.poll() is not None or ask(port, "PING").startswith("+PONG"), "the store")
        yield port
    finally:
        process.terminate()
        assert process.wait() == 0


def ask(port: int, line: str) -> str:
    """What the store answers to somebody who has not said who they are."""
    try:
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(f"{line}\r\n".encode())
            return connection.recv(200).decode()
    except OSError:
        return ""


@pytest.mark.parametrize("describe", [of_the_manifests, of_compose])
def test_the_service_likes_the_store_and_the_store_outlives_its_process(describe, rendered: Rendering):
    folder = make_folder()
    described = describe(rendered, folder)
    password = described.url.partition("@")[0]
    settings = {name: value for name, value in described.settings.items() if name.startswith("TURNCOAT_")}
    settings |= {"TURNCOAT_HOST": "127.0.0.1", "TURNCOAT_LIMITS": "off", "TURNCOAT_WORKERS": "1"}
    settings["TURNCOAT_DRAIN_SECONDS"] = "0"
    try:
        with running(described, folder) as port:
            server = Server(folder, redis_url=f"{password}@127.0.0.1:{port}/0", **settings)
            server.start()
            match, players = seated(server.visitor())
            play_on(match, players, random.Random(8), moves=5)
            server.stop()
            assert "Warning" not in server.said()
            assert "Error" not in server.said()
        with running(described, folder) as port, Redis.from_url(f"{password}@127.0.0.1:{port}/0") as again:
            assert again.exists(f"match:{{{match}}}:record")
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("describe", [of_the_manifests, of_compose])
def test_a_stranger_learns_that_the_store_is_there_and_nothing_else(describe, rendered: Rendering, tmp_path: Path):
    with running(describe(rendered, tmp_path), tmp_path) as port:
        for line in ["GET x", "SET x 1", "KEYS *", "INFO", "CONFIG GET dir", "FLUSHALL", "SHUTDOWN"]:
            assert ask(port, line).startswith("-NOPERM")
        assert ask(port, "AUTH turncoat wrong").startswith("-WRONGPASS")


@pytest.mark.parametrize("describe", [of_the_manifests, of_compose])
def test_the_store_is_asked_how_it_is(describe, rendered: Rendering, tmp_path: Path):
    """The probe is run as it is written, but for the name of the program and the port."""
    client = command("valkey-cli", "redis-cli")
    described = describe(rendered, tmp_path)
    with running(described, tmp_path) as port:
        probe = [part.replace("valkey-cli", f"{client} -p {port}") for part in described.probe]
        assert probe != described.probe
        assert subprocess.run(probe, check=False).returncode == 0
    assert subprocess.run(probe, check=False, stderr=subprocess.DEVNULL).returncode != 0


def test_the_configuration_is_one_that_loses_nothing(rendered: Rendering):
    lines = one(rendered(VARIANTS[0]), "ConfigMap", "turncoat-store")["data"]["valkey.conf"].splitlines()
    composed = shlex.split(compose.services(made_up_secrets())["store"]["command"])
    for name, value in {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}.items():
        assert f"{name} {value}" in lines
        assert composed[composed.index(f"--{name}") + 1] == value


@pytest.mark.parametrize("describe", [of_the_manifests, of_compose])
def test_the_service_may_do_in_the_store_what_the_documentation_says(describe, rendered: Rendering, tmp_path: Path):
    text = (compose.FILE.parent / "docs/operations.md").read_text()
    rights = re.search(r"^`user (turncoat on >… .*)`\.$", text, re.MULTILINE)[1].replace("…", "").split()
    arguments = describe(rendered, tmp_path).arguments
    said = arguments[arguments.index("turncoat") :]
    assert [">" if right.startswith(">") else right for right in said] == rights
