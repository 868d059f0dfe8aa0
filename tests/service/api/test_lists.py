"""The lobby and one's own matches: what they show, and to whom."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from flask import Flask
from support.clients import Client, InProcess, seated
from support.lists import LISTS, House, grow_old, items, link, lobby, mine
from support.truth import Truth

from service.match import Match


@pytest.fixture(scope="module")
def house(app: Flask) -> House:
    return House(Client(InProcess(app.test_client())))


GAMES = ("kabale", "verraeter", "inside_job")


def every(*statuses: str, games: tuple[str, ...] = GAMES) -> set[str]:
    return {f"{game} {status}" for game in games for status in statuses}


# --- filters ---


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", every("open", "playing", "cancelled")),
        ("?status=open", every("open")),
        ("?status=playing", every("playing")),
        ("?status=cancelled", every("cancelled")),
        ("?status=finished", set()),
        ("?game=kabale", every("open", "playing", "cancelled", games=("kabale",))),
        ("?game=inside_job&status=playing", {"inside_job playing"}),
        ("?has_open_seat=true", every("open")),
        ("?has_open_seat=false", every("playing", "cancelled")),
        ("?has_open_seat=true&status=open&game=verraeter", {"verraeter open"}),
        ("?has_open_seat=true&status=playing", set()),
        ("?has_open_seat=false&status=open", set()),
    ],
)
def test_the_lobby_shows_public_matches_by_its_filters(house: House, visitor: Client, query: str, shown: set[str]):
    for who in (visitor, house.ada, house.ben):
        assert house.named(lobby(who, f"{query or '?'}&limit=100".replace("?&", "?"))) == shown


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", every("open", "playing") | {"private open", "private playing"}),
        ("?status=open", every("open") | {"private open"}),
        ("?status=playing", every("playing") | {"private playing"}),
        ("?status=cancelled", set()),
        ("?status=finished", set()),
        ("?waiting_on_me=true&status=open", set()),
    ],
)
def test_my_matches_are_those_with_a_seat_of_mine(house: House, query: str, shown: set[str]):
    assert house.named(mine(house.ada, query)) == shown


@pytest.mark.parametrize("status", ["", "&status=playing", "&status=open"])
def test_whom_a_match_waits_for(house: House, status: str):
    for who in (house.ada, house.ben):
        cards = items(who, "listMyMatches", f"?limit=100{status}")
        waiting = [card["match"] for card in cards if card["seat"] in card["waiting_on"]]
        assert mine(who, f"?waiting_on_me=true{status}") == waiting
        others = [card["match"] for card in cards if card["match"] not in waiting]
        assert mine(who, f"?waiting_on_me=false{status}") == others
    assert mine(house.ada, "?waiting_on_me=true") + mine(house.ben, "?waiting_on_me=true")


def test_whoever_has_no_match_has_an_empty_list(visitor: Client):
    answer = visitor.become("Newcomer").call("listMyMatches")
    assert answer.body == {"items": [], "next_cursor": None}
    assert "Link" not in answer.headers


# --- cards ---


def test_a_card_in_a_list_is_the_card_itself(house: House, visitor: Client):
    for who, operation in [(house.ada, LISTS[1]), (house.ben, LISTS[1]), (house.ada, LISTS[0]), (visitor, LISTS[0])]:
        shown = {card["match"]: card for card in items(who, operation, "?limit=100")}
        known = set(shown) & set(house.all.values())
        assert len(known) >= 4
        for match in known:
            assert shown[match] == who.card(match)


def test_a_join_code_is_shown_to_players_and_to_nobody_else(house: House, visitor: Client):
    cards = {card["match"]: card["join_code"] for card in items(house.ada, "listMyMatches", "?limit=100")}
    assert cards.pop(house.all["private open"]) == house.code
    assert set(cards.values()) == {None}
    for who in (visitor, house.ada, house.ben):
        assert {card["join_code"] for card in items(who, "listMatches", "?limit=100")} == {None}


def test_nothing_secret_is_in_a_list(house: House, visitor: Client, truth: Truth):
    """No ids of players, not even of one's own; no seeds, no codes for strangers, no private matches."""
    records = [truth.match(match) for match in house.all.values()]
    players = {seated.player for record in records for seated in record.seats if seated and seated.player}
    seeds = {form for record in records for form in (record.seed.hex(), repr(record.seed))}
    hidden = {house.all["private open"], house.all["private playing"], house.code}
    assert len(players) >= 3
    for who, operation in itertools.product((visitor, house.ada, house.ben), LISTS):
        if who is visitor and operation == "listMyMatches":
            continue
        query = "?limit=3"
        while query:
            answer = who.call(operation, query=query)
            told = answer.raw.decode() + str(answer.headers)
            assert not [secret for secret in players | seeds if secret in told]
            if operation == "listMatches":
                assert not [secret for secret in hidden if secret in told]
            query = f"?{urlsplit(link(answer)).query}" if answer.body["next_cursor"] else ""


# --- what is in whose list, as a match goes on ---


