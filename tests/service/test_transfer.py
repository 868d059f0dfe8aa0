"""A match taken out of one store and put into another: `turncoat export` and `turncoat import`."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from support.clients import Client, InProcess, play_on, seated
from support.server import Server, clean_environment
from support.settings import settings_on
from support.store import StoreServer
from support.truth import Truth

from engine.catalogue import GAMES
from service.app import create_app
from service.archive import Archive
from service.problems import Problem
from service.transfer import NoMatchFile, decoded, encoded, restore

MOVE_SECONDS = 3600


@pytest.fixture(scope="module")
def other_store() -> Iterator[StoreServer]:
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture
def elsewhere(other_store: StoreServer) -> Iterator[Truth]:
    """What lies in the other store, empty at first."""
    truth = Truth(other_store.url)
    truth.redis.flushall()
    yield truth
    truth.redis.close()


@pytest.fixture
def other_app(other_store: StoreServer, elsewhere: Truth) -> Flask:
    """The service on the other store, with the same keys."""
    return create_app(settings_on(other_store.url))


def archive_of(app: Flask) -> Archive:
    return app.extensions["turncoat"].archive


def exported(app: Flask, match: str) -> bytes:
    return encoded(match, archive_of(app).whole(match))


def moved(player: Client, app: Flask) -> Client:
    """The same player, with the same token, at another service."""
    return Client(InProcess(app.test_client()), player.token)


def everything(truth: Truth) -> dict[bytes, bytes | None]:
    return {key: truth.redis.dump(key) for key in truth.all_keys()}


def shown(player: Client, match: str) -> list[Any]:
    """What a player can read of a match, but for how long it is kept."""
    card = player.card(match)
    del card["expires_at"]
    return [card, player.view(match), player.call("listEvents", match=match, query="?limit=100").body]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_goes_on_elsewhere_as_it_stood(visitor: Client, app: Flask, other_app: Flask, game: str):
    match, players = seated(visitor, game, GAMES[game].seats[-1])
    play_on(match, players, random.Random(2), moves=3)
    before = [shown(player, match) for player in players]
    restore(archive_of(other_app), exported(app, match))
    there = [moved(player, other_app) for player in players]
    assert [shown(player, match) for player in there] == before
    for player in there:
        assert [card["match"] for card in player.call("listMyMatches").body["items"]] == [match]
    lobby = there[0].call("listMatches", query=f"?game={game}&status=playing").body["items"]
    assert [card["match"] for card in lobby] == [match]
    play_on(match, there, random.Random(3))
    replay = there[0].call("getReplay", match=match)
    assert (replay.status, replay.body["moves"][2]["number"]) == (200, 3)


def test_the_deadline_begins_anew(visitor: Client, app: Flask, other_app: Flask, elsewhere: Truth):
    """Else stand-ins would play for everybody while a service that had broken down comes back."""
    match, players = seated(visitor, move_seconds=MOVE_SECONDS)
    late = time.time() + 2 * MOVE_SECONDS
    archive_of(other_app)._clock = lambda: late
    restore(archive_of(other_app), exported(app, match))
    record = elsewhere.match(match)
    assert record.deadline == int(late) + MOVE_SECONDS
    assert (record.moves, moved(players[0], other_app).card(match)["waiting_on"]) == (
        0,
        players[0].card(match)["waiting_on"],
    )
    archive_of(other_app)._clock = lambda: late + MOVE_SECONDS
    assert archive_of(other_app).sweep(10) == 1
    assert elsewhere.match(match).moves > 0


def test_all_of_it_expires(visitor: Client, app: Flask, other_app: Flask, elsewhere: Truth):
    match, players = seated(visitor)
    play_on(match, players, random.Random(4), moves=2)
    restore(archive_of(other_app), exported(app, match))
    assert len(elsewhere.all_keys()) > 3
    assert all(elsewhere.redis.ttl(key) > 0 for key in elsewhere.all_keys())


def test_a_code_leads_to_a_match_that_came_back(visitor: Client, app: Flask, other_app: Flask):
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    created = ada.call("createMatch", {"game": "kabale", "seats": 2, "visibility": "private"}).body
    restore(archive_of(other_app), exported(app, created["match"]))
    joined = moved(ben, other_app).call("joinByCode", {"join_code": created["join_code"]})
    assert (joined.status, joined.body["match"], joined.body["status"]) == (201, created["match"], "playing")


def test_it_comes_back_with_a_version_that_it_never_had(
    visitor: Client, app: Flask, other_app: Flask, elsewhere: Truth
):
    """Whoever remembers a version of the match must not meet it again with another content."""
    match, players = seated(visitor)
    file = exported(app, match)
    play_on(match, players, random.Random(5))
    restore(archive_of(other_app), file)
    assert archive_of(other_app).whole(match).stored.version > archive_of(app).whole(match).stored.version


# --- what is refused changes nothing ---


def test_a_match_that_is_there_is_left_as_it_is(visitor: Client, app: Flask, other_app: Flask, elsewhere: Truth):
    match, players = seated(visitor)
    file = exported(app, match)
    restore(archive_of(other_app), file)
    play_on(match, [moved(player, other_app) for player in players], random.Random(6), moves=2)
    record = elsewhere.redis.hgetall(f"match:{{{match}}}:record")
    with pytest.raises(Problem, match="already-started"):
        restore(archive_of(other_app), file)
    assert elsewhere.redis.hgetall(f"match:{{{match}}}:record") == record


def test_a_code_that_leads_to_another_match_is_left_to_it(
    visitor: Client, app: Flask, other_app: Flask, elsewhere: Truth
):
    created = visitor.become("Ada").call("createMatch", {"game": "kabale", "seats": 2, "visibility": "private"}).body
    elsewhere.redis.set(f"code:{{{created['join_code']}}}", "another")
    before = everything(elsewhere)
    with pytest.raises(Problem, match="already-started"):
        restore(archive_of(other_app), exported(app, created["match"]))
    assert everything(elsewhere) == before


def of_the_future(truth: Truth, match: str) -> None:
    record = truth.match(match)
    record.rules_version = 99
    truth.overwrite(match, match=msgspec.msgpack.encode(record))


def _cut(file: bytes) -> bytes:
    return file[: len(file) // 2]


def _edited(**fields: Any) -> Any:
    return lambda file: json.dumps({**json.loads(file), **fields}).encode()


def _without(field: str, place: int) -> Any:
    def edit(file: bytes) -> bytes:
        document = json.loads(file)
        del document[field][place]
        return json.dumps(document).encode()

    return edit


def _bent(field: str) -> Any:
    def edit(file: bytes) -> bytes:
        document = json.loads(file)
        document[field] = [document[field][0][4:], *document[field][1:]]
        return json.dumps(document).encode()

    return edit


BAD = {
    "nothing": lambda _: b"",
    "a part": _cut,
    "something else": lambda _: b'{"match": "x"}',
    "a format of another version": _edited(turncoat_match=2),
    "a field more": _edited(more=1),
    "another match's id": _edited(match="another"),
    "a move too few": _without("moves", 1),
    "a bent move": _bent("moves"),
    "a bent event": _bent("events"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_changed_file_is_refused(visitor: Client, app: Flask, other_app: Flask, elsewhere: Truth, bad: str):
    match, players = seated(visitor)
    play_on(match, players, random.Random(7), moves=3)
    with pytest.raises(NoMatchFile):
        restore(archive_of(other_app), BAD[bad](exported(app, match)))
    assert everything(elsewhere) == {}


def test_a_match_of_other_rules_is_refused(
    visitor: Client, app: Flask, other_app: Flask, elsewhere: Truth, truth: Truth
):
    match, _ = seated(visitor)
    of_the_future(truth, match)
    with pytest.raises(Problem, match="unreadable-match"):
        restore(archive_of(other_app), exported(app, match))
    assert everything(elsewhere) == {}


def test_what_cannot_be_read_can_be_exported(visitor: Client, app: Flask, truth: Truth):
    """It is what an operator wants to put aside until a version comes that reads it."""
    match, _ = seated(visitor)
    of_the_future(truth, match)
    _, whole = decoded(exported(app, match))
    assert whole.stored.match == truth.stored(match, "match")


# --- as commands ---


def run(*arguments: str, given: bytes = b"", **settings: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        input=given,
        capture_output=True,
        env=clean_environment() | settings,
        cwd=Path(__file__).parents[2],
        check=False,
    )


def test_the_commands(visitor: Client, store: StoreServer, other_store: StoreServer, other_app: Flask, tmp_path: Path):
    match, players = seated(visitor)
    play_on(match, players, random.Random(8), moves=3)
    file = run("export", match, REDIS_URL=store.url)
    assert (file.returncode, file.stderr) == (0, b"")
    (tmp_path / "match.json").write_bytes(file.stdout)
    done = run("import", str(tmp_path / "match.json"), REDIS_URL=other_store.url)
    assert (done.returncode, done.stdout) == (0, f"Imported: match {match}, playing, with 3 moves\n".encode())
    assert shown(moved(players[1], other_app), match) == shown(players[1], match)
    again = run("import", "-", given=file.stdout, REDIS_URL=other_store.url)
    assert again.returncode == 1
    assert again.stderr == b"Error: there is a match with this id, or with its join code, already\n"


@pytest.mark.parametrize(
    ("arguments", "given", "code", "said"),
    [
        (["export", "nowhere"], b"", 1, "there is no such match"),
        (
            ["import", "-"],
            b"{}",
            1,
            "this is no match that was exported: Object missing required field `turncoat_match`",
        ),
        (["import", "/nowhere/match.json"], b"", 2, "No such file or directory"),
    ],
    ids=["no such match", "no match", "no file"],
)
def test_commands_that_fail(store: StoreServer, arguments: list[str], given: bytes, code: int, said: str):
    done = run(*arguments, given=given, REDIS_URL=store.url)
    assert (done.returncode, done.stdout) == (code, b"")
    assert said in done.stderr.decode()


def test_without_a_store(tmp_path: Path):
    done = run("export", "x", TURNCOAT_DATA=str(tmp_path))
    assert done.returncode == 2
    assert "REDIS_URL is not set, and no turncoat serve runs on" in done.stderr.decode()
    gone = run("export", "x", REDIS_URL=f"unix://{tmp_path}/gone.sock")
    assert (gone.returncode, gone.stdout) == (1, b"")
    assert "the store does not answer" in gone.stderr.decode()


@pytest.mark.parametrize("first", ["-w", "-h", "--", "-"])
def test_an_id_that_begins_with_a_dash_is_no_option(store: StoreServer, first: str):
    file = run("export", f"{first}xyz-wxyz-wxyz-wxyz-w", REDIS_URL=store.url)
    assert file.returncode == 1
    assert b"there is no such match" in file.stderr


def test_the_store_of_a_running_server_is_found(tmp_path: Path):
    server = Server(tmp_path, workers=1)
    server.start()
    try:
        match, _ = seated(server.visitor())
        file = run("export", match, TURNCOAT_DATA=str(tmp_path / "data"))
        assert file.returncode == 0, file.stderr
        assert json.loads(file.stdout)["match"] == match
        assert run("import", "-", given=file.stdout, TURNCOAT_DATA=str(tmp_path / "data")).returncode == 1
    finally:
        server.stop()
    assert run("export", match, TURNCOAT_DATA=str(tmp_path / "data")).returncode == 2
