"""The use cases of finding matches, on a real store: how much they read, and what they believe."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import msgspec
import pytest
from redis import Redis
from support.store import PATIENCE, StoreServer

from engine.catalogue import GAMES
from service.entries import Entry, Found, Place, entries, lobby, of_player
from service.lists import MOST_READ, Lists, Page
from service.match import Match, Seated, new_id
from service.problems import Problem
from service.store import Indexes, MatchStore, connect, keys

HOUR = 3600
_players = (f"player-{number}" for number in itertools.count())


class Counting(Indexes):
    """Indexes that count what is found, and how often."""

    trips = 0
    found = 0

    def newest(self, names: Sequence[str], after: Place | None, count: int) -> Found:
        found = super().newest(names, after, count)
        self.trips += 1
        self.found += len(found.places)
        return found


class World:
    def __init__(self, connection: Redis) -> None:
        self.redis = connection
        self.store = MatchStore(connection)
        self.indexes = Counting(connection, 24 * HOUR)
        self.lists = Lists(self.store, self.indexes, GAMES, 3)

    def put(self, player: str, /, *, at: int = 1000, announced: bool = True, stored: bool = True, **more: Any) -> Match:
        """A match with this player in it."""
        match = a_match(player, at, **more)
        if announced:
            self.indexes.announce(entries(match))
        if stored:
            self.write(match)
        return match

    def write(self, match: Match) -> None:
        self.redis.hset(keys.record(match.match), mapping={"version": 1, "match": msgspec.msgpack.encode(match)})
        self.redis.expire(keys.record(match.match), HOUR)

    def mine(self, player: str, *, limit: int = 100, after: str | None = None, **filters: Any) -> Page:
        return self.lists.of_player(
            player, **{"status": None, "waiting_on_me": None, **filters}, after=after, limit=limit
        )

    def grow_old(self, *names: str) -> None:
        for name in names:
            for member in self.redis.zrange(keys.announced(name), 0, -1):
                self.redis.zincrby(keys.announced(name), -HOUR, member)


def a_match(player: str, at: int, **more: Any) -> Match:
    usual: dict[str, Any] = {
        "match": new_id(),
        "game": "kabale",
        "rules_version": GAMES["kabale"].rules_version,
        "name": None,
        "options": {},
        "visibility": "private",
        "seats": [None, Seated(player=player, name="Ada")],
        "capacity": 2,
        "creator": player,
        "seed": b"",
        "status": "open",
        "created_at": at,
        "expires_at": at + HOUR,
    }
    return Match(**usual | more)


PLAYING = {"status": "playing", "started_at": 2000}


@pytest.fixture(scope="module")
def own_server() -> Iterator[StoreServer]:
    """These matches are no real ones; nobody else should find them in a lobby."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def world(own_server: StoreServer) -> Iterator[World]:
    with closing(connect(own_server.url, PATIENCE, 4)) as connection:
        yield World(connection)


@pytest.fixture
def player() -> str:
    return next(_players)


# --- how much is read ---


def test_a_full_page_is_read_in_one_trip(world: World, player: str):
    for _ in range(50):
        world.put(player)
    page = world.mine(player, limit=20)
    assert len(page.matches) == 20
    assert page.next_cursor
    assert (world.indexes.trips, world.indexes.found) == (1, 21)


@pytest.mark.parametrize("limit", [1, 20, 100])
def test_what_the_filters_leave_out_is_read_in_bounds(world: World, player: str, limit: int):
    """A page may come short, or empty, and says where to go on."""
    for at in range(3 * MOST_READ):
        world.put(player, at=at, **PLAYING, waiting_on=[0] if at else [1])
    page = world.mine(player, limit=limit, waiting_on_me=True)
    assert page.matches == []
    assert page.next_cursor
    assert MOST_READ <= world.indexes.found <= MOST_READ + 101
    pages = 1
    while page.next_cursor:
        page = world.mine(player, limit=limit, waiting_on_me=True, after=page.next_cursor)
        pages += 1
        assert pages < 10
    assert [match.created_at for match in page.matches] == [0]


def test_wrong_entries_are_read_in_bounds_and_dropped_for_good(world: World, player: str):
    wrong = [Entry(of_player(player, "open"), 5000, f"gone-{number}") for number in range(2 * MOST_READ)]
    world.indexes.announce(wrong)
    right = world.put(player)
    world.grow_old(of_player(player, "open"))
    page = world.mine(player, limit=10)
    assert page.matches == []
    assert page.next_cursor
    assert world.indexes.found <= MOST_READ + 101
    for _ in range(3):
        page = world.mine(player, limit=10)
    assert page.matches == [right]
    assert page.next_cursor is None
    assert world.indexes.size([of_player(player, "open")]) == 1


def test_no_filter_that_nothing_can_pass_asks_the_store(world: World):
    page = world.lists.public(game=None, status="playing", has_open_seat=True, after=None, limit=20)
    assert page == Page([], None)
    assert world.indexes.trips == 0


