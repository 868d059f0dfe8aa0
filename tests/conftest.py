"""Fixtures for all tests: a store of their own per process, an app on it, and a running service."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from support.clients import Client, InProcess
from support.server import Server, make_folder
from support.settings import settings_on
from support.store import StoreServer
from support.truth import Truth

from service.app import create_app

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="session", autouse=True)
def _signals_are_heard():
    """Children inherit what is ignored: hang-ups under nohup, Ctrl-C in the background. Some tests send them."""
    ignored = [
        number
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is signal.SIG_IGN
    ]
    for number in ignored:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


@pytest.fixture(scope="session")
def store() -> Iterator[StoreServer]:
    """A store that no other test process uses. Who kills it starts it again."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="session")
def truth(store: StoreServer) -> Iterator[Truth]:
    """What really lies in that store."""
    truth = Truth(store.url)
    yield truth
    truth.redis.close()


@pytest.fixture(scope="session")
def app(store: StoreServer) -> Flask:
    """The application on that store."""
    return create_app(settings_on(store.url))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The machine's own Chromium. There is one for all tests of a process: Playwright allows no second one."""
    from support.browsers import chromium  # few tests need it, and it takes its time

    with chromium() as browser:
        yield browser


@pytest.fixture
def visitor(app: Flask) -> Client:
    """Somebody without a token."""
    return Client(InProcess(app.test_client()))


@pytest.fixture(scope="session")
def server(store: StoreServer) -> Iterator[Server]:
    """A service on that store, with two workers; nobody stops or disturbs it."""
    folder = make_folder()
    running = Server(folder, redis_url=store.url)
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder)
