"""Following matches over several workers: everybody hears of everything once, whatever breaks meanwhile."""

from __future__ import annotations

import random
import shutil
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from redis import Redis
from support.clients import Answer, Client, OverHttp, play_on, seated
from support.contract import STREAM
from support.live import LiveStream
from support.proxy import Cut, FaultProxy
from support.server import Server, make_folder
from support.sse import Sent
from support.store import PATIENCE, StoreServer, eventually


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_folder()
    yield path
    shutil.rmtree(path)


def listed(who: Client, match: str) -> list[dict]:
    """All events of a match, from the list."""
    events: list[dict] = []
    while True:
        page = who.call("listEvents", match=match, query=f"?limit=100&after={len(events)}").body
        events += page["items"]
        if len(events) >= page["latest"]:
            return events


def move(match: str, players: list[Client]) -> Answer:
    (seat, *_) = players[0].card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    answer = players[seat].move(match, decision["id"], decision["legal_moves"][0])
    assert answer.status == 200
    return answer


def spread(server: Server, open_one) -> list:
    """Open one after another until every worker holds several."""
    opened: list = []

    def everywhere() -> bool:
        opened.append(open_one())
        return len(opened) >= 8 and all(server.connections(worker) >= 3 for worker in server.workers())

    eventually(everywhere, "connections with all workers")
    return opened


def waiting(server: Server, threads: ThreadPoolExecutor, who: Client, operation: str, **how) -> Future[Answer]:
    """A request that waits, on a connection of its own."""
    client = Client(server.visitor().transport, who.token)
    return threads.submit(client.call, operation, **how)


def test_a_move_at_one_worker_wakes_who_waits_at_the_others(server: Server, visitor: Client):
    match, players = seated(visitor)
    answer = visitor.call("getView", match=match)
    headers = {"If-None-Match": answer.headers["ETag"], "Prefer": "wait=60"}
    with ThreadPoolExecutor(64) as threads:
        waits = spread(server, lambda: waiting(server, threads, visitor, "getView", match=match, headers=headers))
        time.sleep(0.2)
        assert not any(wait.done() for wait in waits)
        move(match, players)
        now = visitor.call("getView", match=match).raw
        for wait in waits:
            answer = wait.result(PATIENCE)
            assert (answer.status, answer.raw, answer.headers["Preference-Applied"]) == (200, now, "wait=60")


def test_what_one_does_not_see_wakes_nobody(server: Server, visitor: Client):
    match, players = seated(visitor)
    (asked,) = players[0].card(match)["waiting_on"]
    leaving, staying = (player for seat, player in enumerate(players) if seat != asked)
    etag = staying.call("getView", match=match).headers["ETag"]
    headers = {"If-None-Match": etag, "Prefer": "wait=2"}
    with ThreadPoolExecutor(64) as threads:
        waits = spread(server, lambda: waiting(server, threads, staying, "getView", match=match, headers=headers))
        begun = time.monotonic()
        assert leaving.call("leaveMatch", match=match).status == 204
        assert {wait.result(PATIENCE).status for wait in waits} == {304}
        assert time.monotonic() - begun > 0.5


def test_one_request_waits_for_all_matches_of_a_player(server: Server, visitor: Client):
    (match, players), (_, _) = seated(visitor), seated(visitor)
    headers = {"If-None-Match": players[0].call("listMyMatches").headers["ETag"], "Prefer": "wait=60"}
    with ThreadPoolExecutor(64) as threads:
        waits = spread(server, lambda: waiting(server, threads, players[0], "listMyMatches", headers=headers))
        move(match, players)
        assert {wait.result(PATIENCE).status for wait in waits} == {200}


def test_streams_at_all_workers_carry_every_move(server: Server, visitor: Client):
    match, players = seated(visitor, "kabale")
    everybody = [visitor, *players]
    streams = spread(server, lambda: LiveStream(server.address, match, visitor.become("Guest").token))
    streams += [LiveStream(server.address, match, who.token) for who in everybody]
    play_on(match, players, random.Random(2))
    spectated = listed(visitor, match)
    for stream in streams[: -len(everybody)]:
        assert [sent.data for sent in stream.ends()] == spectated
        assert stream.clean
    for who, stream in zip(everybody, streams[-len(everybody) :], strict=True):
        assert [sent.data for sent in stream.ends()] == listed(who, match)
        assert stream.clean


def test_the_cap_counts_over_all_workers(server: Server, visitor: Client):
    ada = visitor.become("Ada")
    match = ada.create()
    streams = [LiveStream(server.address, match, ada.token) for _ in range(2)]
    refused = [LiveStream(server.address, match, ada.token) for _ in range(10)]
    assert [stream.status for stream in streams] == [200] * 2
    assert [stream.status for stream in refused] == [429] * 10
    assert ada.call("leaveMatch", match=match).status == 204
    for stream in [*streams, *refused]:
        stream.ends()
    eventually(lambda: LiveStream(server.address, match, ada.token).status == 200, "a free place")


def test_after_any_cut_the_stream_goes_on_without_gap_or_repeat(server: Server, visitor: Client):
    """A match is played while its followers are cut off again and again, at any byte of an answer."""
    match, players = seated(visitor, "kabale")
    chance = random.Random(3)
    received: list[Sent] = []
    cuts = 0
    with FaultProxy(urlsplit(server.address).netloc) as relay, ThreadPoolExecutor(1) as threads:
        playing = threads.submit(play_on, match, players, random.Random(4))
        while True:
            with relay.cutting(Cut("answers", after=chance.randrange(4000))) as cut:
                try:
                    last = received[-1].id if received else None
                    stream = LiveStream(f"http://{relay.address}", match, players[1].token, last)
                    assert stream.status in (200, 429)
                    received += stream.ends() if stream.status == 200 else []
                    if stream.clean and stream.status == 200:
                        break
                except (OSError, HTTPException):
                    pass  # cut off before the answer began
            cuts += cut.happened.is_set()
        playing.result(PATIENCE)
    assert [sent.data for sent in received] == listed(players[1], match)
    assert cuts >= 10


