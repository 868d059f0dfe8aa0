"""A service whose players come from an identity provider: all is as with guests, but for who makes the tokens."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator

import pytest
from flask import Flask
from support.clients import Client, InProcess, play_on
from support.issuer import AUDIENCE, ISSUER, Provider, issued, key_set, provider, published
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app
from service.identity import Tokens
from service.issuer import player_id


@pytest.fixture
def serving() -> Iterator[Provider]:
    with provider() as serving:
        yield serving


@pytest.fixture
def app(store: StoreServer, serving: Provider) -> Flask:
    return create_app(settings_on(store.url, token_keys=(), issuer=ISSUER, audience=AUDIENCE, key_set=serving.address))


def player(app: Flask, token: str) -> Client:
    return Client(InProcess(app.test_client()), token)


def test_a_token_of_the_provider_speaks_for_its_player(app: Flask):
    me = player(app, issued(sub="auth0|ada", name=None, preferred_username="ada99")).call("getMe")
    assert me.status == 200
    assert (me.body["player"], me.body["name"]) == (player_id(ISSUER, "auth0|ada"), "ada99")
    assert me.headers["Cache-Control"] == "no-store"


def test_the_provider_s_own_id_is_told_to_nobody(app: Flask):
    ada = player(app, issued(sub="auth0|ada"))
    match = ada.create()
    answers = [ada.call("getMe"), ada.call("getMatch", match=match)]
    assert all(b"auth0" not in answer.raw for answer in answers)


def test_a_whole_match_is_played(app: Flask, serving: Provider):
    players = [player(app, issued(sub=f"player {seat}", name=f"Player {seat}")) for seat in range(3)]
    match = players[0].create()
    for joining in players[1:]:
        joining.join(match)
    assert [seat["name"] for seat in players[0].card(match)["seats"]] == ["Player 0", "Player 1", "Player 2"]
    play_on(match, players, random.Random(7))
    assert players[0].card(match)["status"] == "finished"
    assert serving.asked == 1


def test_another_token_of_the_same_player_has_the_same_seat(app: Flask):
    match = player(app, issued(sub="ada")).create()
    assert player(app, issued(sub="ada", name="Countess")).card(match)["seat"] == 0
    assert player(app, issued(sub="eve")).card(match)["seat"] is None


def test_there_are_no_guests(app: Flask):
    """Nor are there any of the time before."""
    visitor = Client(InProcess(app.test_client()))
    refused = visitor.call("createPlayer", {"name": "Ada"})
    assert (refused.status, refused.code) == (403, "guests-disabled")
    refused = player(app, issued()).call("renewToken", {})
    assert (refused.status, refused.code) == (403, "guests-disabled")


def test_our_own_tokens_are_not_accepted(app: Flask, store: StoreServer):
    settings = settings_on(store.url)
    token, _ = Tokens(settings.token_keys, 3600, lambda: 2_000_000_000).new_guest("Ada")
    for service in (
        app,
        create_app(settings_on(store.url, issuer=ISSUER, audience=AUDIENCE, key_set="https://k.example")),
    ):
        refused = player(service, token).call("getMe")
        assert (refused.status, refused.code) == (401, "unauthenticated")


def test_without_a_token_everything_public_is_seen(app: Flask):
    match = player(app, issued()).create()
    visitor = Client(InProcess(app.test_client()))
    assert visitor.card(match)["seat"] is None
    assert visitor.call("listGames").status == 200


def test_a_bad_token_is_told_so(app: Flask):
    refused = player(app, issued(which=1)).call("getMe")
    assert (refused.status, refused.code) == (401, "unauthenticated")
    assert refused.headers["WWW-Authenticate"] == 'Bearer realm="turncoat"'


def test_while_the_provider_is_down_nobody_is_sent_away(app: Flask, serving: Provider):
    """Known keys go on working; of an unknown one it cannot be told whether it is good."""
    assert player(app, issued()).call("getMe").status == 200
    serving.status = 500
    app.extensions["turncoat"].tokens._keys._read_at -= 1000
    app.extensions["turncoat"].tokens._keys._tried_at -= 1000
    assert player(app, issued(sub="another")).call("getMe").status == 200
    unsure = player(app, issued(kid="k2", which=1)).call("getMe")
    assert (unsure.status, unsure.code) == (503, "issuer-unavailable")
    assert unsure.headers["Retry-After"] == "10"
    serving.status, serving.body = 200, key_set(published("ES256", "k1"), published("ES256", "k2", which=1))
    app.extensions["turncoat"].tokens._keys._tried_at -= 10
    assert player(app, issued(kid="k2", which=1)).call("getMe").status == 200


def test_no_token_is_logged(app: Flask, serving: Provider, caplog: pytest.LogCaptureFixture):
    serving.status = 500
    with caplog.at_level(logging.DEBUG):
        for token in (issued(), issued(which=1), "a.b.c", issued("RS256")):
            player(app, token).call("getMe")
            assert token not in caplog.text
            assert token.rpartition(".")[2] not in caplog.text or len(token) < 10
