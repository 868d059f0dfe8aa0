"""Running services: gunicorn with two workers, over real sockets."""

from __future__ import annotations

import pytest
from support.clients import Client
from support.server import Server


@pytest.fixture
def visitor(server: Server) -> Client:
    """Somebody without a token."""
    return server.visitor()
