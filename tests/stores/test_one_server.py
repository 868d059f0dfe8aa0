"""One server, over TLS, with a user who may do no more than the service needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from support.certificates import Authority
from support.evening import whole_evening
from support.server import Server
from support.several_stores import DURABLE, StoreNode, free_ports
from support.tools import command

from service.store import Access, MatchStore, StoreUnavailable, connect

PASSWORD = "hunter2-hunter2"
USER = f"user anna on >{PASSWORD} ~match:* ~index:* ~code:* ~turncoat:* &match:* &player:* +@all -@dangerous +info"


@pytest.fixture(scope="module")
def node(authority: Authority) -> Iterator[StoreNode]:
    """A server that wants TLS, a certificate from both sides, and a password."""
    own, ours = authority.sign("store"), authority.sign("tests")
    (port,) = free_ports(1)
    node = StoreNode(
        {
            **DURABLE,
            "port": 0,
            "tls-port": port,
            "tls-ca-cert-file": authority.ca,
            "tls-cert-file": own.certificate,
            "tls-key-file": own.key,
            "requirepass": PASSWORD,
            "user": USER.removeprefix("user "),
        },
        {
            "ssl": True,
            "ssl_ca_certs": str(authority.ca),
            "ssl_certfile": str(ours.certificate),
            "ssl_keyfile": str(ours.key),
            "password": PASSWORD,
        },
        command("redis-server"),
    )
    node.start()
    yield node
    node.close()


@pytest.fixture(scope="module")
def url(node: StoreNode) -> str:
    return f"rediss://anna:{PASSWORD}@127.0.0.1:{node.port}"


@pytest.fixture(scope="module")
def access(authority: Authority) -> Access:
    return Access(authority.ca, *authority.sign("service"))


def test_a_whole_evening_over_tls_with_a_user_of_few_rights(serving: Callable[..., Server], url: str, access: Access):
    server = serving(
        url,
        TURNCOAT_STORE_CA=str(access.ca),
        TURNCOAT_STORE_CERTIFICATE=str(access.certificate),
        TURNCOAT_STORE_KEY=str(access.key),
    )
    whole_evening(server)
    assert "hunter2" not in server.said()


def test_the_certificates_are_needed(url: str, access: Access, authority: Authority):
    MatchStore(connect(url, 2.0, 1, access)).check_writable()
    for wanting in (Access(), Access(access.ca), Access(certificate=access.certificate, key=access.key)):
        client = connect(url, 2.0, 1, wanting)
        with pytest.raises(StoreUnavailable):
            MatchStore(client).check_writable()
        client.close()
