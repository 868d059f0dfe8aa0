"""A repeat is acknowledged only if the replicas have what it repeats: else that may be lost, and the repeat with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from support.clients import Answer, Client, InProcess
from support.settings import settings_on
from support.store import StoreServer
from support.truth import Truth

from service.app import create_app
from service.store import MatchStore, StoreUnavailable, connect
from service.store.scripts import Replicas


@pytest.fixture(scope="module")
def lonely() -> Iterator[StoreServer]:
    """A store without a replica."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def content(lonely: StoreServer) -> Client:
    """At a service that asks no replicas."""
    return Client(InProcess(create_app(settings_on(lonely.url)).test_client()))


@pytest.fixture(scope="module")
def careful(lonely: StoreServer) -> Client:
    """At a service that wants each write to be confirmed by one."""
    settings = settings_on(lonely.url, store_replicas=1, store_timeout=0.2)
    return Client(InProcess(create_app(settings).test_client()))


@pytest.fixture
def truth(lonely: StoreServer) -> Iterator[Truth]:
    truth = Truth(lonely.url)
    yield truth
    truth.redis.close()


def asked(by: Client, token: str | None, operation: str, body: Any, **parameters: Any) -> Answer:
    return Client(by.transport, token).call(operation, body, **parameters)


def create(host: Client, match: str) -> tuple[Client, str, Any, dict[str, Any]]:
    return host, "createMatch", {"game": "verraeter", "seats": 4, "visibility": "public"}, {}


def join(host: Client, match: str) -> tuple[Client, str, Any, dict[str, Any]]:
    return host.become("Ben"), "joinMatch", {}, {"match": match}


def start(host: Client, match: str) -> tuple[Client, str, Any, dict[str, Any]]:
    return host, "startMatch", {"stand_ins": True}, {"match": match}


def play(host: Client, match: str) -> tuple[Client, str, Any, dict[str, Any]]:
    host.call("startMatch", {"stand_ins": True}, match=match)
    decision = host.view(match)["you"]["decision"]
    return host, "playMove", {"decision": decision["id"], "move": decision["legal_moves"][0]}, {"match": match}


@pytest.mark.parametrize("what", [create, join, start, play], ids=lambda what: what.__name__)
def test_what_no_replica_has_is_not_confirmed_by_asking_again(
    content: Client, careful: Client, truth: Truth, what: Callable[..., Any]
):
    host = content.become("Ada")
    match = host.create(seats=4)
    player, operation, body, parameters = what(host, match)
    headers = {"Idempotency-Key": f"a-key-for-{operation}"}
    first = player.call(operation, body, headers=headers, **parameters)
    assert first.status in (200, 201)
    before = truth.everything(match)
    for _ in range(2):
        answer = asked(careful, player.token, operation, body, headers=headers, **parameters)
        assert (answer.status, answer.code) == (503, "store-unavailable")
    repeat = player.call(operation, body, headers=headers, **parameters)
    assert (repeat.status, repeat.headers["Idempotency-Replayed"]) == (first.status, "true")
    assert truth.everything(match) == before


def test_a_seat_that_one_has_and_one_that_one_has_left(content: Client, careful: Client):
    """Without a key: what is so already is acknowledged, so it must be confirmed."""
    match = content.become("Ada").create(seats=4)
    ben = content.become("Ben")
    for operation, status in (("joinMatch", 201), ("leaveMatch", 204)):
        body = {} if operation == "joinMatch" else None
        assert ben.call(operation, body, match=match).status == status
        for _ in range(2):
            answer = asked(careful, ben.token, operation, body, match=match)
            assert (answer.status, answer.code) == (503, "store-unavailable")


def test_what_somebody_else_has_changed_is_read_again(lonely: StoreServer, content: Client, truth: Truth):
    match = content.become("Ada").create(seats=4)
    with closing(connect(lonely.url, 2.0, 1)) as client:
        store = MatchStore(client, Replicas(count=1, timeout=0.05))
        read = store.read(match)
        assert read is not None
        with pytest.raises(StoreUnavailable):
            store.confirm(match, read)
        assert not store.confirm(match, read._replace(version=read.version + 1))
        assert not store.confirm(match, read._replace(stamp=b"of another write of the same version"))
        assert not store.confirm("there is none", read)
        assert store.read(match) == read
        assert MatchStore(client).confirm(match, read._replace(version=7)), "nobody is asked"
