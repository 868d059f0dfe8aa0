"""Thousands who wait at one worker: no connection to the store and no thread for any of them, and room for the rest."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from support.clients import Answer, Client, seated
from support.contract import STREAM
from support.crowd import Crowd, Member, allow_files
from support.server import Server, make_folder
from support.sse import parse
from support.store import StoreServer

STREAMS = POLLS = 1_500
MATCHES = 50
CONNECTIONS = 6
"""What the service may hold to its store, whoever waits; one more listens."""


@pytest.fixture
def own_store() -> Iterator[StoreServer]:
    """A store on which nobody else has connections."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def server(own_store: StoreServer) -> Iterator[Server]:
    """One worker, where many may follow a match with one and the same token."""
    allow_files(2 * (STREAMS + POLLS))
    folder = make_folder()
    running = Server(
        folder,
        redis_url=own_store.url,
        workers=1,
        TURNCOAT_STREAMS_AT_ONCE=str(STREAMS),
        TURNCOAT_STORE_CONNECTIONS=str(CONNECTIONS),
    )
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder)


def threads_of(worker: int) -> int:
    found = re.search(r"^Threads:\s+(\d+)$", Path(f"/proc/{worker}/status").read_text(), flags=re.MULTILINE)
    assert found is not None
    return int(found[1])


def move(match: str, players: list[Client]) -> Answer:
    (seat, *_) = players[0].card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    answer = players[seat].move(match, decision["id"], decision["legal_moves"][0])
    assert answer.status == 200
    return answer


def follow(crowd: Crowd, match: str) -> Member:
    return crowd.ask(match, f"/v1/matches/{match}/events", {"Accept": STREAM})


def wait(crowd: Crowd, match: str, etag: str) -> Member:
    return crowd.ask(match, f"/v1/matches/{match}/view", {"If-None-Match": etag, "Prefer": "wait=60"})


def heard(member: Member) -> int:
    """How many events have come on a stream, counted quickly."""
    return member.raw.count(b"\nid: ")


def body(member: Member) -> bytes:
    """The body of what has come so far, chunks joined."""
    _, _, rest = bytes(member.raw).partition(b"\r\n\r\n")
    joined = b""
    while size := rest.partition(b"\r\n")[0]:
        start = len(size) + 2
        length = int(size, 16)
        joined += rest[start : start + length]
        rest = rest[start + length + 2 :]
        if not length:
            break
    return joined


def test_fifteen_hundred_streams_and_as_many_waits_at_one_worker(server: Server, own_store: StoreServer):
    visitor = server.visitor()
    (worker,) = server.workers()
    tables = [seated(visitor) for _ in range(MATCHES)]
    etags = {match: visitor.call("getView", match=match).headers["ETag"] for match, _ in tables}
    latest = {match: visitor.call("listEvents", match=match, query="?limit=1").body["latest"] for match, _ in tables}

    def connections() -> int:
        with Redis.from_url(own_store.url) as client:
            return len(client.client_list()) - 1  # this one

    with Crowd(server.address) as crowd:
        few = [follow(crowd, match) for match, _ in tables[:5]]
        few += [wait(crowd, match, etags[match]) for match, _ in tables[:5]]
        crowd.until(lambda: all(heard(one) == latest[one.match] for one in few[:5]), "ten who follow")
        with_ten = threads_of(worker)

        streams = [follow(crowd, tables[number % MATCHES][0]) for number in range(STREAMS)]
        polls = [wait(crowd, match := tables[number % MATCHES][0], etags[match]) for number in range(POLLS)]
        crowd.until(lambda: all(heard(one) == latest[one.match] for one in streams), "all streams")
        crowd.until(lambda: server.connections(worker) > STREAMS + POLLS, "all who wait")

        # The others notice nothing of them.
        assert visitor.transport.send("GET", "/healthz", {}, None)[0] == 200
        assert server.visitor().transport.send("GET", "/readyz", {}, None)[0] == 200
        assert connections() <= CONNECTIONS + 1
        assert threads_of(worker) == with_ten
        assert not any(one.raw for one in polls), "nothing has happened"

        # A move wakes those who wait for it and nobody else.
        first, players = tables[0]
        move(first, players)
        theirs = [one for one in (*streams, *polls) if one.match == first]
        now = visitor.call("listEvents", match=first, query="?limit=1").body["latest"]
        crowd.until(lambda: all(heard(one) == now for one in theirs if one in streams), "the events")
        crowd.until(lambda: all(one.raw.startswith(b"HTTP/1.1 200") for one in theirs), "the new view")
        assert not any(one.raw for one in polls if one.match != first)

        # Moves everywhere wake everybody, and each event comes once.
        for match, players in tables[1:]:
            move(match, players)
            latest[match] = visitor.call("listEvents", match=match, query="?limit=1").body["latest"]
        latest[first] = now
        crowd.until(lambda: all(one.raw.startswith(b"HTTP/1.1 200") for one in polls), "all new views")
        crowd.until(lambda: all(heard(one) >= latest[one.match] for one in streams), "all events")
        for one in streams:
            assert [sent.id for sent in parse(body(one))] == list(range(1, latest[one.match] + 1))
        assert connections() <= CONNECTIONS + 1
        assert threads_of(worker) == with_ten

        # The end of the service reaches all of them.
        server.terminate()
        crowd.until(lambda: all(one.raw.endswith(b"\r\n0\r\n\r\n") for one in streams), "the end of the streams")
        crowd.until(lambda: all(one.closed for one in crowd.members), "the end of all connections")
    server.stop()
    assert "Traceback" not in server.said()
