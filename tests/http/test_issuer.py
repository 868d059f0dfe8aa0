"""Running services whose players come from an identity provider: its keys come over HTTP, or lie in a file."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.clients import Client, OverHttp, play_on
from support.issuer import AUDIENCE, ISSUER, issued, key_set, provider, published
from support.server import Server, make_folder
from support.store import StoreServer

PLAYERS = [f"player {seat}" for seat in range(3)]
ISSUED = {"TURNCOAT_ISSUER": ISSUER, "TURNCOAT_AUDIENCE": AUDIENCE}


@pytest.fixture
def folder() -> Iterator[Path]:
    path = make_folder()
    yield path
    shutil.rmtree(path)


def play(server: Server) -> None:
    players = [Client(OverHttp(server.address), issued(sub=sub, name=sub)) for sub in PLAYERS]
    match = players[0].create()
    for joining in players[1:]:
        joining.join(match)
    play_on(match, players, random.Random(8), moves=20)
    assert server.visitor().call("createPlayer", {"name": "Ada"}).code == "guests-disabled"
    assert Client(OverHttp(server.address), issued(which=1)).call("getMe").code == "unauthenticated"


def test_keys_from_an_address_and_a_store_of_its_own(folder: Path):
    with provider() as serving:
        server = Server(folder, **ISSUED, TURNCOAT_KEY_SET=serving.address)
        server.start()
        try:
            play(server)
        finally:
            server.stop()
        assert 1 <= serving.asked <= 2, "each worker asks once"
    assert not (folder / "data" / "token-keys").exists()
    assert (folder / "data" / "id-secret").exists()


def test_keys_from_a_file_and_no_token_keys(folder: Path, store: StoreServer):
    file = folder / "jwks.json"
    file.write_bytes(key_set(published("ES256", "k1")))
    server = Server(folder, redis_url=store.url, **ISSUED, TURNCOAT_KEY_SET=str(file))
    server.without("TURNCOAT_TOKEN_KEYS")
    server.start()
    try:
        play(server)
    finally:
        server.stop()
