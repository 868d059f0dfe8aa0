"""A small world in which everything happens again just as before: with ids, secrets and a time of its own."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from flask import Flask
from support.clients import InProcess
from support.store import StoreServer
from support.truth import Truth

from service.app import create_app
from service.settings import Settings, TokenKey

BEGINNING = 1_772_640_000.0
"""Noon on the 4th of March 2026, a while ago: the tokens that were made then have ended."""

KEY = TokenKey("examples", "signs nothing but the tokens in the examples of the contract")


class World(NamedTuple):
    """A service, what lies in its store, and a way to call it."""

    app: Flask
    truth: Truth
    transport: InProcess


class _Passing(InProcess):
    """Requests, of which each takes a second of that time."""

    def __init__(self, app: Flask, clock: list[float]) -> None:
        super().__init__(app.test_client())
        self._clock = clock

    def send(self, method, url, headers, data):
        self._clock[0] += 1
        return super().send(method, url, headers, data)


@contextmanager
def world() -> Iterator[World]:
    """The world from its beginning. While it lasts, chance and time in this process are its own."""
    clock, chance = [BEGINNING], random.Random("the examples of the contract")
    store = StoreServer()
    store.start()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "time", lambda: clock[0])
            for name in ("token_bytes", "token_hex", "token_urlsafe", "choice"):
                patch.setattr(secrets, name, _by_chance(name, chance))
            app = create_app(
                Settings(redis_url=store.url, token_keys=(KEY,), id_secret="of the examples alone" * 2, limits=False)
            )
            truth = Truth(store.url)
            yield World(app, truth, _Passing(app, clock))
            truth.redis.close()
    finally:
        store.close()


def _by_chance(name: str, chance: random.Random):
    """What :mod:`secrets` offers under a name, from another source."""
    if name == "choice":
        return chance.choice
    original = secrets.__dict__[name]

    def drawn(size: int) -> bytes | str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(secrets, "token_bytes", chance.randbytes)
            return original(size)

    return chance.randbytes if name == "token_bytes" else drawn