def test_no_page_is_empty_if_it_can_be_known(world: World, player: str):
    """What comes after the page is looked at for something that passes the filters."""
    for at in range(60):
        world.put(player, at=at, **PLAYING, waiting_on=[1] if at >= 40 else [0])
    page = world.mine(player, limit=20, waiting_on_me=True)
    assert len(page.matches) == 20
    assert page.next_cursor is None


# --- what is believed ---


@pytest.mark.parametrize("old", [False, True])
def test_an_entry_that_the_match_contradicts_is_not_believed(world: World, player: str, old: bool):
    others: list[dict[str, Any]] = [
        {"seats": [Seated(player="another", name="Ben"), None]},
        {"seats": [None, Seated(player=None, name="Ada")], **PLAYING},
        {"status": "cancelled", "finished_at": 2000, "seats": [None, None]},
    ]
    for change in others:
        before = world.put(player)
        world.write(msgspec.structs.replace(before, **change))
    right = world.put(player)
    if old:
        world.grow_old(of_player(player, "open"))
    assert world.mine(player).matches == [right]
    assert world.indexes.size([of_player(player, "open")]) == (1 if old else 4)


def test_what_is_announced_is_not_there_before_it_is_written_and_then_is(world: World, player: str):
    match = world.put(player, stored=False)
    for _ in range(3):
        assert world.mine(player).matches == []
    world.write(match)
    assert world.mine(player).matches == [match]


def test_a_match_that_is_about_to_start_is_shown_once(world: World, player: str):
    """It is in two indexes, one of which is right: the first before the write, the second after it."""
    match = world.put(player)
    running = msgspec.structs.replace(match, **PLAYING)
    world.indexes.announce(entries(running))
    assert world.mine(player).matches == [match]
    assert world.mine(player, status="playing").matches == []
    world.write(running)
    assert world.mine(player).matches == [running]
    assert world.mine(player, status="open").matches == []
    assert world.mine(player, limit=1).matches == [running]


def test_a_private_match_is_not_believed_to_be_public(world: World, player: str):
    """Whatever has brought it into the lobby."""
    match = world.put(player)
    world.indexes.announce([Entry(lobby("kabale", "open"), match.created_at, match.match)])
    page = world.lists.public(game="kabale", status="open", has_open_seat=None, after=None, limit=100)
    assert match.match not in {shown.match for shown in page.matches}


def test_of_two_attempts_to_start_a_match_one_is_believed(world: World, player: str):
    """Both announced it, each with its own time; the match has one of them."""
    match = world.put(player, visibility="public")
    attempts = [msgspec.structs.replace(match, status="playing", started_at=at) for at in (2001, 2000)]
    for attempt in attempts:
        world.indexes.announce(entries(attempt))
    world.write(attempts[1])
    page = world.lists.public(game="kabale", status="playing", has_open_seat=None, after=None, limit=100)
    assert [shown for shown in page.matches if shown.match == match.match] == [attempts[1]]


# --- how many ---


def test_few_matches_are_counted_without_reading_any(world: World, player: str):
    for _ in range(2):
        world.put(player)
    assert world.lists.count_unfinished(player, 3) == 2
    assert world.indexes.trips == 0


def test_only_what_is_not_over_counts(world: World, player: str):
    for more in ({}, PLAYING, PLAYING):
        world.put(player, **more)
    for _ in range(10):
        world.put(player, status="finished", started_at=2000, finished_at=3000)
    assert world.lists.count_unfinished(player, 100) == 3
    assert world.lists.count_unfinished(player, 3) == 3
    assert world.lists.count_unfinished(player, 2) == 2


def test_what_is_not_there_does_not_count_when_it_matters(world: World, player: str):
    matches = [world.put(player) for _ in range(2)]
    for _ in range(5):
        world.put(player, stored=False)
    assert world.lists.count_unfinished(player, 3) == 2
    assert world.lists.count_unfinished(player, 2) == 2
    assert world.lists.count_unfinished(player, 2, besides=matches[0].match) == 1
    world.lists.check_room(player, "new")
    world.put(player, **PLAYING)
    with pytest.raises(Problem) as refused:
        world.lists.check_room(player, "new")
    assert refused.value.code == "too-many-matches"


def test_counting_reads_in_bounds(world: World, player: str):
    """Whoever has left hundreds of matches within a minute waits until these are dropped."""
    world.indexes.announce(Entry(of_player(player, "open"), 1, f"gone-{number}") for number in range(3 * MOST_READ))
    with pytest.raises(Problem):
        world.lists.check_room(player, "new")
    assert world.indexes.found <= MOST_READ + 100
    world.grow_old(of_player(player, "open"))
    for _ in range(3):
        world.lists.count_unfinished(player, 3)
    world.lists.check_room(player, "new")