def test_a_match_moves_through_the_lists_as_it_goes_on(visitor: Client):
    ada, ben, cleo = (visitor.become(name) for name in ("Ada", "Ben", "Cleo"))

    def statuses(match: str) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for name, client in {"ada": ada, "ben": ben, "cleo": cleo}.items():
            found[name] = next((c["status"] for c in items(client, "listMyMatches") if c["match"] == match), None)
            for status in ("open", "playing", "finished", "cancelled"):
                assert (match in mine(client, f"?status={status}")) == (found[name] == status)
        in_lobby = [s for s in ("open", "playing", "finished", "cancelled") if match in lobby(cleo, f"?status={s}")]
        assert len(in_lobby) == 1
        return found | {"lobby": in_lobby[0]}

    match = ada.create("kabale", 2)
    assert statuses(match) == {"ada": "open", "ben": None, "cleo": None, "lobby": "open"}
    ada.call("leaveMatch", match=match)
    assert statuses(match) == {"ada": None, "ben": None, "cleo": None, "lobby": "cancelled"}

    match = ada.create("kabale", 3)
    ben.join(match)
    assert statuses(match) == {"ada": "open", "ben": "open", "cleo": None, "lobby": "open"}
    for _ in range(3):  # within the grace, in which nothing of this is taken out of the index
        ben.call("leaveMatch", match=match)
        assert statuses(match) == {"ada": "open", "ben": None, "cleo": None, "lobby": "open"}
        ben.join(match)
        assert statuses(match) == {"ada": "open", "ben": "open", "cleo": None, "lobby": "open"}
    cleo.join(match)
    assert statuses(match) == {"ada": "playing", "ben": "playing", "cleo": "playing", "lobby": "playing"}
    ben.call("leaveMatch", match=match)
    assert statuses(match) == {"ada": "playing", "ben": None, "cleo": "playing", "lobby": "playing"}
    for client in (ada, cleo):
        client.call("leaveMatch", match=match)
    assert statuses(match) == {"ada": None, "ben": None, "cleo": None, "lobby": "cancelled"}


def test_a_finished_match_stays_with_its_players(visitor: Client):
    match, players = seated(visitor, "kabale", 2)
    chance = random.Random(1)
    while waiting_on := players[0].card(match)["waiting_on"]:
        player = players[waiting_on[0]]
        assert mine(player, "?waiting_on_me=true") == [match]
        assert mine(players[1 - waiting_on[0]], "?waiting_on_me=true") == []
        decision = player.view(match)["you"]["decision"]
        player.move(match, decision["id"], chance.choice(decision["legal_moves"]))
    for player in players:
        assert mine(player) == mine(player, "?status=finished") == [match]
        assert mine(player, "?status=playing") == mine(player, "?waiting_on_me=true") == []
    assert match in lobby(visitor, "?status=finished&game=kabale")
    assert match not in lobby(visitor, "?status=playing&limit=100")


def test_an_ordinary_move_writes_no_index(visitor: Client, truth: Truth):
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    before = index_entries(truth)
    assert players[seat].move(match, 1, decision["legal_moves"][0]).status == 200
    assert index_entries(truth) == before


def index_entries(truth: Truth) -> dict[bytes, Any]:
    return {key: truth.redis.zrange(key, 0, -1, withscores=True) for key in truth.redis.keys("index:*")}


def test_every_index_has_a_time_to_live(house: House, visitor: Client, truth: Truth):
    """Regression 20: no key without one."""
    visitor.become("Ada").create(move_seconds=60)
    lobby(visitor)
    found = truth.redis.keys("index:*") + truth.redis.keys("code:*")
    assert any(b"lobby" in key for key in found)
    assert any(b"player" in key for key in found)
    assert any(key.startswith(b"code") for key in found)
    longest = 2 * 60 * 24 * 3600
    for key in found:
        left = truth.redis.ttl(key)
        assert left != -1, "without an end"
        assert left <= longest


def overwrite(truth: Truth, match: str, change: Callable[[Match], object]) -> None:
    record = truth.match(match)
    change(record)
    truth.overwrite(match, match=msgspec.msgpack.encode(record))


# --- what cannot be read ---


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda truth, match: truth.overwrite(match, match=b"\xc1"), id="garbled"),
        pytest.param(lambda truth, match: truth.overwrite(match, match=b""), id="empty"),
        pytest.param(
            lambda truth, match: overwrite(truth, match, lambda m: setattr(m, "rules_version", 99)), id="other rules"
        ),
        pytest.param(lambda truth, match: overwrite(truth, match, lambda m: setattr(m, "game", "go")), id="other game"),
    ],
)
def test_a_match_that_cannot_be_read_is_skipped_and_kept(visitor: Client, truth: Truth, change: Any):
    """Another version of the service may read it."""
    ada = visitor.become("Ada")
    matches = [ada.create("kabale", 2) for _ in range(3)]
    intact = truth.redis.hget(f"match:{{{matches[1]}}}:record", "match")
    change(truth, matches[1])
    grow_old(truth)
    assert sorted(mine(ada)) == sorted([matches[0], matches[2]])
    assert not {matches[1]} & set(lobby(visitor, "?game=kabale&status=open"))
    truth.overwrite(matches[1], match=intact)
    assert sorted(mine(ada)) == sorted(matches)
    assert matches[1] in lobby(visitor, "?game=kabale&status=open")


def test_a_match_that_has_expired_leaves_the_lists(visitor: Client, truth: Truth):
    ada = visitor.become("Ada")
    gone, stays = ada.create(), ada.create()
    truth.redis.delete(*truth.keys_of(gone))
    for _ in range(2):
        assert mine(ada) == [stays]
        assert gone not in lobby(visitor, "?status=open")
        assert any(gone.encode() in member for member in all_members(truth)), "perhaps it is about to be written"
        grow_old(truth)
        mine(ada)
        lobby(visitor, "?status=open")
        if not any(gone.encode() in member for member in all_members(truth)):
            break
    assert not any(gone.encode() in member for member in all_members(truth))
    assert any(stays.encode() in member for member in all_members(truth))


def all_members(truth: Truth) -> list[bytes]:
    return [member for key in truth.redis.keys("index:*") for member in truth.redis.zrange(key, 0, -1)]
