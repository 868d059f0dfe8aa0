"""The service is stopped and started again: nothing that anybody had is gone."""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.clients import Client, OverHttp, play_on, seated
from support.server import Server, make_folder
from support.store import StoreServer, eventually


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_folder()
    yield path
    shutil.rmtree(path)


def on(server: Server, client: Client) -> Client:
    """The same somebody, now at this server."""
    return Client(OverHttp(server.address), client.token)


def test_stopped_and_started_with_its_own_store(folder: Path):
    """Views, cards, ETags and tokens are as they were (regression 21), and the match goes on."""
    server = Server(folder)
    server.start()
    visitor = server.visitor()
    match, players = seated(visitor, seats=4)
    play_on(match, players, random.Random(4), moves=25)
    waiting = players[0].create(name="Waiting")
    everybody = [visitor, *players]
    before = [(client.call("getView", match=match), client.call("getMatch", match=match)) for client in everybody]

    server.stop()
    again = Server(folder)
    again.start()
    try:
        everybody = [on(again, client) for client in everybody]
        after = [(client.call("getView", match=match), client.call("getMatch", match=match)) for client in everybody]
        for old, new in zip(before, after, strict=True):
            assert [answer.raw for answer in old] == [answer.raw for answer in new]
            assert [answer.headers["ETag"] for answer in old] == [answer.headers["ETag"] for answer in new]
        visitor, *players = everybody
        assert visitor.card(waiting)["status"] == "open"
        play_on(match, players, random.Random(5))
        assert visitor.card(match)["status"] == "finished"
    finally:
        again.stop()


def test_all_workers_are_killed(folder: Path, store: StoreServer):
    """They are replaced; clients notice no more than a broken connection."""
    server = Server(folder, redis_url=store.url)
    server.start()
    try:
        visitor = server.visitor()
        match, players = seated(visitor)
        play_on(match, players, random.Random(6), moves=12)
        before = [client.call("getView", match=match) for client in (visitor, *players)]
        old = server.workers()
        for worker in old:
            os.kill(worker, signal.SIGKILL)
        eventually(lambda: len(server.workers() - old) >= 2, "new workers")
        visitor, *players = [on(server, client) for client in (visitor, *players)]
        after = [client.call("getView", match=match) for client in (visitor, *players)]
        assert [answer.raw for answer in after] == [answer.raw for answer in before]
        play_on(match, players, random.Random(7))
        assert visitor.card(match)["status"] == "finished"
    finally:
        server.stop()