def test_a_killed_subscription_loses_no_wake_up(server: Server, store: StoreServer, visitor: Client):
    match, players = seated(visitor)
    everybody = [visitor, *players]

    def follow(who: Client) -> list[dict]:
        """By waiting for the next events, again and again."""
        client, events = Client(OverHttp(server.address), who.token), []
        while True:
            query = f"?limit=100&after={len(events)}"
            page = client.call("listEvents", match=match, query=query, headers={"Prefer": "wait=60"})
            assert page.status == 200
            events += page.body["items"]
            if page.body["status"] == "finished" and len(events) == page.body["latest"]:
                return events

    chance = random.Random(5)
    with ThreadPoolExecutor(8) as threads, Redis.from_url(store.url) as client:
        following = [threads.submit(follow, who) for who in everybody]
        streams = [LiveStream(server.address, match, who.token) for who in everybody]
        while players[0].card(match)["status"] == "playing":
            if chance.random() < 0.5:
                client.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
            play_on(match, players, chance, moves=1)
        for who, polls, stream in zip(everybody, following, streams, strict=True):
            events = listed(who, match)
            assert polls.result(PATIENCE) == events
            assert [sent.data for sent in stream.ends()] == events
            assert stream.clean


def test_a_stream_outlives_a_restart_of_the_store_or_is_ended_for_a_new_one(folder: Path, visitor: Client):
    store = StoreServer()
    store.start()
    server = Server(folder, redis_url=store.url, TURNCOAT_STREAM_HEARTBEAT="0.5")
    server.start()
    try:
        match, players = seated(server.visitor())
        received: list[Sent] = []
        stream = LiveStream(server.address, match, players[0].token)
        stream.has(1)
        store.kill()
        store.start()
        for _ in range(5):
            eventually(lambda: players[0].call("getMatch", match=match).status == 200, "the store")
            move(match, players)
        events = listed(players[0], match)

        def all_received() -> bool:
            nonlocal stream, received
            if stream.clean is not None:
                received += stream.events
                stream = LiveStream(server.address, match, players[0].token, received[-1].id if received else None)
            return [sent.data for sent in [*received, *stream.events]] == events

        eventually(all_received, "all events")
    finally:
        server.stop()
        store.close()


def test_a_client_that_goes_away_frees_its_place_at_once(folder: Path, store: StoreServer):
    """And not only with one of the next signs of life: a page may be loaded anew again and again."""
    server = Server(folder, redis_url=store.url, TURNCOAT_STREAM_HEARTBEAT=str(10 * PATIENCE))
    server.start()
    try:
        ada = server.visitor().become("Ada")
        match = ada.create()
        for _ in range(3):
            streams = [LiveStream(server.address, match, ada.token) for _ in range(2)]
            assert [stream.status for stream in streams] == [200, 200]
            for stream in streams:
                stream.hang_up()
            with Redis.from_url(store.url) as client:
                eventually(lambda: not client.keys(f"*{match}*:streams:*"), "the end of the leases")
        eventually(lambda: sum(map(server.connections, server.workers())) <= 1, "the end of the connections")
        assert "Traceback" not in server.said()
    finally:
        server.stop()


def test_a_client_that_sends_its_next_request_too_early_is_not_taken_for_gone(server: Server, visitor: Client):
    ada = visitor.become("Ada")
    match, players = seated(visitor)
    address = urlsplit(server.address)
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        head = f"GET /v1/matches/{match}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ada.token}\r\n"
        connection.sendall(f"{head}Accept: {STREAM}\r\n\r\n".encode())
        received = b""
        while b"id: 1\n" not in received:
            received += connection.recv(65_536)
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.2)  # until it has arrived
        move(match, players)
        latest = visitor.call("listEvents", match=match, query="?limit=1").body["latest"]
        while f"id: {latest}\n".encode() not in received:
            chunk = connection.recv(65_536)
            assert chunk, received
            received += chunk
        for player in players:
            assert player.call("leaveMatch", match=match).status == 204
        while not received.endswith(b"\r\n\r\nok\n"):
            chunk = connection.recv(65_536)
            assert chunk, received
            received += chunk


def test_the_end_of_the_service_ends_streams_and_waits_cleanly(folder: Path, store: StoreServer):
    server = Server(folder, redis_url=store.url)
    server.start()
    try:
        visitor = server.visitor()
        match, players = seated(visitor)
        etag = visitor.call("getView", match=match).headers["ETag"]
        headers = {"If-None-Match": etag, "Prefer": "wait=60"}
        with ThreadPoolExecutor(64) as threads:
            waits = spread(server, lambda: waiting(server, threads, visitor, "getView", match=match, headers=headers))
            streams = [LiveStream(server.address, match, player.token) for player in players * 2]
            begun = time.monotonic()
            server.stop()
            took = time.monotonic() - begun
            assert {wait.result(PATIENCE).status for wait in waits} == {304}
        for stream in streams:
            stream.ends()
            assert stream.clean
        assert took < 20, "nobody was waited for until the time for that was up"
        assert "Traceback" not in server.said()
        assert "timeout" not in server.said().lower()
    finally:
        server.stop()
