"""What is looked at in a store at the start: what must not be used, and what an operator should know."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from redis import Redis
from support.certificates import Authority
from support.several_stores import DURABLE, StoreNode, free_ports
from support.store import eventually
from support.tools import command

from service.store import Access, connect
from service.store.check import NotThere, Unfit, describe, examine

SECRET = "hunter2-hunter2"


@pytest.fixture(scope="module")
def node() -> Iterator[StoreNode]:
    """A server whose settings the tests change."""
    node = StoreNode({**DURABLE, "port": free_ports(1)[0]})
    node.start()
    yield node
    node.close()


@pytest.fixture
def setting(node: StoreNode) -> Iterator[Callable[..., None]]:
    """Changes settings of the server for one test."""
    before: dict[str, Any] = {}

    def set_them(**settings: str) -> None:
        for name, value in ((name.replace("_", "-"), value) for name, value in settings.items()):
            before.setdefault(name, node.redis.config_get(name)[name])
            node.redis.config_set(name, value)

    yield set_them
    for name, value in before.items():
        node.redis.config_set(name, value)


def warnings_of(url: str, replicas: int = 0, access: Access | None = None) -> list[str]:
    with closing(connect(url, 2.0, 1, access)) as client:
        return examine(client, replicas)


def url_of(node: StoreNode, user: str = "") -> str:
    return f"redis://{user}127.0.0.1:{node.port}"


def test_a_store_that_is_fit(node: StoreNode):
    assert warnings_of(url_of(node)) == []


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "allkeys-random"])
def test_a_store_that_throws_matches_away_is_refused(node: StoreNode, setting: Callable[..., None], policy: str):
    setting(maxmemory_policy=policy)
    assert warnings_of(url_of(node)) == [], "without maxmemory nothing is thrown away"
    setting(maxmemory=str(10**9))
    with pytest.raises(Unfit, match=f"maxmemory-policy {policy}.*Set its maxmemory-policy to noeviction"):
        warnings_of(url_of(node))
    setting(maxmemory_policy="noeviction")
    assert warnings_of(url_of(node)) == []


@pytest.mark.parametrize(
    ("save", "words"), [("", "all matches are lost"), ("3600 1", "since its last snapshot is lost")]
)
def test_a_store_without_an_append_only_file_is_warned_of(
    node: StoreNode, setting: Callable[..., None], save: str, words: str
):
    setting(appendonly="no", save=save)
    (warning,) = warnings_of(url_of(node))
    assert "appendonly" in warning
    assert words in warning


def test_where_config_is_forbidden_info_tells(node: StoreNode, setting: Callable[..., None]):
    node.redis.execute_command("ACL SETUSER", "managed", "on", f">{SECRET}", "~*", "+@all", "-config")
    managed = url_of(node, f"managed:{SECRET}@")
    assert warnings_of(managed) == []
    setting(appendonly="no")
    (warning,) = warnings_of(managed)
    assert "if it makes any" in warning
    setting(maxmemory=str(10**9), maxmemory_policy="allkeys-lfu")
    with pytest.raises(Unfit, match="maxmemory-policy allkeys-lfu"):
        warnings_of(managed)


def test_where_info_is_forbidden_that_is_said(node: StoreNode):
    node.redis.execute_command("ACL SETUSER", "blind", "on", f">{SECRET}", "~*", "+@all", "-info")
    (warning,) = warnings_of(url_of(node, f"blind:{SECRET}@"))
    assert "INFO" in warning


def test_a_replica_is_warned_of(node: StoreNode):
    node.redis.replicaof("127.0.0.1", "1")
    try:
        (warning,) = warnings_of(url_of(node))
        assert "is a replica, which takes no writes" in warning
    finally:
        node.redis.replicaof("NO", "ONE")


def test_replicas_that_are_to_confirm_and_are_not_there_are_warned_of(node: StoreNode):
    (warning,) = warnings_of(url_of(node), replicas=2)
    assert "has 0 replicas; 2 are to confirm each move" in warning


@pytest.mark.parametrize(("version", "fit"), [("6.2.14", False), ("7.0.0", True), ("10.1.2", True)])
def test_a_store_that_is_too_old_is_refused(node: StoreNode, monkeypatch: pytest.MonkeyPatch, version: str, fit: bool):
    """No such store is to be had here: the answer is changed on its way."""
    intact = Redis.info
    monkeypatch.setattr(Redis, "info", lambda client: {**intact(client), "redis_version": version})
    if fit:
        assert warnings_of(url_of(node)) == []
    else:
        with pytest.raises(Unfit, match=f"version {version}"):
            warnings_of(url_of(node))


def test_one_node_of_a_cluster_is_no_store_and_one_server_no_cluster(node: StoreNode):
    with pytest.raises(Unfit, match="no cluster"):
        warnings_of(f"redis+cluster://127.0.0.1:{node.port}")
    port, bus = free_ports(2)
    alone = StoreNode({**DURABLE, "port": port, "cluster-enabled": "yes", "cluster-port": bus})
    try:
        alone.start()
        with pytest.raises(Unfit, match=r"redis\+cluster://"):
            warnings_of(url_of(alone))
        alone.redis.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16000)
        as_cluster = f"redis+cluster://127.0.0.1:{alone.port}"
        eventually(lambda: "383 slots" in " ".join(warnings_of(as_cluster)), "word of the slots without a node")
        with closing(connect(as_cluster, 2.0, 1)) as client:
            assert re.fullmatch(r"1 primary of (Redis|Valkey) [0-9.]+, appendonly on", describe(client))
    finally:
        alone.close()


# --- what cannot be reached ---


@pytest.mark.parametrize("user", [f"nobody:{SECRET}@", f":{SECRET}@"])
@pytest.mark.parametrize("form", ["redis://{}127.0.0.1:{}", "redis+cluster://{}127.0.0.1:{}"])
def test_a_wrong_password_is_named_and_not_shown(node: StoreNode, user: str, form: str):
    node.redis.execute_command("ACL SETUSER", "default", "resetpass", ">another-password")
    try:
        with pytest.raises(Unfit, match="refuses the user or the password") as refused:
            warnings_of(form.format(user, node.port))
        assert "hunter2" not in str(refused.value)
        with pytest.raises(Unfit, match="refuses the user or the password"):
            warnings_of(url_of(node))  # it asks for one
    finally:
        node.redis.execute_command("ACL SETUSER", "default", "nopass")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (f"redis://:{SECRET}@nowhere.invalid", "host is unknown"),
        (f"redis+cluster://:{SECRET}@nowhere.invalid", "host is unknown"),
        (f"redis://:{SECRET}@127.0.0.1:1", "nobody listens"),
        (f"redis+cluster://:{SECRET}@127.0.0.1:1,127.0.0.1:2", "nobody listens"),
        (f"redis+sentinel://:{SECRET}@127.0.0.1:1/main", "no Sentinel names a primary"),
        ("unix:///nowhere.sock", "no such socket"),
    ],
)
def test_a_store_that_is_not_there_may_yet_come(url: str, words: str):
    with pytest.raises(NotThere, match=words) as reason:
        warnings_of(url)
    assert "hunter2" not in str(reason.value)


def test_what_is_wrong_with_tls_is_named(node: StoreNode, authority: Authority):
    with pytest.raises(NotThere, match="in time"):  # it takes the greeting for half a command
        warnings_of(f"rediss://127.0.0.1:{node.port}")
    for name, address, access, words in [
        ("other", "127.0.0.2", Access(authority.ca), "not trusted: .*127.0.0.1"),
        ("right", "127.0.0.1", Access(), "not trusted"),
        ("right", "127.0.0.1", Access(authority.ca), "no TLS with the store"),
    ]:
        own = authority.sign(name, address)
        (port,) = free_ports(1)
        options = {"tls-cert-file": own.certificate, "tls-key-file": own.key, "tls-ca-cert-file": authority.ca}
        ours = authority.sign("ours")
        speaking = {"ssl": True, "ssl_cert_reqs": "none", "ssl_certfile": ours.certificate, "ssl_keyfile": ours.key}
        secret = StoreNode({**DURABLE, **options, "port": 0, "tls-port": port}, speaking, command("redis-server"))
        try:
            secret.start()
            with pytest.raises(Unfit, match=words):
                warnings_of(f"rediss://127.0.0.1:{port}", access=access)
        finally:
            secret.close()
