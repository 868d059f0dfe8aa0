"""What is acknowledged is with the replicas, also where it is acknowledged only to a repeat."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import closing

import pytest
from support.clients import Answer, Client, InProcess, seated
from support.settings import settings_on
from support.several_stores import DURABLE, StoreNode, free_ports
from support.store import eventually

from service.app import create_app


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[StoreNode, StoreNode]]:
    """A primary and a replica."""
    one, other = (StoreNode({**DURABLE, "port": port}) for port in free_ports(2))
    with closing(one), closing(other):
        one.start()
        other.start("--replicaof", f"127.0.0.1 {one.port}")
        eventually(lambda: has_a_write(one), "the replica")
        yield one, other


def has_a_write(primary: StoreNode) -> bool:
    """Whether a replica has what is written now: one that is linked gets nothing before it has reported back."""
    (*_, confirmed) = primary.redis.pipeline(transaction=False).set("here", 1).delete("here").wait(1, 100).execute()
    return bool(confirmed == 1)


def worker(servers: tuple[StoreNode, StoreNode], patience: float = 30.0) -> InProcess:
    """A service with connections of its own, which waits this many seconds for the replica's word."""
    settings = settings_on(f"redis://127.0.0.1:{servers[0].port}", store_replicas=1, store_timeout=patience)
    return InProcess(create_app(settings).test_client())


def repeated(who: Client, key: str, operation: str, body: object, **parameters: str) -> Answer:
    return who.call(operation, body, headers={"Idempotency-Key": key * 16}, **parameters)


def test_neither_a_request_nor_its_repeat_is_acknowledged_before_the_replica_has_it(
    servers: tuple[StoreNode, StoreNode],
):
    visitor = Client(worker(servers))
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    player = players[seat]
    decision = player.view(match)["you"]["decision"]
    move = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    kabale = {"game": "kabale", "seats": 2, "visibility": "public"}
    assert repeated(player, "a", "createMatch", kabale).status == 201
    servers[1].signal(signal.SIGSTOP)
    try:
        hasty, other = (Client(worker(servers, patience=0.5), player.token) for _ in range(2))
        for who in (hasty, hasty, other):
            answer = repeated(who, "b", "playMove", move, match=match)
            assert (answer.status, answer.code) == (503, "store-unavailable")
        assert repeated(hasty, "a", "createMatch", kabale).status == 503
        assert hasty.call("joinMatch", {}, match=match).status == 503, "that somebody has a seat is acknowledged too"
        assert player.view(match)["you"]["decision"] != decision, "it is written, and may yet be lost"
    finally:
        servers[1].signal(signal.SIGCONT)
    answers: list[Answer] = []

    def is_acknowledged() -> bool:
        answers.append(repeated(player, "b", "playMove", move, match=match))
        return answers[-1].status == 200

    eventually(is_acknowledged, "the replica")
    for answer in (answers[-1], repeated(player, "a", "createMatch", kabale)):
        assert answer.headers["Idempotency-Replayed"] == "true"


def test_without_replicas_to_wait_for_a_repeat_writes_nothing(servers: tuple[StoreNode, StoreNode]):
    app = create_app(settings_on(f"redis://127.0.0.1:{servers[0].port}"))
    ada = Client(InProcess(app.test_client())).become("Ada")
    match = ada.create()
    servers[0].redis.config_resetstat()
    assert ada.call("joinMatch", {}, match=match).status == 200
    assert not {"cmdstat_hset", "cmdstat_wait"} & servers[0].redis.info("commandstats").keys()
