"""Whatever fails while matches are written: no stored match is lost from the lists, and none that is not stays long.

A small life of two matches is played again and again, and each time another command to the store fails: before it is
carried out or when its answer is lost, and after that either the process is dead or its client asks again.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from typing import Any

import msgspec
import pytest
from redis import BlockingConnectionPool, Redis
from support.frail import FrailClient, Moment
from support.store import PATIENCE, StoreServer

from engine.catalogue import GAMES
from engine.kabale.options import KabaleOptions
from service.archive import Archive, Lifetimes
from service.entries import DEADLINES, GRACE, Entry, entries
from service.identity import Player
from service.lists import Lists
from service.match import Match
from service.matches import Matches, NewMatch
from service.problems import Problem
from service.store import Indexes, MatchStore, StoreUnavailable, keys
from service.store.packing import unpacked

HOUR = 3600
KEPT = 1000 * HOUR
ADA, BEN = (Player(id=name, name=name, expires_at=2**40) for name in ("ada", "ben"))


@pytest.fixture(scope="module")
def server() -> Iterator[StoreServer]:
    """A store that is emptied again and again."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


class World:
    """A service on an empty store, and the tests' own look into it."""

    def __init__(self, server: StoreServer, chance: random.Random) -> None:
        self.redis = Redis.from_url(server.url, socket_timeout=PATIENCE)
        self.redis.flushall()
        self.frail = FrailClient(connection_pool=BlockingConnectionPool.from_url(server.url, socket_timeout=PATIENCE))
        self.chance = chance
        self.now = 1_700_000_000
        store, indexes = MatchStore(self.frail), Indexes(self.frail, KEPT)
        archive = Archive(store, indexes, GAMES, Lifetimes(HOUR, HOUR, HOUR), lambda: self.now)
        self.lists = Lists(MatchStore(self.redis), Indexes(self.redis, KEPT), GAMES, 100)
        self.matches = Matches(archive, GAMES, "secret", lambda *_: None)

    def close(self) -> None:
        self.redis.close()
        self.frail.close()

    def live(self, *, again: bool) -> None:
        """Two matches from their creation to their ends.

        Args:
            again: what has failed for want of the store is asked for once more; else that is the end.
        """
        with suppress(StoreUnavailable):
            for step in self._steps():
                self.now += 1
                try:
                    self._attempt(step)
                except StoreUnavailable:
                    if not again:
                        raise
                    self._attempt(step)

    def _attempt(self, step: Callable[[], object]) -> None:
        with suppress(Problem):  # the repeat of what has been done
            step()

    def _steps(self) -> Iterator[Callable[[], object]]:
        for visibility in ("public", "private"):
            wanted = NewMatch("kabale", 3, KabaleOptions(), visibility, None, 60)
            yield partial(self.matches.create, ADA, wanted)
            for match in self.stored():
                if match.status == "open":
                    yield from self._life(match)

    def _life(self, match: Match) -> Iterator[Callable[[], object]]:
        """A player comes, goes and comes again, the match is started and played, and all leave one by one."""
        matches, id_ = self.matches, match.match
        join = partial(matches.join_by_code, match.join_code) if match.join_code else partial(matches.join, id_)
        yield partial(join, BEN, None, "")
        yield partial(matches.leave, id_, BEN)
        yield partial(join, BEN, None, "")
        yield partial(matches.start, id_, ADA, stand_ins=True)
        yield from [partial(self._move, id_)] * 2
        yield partial(matches.leave, id_, ADA)
        yield partial(self._move, id_)
        yield partial(matches.leave, id_, BEN)

    def _move(self, match: str) -> None:
        record = self.record(match)
        for player in (ADA, BEN):
            seat = record.seat_of(player.id)
            if seat is not None and seat in record.waiting_on:
                game = GAMES["kabale"]
                state = game.load(unpacked(self.redis.hget(keys.record(match), "state")))
                move = self.chance.choice(list(game.legal_moves(state, seat)))
                self.matches.act(match, player, record.answered[seat] + 1, move)
                return

    # --- what there is ---

    def record(self, match: str) -> Match:
        return msgspec.msgpack.decode(unpacked(self.redis.hget(keys.record(match), "match")), type=Match)

    def stored(self) -> list[Match]:
        return [
            msgspec.msgpack.decode(unpacked(self.redis.hget(key, "match")), type=Match)
            for key in self.redis.scan_iter("match:*:record")
        ]

    def entered(self) -> set[Entry]:
        """All that is in the indexes."""
        found = set()
        for key in self.redis.keys("index:*}"):
            name = key.decode().removeprefix("index:{").removesuffix("}")
            members = self.redis.zrange(key, 0, -1)
            assert set(self.redis.zrange(keys.announced(name), 0, -1)) == set(members)
            found |= {Entry(name, int(at), match) for at, _, match in (m.decode().partition(":") for m in members)}
        for key in self.redis.keys("code:*"):
            match = self.redis.get(key).decode()
            found.add(Entry("code:" + key.decode()[6:-1], 0, match))
        return found

    def needed(self) -> set[Entry]:
        """All that must be in the indexes."""
        needed = {entry for match in self.stored() for entry in entries(match)}
        return {entry._replace(at=0) if entry.name.startswith("code:") else entry for entry in needed}

    def shown(self) -> dict[str, set[str]]:
        """What the lists show."""
        everything: dict[str, Any] = {"after": None, "limit": 100}
        pages = {
            "lobby": self.lists.public(game=None, status=None, has_open_seat=None, **everything),
            "ada": self.lists.of_player("ada", status=None, waiting_on_me=None, **everything),
            "ben": self.lists.of_player("ben", status=None, waiting_on_me=None, **everything),
        }
        assert all(page.next_cursor is None for page in pages.values())
        return {name: {match.match for match in page.matches} for name, page in pages.items()}

    def to_be_shown(self) -> dict[str, set[str]]:
        """What they must show."""
        stored = self.stored()
        return {
            "lobby": {match.match for match in stored if match.visibility == "public"},
            "ada": {match.match for match in stored if match.seat_of("ada") is not None},
            "ben": {match.match for match in stored if match.seat_of("ben") is not None},
        }

    def grow_old(self) -> None:
        """Pretend that everything was announced a little more than the grace earlier."""
        for key in self.redis.keys("index:*:announced"):
            for member in self.redis.zrange(key, 0, -1):
                self.redis.zincrby(key, -GRACE - 5, member)

    def check(self) -> None:
        """Nothing is missing; what is too much is not shown, and is dropped when it can be nothing but wrong."""
        assert self.needed() <= self.entered()
        assert self.shown() == self.to_be_shown()
        before = self.entered()
        assert self.shown() == self.to_be_shown()
        assert self.entered() == before, "within the grace nothing is dropped"
        self.grow_old()
        assert self.shown() == self.to_be_shown()
        # Deadlines are looked through by whoever plays what is overdue, codes by whoever joins.
        left_over = {entry.name.partition(":")[0] for entry in self.entered() - self.needed()}
        assert left_over <= {DEADLINES, "code"}
        assert self.needed() <= self.entered()
        assert all(0 < self.redis.ttl(key) <= KEPT for key in self.redis.scan_iter("*"))


