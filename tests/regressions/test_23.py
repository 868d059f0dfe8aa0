"""Elsewhere streams starved the workers, or were cut by the workers' time-out.

Here forty idle streams at one worker leave room for health and for moves; a stream lives longer than a worker may be
silent, since it is no silence; and the end of the service ends it in good order.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from support.clients import seated
from support.contract import STREAM
from support.crowd import Crowd
from support.server import Server, make_folder
from support.store import StoreServer

IDLE = 40
SHORT_TIMEOUT = 2
"""Seconds; the worker shows that it lives every second."""
END_OF_CHUNKS = b"\r\n0\r\n\r\n"


@pytest.fixture
def alone(store: StoreServer) -> Iterator[Server]:
    """A service with one worker, whose streams show a sign of life every second."""
    folder = make_folder()
    running = Server(
        folder, redis_url=store.url, workers=1, TURNCOAT_STREAMS_AT_ONCE=str(IDLE), TURNCOAT_STREAM_HEARTBEAT="1"
    )
    running.start()
    yield running
    running.stop(hurry=True)
    shutil.rmtree(folder)


def test_forty_idle_streams_leave_room_for_others(alone: Server):
    visitor = alone.visitor()
    match, players = seated(visitor)
    with Crowd(alone.address) as crowd:
        streams = [crowd.ask(match, f"/v1/matches/{match}/events", {"Accept": STREAM}) for _ in range(IDLE)]
        crowd.until(lambda: all(b"id: 1\n" in stream.raw for stream in streams), "all streams")

        assert visitor.transport.send("GET", "/healthz", {}, None)[0] == 200
        (seat,) = visitor.card(match)["waiting_on"]
        decision = players[seat].view(match)["you"]["decision"]
        assert players[seat].move(match, decision["id"], decision["legal_moves"][0]).status == 200

        latest = visitor.call("listEvents", match=match, query="?limit=1").body["latest"]
        told = f"id: {latest}\n".encode()
        crowd.until(lambda: all(told in stream.raw for stream in streams), "the move on all streams")
        beats = [stream.raw.count(b"\n:\n") for stream in streams]
        crowd.until(
            lambda: all(stream.raw.count(b"\n:\n") > beat + 1 for stream, beat in zip(streams, beats, strict=True)),
            "signs of life where nothing happens",
        )

        alone.terminate()
        crowd.until(lambda: all(stream.raw.endswith(END_OF_CHUNKS) for stream in streams), "the end in good order")


def test_a_stream_outlives_the_time_out_of_its_worker(store: StoreServer):
    """Time-outs of workers are about their own signs of life, not about how long a request takes."""
    folder = make_folder()
    server = Server(
        folder,
        redis_url=store.url,
        workers=1,
        TURNCOAT_STREAM_HEARTBEAT="0.5",
        GUNICORN_CMD_ARGS=f"--timeout {SHORT_TIMEOUT}",
    )
    server.start()
    try:
        (worker,) = server.workers()
        match, _ = seated(server.visitor())
        with Crowd(server.address) as crowd:
            stream = crowd.ask(match, f"/v1/matches/{match}/events", {"Accept": STREAM})
            beats = 2 * 3 * SHORT_TIMEOUT  # two a second, for three times as long
            crowd.until(lambda: stream.raw.count(b"\n:\n") > beats, "signs of life long after the time-out")
            assert not stream.closed
        assert server.workers() == {worker}
    finally:
        server.stop(hurry=True)
        shutil.rmtree(folder)
