"""Fixtures of the secrecy tests, and how much of them is done: ``SECRECY_MATCHES`` is the number of matches per game.

Without it each module takes a share that fits into a normal run of all tests.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import ModuleType

import pytest
from secrecy.garden import Garden
from support.marker_game.app import copy_of_the_service
from support.store import StoreServer
from support.truth import Truth


@pytest.fixture(scope="session")
def matches() -> int | None:
    """How many matches of each game to play; ``None`` for the share of a normal run."""
    chosen = os.environ.get("SECRECY_MATCHES")
    return int(chosen) if chosen else None


@pytest.fixture(scope="session")
def say(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Print a line past pytest's capturing, also from a process of several that run the tests."""
    capturing = request.config.pluginmanager.getplugin("capturemanager")

    def say(line: str) -> None:
        with capturing.global_and_fixture_disabled():
            print(f"\n{line}", file=sys.stderr, flush=True)

    return say


@pytest.fixture(scope="session")
def service_copy() -> dict[str, ModuleType]:
    """A second copy of the service, whose catalogue has the marker game too."""
    return copy_of_the_service()


@pytest.fixture
def garden(
    service_copy: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch, truth: Truth, store: StoreServer
) -> Garden:
    return Garden(service_copy, monkeypatch, truth, store.url)
