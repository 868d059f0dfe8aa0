"""Clients that are generated and checked once for all processes that run the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from clients import harness
from clients.once import once


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if own.name.startswith("popen-") else own) / "clients"


@pytest.fixture(scope="session")
def generated(workshop: Path) -> Callable[[str], Path]:
    """Gives the folder of a client of the contract, in a language."""
    return lambda language: once(workshop / language, lambda folder: harness.generate(language, folder))


@pytest.fixture(scope="session")
def built(workshop: Path, generated: Callable[[str], Path]) -> Callable[[str], Path]:
    """Gives the folder of a client that has passed its checks and is ready to play."""

    def build(language: str) -> Path:
        folder = generated(language)
        once(workshop / f"{language}-checked", lambda _: harness.check(language, folder))
        return folder

    return build