@pytest.fixture
def worlds(server: StoreServer) -> Iterator[Callable[[], World]]:
    made: list[World] = []

    def make() -> World:
        made.append(World(server, random.Random(7)))
        return made[-1]

    yield make
    for world in made:
        world.close()


def test_where_nothing_fails_the_indexes_are_exact(worlds: Callable[[], World]):
    """But for the seats that were left, which may be taken again within the minute."""
    world = worlds()
    world.live(again=False)
    assert [match.status for match in world.stored()] == ["cancelled", "cancelled"]
    assert world.frail.sent > 50
    assert {entry.name for entry in world.entered() - world.needed()} <= {"player:ada:open", "player:ben:open"}
    world.check()


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("again", [False, True])
def test_no_failure_loses_a_match(worlds: Callable[[], World], moment: Moment, again: bool):
    statuses = set()
    for place in itertools.count(1):
        with closing(worlds()) as world:
            world.frail.fails_at, world.frail.moment, world.frail.dies = place, moment, not again
            world.live(again=again)
            world.check()
            statuses |= {match.status for match in world.stored()}
            if world.frail.sent < place:
                break
    assert place > 50
    assert statuses >= ({"cancelled"} if again else {"open", "playing", "cancelled"})


def test_readers_in_between_take_nothing_away(worlds: Callable[[], World]):
    """Before every single command somebody reads all lists: also between an announcement and its write."""
    world = worlds()
    looks = itertools.count()

    def look() -> None:
        next(looks)
        shown = world.shown()
        assert shown == world.to_be_shown(), "what is announced is not shown before it is written"

    world.frail.between = look
    world.live(again=False)
    assert next(looks) > 50
    world.check()


def test_a_process_that_stands_still_for_a_minute_loses_nothing(worlds: Callable[[], World]):
    """Before every command it does, and in every such minute a reader drops what is announced and not yet written."""
    world = worlds()
    dropped = 0

    def stand_still() -> None:
        nonlocal dropped
        world.now += GRACE + 5
        world.grow_old()
        before = world.entered()
        world.shown()
        dropped += len(before - world.entered())

    world.frail.between = stand_still
    world.live(again=False)
    assert dropped > 5
    world.frail.between = None
    world.check()
