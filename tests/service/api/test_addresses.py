"""Whose address counts, behind proxies and without."""

from __future__ import annotations

import pytest
from flask import Flask
from support.limits import Clock, limited_app
from support.store import StoreServer

from service.api.addresses import client_network, network

CLIENT = "198.51.100.7"
PROXY, OUTER = "10.0.0.1", "10.0.0.2"


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:54321", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::9", "2001:db8:1:3::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        *[
            (nothing, None)
            for nothing in ("", "unknown", "_hidden", "192.0.2", "192.0.2.256", "localhost", "1", "[", ":")
        ],
        *[(nothing, None) for nothing in ("192.0.2.1, 192.0.2.2", "192.0.2.1\n", "[]", "[192.0.2.1", "\uff11.1.1.1")],
    ],
)
def test_what_counts_as_one_client(address: str, counted: str | None):
    assert network(address) == counted


@pytest.fixture
def seen(store: StoreServer):
    """Tells whom an application behind so many proxies sees."""

    def look(proxies: int, forwarded: str | None, peer: str) -> str:
        app = limited_app(store.url, Clock(), proxies=proxies)
        app.add_url_rule("/who", "who", client_network)
        headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
        return app.test_client().get("/who", headers=headers, environ_overrides={"REMOTE_ADDR": peer}).text

    return look


@pytest.mark.parametrize(
    ("proxies", "forwarded", "peer", "client"),
    [
        # nobody in front: the header is the client's own talk
        (0, None, CLIENT, CLIENT),
        (0, "203.0.113.9", CLIENT, CLIENT),
        (0, "203.0.113.9, 203.0.113.10", CLIENT, CLIENT),
        # one: its entry is the last one
        (1, CLIENT, PROXY, CLIENT),
        (1, f"203.0.113.9, {CLIENT}", PROXY, CLIENT),
        (1, f"203.0.113.9,,{CLIENT}", PROXY, CLIENT),
        (1, f'"203.0.113.9", {CLIENT}', PROXY, CLIENT),
        (1, f"{CLIENT}:61234", PROXY, CLIENT),
        # two: the one before
        (2, f"{CLIENT}, {OUTER}", PROXY, CLIENT),
        (2, f"203.0.113.9, {CLIENT}, {OUTER}", PROXY, CLIENT),
        # nothing that can be used: whoever called
        (1, None, PROXY, PROXY),
        (1, "", PROXY, PROXY),
        (1, "unknown", PROXY, PROXY),
        (2, CLIENT, PROXY, PROXY),
        (1, "2001:db8:1:2::9", PROXY, "2001:db8:1:2::/64"),
        # a quotation that does not end swallows the rest: then nothing of it is believed
        (1, f'"203.0.113.9, {CLIENT}', PROXY, PROXY),
        (1, f'203.0.113.9, "203.0.113.9, {CLIENT}', PROXY, PROXY),
        # over a unix socket
        (0, None, "", "unknown"),
        (1, CLIENT, "", CLIENT),
    ],
)
def test_the_client_is_found_behind_as_many_proxies_as_there_are(seen, proxies, forwarded, peer, client):
    assert seen(proxies, forwarded, peer) == client


@pytest.mark.parametrize("header", ["X-Real-Ip", "Forwarded", "X-Forwarded-Host", "Client-Ip", "True-Client-Ip"])
def test_no_other_header_is_believed(store: StoreServer, header: str):
    app = limited_app(store.url, Clock(), proxies=1)
    app.add_url_rule("/who", "who", client_network)
    response = app.test_client().get("/who", headers={header: "203.0.113.9"}, environ_overrides={"REMOTE_ADDR": PROXY})
    assert response.text == PROXY


@pytest.mark.parametrize("proxies", [0, 1])
def test_a_spoofed_address_is_no_way_around_a_limit(store: StoreServer, proxies: int):
    app = limited_app(store.url, Clock(), proxies=proxies, limit_reads="3/hour")
    statuses = [_read(app, f"203.0.113.{attempt}", proxies) for attempt in range(4)]
    assert statuses == [200, 200, 200, 429]


def _read(app: Flask, spoofed: str, proxies: int) -> int:
    """What the client claims, and what the proxy, if there is one, adds to it."""
    forwarded = f"{spoofed}, {CLIENT}" if proxies else spoofed
    return (
        app.test_client()
        .get(
            "/v1/games",
            headers={"X-Forwarded-For": forwarded},
            environ_overrides={"REMOTE_ADDR": PROXY if proxies else CLIENT},
        )
        .status_code
    )


def test_a_client_with_a_whole_network_is_one(store: StoreServer):
    app = limited_app(store.url, Clock(), limit_reads="2/hour")
    client = app.test_client()
    same = [
        client.get("/v1/games", environ_overrides={"REMOTE_ADDR": f"2001:db8:1:2:{part:x}::1"}).status_code
        for part in range(3)
    ]
    assert same == [200, 200, 429]
    assert client.get("/v1/games", environ_overrides={"REMOTE_ADDR": "2001:db8:1:3::1"}).status_code == 200
