"""Running services: gunicorn with two workers, over real sockets."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from support.clients import Client
from support.server import Server, make_folder
from support.store import StoreServer


@pytest.fixture(scope="session")
def server(store: StoreServer) -> Iterator[Server]:
    """A service on this process's store; nobody stops or disturbs it."""
    folder = make_folder()
    running = Server(folder, redis_url=store.url)
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder)


@pytest.fixture
def visitor(server: Server) -> Client:
    """Somebody without a token."""
    return server.visitor()
