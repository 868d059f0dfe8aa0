"""Elsewhere liveness asked the database, so its restart killed every process; and a read-only replica answered a ping.

Here liveness asks nobody, and readiness writes.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from support.contract import PROBLEM
from support.server import Server, make_folder
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app


@pytest.fixture
def mortal() -> Iterator[StoreServer]:
    """A store that this test may kill."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def redis(mortal: StoreServer) -> Iterator[Redis]:
    with closing(Redis.from_url(mortal.url)) as client:
        yield client


@pytest.fixture
def client(mortal: StoreServer) -> FlaskClient:
    app: Flask = create_app(settings_on(mortal.url, store_timeout=0.5))
    return app.test_client()


def readiness(client: FlaskClient) -> str | None:
    """Null when ready, else the code of the problem."""
    response = client.get("/readyz")
    if response.status_code == 200:
        return None
    assert response.status_code == 503
    assert response.content_type == PROBLEM
    assert int(response.headers["Retry-After"]) > 0
    return response.json["code"]


def assert_lives(client: FlaskClient) -> None:
    for method in ("GET", "HEAD"):
        assert client.open("/healthz", method=method).status_code == 200


def test_only_readiness_asks_the_store(client: FlaskClient, mortal: StoreServer):
    assert_lives(client)
    assert readiness(client) is None
    mortal.kill()
    assert_lives(client)
    assert readiness(client) == "store-unavailable"
    mortal.start()
    assert readiness(client) is None


def test_liveness_does_not_wait_for_a_store_that_hangs(client: FlaskClient, mortal: StoreServer):
    mortal.signal(signal.SIGSTOP)
    try:
        assert readiness(client) == "store-unavailable"
        assert_lives(client)
    finally:
        mortal.signal(signal.SIGCONT)
    assert readiness(client) is None


def test_liveness_costs_the_store_nothing(client: FlaskClient, redis: Redis):
    def commands() -> int:
        return redis.info("stats")["total_commands_processed"]

    own = commands() - commands()
    before = commands()
    for _ in range(10):
        assert_lives(client)
    assert commands() - before == -own
    assert readiness(client) is None
    assert commands() - before > -2 * own


def test_a_replica_is_not_ready(client: FlaskClient, redis: Redis):
    """It answers a ping, and takes no move."""
    redis.replicaof("127.0.0.1", "1")
    assert redis.ping()
    assert readiness(client) == "store-unavailable"
    assert_lives(client)
    redis.replicaof("NO", "ONE")
    assert readiness(client) is None


def test_a_full_store_is_not_ready(client: FlaskClient, redis: Redis):
    redis.config_set("maxmemory", 1)
    assert readiness(client) == "store-full"
    assert_lives(client)
    redis.config_set("maxmemory", 0)
    assert readiness(client) is None
    assert redis.ttl("turncoat:readiness") > 0


def test_a_restart_of_the_store_kills_no_worker(mortal: StoreServer):
    folder = make_folder()
    server = Server(folder, redis_url=mortal.url)
    server.start()
    try:
        workers = server.workers()
        send = server.visitor().transport.send
        for _ in range(3):
            mortal.kill()
            assert [send("GET", "/healthz", {}, None)[0] for _ in range(5)] == [200] * 5
            assert send("GET", "/readyz", {}, None)[0] == 503
            mortal.start()
            assert send("GET", "/readyz", {}, None)[0] == 200
        assert server.workers() == workers
    finally:
        server.stop()
        shutil.rmtree(folder)
