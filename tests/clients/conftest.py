"""Clients that are generated and checked once for all processes that run the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from clients import harness
from clients.once import once, workshop


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Gives the folder of a client of the contract, in a language."""
    folder = workshop(tmp_path_factory)
    return lambda language: once(folder / language, lambda folder: harness.generate(language, folder))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, generated: Callable[[str], Path]) -> Callable[[str], Path]:
    """Gives the folder of a client that has passed its checks and is ready to play."""

    def build(language: str) -> Path:
        folder = generated(language)
        checked = workshop(tmp_path_factory) / f"{language}-checked"
        once(checked, lambda _: harness.check(language, folder))
        return folder

    return build
