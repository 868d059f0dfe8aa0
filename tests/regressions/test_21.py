"""Elsewhere the state was gone or reset after a reconnect.

Here all processes may end, by order or by force: whatever anybody could read before, and every token, is the same
afterwards, and every match goes on to its end.
"""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.clients import OverHttp, play_on
from support.server import Server, make_folder
from support.sitting import Sitting
from support.store import StoreServer, eventually

from engine.catalogue import GAMES


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_folder()
    yield path
    shutil.rmtree(path)


class Evening:
    """A match of each game in its middle, and one that waits for players."""

    def __init__(self, server: Server) -> None:
        self._sittings = [Sitting(server.visitor(), None, game) for game in GAMES.values()]
        for sitting in self._sittings:
            for _ in range(15):
                sitting.move()
        self._waiting = self._sittings[0].players[0].create(name="Waiting")

    def shown(self) -> list[object]:
        """All that everybody can read."""
        who = [(sitting.players[0].call("getMe").raw, sitting.shown()) for sitting in self._sittings]
        return [*who, self._sittings[0].spectator.call("getMatch", match=self._waiting).raw]

    def reconnect(self, server: Server) -> None:
        """Everybody comes back, with the token that they have."""
        for sitting in self._sittings:
            for _, viewer in sitting.viewers:
                viewer.transport = OverHttp(server.address)

    def play_to_the_end(self) -> None:
        for sitting in self._sittings:
            play_on(sitting.match, sitting.players, sitting.chance)
            assert sitting.spectator.card(sitting.match)["status"] == "finished"


def test_stopped_and_started_with_its_own_store(folder: Path):
    """By order, the store too."""
    server = Server(folder)
    server.start()
    evening = Evening(server)
    before = evening.shown()
    server.stop()
    again = Server(folder)
    again.start()
    try:
        evening.reconnect(again)
        assert evening.shown() == before
        evening.play_to_the_end()
    finally:
        again.stop()


def test_all_workers_are_killed(folder: Path, store: StoreServer):
    """By force: they are replaced, and clients notice no more than a broken connection."""
    server = Server(folder, redis_url=store.url)
    server.start()
    try:
        evening = Evening(server)
        before = evening.shown()
        old = server.workers()
        for worker in old:
            os.kill(worker, signal.SIGKILL)
        eventually(lambda: len(server.workers() - old) >= 2, "new workers")
        evening.reconnect(server)
        assert evening.shown() == before
        evening.play_to_the_end()
    finally:
        server.stop()
