"""Live streams: what they carry, how they go on, and when they end."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from support import draining
from support.clients import Answer, Client, InProcess, play_on, seated
from support.contract import STREAM
from support.settings import settings_on
from support.sse import Sent, comments, parse
from support.store import PATIENCE, StoreServer, eventually
from support.truth import Truth

from service.app import create_app

ACCEPT = {"Accept": STREAM}


class Stream:
    """A stream that a thread reads."""

    def __init__(self, app: Flask, who: Client, match: str, headers: dict[str, str], query: str) -> None:
        token = {} if who.token is None else {"Authorization": f"Bearer {who.token}"}
        self.response = app.test_client().get(f"/v1/matches/{match}/events{query}", headers=ACCEPT | token | headers)
        assert self.response.status_code == 200, self.response.data
        self.raw = b""
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        for chunk in self.response.iter_encoded():
            self.raw += chunk

    @property
    def events(self) -> list[Sent]:
        return parse(self.raw)

    @property
    def ended(self) -> bool:
        return not self._thread.is_alive()

    def has(self, count: int) -> None:
        """Wait until so many events have come."""
        eventually(lambda: len(self.events) >= count, f"{count} events")

    def ends(self) -> list[Sent]:
        """Wait for the end; gives all events."""
        self._thread.join(PATIENCE)
        assert self.ended, "the stream goes on"
        return self.events


Open = Callable[..., Stream]


@contextmanager
def streams_of(app: Flask) -> Iterator[Open]:
    """Opens streams, which end with the process that they think they are in."""
    streams: list[Stream] = []

    def opened(who: Client, match: str, query: str = "", **headers: str) -> Stream:
        streams.append(Stream(app, who, match, headers, query))
        return streams[-1]

    try:
        yield opened
    finally:
        with draining.begun():
            for stream in streams:
                stream.ends()
                stream.response.close()


@pytest.fixture(scope="module")
def lively(store: StoreServer) -> Flask:
    """An application whose streams show often that they live."""
    return create_app(settings_on(store.url, stream_heartbeat=0.2))


@pytest.fixture
def visitor(lively: Flask) -> Client:
    return Client(InProcess(lively.test_client()))


@pytest.fixture
def opened(lively: Flask) -> Iterator[Open]:
    with streams_of(lively) as opened:
        yield opened


def listed(who: Client, match: str) -> list[dict]:
    """All events of a match, from the list."""
    events: list[dict] = []
    while True:
        page = who.call("listEvents", match=match, query=f"?limit=100&after={len(events)}").body
        events += page["items"]
        if len(events) >= page["latest"]:
            return events


# --- what it carries ---


@pytest.mark.parametrize("game", ["verraeter", "kabale", "inside_job"])
def test_everybody_receives_what_the_list_has_for_them(visitor: Client, opened: Open, game: str):
    """From the beginning to the end, each event once, in order, whenever they begin to follow."""
    match, players = seated(visitor, game)
    everybody = [visitor, *players]
    streams = [opened(who, match) for who in everybody]
    play_on(match, players, random.Random(5), moves=40)
    streams += [opened(who, match) for who in everybody]
    play_on(match, players, random.Random(6))
    for who, stream in zip(everybody * 2, streams, strict=True):
        events = stream.ends()
        assert [sent.data for sent in events] == listed(who, match)
        assert [sent.id for sent in events] == list(range(1, len(events) + 1))
    assert len({stream.raw for stream in streams[: len(everybody)]}) == len(everybody), (
        "all know something of their own"
    )


def test_a_stream_may_begin_before_the_match_does(visitor: Client, opened: Open):
    players = [visitor.become(name) for name in ("Ada", "Eve", "Bob")]
    match = players[0].create()
    stream, spectator = opened(players[0], match), opened(visitor, match)
    for player in players[1:]:
        player.join(match)
    play_on(match, players, random.Random(7))
    assert [sent.data for sent in stream.ends()] == listed(players[0], match)
    assert [sent.data for sent in spectator.ends()] == listed(visitor, match)


def test_it_goes_on_after_any_event_without_gap_or_repeat(visitor: Client):
    match, players = seated(visitor)
    play_on(match, players, random.Random(8))
    everything = listed(players[1], match)
    for last in range(len(everything) + 3):
        for how in ({"query": f"?after={last}"}, {"headers": {"Last-Event-ID": str(last)}}):
            how["headers"] = ACCEPT | how.get("headers", {})
            answer = players[1].call("listEvents", match=match, **how)
            assert [sent.data for sent in answer.body] == everything[last:]


def test_the_last_id_counts_more_than_the_address(visitor: Client):
    """Whoever begins anew has the old address, and adds the id."""
    match, players = seated(visitor)
    play_on(match, players, random.Random(9))
    headers = {"Last-Event-ID": "7"}
    for accept in (ACCEPT, {}):
        answer = visitor.call("listEvents", match=match, query="?after=3", headers=headers | accept)
        first = answer.body[0].id if accept else answer.body["items"][0]["number"]
        assert first == 8


@pytest.mark.parametrize("last", ["", "-1", "+1", "1.0", "1e3", " 1", "x", "01", "99999999999", "٣", "null", "1,2"])
@pytest.mark.parametrize("accept", [ACCEPT, {}])
def test_an_id_that_is_none_is_refused(visitor: Client, lively: Flask, last: str, accept: dict):
    match = visitor.become("Ada").create()
    headers = [("Last-Event-ID", last.encode().decode("latin-1")), *accept.items()]
    response = lively.test_client().get(f"/v1/matches/{match}/events", headers=headers)
    if last == " 1":
        response.close()  # HTTP does not count blanks around a value; whether they arrive is the server's choice
        return
    assert (response.status_code, response.json["code"]) == (422, "invalid")
    assert response.json["errors"][0]["pointer"] == "Last-Event-ID"
    assert response.json["errors"][0]["detail"]


def test_what_it_tells_those_on_the_way(visitor: Client, opened: Open):
    match = visitor.become("Ada").create()
    headers = opened(visitor, match).response.headers
    assert headers["Content-Type"] == STREAM
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Accel-Buffering"] == "no"
    assert set(headers["Vary"].split(", ")) >= {"Authorization", "Accept"}
    assert headers["X-Request-Id"]
    assert "Content-Length" not in headers
    assert "ETag" not in headers
    assert "Accept" in visitor.call("listEvents", match=match).headers["Vary"]


def test_head_opens_no_stream(visitor: Client, lively: Flask):
    match = visitor.become("Ada").create()
    for _ in range(5):
        response = lively.test_client().head(f"/v1/matches/{match}/events", headers=ACCEPT)
        assert (response.status_code, response.data) == (200, b"")
        assert response.headers["Content-Type"] == STREAM
        response.close()


# --- who gets one ---


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        *[("text/event-stream", STREAM), ("text/event-stream, */*", STREAM), ("TEXT/EVENT-STREAM", STREAM)],
        *[("text/event-stream;q=0.9, application/json;q=0.1", STREAM), ("text/event-stream, text/html", STREAM)],
        *[("application/json;q=0.5, text/event-stream", STREAM), ("text/*", STREAM), ("text/*, */*;q=0.1", STREAM)],
        *[(None, "application/json"), ("", "application/json"), ("*/*", "application/json")],
        *[("application/json", "application/json"), ("application/json, text/event-stream", "application/json")],
        *[("text/event-stream;q=0.1, application/json;q=0.9", "application/json")],
        *[("text/event-stream;q=0.5, */*", "application/json"), ("text/event-stream;q=0, */*", "application/json")],
        *[("text/event-stream;q=0, application/json", "application/json"), ("application/*", "application/json")],
        *[("text/event-stream;q=0", None), ("text/html", None), ("application/json;q=0", None), ("nonsense", None)],
        *[("application/json;q=0, text/event-stream;q=0", None), ("image/*, text/html", None)],
    ],
)
def test_who_asks_for_a_stream_gets_one(visitor: Client, lively: Flask, accept: str | None, media_type: str | None):
    match = visitor.become("Ada").create()
    headers = {} if accept is None else {"Accept": accept}
    response = lively.test_client().get(f"/v1/matches/{match}/events", headers=headers)
    assert response.status_code == (406 if media_type is None else 200)
    assert response.headers["Content-Type"] == (media_type or "application/problem+json")
    response.close()


def test_other_operations_have_no_stream(visitor: Client):
    match, _ = seated(visitor)
    for operation in ("getMatch", "getView"):
        assert visitor.call(operation, match=match, headers=ACCEPT).code == "not-acceptable"


def test_what_is_refused_is_a_problem(visitor: Client):
    assert visitor.call("listEvents", match="nowhere", headers=ACCEPT).code == "no-such-match"
    ada = visitor.become("Ada")
    private = ada.call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private"}).body["match"]
    assert visitor.call("listEvents", match=private, headers=ACCEPT).code == "no-such-match"
    assert Client(visitor.transport, "x").call("listEvents", match=private, headers=ACCEPT).code == "unauthenticated"
    assert ada.call("listEvents", match=private, query="?after=x", headers=ACCEPT).code == "invalid"


def test_two_streams_of_a_match_and_no_more(visitor: Client, opened: Open, lively: Flask):
    ada, eve = visitor.become("Ada"), visitor.become("Eve")
    match, other = ada.create(), ada.create()
    first, _ = opened(ada, match), opened(ada, match)

    def refused(who: Client) -> bool:
        response = lively.test_client().get(
            f"/v1/matches/{match}/events",
            headers=ACCEPT | ({"Authorization": f"Bearer {who.token}"} if who.token else {}),
        )
        response.close()
        return response.status_code == 429

    answer = ada.call("listEvents", match=match, headers=ACCEPT)
    assert (answer.status, answer.code) == (429, "too-many-streams")
    assert int(answer.headers["Retry-After"]) > 0
    assert ada.call("listEvents", match=match).status == 200, "the list is always there"
    opened(ada, other)
    opened(eve, match)
    opened(visitor, match)
    opened(visitor, match)
    assert refused(visitor), "without a token the address counts"
    with draining.begun():
        first.ends()
    first.response.close()
    eventually(lambda: not refused(ada), "the place of the one that ended")


def test_a_refused_stream_leaves_no_trace(visitor: Client, truth: Truth):
    ada = visitor.become("Ada")
    private = ada.call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private"}).body["match"]
    keys = truth.all_keys()
    assert visitor.call("listEvents", match=private, headers=ACCEPT).status == 404
    assert visitor.call("listEvents", match="nowhere", headers=ACCEPT).status == 404
    assert truth.all_keys() <= keys


# --- how it lives and ends ---


def test_it_shows_that_it_lives(visitor: Client, opened: Open):
    stream = opened(visitor, visitor.become("Ada").create())
    eventually(lambda: comments(stream.raw) >= 4, "comments")
    assert stream.raw == b":\n\n" * comments(stream.raw)


def test_it_begins_with_a_sign_of_life(visitor: Client, store: StoreServer):
    """Else a client would not know that there is a stream until something happens."""
    slow = create_app(settings_on(store.url, stream_heartbeat=10 * PATIENCE, stream_longest=PATIENCE / 4))
    with streams_of(slow) as opened:
        stream = opened(visitor, visitor.become("Ada").create())
        eventually(lambda: stream.raw == b":\n\n", "the beginning")


def test_it_ends_after_a_while(visitor: Client, store: StoreServer):
    """Also when it is busy with catching up."""
    short = create_app(settings_on(store.url, stream_longest=0.5))
    match, players = seated(visitor)
    play_on(match, players, random.Random(10), moves=10)
    with streams_of(short) as opened:
        begun = time.monotonic()
        assert [sent.data for sent in opened(visitor, match).ends()] == listed(visitor, match)
        assert time.monotonic() - begun >= 0.5


def test_it_ends_when_the_process_is_about_to_end(visitor: Client, opened: Open):
    match, _ = seated(visitor)
    stream = opened(visitor, match)
    stream.has(len(listed(visitor, match)))
    with draining.begun():
        stream.ends()


def test_a_match_that_is_cancelled_ends_it(visitor: Client, opened: Open):
    ada = visitor.become("Ada")
    match = ada.create()
    stream = opened(visitor, match)
    assert ada.call("leaveMatch", match=match).status == 204
    assert stream.ends() == []


def test_who_leaves_goes_on_as_a_spectator(visitor: Client, opened: Open):
    """Regression 18."""
    match, players = seated(visitor, "inside_job", 4)
    leaver = players[3]
    stream = opened(leaver, match)
    play_on(match, players, random.Random(11), moves=3)  # a match may be over after the first trick
    before = listed(leaver, match)
    stream.has(len(before))
    assert any(entry["event"]["you"] for entry in before)
    assert leaver.call("leaveMatch", match=match).status == 204
    staying = players[:3]
    while (card := visitor.card(match))["status"] == "playing":
        player = staying[card["waiting_on"][0]]
        decision = player.view(match)["you"]["decision"]
        assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200
    events = [sent.data for sent in stream.ends()]
    assert events[: len(before)] == before
    assert events[len(before) :] == listed(visitor, match)[len(before) :]
    assert len(events) > len(before)
    assert not any(entry["event"]["you"] for entry in events[len(before) :])


def test_who_leaves_a_private_match_hears_no_more_of_it(visitor: Client, opened: Open):
    players = [visitor.become(name) for name in ("Ada", "Eve", "Bob")]
    card = players[0].call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private"}).body
    match = card["match"]
    for player in players[1:]:
        assert player.call("joinByCode", {"join_code": card["join_code"]}).status == 201
    streams = [opened(player, match) for player in players]
    began = listed(players[1], match)
    streams[1].has(len(began))
    assert players[1].call("leaveMatch", match=match).status == 204
    assert [sent.data for sent in streams[1].ends()] == began
    assert not streams[0].ended


def test_overdue_decisions_are_made_for_who_only_follows(visitor: Client, opened: Open):
    match, _ = seated(visitor, move_seconds=1)
    stream = opened(visitor, match)
    at_first = len(listed(visitor, match))
    stream.has(at_first + 2)


def test_each_sign_of_life_renews_the_lease(visitor: Client, opened: Open, truth: Truth):
    match = visitor.become("Ada").create()
    opened(visitor, match)
    (key,) = [key for key in truth.keys_of(match) if b"streams" in key]
    assert truth.redis.pttl(key) > 0
    ((lease, end),) = truth.redis.zrange(key, 0, -1, withscores=True)
    for _ in range(3):
        eventually(lambda end=end: (truth.redis.zscore(key, lease) or 0) > end, "a later end")
        end = truth.redis.zscore(key, lease)
    assert truth.redis.zcard(key) == 1


def test_a_lease_that_was_lost_ends_the_stream(visitor: Client, opened: Open, truth: Truth):
    """As after a long pause of this process, in which others took its place."""
    ada = visitor.become("Ada")
    match = ada.create()
    stream = opened(ada, match)
    (key,) = [key for key in truth.keys_of(match) if b"streams" in key]
    truth.redis.delete(key)
    truth.redis.zadd(key, {"one": 2**53, "other": 2**53})
    assert stream.ends() == []
    truth.redis.delete(key)


def test_a_store_that_fails_ends_the_stream(visitor: Client, caplog: pytest.LogCaptureFixture):
    """The client begins another one."""
    server = StoreServer()
    server.start()
    try:
        app = create_app(settings_on(server.url, stream_heartbeat=0.2, store_timeout=1.0))
        with streams_of(app) as opened:
            match, players = seated(Client(InProcess(app.test_client())))
            stream = opened(players[0], match)
            stream.has(1)
            server.kill()
            began = stream.ends()
            server.start()
            assert [sent.data for sent in began] == listed(players[0], match)
        assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    finally:
        server.close()


def test_a_fault_ends_the_stream_and_is_logged_without_its_words(
    visitor: Client, opened: Open, lively: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    match, players = seated(visitor)
    stream = opened(players[0], match)
    stream.has(1)

    words = "the king is in the third column"

    def break_down(*_: object) -> None:
        raise ValueError(words)

    archive = lively.extensions["turncoat"].following._archive
    monkeypatch.setattr(archive, "events_for_all", break_down)
    stream.ends()
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    said = record.getMessage()
    assert "break_down" in said
    assert "king" not in said
    assert stream.response.headers["X-Request-Id"] in said


def test_a_client_that_goes_away_frees_its_place(visitor: Client, lively: Flask, truth: Truth):
    ada = visitor.become("Ada")
    match = ada.create()
    own = ACCEPT | {"Authorization": f"Bearer {ada.token}"}
    feed = lively.extensions["turncoat"].following._feed
    for _ in range(5):
        response = lively.test_client().get(f"/v1/matches/{match}/events", headers=own)
        assert response.status_code == 200
        response.close()
    assert not [key for key in truth.keys_of(match) if b"streams" in key]
    assert not feed._channels


def move(match: str, players: list[Client]) -> Answer:
    (seat, *_) = players[0].card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    return players[seat].move(match, decision["id"], decision["legal_moves"][0])


def test_all_streams_of_a_match_are_served_by_one_reading(visitor: Client, opened: Open, lively: Flask, monkeypatch):
    match, players = seated(visitor)
    streams = [opened(visitor.become(f"Guest {number}"), match) for number in range(20)]
    known = len(listed(visitor, match))
    for stream in streams:
        stream.has(known)
    store = lively.extensions["turncoat"].store
    readings: list[int] = []
    intact = store.read_events

    def counted(match: str, after: int, limit: int):
        readings.append(after)
        return intact(match, after, limit)

    monkeypatch.setattr(store, "read_events", counted)
    for _ in range(5):
        assert move(match, players).status == 200
        known = visitor.call("listEvents", match=match, query="?limit=1").body["latest"]
        for stream in streams:
            stream.has(known)
    # One after each message, one with the next sign of life, and those of this test itself.
    assert len(readings) <= 5 + 5 + 5, readings
