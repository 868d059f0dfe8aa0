"""While a service is upgraded, two versions of it work on one store.

The next version is a copy of this one with a field more in every match that it writes, and with new rules for one game.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.clients import Client, OverHttp, play_on, seated
from support.server import ROOT, Server, make_folder
from support.store import StoreServer, eventually
from support.truth import Truth

from engine.catalogue import GAMES
from engine.replay import read, verify

CHANGES = {
    "service/match.py": ("    moves: int = 0\n", "    moves: int = 0\n    note: str | None = None\n"),
    "service/archive.py": (
        "        match.expires_at = ",
        '        match.note = "of the next version"\n        match.expires_at = ',
    ),
    "engine/kabale/rules.py": ("RULES_VERSION = 1\n", "RULES_VERSION = 2\n"),
}
"""What is different in the next version: in each file, one text for another."""


@pytest.fixture(scope="module")
def next_root() -> Iterator[Path]:
    root = make_folder()
    for package in ("engine", "service"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, (old, new) in CHANGES.items():
        text = (root / name).read_text()
        assert text.count(old) >= 1, f"{name} has changed: so must this test"
        (root / name).write_text(text.replace(old, new))
    yield root
    shutil.rmtree(root)


class World:
    """Both versions on one store."""

    def __init__(self, store: StoreServer, folder: Path, next_root: Path) -> None:
        self.truth = Truth(store.url)
        self.old = Server(folder / "old", redis_url=store.url, workers=1)
        self.new = Server(folder / "new", redis_url=store.url, workers=1, root=next_root)

    def at_old(self, player: Client) -> Client:
        return Client(OverHttp(self.old.address), player.token)

    def at_new(self, player: Client) -> Client:
        return Client(OverHttp(self.new.address), player.token)

    def note(self, match: str) -> bool:
        """Whether the next version has written a match."""
        return b"of the next version" in self.truth.stored(match, "match")


@pytest.fixture(scope="module")
def world(next_root: Path) -> Iterator[World]:
    folder = make_folder()
    with closing(StoreServer()) as store:
        store.start()
        for name in ("old", "new"):
            (folder / name).mkdir()
        world = World(store, folder, next_root)
        world.old.start()
        world.new.start()
        yield world
        world.new.stop()
        world.old.stop()
        for server in (world.old, world.new):
            assert "Traceback" not in server.said()
        world.truth.redis.close()
    shutil.rmtree(folder)


def test_the_next_version_takes_over_what_the_old_one_began(world: World):
    match, players = seated(world.old.visitor())
    play_on(match, players, random.Random(1), moves=4)
    there = [world.at_new(player) for player in players]
    assert [player.view(match) for player in there] == [player.view(match) for player in players]
    assert not world.note(match), "reading changes nothing"
    play_on(match, there, random.Random(2))
    verify(*read(there[0].call("getReplay", match=match).raw, GAMES))


def test_what_the_old_version_cannot_read_is_a_clear_problem_and_left_alone(world: World):
    match, players = seated(world.old.visitor())
    play_on(match, [world.at_new(player) for player in players], random.Random(3), moves=2)
    assert world.note(match)
    before = world.truth.everything(match)
    for operation in ("getMatch", "getView", "listEvents", "getReplay", "leaveMatch"):
        answer = players[0].call(operation, match=match)
        assert (answer.status, answer.code) == (409, "unreadable-match"), operation
    assert players[0].move(match, 1, {"type": "pass"}).status in (409, 422)
    assert world.truth.everything(match) == before


def test_other_matches_are_not_touched_by_one_that_cannot_be_read(world: World):
    old = world.old.visitor()
    ada, ben, cleo = (old.become(name) for name in ("Ada", "Ben", "Cleo"))
    readable, unreadable = ada.create(), ada.create()
    assert world.at_new(ben).call("joinMatch", {}, match=unreadable).status == 201
    assert world.note(unreadable)
    assert [card["match"] for card in ada.call("listMyMatches").body["items"]] == [readable]
    assert readable in [card["match"] for card in old.call("listMatches", query="?status=open").body["items"]]
    for player in (ben, cleo):
        player.join(readable)
    play_on(readable, [ada, ben, cleo], random.Random(4))
    assert {card["match"] for card in world.at_new(ada).call("listMyMatches").body["items"]} == {readable, unreadable}


def test_matches_of_older_rules_are_refused_and_kept(world: World):
    match, players = seated(world.old.visitor(), "kabale", 2)
    before = world.truth.everything(match)
    for player in players:
        answer = world.at_new(player).call("getView", match=match)
        assert (answer.status, answer.code) == (409, "unreadable-match")
    assert world.truth.everything(match) == before
    play_on(match, players, random.Random(5))
    assert players[0].card(match)["status"] == "finished", "the old version has them to their end"


def test_who_can_read_a_match_makes_its_overdue_decisions(world: World):
    """The old version's sweeper passes over what it cannot read, and does not take away what the new one looks for."""
    match, _ = seated(world.new.visitor(), move_seconds=1)
    assert world.note(match)
    for number in range(1, 4):  # each has to wait for a turn at sweeping, which the old version has as often
        eventually(lambda number=number: len(world.truth.moves(match)) >= number, f"move {number} of the stand-ins")
