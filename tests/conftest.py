"""Fixtures for all tests: a store of their own per process, and an app on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from support.clients import Client, InProcess
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app


@pytest.fixture(scope="session")
def store() -> Iterator[StoreServer]:
    """A store that no other test process uses. Who kills it starts it again."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="session")
def app(store: StoreServer) -> Flask:
    """The application on that store."""
    return create_app(settings_on(store.url))


@pytest.fixture
def visitor(app: Flask) -> Client:
    """Somebody without a token."""
    return Client(InProcess(app.test_client()))
