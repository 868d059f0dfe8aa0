"""What ``REDIS_URL`` may say. What it may not say is in the tests of the settings."""

from __future__ import annotations

import pytest

from service.store_address import BadAddress, StoreAddress, parse_address


@pytest.mark.parametrize(
    ("url", "tls", "name"),
    [
        ("redis://store.example", False, "store.example"),
        ("rediss://anna:hunter2@store.example:6380/3", True, "store.example"),
        ("unix:///run/store.sock?password=hunter2", False, "/run/store.sock"),
        ("redis://[::1]:6379/0", False, "::1"),
    ],
)
def test_one_server_is_left_to_the_client_library(url: str, tls: bool, name: str):
    address = parse_address(url)
    assert address == StoreAddress("server", url, tls=tls)
    assert address.name == name


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_sentinels(scheme: str):
    url = f"{scheme}+sentinel://anna:p%40ss%3Ahunter2@a.example,[::1]:26380/the%20main/2"
    address = parse_address(url)
    assert address == StoreAddress(
        "sentinel",
        url,
        tls=scheme == "rediss",
        nodes=(("a.example", 26379), ("::1", 26380)),
        username="anna",
        password="p@ss:hunter2",
        service="the main",
        database=2,
    )
    assert address.name == "the main of the Sentinels a.example:26379, ::1:26380"


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_a_cluster(scheme: str):
    url = f"{scheme}+cluster://:hunter2@a.example:7000,b.example"
    address = parse_address(url)
    nodes = (("a.example", 7000), ("b.example", 6379))
    assert address == StoreAddress("cluster", url, tls=scheme == "rediss", nodes=nodes, password="hunter2")
    assert address.name == "the cluster of a.example:7000, b.example:6379"


def test_no_password_shows_when_an_address_is_printed():
    for url in ("redis://:hunter2@a.example", "redis+cluster://:hunter2@a.example"):
        assert "hunter2" not in repr(parse_address(url))


def test_what_is_refused_shows_nothing_of_it():
    with pytest.raises(BadAddress) as refused:
        parse_address("redis+sentinel://hunter2@a.example/main")
    assert "hunter2" not in str(refused.value)
