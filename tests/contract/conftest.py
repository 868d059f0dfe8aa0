"""What the tables of strictness are tried on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from support.bench import Bench
from support.clients import Client, InProcess
from support.truth import Truth


@pytest.fixture(scope="module")
def bench(app: Flask, truth: Truth) -> Iterator[Bench]:
    """After all tests, everybody must still see what they saw before the first one."""
    bench = Bench(Client(InProcess(app.test_client())), truth)
    before = bench.shown()
    yield bench
    assert bench.shown() == before
