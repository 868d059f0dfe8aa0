"""Everything in the store ends by itself, as the table in ``docs/operations.md`` says."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from support.clients import Client, InProcess, play_on, seated
from support.settings import settings_on
from support.store import StoreServer
from support.truth import Truth

from service.app import Parts, create_app
from service.store import keys

OPERATIONS = Path(__file__).parents[2] / "docs" / "operations.md"

SETTINGS = {"open_lifetime": 1000, "playing_lifetime": 3000, "finished_lifetime": 2000, "stream_heartbeat": 20.0}
INDEX = 2 * 3000
LONGEST = {
    "match:{…}:record": 3000,
    "match:{…}:events": 3000,
    "match:{…}:moves": 3000,
    "index:{…}": INDEX,
    "index:{…}:announced": INDEX,
    "code:{…}": INDEX,
    "match:{…}:streams:…": 44,
    "turncoat:count:…": 3600,
    "turncoat:sweeper": 1,
    "turncoat:readiness": 10,
}
"""The longest that each kind of key may live with these settings, worked out from the table by hand."""


@pytest.fixture(scope="module")
def used() -> Iterator[Truth]:
    """A store of which everything was asked that there is."""
    with closing(StoreServer()) as server:
        server.start()
        app = create_app(settings_on(server.url, limits=True, **SETTINGS))
        use(app)
        truth = Truth(server.url)
        yield truth
        truth.redis.close()


def use(app: Flask) -> None:
    visitor = Client(InProcess(app.test_client()))
    match, players = seated(visitor, "kabale", 2, move_seconds=60)
    play_on(match, players, random.Random(1), moves=3)
    over, players = seated(visitor, "inside_job", 3)
    play_on(over, players, random.Random(1))
    players[0].call("createMatch", {"game": "kabale", "seats": 2, "visibility": "private"})
    players[1].call("joinByCode", {"join_code": "AAAAAAAA"})
    app.test_client().get("/readyz")
    parts: Parts = app.extensions["turncoat"]
    parts.background._tick()  # looks for overdue decisions once
    parts.streams.leases.take(match, "somebody")


def documented() -> list[str]:
    """The keys of the table, in its order."""
    table = OPERATIONS.read_text().split("## What is kept, and how long")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name).replace("…", "[^{}]+"))


def test_the_table_has_every_kind_of_key():
    assert documented() == list(LONGEST)


def test_every_key_is_of_a_kind_and_ends_in_time(used: Truth):
    found = {key.decode() for key in used.all_keys()}
    for key in found:
        kinds = [name for name in documented() if pattern(name).fullmatch(key)]
        assert len(kinds) == 1, key
        left = used.redis.pttl(key)
        assert left == -2 or 0 < left <= LONGEST[kinds[0]] * 1000, key
    seen = {name for name in documented() for key in found if pattern(name).fullmatch(key)}
    assert seen == set(LONGEST) - {"turncoat:sweeper"}, "whose key is left out above"


def test_a_match_lives_as_long_as_its_status_says(used: Truth):
    by_status = {used.match(match).status: used.redis.ttl(keys.record(match)) for match in used.matches()}
    assert {status: round(left, -2) for status, left in by_status.items()} == {
        "open": 1000,
        "playing": 3000,
        "finished": 2000,
    }
