"""Fixtures of the tests over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.store import StoreServer
from support.truth import Truth


@pytest.fixture(scope="session")
def truth(store: StoreServer) -> Iterator[Truth]:
    """What really lies in the store."""
    truth = Truth(store.url)
    yield truth
    truth.redis.close()
