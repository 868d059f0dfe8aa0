"""Whatever any version of the service has stored, this one reads and plays on."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from flask import Flask
from support.clients import Client, InProcess, play_on
from support.settings import KEY, settings_on
from support.store import StoreServer
from support.truth import Truth
from upgrade.recorded import FORM, STATUSES, STORED, folders, form, present_version, released

from engine.catalogue import GAMES
from engine.replay import read, verify
from service.app import Parts, create_app
from service.identity import Player
from service.match import Match
from service.transfer import decoded, restore

FILES = [path for folder in folders() for path in sorted(folder.glob("*-*.json"))]


def of_status(status: str) -> pytest.MarkDecorator:
    files = [path for path in FILES if path.stem.endswith(f"-{status}")]
    return pytest.mark.parametrize("file", files, ids=lambda path: f"{path.parent.name}/{path.stem}")


@pytest.fixture
def own_store() -> Iterator[StoreServer]:
    with closing(StoreServer()) as server:
        server.start()
        yield server


@pytest.fixture
def own_app(own_store: StoreServer) -> Flask:
    return create_app(settings_on(own_store.url))


@pytest.fixture
def own_truth(own_store: StoreServer) -> Iterator[Truth]:
    truth = Truth(own_store.url)
    with closing(truth.redis):
        yield truth


def put_back(app: Flask, file: Path) -> tuple[str, list[Client | None]]:
    """A match in the store, and its players in seat order, ``None`` for stand-ins and free seats."""
    parts: Parts = app.extensions["turncoat"]
    content = file.read_bytes()
    restore(parts.archive, content)
    match, whole = decoded(content)
    record = msgspec.msgpack.decode(whole.stored.match, type=Match)
    assert parts.guests is not None
    players = []
    for seated in record.seats:
        token = (
            parts.guests.renewed(Player(seated.player, str(seated.name), 0))[0] if seated and seated.player else None
        )
        players.append(Client(InProcess(app.test_client()), token) if token else None)
    return match, players


def test_every_version_that_was_released_has_its_matches():
    assert {folder.name for folder in folders()} >= {*released(), present_version()}
    for folder in folders():
        assert {path.stem for path in folder.iterdir()} >= {f"{game}-{status}" for game in GAMES for status in STATUSES}


def test_the_rules_of_today_are_among_them():
    """Whoever raises a game's rules version raises the project's, and records what is stored from then on."""
    for game in GAMES.values():
        found = [
            msgspec.msgpack.decode(decoded(path.read_bytes())[1].stored.match, type=Match).rules_version
            for path in FILES
            if path.name.startswith(f"{game.id}-")
        ]
        assert max(found) == game.rules_version


def test_what_is_stored_has_the_form_that_was_recorded():
    """A field more is one that the version before refuses to read: that asks for a new version, and a new record."""
    recorded = json.loads((STORED / present_version() / FORM).read_text())
    assert json.loads(json.dumps(form())) == recorded


@of_status("open")
def test_an_open_match_fills_and_starts(own_app: Flask, file: Path):
    match, (ada, free, ben) = put_back(own_app, file)
    assert ada is not None
    assert free is None
    assert ben is not None
    card = ada.card(match)
    assert (card["status"], card["name"], card["seat"]) == ("open", "Our table", 0)
    cleo = Client(ada.transport).become("Cleo")
    joined = cleo.call("joinByCode", {"join_code": card["join_code"]})
    assert (joined.body["seat"], joined.body["status"]) == (1, "playing")
    play_on(match, [ada, cleo, ben], random.Random(1))
    verify(*read(ada.call("getReplay", match=match).raw, GAMES))


@of_status("playing")
def test_a_running_match_is_played_to_its_end(own_app: Flask, own_truth: Truth, file: Path):
    match, players = put_back(own_app, file)
    assert players[1] is None, "who left has a stand-in"
    before = len(own_truth.moves(match))
    first = players[0]
    assert first is not None
    assert [card["match"] for card in first.call("listMyMatches").body["items"]] == [match]
    play_on(match, [player or first for player in players], random.Random(2))
    replay = first.call("getReplay", match=match)
    verify(*read(replay.raw, GAMES))
    assert len(replay.body["moves"]) > before > 0


@of_status("finished")
def test_a_finished_match_is_told_and_confirmed(own_app: Flask, file: Path):
    match, players = put_back(own_app, file)
    assert players[0] is not None
    assert players[0].view(match)["result"]
    verify(*read(players[0].call("getReplay", match=match).raw, GAMES))


@of_status("cancelled")
def test_a_cancelled_match_is_shown(own_app: Flask, file: Path):
    match, players = put_back(own_app, file)
    assert players == [None, None, None]
    assert Client(InProcess(own_app.test_client())).card(match)["status"] == "cancelled"


def test_all_of_them_are_tried():
    tried = {path for status in STATUSES for path in FILES if path.stem.endswith(f"-{status}")}
    assert tried == set(FILES) != set()
    assert KEY.secret.encode() not in b"".join(path.read_bytes() for path in FILES)
