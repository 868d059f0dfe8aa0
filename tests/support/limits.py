"""Applications with rate limits, and a clock that the tests turn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from flask import Flask

from service.app import create_app
from service.limiter import Limiter
from service.settings import default_rates
from support.settings import settings_on
from support.store import PATIENCE


class Clock:
    """A time that stands still until it is moved. It begins now, as tokens do not know of it."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def limited_app(url: str, clock: Clock, **settings: object) -> Flask:
    """An application whose rate limits go by ``clock``; those that are not given are off.

    It waits for its counters as long as it takes, unless that is what is tested.
    """
    off = dict.fromkeys(default_rates(), "")
    app = create_app(settings_on(url, **{"limits": True, "limits_timeout": PATIENCE, **off, **settings}))
    limiter = limiter_of(app)
    if limiter is not None:
        limiter._clock = clock
    return app


def limiter_of(app: Flask) -> Limiter:
    return app.extensions["turncoat"].limiter


class Quota(NamedTuple):
    """What the two headers say of one limit."""

    amount: int
    window: int
    left: int
    resets_in: int


def quotas(headers: Mapping[str, str]) -> dict[str, Quota]:
    """Read both headers, strictly; nothing where there are none."""
    assert ("RateLimit" in headers) == ("RateLimit-Policy" in headers)
    if "RateLimit" not in headers:
        return {}
    policies, standings = headers["RateLimit-Policy"].split(", "), headers["RateLimit"].split(", ")
    found = {}
    for policy, standing in zip(policies, standings, strict=True):
        name, amount, window = re.fullmatch(r'"([a-z0-9-]+)";q=(\d+);w=(\d+)', policy).groups()
        again, left, resets_in = re.fullmatch(r'"([a-z0-9-]+)";r=(\d+);t=(\d+)', standing).groups()
        assert again == name
        found[name] = Quota(int(amount), int(window), int(left), int(resets_in))
    assert len(found) == len(policies)
    return found
