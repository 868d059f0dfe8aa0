"""Overdue decisions are made by whoever serves, or by `turncoat sweep`, without anybody asking for the match."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from support.clients import Client, InProcess, seated
from support.metrics import scrape
from support.server import Server, clean_environment, make_folder
from support.settings import secrets_in_the_environment, settings_on
from support.store import PATIENCE, StoreServer, eventually
from support.truth import Truth

from service.app import create_app

ROOT = Path(__file__).parents[2]


@pytest.fixture
def own_store() -> Iterator[StoreServer]:
    store = StoreServer()
    store.start()
    yield store
    store.close()


@pytest.fixture
def app(own_store: StoreServer) -> Flask:
    """For looking and for beginning; in this process nobody sweeps."""
    return create_app(settings_on(own_store.url))


def begin(app: Flask) -> str:
    return seated(Client(InProcess(app.test_client())), move_seconds=1)[0]


def play_themselves(truth: Truth, matches: list[str]) -> None:
    """Nobody asks for these matches; all the same, decision after decision is made."""
    eventually(lambda: all(len(truth.moves(match)) > 1 for match in matches), "decisions that nobody asked for")


def test_workers_make_overdue_decisions(own_store: StoreServer, app: Flask):
    matches = [begin(app) for _ in range(3)]
    folder = make_folder()
    server = Server(folder, redis_url=own_store.url)
    server.start()
    try:
        play_themselves(Truth(own_store.url), matches)
    finally:
        server.stop()
    assert "sweeping" not in server.said()
    shutil.rmtree(folder)


@pytest.fixture
def sweep(own_store: StoreServer) -> Iterator[subprocess.Popen[str]]:
    """`turncoat sweep`, in the settings of workers that leave it to others."""
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", "sweep"],
        cwd=ROOT,
        env=clean_environment()
        | secrets_in_the_environment()
        | {"REDIS_URL": own_store.url, "TURNCOAT_SWEEP_INTERVAL": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_alone_makes_them_too(
    own_store: StoreServer, app: Flask, sweep: subprocess.Popen[str], number: signal.Signals
):
    matches = [begin(app) for _ in range(3)]
    assert sweep.stdout is not None
    assert sweep.stdout.readline() == "Turncoat looks for overdue decisions every 1 s. Ctrl-C ends it\n"
    play_themselves(Truth(own_store.url), matches)
    sweep.send_signal(number)
    assert sweep.wait(PATIENCE) == 0
    assert sweep.stdout.read() == ""


def test_the_command_outlives_the_store(own_store: StoreServer, app: Flask, sweep: subprocess.Popen[str]):
    assert sweep.stdout is not None
    sweep.stdout.readline()
    own_store.kill()
    assert "sweeping fails, and goes on: StoreUnavailable" in sweep.stdout.readline()
    own_store.start()
    play_themselves(Truth(own_store.url), [begin(app)])
    assert sweep.poll() is None


@pytest.mark.parametrize(
    ("settings", "options", "word"),
    [
        ({}, [], "REDIS_URL"),
        ({"REDIS_URL": "redis://anna:hunter2@store.example"}, [], "TURNCOAT_ID_SECRET"),
        ({"REDIS_URL": "redis://anna:hunter2@store.example"}, ["--interval", "-1"], "TURNCOAT_SWEEP_INTERVAL"),
        ({"TURNCOAT_PROT": "80"}, [], "TURNCOAT_PROT"),
    ],
)
def test_what_the_command_refuses(settings: dict[str, str], options: list[str], word: str):
    ended = subprocess.run(
        [sys.executable, "-m", "service.cli", "sweep", *options],
        env=clean_environment() | settings,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert re.fullmatch(r"(Error: .*\n)+", ended.stderr), ended.stderr
    assert word in ended.stderr
    assert "hunter2" not in ended.stderr


def test_the_sweeper_tells_what_it_did(own_store: StoreServer, app: Flask, free_port: int):
    match = begin(app)
    environment = clean_environment() | secrets_in_the_environment() | {"REDIS_URL": own_store.url}
    environment["TURNCOAT_SWEEP_METRICS_PORT"] = str(free_port)
    sweeper = subprocess.Popen([sys.executable, "-m", "service.cli", "sweep"], cwd=ROOT, env=environment)
    address = f"http://127.0.0.1:{free_port}"
    try:
        play_themselves(Truth(own_store.url), [match])
        metrics = scrape(address)
        played = metrics.of("turncoat_moves_total", "verraeter", "stand-in")
        assert 2 <= played <= len(Truth(own_store.url).moves(match))
        assert metrics.of("turncoat_moves_total", "verraeter", "accepted") == 0
        assert metrics.of("turncoat_workers") == 0, "it serves nobody"
        second = subprocess.run(
            [sys.executable, "-m", "service.cli", "sweep"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert second.returncode == 1
        assert second.stderr.startswith("Error: TURNCOAT_SWEEP_METRICS_PORT: Address already in use")
    finally:
        sweeper.terminate()
        assert sweeper.wait(PATIENCE) == 0


@pytest.fixture
def free_port() -> int:
    """A port that nobody used a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
