"""Connections are shared out among the workers, also when many come at once and stay."""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import pytest
from support.server import Server, make_folder
from support.store import PATIENCE

_ALL = 32


@pytest.fixture
def service() -> Iterator[Server]:
    folder = make_folder()
    server = Server(folder, workers=2)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


@contextmanager
def clients(service: Server) -> Iterator[list[socket.socket]]:
    where = urlsplit(service.address)
    with ExitStack() as ending:
        yield [
            ending.enter_context(socket.create_connection((where.hostname, where.port), PATIENCE)) for _ in range(_ALL)
        ]


def test_many_come_when_many_have_just_gone(service: Server):
    """Whoever was told of their end was awake, and then had all that came, in about every second round."""
    for _ in range(8):
        with clients(service):
            time.sleep(0.2)
        with clients(service) as all_of_them:
            time.sleep(0.01)
            for client in all_of_them:
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            for client in all_of_them:
                assert client.recv(1000).startswith(b"HTTP/1.1 200")
            shared = [service.connections(worker) for worker in service.workers()]
            assert sum(shared) == _ALL
            assert min(shared) >= _ALL // 8, "it was 0 to 2"
