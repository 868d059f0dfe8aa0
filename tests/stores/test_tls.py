"""TLS with several servers: the clients, the Sentinels and the servers among themselves speak nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from support.certificates import Authority
from support.several_stores import ClusterStore, WatchedStore, answers
from support.store import PATIENCE
from support.tools import command

from service.store import Access, Feed, MatchStore, Replicas, StoreUnavailable, connect, keys, subscriber
from service.store.check import Unfit, examine

HOUR = 3600


@pytest.fixture(scope="module")
def secret(authority: Authority) -> dict[str, Any]:
    """How the servers are made, and how the tests connect to them."""
    own = authority.sign("servers")
    files = {"tls-cert-file": own.certificate, "tls-key-file": own.key, "tls-ca-cert-file": authority.ca}
    speaking = {"ssl_ca_certs": authority.ca, "ssl_certfile": own.certificate, "ssl_keyfile": own.key}
    return {
        "options": {**files, "tls-replication": "yes"},
        "client": {"ssl": True, **{name: str(file) for name, file in speaking.items()}},
        "program": command("redis-server"),
    }


@pytest.fixture(scope="module")
def cluster(secret: dict[str, Any]) -> Iterator[ClusterStore]:
    secret = {**secret, "options": {**secret["options"], "tls-cluster": "yes"}}
    with closing(ClusterStore(scheme="rediss+cluster", **secret)) as cluster:
        cluster.start()
        yield cluster


@pytest.fixture(scope="module")
def watched(secret: dict[str, Any]) -> Iterator[WatchedStore]:
    with closing(WatchedStore(scheme="rediss+sentinel", **secret)) as watched:
        watched.start()
        yield watched


def work_is_done(url: str, access: Access, replicas: int) -> None:
    with ExitStack() as open_:
        client = open_.enter_context(closing(connect(url, 5.0, 2, access)))
        feed = open_.enter_context(closing(Feed(lambda: subscriber(client, 5.0), PATIENCE, 2)))
        matches = MatchStore(client, Replicas(replicas, 4.0))
        written = [f"match-{number}" for number in range(12)]
        for match in written:
            with feed.listen(keys.changes(match)) as listener:
                assert matches.write(match, None, match.encode(), b"s", lifetime=HOUR)
                assert listener.wait(PATIENCE)
        assert matches.read_records(written) == [match.encode() for match in written]
        assert examine(client, replicas) == []


def test_a_cluster(cluster: ClusterStore, authority: Authority):
    work_is_done(cluster.url, Access(authority.ca, *authority.sign("ours")), 0)
    assert all(node.redis.dbsize() for node in cluster.nodes)


def test_a_primary_that_sentinels_watch_over(watched: WatchedStore, authority: Authority):
    work_is_done(watched.url, Access(authority.ca, *authority.sign("ours")), 1)


def test_without_tls_or_trust_nothing_is_said(cluster: ClusterStore, watched: WatchedStore, authority: Authority):
    ours = authority.sign("ours")
    assert all(answers(node.redis) for node in cluster.nodes)
    for url in (cluster.url, watched.url):
        for wanting, address in [
            (Access(certificate=ours.certificate, key=ours.key), url),
            (Access(authority.ca, *ours), url.replace("rediss+", "redis+")),
        ]:
            with closing(connect(address, 1.0, 1, wanting)) as client, pytest.raises(StoreUnavailable):
                MatchStore(client).check_writable()
    with (
        closing(connect(cluster.url, 1.0, 1, Access(certificate=ours.certificate, key=ours.key))) as client,
        pytest.raises(Unfit, match="certificate is not trusted"),
    ):
        examine(client, 0)
