"""Services on stores of all kinds."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from support.certificates import Authority
from support.server import Server, make_folder


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Whom the store's certificates are from."""
    return Authority(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
def serving() -> Iterator[Callable[..., Server]]:
    """Starts services on a store, by its URL and further settings; with limits on."""
    folders, servers = [], []

    def serve(url: str, **settings: str) -> Server:
        folders.append(make_folder())
        servers.append(Server(folders[-1], redis_url=url, **{"TURNCOAT_LIMITS": "on", **settings}))
        servers[-1].start()
        return servers[-1]

    yield serve
    for server in servers:
        server.stop()
    for folder in folders:
        shutil.rmtree(folder)
