"""Answers that wait for something new: ``Prefer: wait=25``."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask
from redis import Redis
from support import draining
from support.clients import Answer, Client, InProcess, play_on, seated
from support.store import PATIENCE, StoreServer, eventually

from service.api import waiting
from service.store import keys

APPLIED = "Preference-Applied"
LONG = 60


class Waiters:
    """Requests that wait, each on a thread and with a test client of its own."""

    def __init__(self, app: Flask, threads: ThreadPoolExecutor) -> None:
        self._app = app
        self._threads = threads
        self._feed = app.extensions["turncoat"].following._feed

    def __call__(self, who: Client, operation: str, match: str, seconds: int = LONG, **how: Any) -> Future[Answer]:
        """A request that waits for something other than what its sender has now; it waits when this returns."""
        how.setdefault("headers", {})
        if operation == "listEvents":
            how.setdefault("query", f"?after={who.call(operation, match=match, query='?limit=1').body['latest']}")
        else:
            how["headers"] = {"If-None-Match": who.call(operation, match=match).headers["ETag"], **how["headers"]}
        how["headers"]["Prefer"] = f"wait={seconds}"
        client = Client(InProcess(self._app.test_client()), who.token)
        before = self.listeners(match)
        answer = self._threads.submit(client.call, operation, match=match, **how)
        eventually(lambda: answer.done() or self.listeners(match) > before, "somebody who waits")
        return answer

    def for_matches(self, who: Client, query: str = "", seconds: int = LONG) -> Future[Answer]:
        """A request that waits for something other than the matches that its sender has now."""
        etag = who.call("listMyMatches", query=query).headers["ETag"]
        client = Client(InProcess(self._app.test_client()), who.token)
        headers = {"If-None-Match": etag, "Prefer": f"wait={seconds}"}
        channel = keys.player_changes(who.call("getMe").body["player"])
        before = self._listening(channel)
        answer = self._threads.submit(client.call, "listMyMatches", query=query, headers=headers)
        eventually(lambda: answer.done() or self._listening(channel) > before, "somebody who waits")
        return answer

    def listeners(self, match: str) -> int:
        return self._listening(keys.changes(match))

    def _listening(self, name: str) -> int:
        channel = self._feed._channels.get(name.encode())
        return 0 if channel is None else len(channel.listeners)


@pytest.fixture
def waiters(app: Flask) -> Iterator[Waiters]:
    with ThreadPoolExecutor(16) as threads:
        yield Waiters(app, threads)


@pytest.fixture
def table(visitor: Client) -> tuple[str, list[Client]]:
    return seated(visitor)


def move(match: str, players: list[Client]) -> Answer:
    (seat,) = players[0].card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    answer = players[seat].move(match, decision["id"], decision["legal_moves"][0])
    assert answer.status == 200
    return answer


FOLLOWED = ["getView", "getMatch", "listEvents"]


# --- what ends a wait ---


@pytest.mark.parametrize("operation", FOLLOWED)
def test_a_move_ends_the_wait_of_all(visitor: Client, table, waiters: Waiters, operation: str):
    match, players = table
    waits = [waiters(who, operation, match) for who in (visitor, *players)]
    assert not any(wait.done() for wait in waits)
    move(match, players)
    for who, wait in zip((visitor, *players), waits, strict=True):
        answer = wait.result(PATIENCE)
        assert answer.status == 200
        assert answer.headers[APPLIED] == f"wait={LONG}"
        if operation == "listEvents":
            assert answer.body["items"]
            assert answer.body["items"][-1]["number"] == answer.body["latest"]
        else:
            now = who.call(operation, match=match)
            assert (answer.raw, answer.headers["ETag"]) == (now.raw, now.headers["ETag"])


@pytest.mark.parametrize("game", ["verraeter", "kabale", "inside_job"])
@pytest.mark.parametrize("operation", ["getView", "listEvents"])
def test_everybody_who_waits_sees_their_own(visitor: Client, waiters: Waiters, game: str, operation: str):
    """Though one reads for all."""
    match, players = seated(visitor, game)
    everybody, differed, chance = (visitor, *players), 0, random.Random(2)
    for _ in range(12):
        after = visitor.call("listEvents", match=match, query="?limit=1").body["latest"]
        waits = [waiters(who, operation, match) for who in everybody]
        play_on(match, players, chance, moves=1)
        query = f"?after={after}" if operation == "listEvents" else ""
        answers = [wait.result(PATIENCE).raw for wait in waits]
        assert answers == [who.call(operation, match=match, query=query).raw for who in everybody]
        differed += len(set(answers)) > 1
    assert differed


@pytest.mark.parametrize("operation", FOLLOWED)
def test_nothing_new_is_answered_at_the_end_of_the_wait(table, waiters: Waiters, operation: str):
    match, players = table
    begun = time.monotonic()
    answer = waiters(players[0], operation, match, seconds=1).result(PATIENCE)
    assert time.monotonic() - begun >= 1
    assert answer.headers[APPLIED] == "wait=1"
    if operation == "listEvents":
        assert (answer.status, answer.body["items"]) == (200, [])
    else:
        assert (answer.status, answer.raw) == (304, b"")
        assert answer.headers["ETag"] == players[0].call(operation, match=match).headers["ETag"]


def test_a_join_and_the_start_end_the_wait_for_an_open_match(visitor: Client, waiters: Waiters):
    ada, eve, bob = (visitor.become(name) for name in ("Ada", "Eve", "Bob"))
    match = ada.create(seats=3)
    card, events = waiters(ada, "getMatch", match), waiters(visitor, "listEvents", match)
    eve.join(match)
    assert card.result(PATIENCE).body["seats"][1]["name"] == "Eve"
    assert not events.done(), "nothing has happened yet that the log tells of"
    bob.join(match)
    assert events.result(PATIENCE).body["status"] == "playing"


def test_the_end_of_a_match_without_an_event_ends_the_wait_for_events(visitor: Client, waiters: Waiters):
    """When all have left before the start."""
    ada = visitor.become("Ada")
    match = ada.create()
    wait = waiters(visitor, "listEvents", match)
    assert ada.call("leaveMatch", match=match).status == 204
    answer = wait.result(PATIENCE)
    assert (answer.body["items"], answer.body["status"]) == ([], "cancelled")
    again = waiters(visitor, "listEvents", match)
    assert again.result(PATIENCE).raw == answer.raw, "of a match that is over there is nothing to wait for"


def test_who_leaves_a_private_match_waits_no_longer(visitor: Client, waiters: Waiters):
    ada, eve = visitor.become("Ada"), visitor.become("Eve")
    card = ada.call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private"}).body
    match = card["match"]
    assert eve.call("joinByCode", {"join_code": card["join_code"]}).status == 201
    waits = [waiters(eve, operation, match) for operation in ("getMatch", "listEvents")]
    assert eve.call("leaveMatch", match=match).status == 204
    for wait in waits:
        answer = wait.result(PATIENCE)
        assert (answer.status, answer.code) == (404, "no-such-match")


def test_a_match_that_expires_is_seen_to_be_gone(table, waiters: Waiters, store: StoreServer):
    match, players = table
    wait = waiters(players[0], "getView", match)
    with Redis.from_url(store.url) as client:
        client.delete(keys.record(match))
        client.publish(keys.changes(match), "")
    assert wait.result(PATIENCE).code == "no-such-match"


@pytest.mark.parametrize("operation", FOLLOWED)
def test_a_deadline_ends_the_wait(visitor: Client, waiters: Waiters, operation: str):
    """Whoever waits has a stand-in make the overdue decision: there need be nobody else."""
    match, players = seated(visitor, move_seconds=2)
    wait = waiters(players[0], operation, match)
    answer = wait.result(PATIENCE)
    assert answer.status == 200
    events = players[0].call("listEvents", match=match, query="?limit=100").body
    assert events["latest"] > 0
    assert answer.headers[APPLIED] == f"wait={LONG}"


def test_what_was_read_before_a_deadline_does_not_count_after_it(visitor: Client, waiters: Waiters, store: StoreServer):
    """Nobody has told of a change: it is those who wait that bring it about."""
    match, players = seated(visitor, move_seconds=3)
    waits = [waiters(player, "getView", match) for player in players]
    with Redis.from_url(store.url) as client:
        client.publish(keys.changes(match), "")  # all look once more, and share what they read
    for wait in waits:
        answer = wait.result(PATIENCE)
        assert answer.status == 200
        assert answer.headers["Decision-Deadline"]


# --- all of one's matches ---


def test_one_request_waits_for_all_matches_of_a_player(visitor: Client, waiters: Waiters):
    """A move in one, a new seat in another, and leaving a third."""
    (first, players), (second, others) = seated(visitor), seated(visitor)
    ada = players[0]
    third = ada.create()

    def wait(query: str = "") -> Future[Answer]:
        return waiters.for_matches(ada, query)

    waits = [wait(), wait("?status=open"), wait("?waiting_on_me=true"), wait("?status=finished")]
    move(first, players)
    answer = waits[0].result(PATIENCE)
    assert (answer.status, answer.headers[APPLIED]) == (200, f"wait={LONG}")
    assert answer.raw == ada.call("listMyMatches").raw
    assert not waits[1].done(), "the open match is the one that nobody has joined yet"
    move(second, others)
    assert not waits[3].done()

    again = wait()
    visitor.become("Eve").join(third)
    cards = {card["match"]: card for card in again.result(PATIENCE).body["items"]}
    assert cards[third]["seats"][1]["name"] == "Eve"
    assert waits[1].result(PATIENCE).body["items"][0]["match"] == third

    again = wait()
    assert ada.call("leaveMatch", match=third).status == 204
    assert third not in [card["match"] for card in again.result(PATIENCE).body["items"]]

    play_on(first, players, random.Random(4))
    assert [card["match"] for card in waits[3].result(PATIENCE).body["items"]] == [first]
    assert waits[2].result(PATIENCE).status == 200


def test_the_first_match_of_a_player_ends_the_wait(visitor: Client, waiters: Waiters):
    ada = visitor.become("Ada")
    wait = waiters.for_matches(ada)
    match = ada.create()
    assert [card["match"] for card in wait.result(PATIENCE).body["items"]] == [match]


def test_matches_of_others_do_not_end_the_wait(visitor: Client, waiters: Waiters):
    ada = visitor.become("Ada")
    wait = waiters.for_matches(ada, seconds=1)
    seated(visitor)
    answer = wait.result(PATIENCE)
    assert (answer.status, answer.raw, answer.headers[APPLIED]) == (304, b"", "wait=1")


# --- what does not ---


def test_a_change_that_one_does_not_see_does_not_end_the_wait(visitor: Client, table, waiters: Waiters, app: Flask):
    """Else the answer would tell of it. Somebody leaves who is not asked: cards show it, views and events do not."""
    match, players = table
    (asked,) = players[0].card(match)["waiting_on"]
    leaving, staying = (player for seat, player in enumerate(players) if seat != asked)
    unseen = [waiters(staying, "getView", match), waiters(visitor, "getView", match)]
    unseen += [waiters(staying, "listEvents", match), waiters(visitor, "listEvents", match)]
    card = waiters(staying, "getMatch", match)
    assert leaving.call("leaveMatch", match=match).status == 204
    assert card.result(PATIENCE).status == 200
    # All five were woken by the same message; the others have seen nothing new.
    time.sleep(0.3)
    assert not any(wait.done() for wait in unseen)
    move(match, [player if player is not leaving else staying for player in players])
    assert [wait.result(PATIENCE).status for wait in unseen] == [200] * 4


def test_an_empty_message_does_not_end_the_wait(table, waiters: Waiters, store: StoreServer):
    match, players = table
    waits = [waiters(players[0], operation, match, seconds=2) for operation in FOLLOWED]
    with Redis.from_url(store.url) as client:
        for _ in range(5):
            client.publish(keys.changes(match), "")
            time.sleep(0.1)
    assert [wait.result(PATIENCE).status for wait in waits] == [304, 304, 200]
    assert waits[2].result().body["items"] == []


def test_another_match_does_not_end_the_wait(visitor: Client, table, waiters: Waiters):
    match, players = table
    other, others = seated(visitor)
    wait = waiters(players[0], "getView", match, seconds=1)
    move(other, others)
    assert wait.result(PATIENCE).status == 304


# --- when there is nothing to wait for ---


@pytest.mark.parametrize("operation", FOLLOWED)
def test_what_is_new_already_is_answered_at_once(table, operation: str):
    match, players = table
    headers = {"If-None-Match": '"old"', "Prefer": f"wait={LONG}"}
    answer = players[0].call(operation, match=match, headers=headers)
    assert answer.status == 200
    assert answer.headers[APPLIED] == f"wait={LONG}"


@pytest.mark.parametrize("operation", ["getView", "getMatch"])
def test_without_knowing_what_the_client_has_nobody_waits(table, operation: str):
    match, players = table
    answer = players[0].call(operation, match=match, headers={"Prefer": f"wait={LONG}"})
    assert answer.status == 200
    assert APPLIED not in answer.headers


def test_a_problem_is_answered_at_once(visitor: Client):
    headers = {"If-None-Match": "*", "Prefer": f"wait={LONG}"}
    match = visitor.become("Ada").create()
    assert visitor.call("getView", match=match, headers=headers).code == "not-started"
    for operation in FOLLOWED:
        assert visitor.call(operation, match="nowhere", headers=headers).code == "no-such-match"


def test_who_may_not_see_a_match_learns_nothing_by_waiting(visitor: Client):
    ada = visitor.become("Ada")
    match = ada.call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private"}).body["match"]
    for operation in FOLLOWED:
        answer = visitor.call(operation, match=match, headers={"If-None-Match": "*", "Prefer": f"wait={LONG}"})
        assert answer.code == "no-such-match"


@pytest.mark.parametrize("operation", FOLLOWED)
def test_when_the_process_is_about_to_end_waits_end_and_new_ones_do_not_begin(table, waiters: Waiters, operation: str):
    match, players = table
    wait = waiters(players[0], operation, match)
    with draining.begun():
        assert wait.result(PATIENCE).status == (200 if operation == "listEvents" else 304)
        again = waiters(players[0], operation, match)
        assert again.result(PATIENCE).status == (200 if operation == "listEvents" else 304)
        assert APPLIED not in again.result().headers


def test_readiness_ends_when_the_process_is_about_to_end(app: Flask):
    client = app.test_client()
    assert client.get("/readyz").status_code == 200
    with draining.begun():
        response = client.get("/readyz")
        assert (response.status_code, response.json["code"]) == (503, "draining")
        assert response.headers["Retry-After"]
        assert client.get("/healthz").status_code == 200, "it still lives"
    assert client.get("/readyz").status_code == 200


# --- the header ---


@pytest.mark.parametrize(
    ("preferences", "seconds"),
    [
        *[("wait=1", 1), ("wait=25", 25), ("wait=60", 60), ("WAIT=5", 5), ('wait="5"', 5), (" wait = 5 ", 5)],
        *[("respond-async, wait=10", 10), ("wait=10, respond-async", 10), ("wait=10;x=y", 10), ("wait=007", None)],
        *[("wait=3, wait=4", 3), ("wait=0, wait=4", None), ('return="wait=9", wait=8', 8)],
        *[("wait=0", None), ("wait=61", None), ("wait=-1", None), ("wait=1.5", None), ("wait=1e1", None)],
        *[("wait", None), ("wait=", None), ("wait=x", None), ("", None), (",,", None), ("wait=٣", None)],
        *[("waiting=5", None), ("respond-async", None), ("wait=" + "9" * 5000, None)],
    ],
)
def test_how_long_the_client_prefers_to_wait(preferences: str, seconds: int | None):
    """Preferences are advice (RFC 7240): what cannot be honoured is ignored, and of two equal ones the first counts."""
    assert waiting.seconds(preferences) == seconds


@pytest.mark.parametrize("preference", ["wait=0", "wait=x", "respond-async", ""])
def test_a_preference_that_is_not_honoured_changes_nothing(table, preference: str):
    match, players = table
    for operation in FOLLOWED:
        plain = players[0].call(operation, match=match)
        etag = {"If-None-Match": plain.headers["ETag"]} if "ETag" in plain.headers else {}
        answer = players[0].call(operation, match=match, headers={"Prefer": preference, **etag})
        assert answer.status == (304 if etag else 200)
        assert APPLIED not in answer.headers
