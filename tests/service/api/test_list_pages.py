"""Lists page by page: their order, cursors, queries, and what caches are told."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from support.clients import Client, InProcess
from support.lists import LISTS, House, items, link, lobby, mine
from support.settings import settings_on
from support.store import StoreServer
from support.truth import Truth

from service.app import create_app


@pytest.fixture(scope="module")
def house(app: Flask) -> House:
    return House(Client(InProcess(app.test_client())))


GAMES = ("kabale", "verraeter", "inside_job")


def every(*statuses: str, games: tuple[str, ...] = GAMES) -> set[str]:
    return {f"{game} {status}" for game in games for status in statuses}


# --- order and pages ---


@pytest.fixture
def own_app() -> Iterator[Flask]:
    """An app whose lobby nobody else uses; with every look at its clock a second passes."""
    server = StoreServer()
    server.start()
    app = create_app(settings_on(server.url))
    archive = app.extensions["turncoat"].matches._archive
    clock = itertools.count(archive.now())
    archive._clock = lambda: next(clock)
    yield app
    server.close()


@pytest.fixture
def first_visitor(own_app: Flask) -> Client:
    """Somebody without a token at that app."""
    return Client(InProcess(own_app.test_client()))


def test_my_newest_matches_come_first_whatever_becomes_of_them(first_visitor: Client):
    visitor = first_visitor
    ada = visitor.become("Ada")
    matches = [ada.create("kabale", 2) for _ in range(6)]
    assert mine(ada) == matches[::-1]
    for match in (matches[0], matches[4]):
        visitor.become("Ben").join(match)
    assert mine(ada) == mine(ada, "?limit=2") == matches[::-1]
    assert [card["status"] for card in items(ada, "listMyMatches")].count("playing") == 2
    assert mine(ada, "?status=playing") == [matches[4], matches[0]]


def test_in_the_lobby_those_come_first_that_changed_their_status_last(first_visitor: Client):
    visitor = first_visitor
    ada = visitor.become("Ada")
    matches = [ada.create("kabale", 3) for _ in range(5)]
    assert lobby(visitor) == lobby(visitor, "?status=open") == matches[::-1]
    ben, cleo = visitor.become("Ben"), visitor.become("Cleo")
    ben.join(matches[2])
    assert lobby(visitor) == matches[::-1], "joining is no change of the status"
    cleo.join(matches[2])
    ben.join(matches[0])
    cleo.join(matches[0])
    ada.call("leaveMatch", match=matches[3])
    assert lobby(visitor) == [matches[place] for place in (3, 0, 2, 4, 1)]
    assert lobby(visitor, "?limit=1") == lobby(visitor)
    assert lobby(visitor, "?status=playing") == [matches[0], matches[2]]


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 9, 10, 100])
def test_the_pages_together_are_the_list(visitor: Client, limit: int):
    ada = visitor.become("Ada")
    matches = [ada.create("kabale", 2) for _ in range(10)]
    found: list[str] = []
    query = f"?limit={limit}&status=open"
    pages = 0
    while query:
        answer = ada.call("listMyMatches", query=query)
        pages += 1
        found += [card["match"] for card in answer.body["items"]]
        more = answer.body["next_cursor"]
        assert len(answer.body["items"]) == (limit if more else 10 - limit * (pages - 1))
        query = f"?{urlsplit(link(answer)).query}" if more else ""
    assert sorted(found) == sorted(matches)
    assert pages == -(-10 // limit), "no page is empty"


def test_without_a_limit_there_are_twenty(visitor: Client):
    ada = visitor.become("Ada")
    for _ in range(21):
        ada.create()
    answer = ada.call("listMyMatches")
    assert len(answer.body["items"]) == 20
    assert len(items(ada, "listMyMatches")) == 21


def test_the_link_keeps_the_filters(visitor: Client):
    ada = visitor.become("Ada")
    for _ in range(3):
        ada.create("kabale", 2)
    answer = ada.call("listMyMatches", query="?status=open&limit=2&waiting_on_me=false")
    assert urlsplit(link(answer)).path == "/v1/players/me/matches"
    assert parse_qs(urlsplit(link(answer)).query) == {
        "status": ["open"],
        "limit": ["2"],
        "waiting_on_me": ["false"],
        "cursor": [answer.body["next_cursor"]],
    }
    answer = visitor.call("listMatches", query="?game=kabale&limit=1&has_open_seat=true")
    assert urlsplit(link(answer)).path == "/v1/matches"
    assert parse_qs(urlsplit(link(answer)).query).keys() == {"game", "limit", "has_open_seat", "cursor"}


def test_paging_while_others_create_and_go_shows_each_match_once(visitor: Client):
    """Each that was there at the start and whose status did not change."""
    ada = visitor.become("Ada")
    stay = [ada.create("inside_job", 3) for _ in range(12)]
    go = [ada.create("inside_job", 3) for _ in range(12)]
    chance = random.Random(3)
    chance.shuffle(go)
    found: list[str] = []
    query = "?game=inside_job&status=open&limit=2"
    while query:
        answer = visitor.call("listMatches", query=query)
        found += [card["match"] for card in answer.body["items"]]
        if go:
            ada.call("leaveMatch", match=go.pop())
            ada.create("inside_job", 3)
        query = f"?{urlsplit(link(answer)).query}" if answer.body["next_cursor"] else ""
    assert len(found) == len(set(found))
    assert set(stay) <= set(found)


def test_a_cursor_outlives_the_match_that_it_names(visitor: Client, truth: Truth):
    ada = visitor.become("Ada")
    for _ in range(4):
        ada.create()
    cards = mine(ada)
    page = ada.call("listMyMatches", query="?limit=2").body
    assert [card["match"] for card in page["items"]] == cards[:2]
    truth.redis.delete(*truth.keys_of(cards[1]))
    rest = ada.call("listMyMatches", query=f"?limit=2&cursor={page['next_cursor']}").body
    assert [card["match"] for card in rest["items"]] == cards[2:]


# --- what cannot be had ---


@pytest.mark.parametrize("operation", LISTS)
@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "%00", "%FF", "..%2F..%2Fetc", "null", "a" * 3000])
def test_a_cursor_that_is_none_is_refused_and_not_repeated(house: House, operation: str, cursor: str):
    answer = house.ada.call(operation, query=f"?cursor={cursor}")
    assert (answer.status, answer.code) == (400, "bad-cursor")
    assert answer.body.keys() == {"type", "title", "status", "code", "instance"}


def test_a_cursor_belongs_to_its_list_and_its_filters(house: House):
    lobby_cursor = house.ada.call("listMatches", query="?limit=1").body["next_cursor"]
    own_cursor = house.ada.call("listMyMatches", query="?limit=1&status=open").body["next_cursor"]
    assert lobby_cursor
    assert own_cursor
    for operation, query in [
        ("listMyMatches", f"?cursor={lobby_cursor}"),
        ("listMatches", f"?cursor={lobby_cursor}&status=open"),
        ("listMatches", f"?cursor={lobby_cursor}&game=kabale"),
        ("listMatches", f"?cursor={lobby_cursor}&has_open_seat=true"),
        ("listMatches", f"?cursor={own_cursor}&status=open"),
        ("listMyMatches", f"?cursor={own_cursor}"),
        ("listMyMatches", f"?cursor={own_cursor}&status=playing"),
        ("listMyMatches", f"?cursor={own_cursor}&status=open&waiting_on_me=false"),
        ("listMyMatches", f"?cursor={own_cursor}&status=open&waiting_on_me=true"),
    ]:
        assert house.ada.call(operation, query=query).code == "bad-cursor"
    assert house.ada.call("listMatches", query=f"?cursor={lobby_cursor}&limit=7").status == 200


@pytest.mark.parametrize(
    ("operation", "query"),
    [
        ("listMatches", "?waiting_on_me=true"),
        ("listMyMatches", "?has_open_seat=true"),
        ("listMyMatches", "?game=kabale"),
        ("listMatches", "?Status=open"),
        ("listMatches", "?player=x"),
        ("listMatches", "?offset=1"),
    ],
)
def test_a_parameter_of_another_list_is_refused(house: House, operation: str, query: str):
    answer = house.ada.call(operation, query=query)
    assert (answer.status, answer.code) == (422, "invalid")


@pytest.mark.parametrize("limit", ["1", "3", "20", "100"])
def test_good_limits(house: House, limit: str):
    for operation in LISTS:
        assert house.ada.call(operation, query=f"?limit={limit}").status == 200


def test_one_s_own_matches_need_a_token(visitor: Client):
    assert visitor.call("listMyMatches").code == "unauthenticated"


# --- caching ---


@pytest.mark.parametrize("operation", LISTS)
def test_a_list_that_one_has_is_not_sent_again(first_visitor: Client, operation: str):
    visitor = first_visitor
    ada = visitor.become("Ada")
    match = ada.create("kabale", 2)
    full = ada.call(operation, query="?limit=1")
    assert full.headers["Cache-Control"] == "private, no-cache"
    assert full.headers["Vary"] == "Authorization"
    etag = full.headers["ETag"]
    assert etag.startswith('"')
    again = ada.call(operation, query="?limit=1", headers={"If-None-Match": f"W/{etag}"})
    assert (again.status, again.raw) == (304, b"")
    assert again.headers["ETag"] == etag
    visitor.become("Ben").join(match)
    assert ada.call(operation, query="?limit=1", headers={"If-None-Match": etag}).status == 200
