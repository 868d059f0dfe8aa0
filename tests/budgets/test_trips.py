"""How often a request asks the store: counted where bytes leave for it, with everything on that is on when it ships.

A trip costs the service more than most of what it does between two of them. These are numbers to be kept, or lowered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from redis.connection import AbstractConnection
from support.clients import Client, InProcess, seated
from support.settings import settings_on
from support.store import StoreServer

from service.app import create_app
from service.limiter import LIMITS

_AMPLE = {f"limit_{name.replace('-', '_')}": "1000000/hour" for names in LIMITS.values() for name in names}


@pytest.fixture(scope="module")
def apps() -> Iterator[tuple[Flask, ...]]:
    """Two workers on a store of their own, with rate limits that count and refuse nobody."""
    store = StoreServer()
    store.start()
    yield tuple(create_app(settings_on(store.url, limits=True, **_AMPLE)) for _ in range(2))
    store.close()


@pytest.fixture
def here(apps: tuple[Flask, ...]) -> Client:
    return Client(InProcess(apps[0].test_client()))


@pytest.fixture
def elsewhere(apps: tuple[Flask, ...]) -> Client:
    return Client(InProcess(apps[1].test_client()))


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch, here: Client, elsewhere: Client) -> Iterator[Callable[..., int]]:
    """Counts how often the store is asked while something is done."""
    sent = []
    send = AbstractConnection.send_packed_command

    def counting(self, command, *args, **more):
        sent.append(command)
        return send(self, command, *args, **more)

    for client in (here, elsewhere):
        at_home_everywhere(client)  # connections are made, and scripts known
    monkeypatch.setattr(AbstractConnection, "send_packed_command", counting)

    def count(act: Callable[[], object]) -> int:
        sent.clear()
        act()
        return len(sent)

    return count


def at_home_everywhere(client: Client) -> None:
    """Ask for everything once."""
    match, players = seated(client)
    play(match, players)
    assert players[0].call("getView", match=match).status == 200
    assert players[0].call("getMatch", match=match).status == 200
    assert players[0].call("listEvents", match=match).status == 200
    assert players[0].call("listMatches").status == 200
    assert players[0].call("listMyMatches").status == 200
    assert players[0].call("leaveMatch", match=match).status == 204


def decider(match: str, players: list[Client]) -> tuple[Client, int, dict]:
    """Whose turn it is, and a move to make."""
    player = players[players[0].card(match)["waiting_on"][0]]
    decision = player.view(match)["you"]["decision"]
    return player, decision["id"], decision["legal_moves"][0]


def play(match: str, players: list[Client]) -> None:
    player, decision, move = decider(match, players)
    assert player.move(match, decision, move).status == 200


def at(client: Client, player: Client) -> Client:
    """The same player at another worker."""
    return Client(client.transport, player.token)


# --- looking ---


def test_a_look_is_one_trip_whatever_is_remembered(here: Client, elsewhere: Client, trips):
    match, players = seated(here)
    for worker in (here, elsewhere):
        viewer = at(worker, players[1])
        for operation in ("getView", "getMatch", "getView", "getMatch"):
            assert trips(lambda v=viewer, o=operation: v.call(o, match=match)) == 1
    play(match, players)
    assert trips(lambda: at(elsewhere, players[1]).view(match)) == 1, "after somebody else has written"


def test_what_is_unchanged_is_one_trip_that_brings_next_to_nothing(here: Client, trips, monkeypatch):
    match, players = seated(here, "kabale", 6)
    etag = players[0].call("getView", match=match).headers["ETag"]
    received = []
    read = AbstractConnection.read_response

    def noting(self, *args, **more):
        received.append(read(self, *args, **more))
        return received[-1]

    monkeypatch.setattr(AbstractConnection, "read_response", noting)
    assert trips(lambda: players[0].call("getView", match=match, headers={"If-None-Match": etag})) == 1
    assert received == [1], "not the match once more"


def test_events_and_lists(here: Client, trips):
    match, players = seated(here)
    assert trips(lambda: players[0].call("listEvents", match=match)) == 1
    newcomer = here.become("Newcomer")
    newcomer.create()
    assert trips(lambda: newcomer.call("listMyMatches")) == 2
    # The indexes, the matches, and what the indexes have too many: it is taken out by whoever finds it.
    assert trips(lambda: here.call("listMatches")) <= 3
    assert trips(lambda: players[0].call("listMyMatches")) <= 3


def test_what_needs_no_store_asks_none(here: Client, trips):
    player = here.become("Ada")
    for operation in ("listGames", "getMe", "renewToken"):
        body = {} if operation == "renewToken" else None
        assert trips(lambda o=operation, b=body: player.call(o, b)) == 0


# --- playing ---


@pytest.mark.parametrize("game", ["verraeter", "kabale", "inside_job"])
def test_a_move_is_one_trip_where_the_match_was_seen_last(here: Client, trips, game: str):
    match, players = seated(here, game, 4)
    for _ in range(10):
        player, decision, move = decider(match, players)
        assert trips(lambda p=player, d=decision, m=move: p.move(match, d, m)) == 1


def test_a_move_is_two_trips_at_a_worker_that_knows_nothing_or_what_is_old(here: Client, elsewhere: Client, trips):
    match, players = seated(here)
    for _ in range(6):  # each time this worker knows what was before the move of the other one
        player, decision, move = decider(match, players)
        assert trips(lambda p=player, d=decision, m=move: at(elsewhere, p).move(match, d, m)) == 2
        play(match, players)


def test_a_move_that_is_refused_is_refused_by_what_the_store_has(here: Client, trips):
    match, players = seated(here)
    player, decision, move = decider(match, players)
    assert trips(lambda: player.move(match, decision + 1, move)) == 1
    player.move(match, decision, move)
    assert trips(lambda: player.move(match, decision, move)) == 1


# --- around the play ---


def test_what_writes_indexes_too(here: Client, trips):
    ada, ben, cleo = (here.become(name) for name in ("Ada", "Ben", "Cleo"))
    body = {"game": "verraeter", "seats": 3, "visibility": "public"}
    created = []
    # Two limits, how many matches one sits in, the indexes, the match.
    assert trips(lambda: created.append(ada.call("createMatch", body))) == 5
    match = created[0].body["match"]
    # How many one sits in, whether the match is as it was, the indexes, the match.
    assert trips(lambda: ben.join(match)) == 4
    # It starts, so that indexes have entries too many afterwards.
    assert trips(lambda: cleo.join(match)) == 5
    assert trips(lambda: ben.call("leaveMatch", match=match)) == 3
