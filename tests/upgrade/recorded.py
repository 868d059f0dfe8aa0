"""What versions of the service have stored: matches as `turncoat export` writes them, a folder for each version.

`python tests/upgrade/write.py` records those of the present version. Once that is released, what was recorded is
never changed: it stands for what lies in the stores of those who run it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask
from support.clients import Client, InProcess, play_on, seated

from engine.catalogue import GAMES
from service.app import Parts
from service.match import LoggedMove, Match
from service.transfer import encoded

STORED = Path(__file__).with_name("stored")
CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
FORM = "form.json"
STATUSES = ["open", "playing", "finished", "cancelled"]


def present_version() -> str:
    return version("turncoat")


def released() -> list[str]:
    """The versions that were released, newest first."""
    return re.findall(r"^## \[?(\d+\.\d+\.\d+)", CHANGELOG.read_text(encoding="utf-8"), flags=re.MULTILINE)


def folders() -> list[Path]:
    """The folders of all versions."""
    return sorted(path for path in STORED.iterdir() if path.is_dir())


def matches(app: Flask) -> Iterator[tuple[str, bytes]]:
    """Matches of the present version: for each the name of its file, and what is in it."""
    parts: Parts = app.extensions["turncoat"]
    visitor = Client(InProcess(app.test_client()))
    for game in GAMES:
        for status in STATUSES:
            match = MAKE[status](visitor, game)
            whole = parts.archive.whole(match)
            assert msgspec.msgpack.decode(whole.stored.match, type=Match).status == status
            yield f"{game}-{status}.json", encoded(match, whole)


def form() -> Any:
    """What may be in a stored match, as a JSON Schema without its words."""
    states = [game.state_type for game in GAMES.values()]
    events = [game.event_type for game in GAMES.values()]
    moves = [game.move_type for game in GAMES.values()]
    _, components = msgspec.json.schema_components([Match, LoggedMove, *states, *events, *moves])
    return _without_words(components)


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: _without_words(entry) for key, entry in sorted(value.items()) if key not in ("title", "description")
        }
    return [_without_words(entry) for entry in value] if isinstance(value, list) else value


def _open(visitor: Client, game: str) -> str:
    """Private, joined by a code, with entropy, and asked for with a key."""
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    body = {"game": game, "seats": 3, "visibility": "private", "name": "Our table"}
    created = ada.call("createMatch", body, headers={"Idempotency-Key": "recorded-for-ever"}).body
    ben.call("joinByCode", {"join_code": created["join_code"], "seat": 2, "entropy": "heads"})
    return created["match"]


def _playing(visitor: Client, game: str) -> str:
    """With a time for each decision, and a stand-in for somebody who left."""
    match, players = seated(visitor, game, 4, move_seconds=86_400)
    play_on(match, players, random.Random(game), moves=5)
    players[1].call("leaveMatch", match=match)
    return match


def _finished(visitor: Client, game: str) -> str:
    match, players = seated(visitor, game, 3)
    play_on(match, players, random.Random(game))
    return match


def _cancelled(visitor: Client, game: str) -> str:
    match, players = seated(visitor, game, 3)
    for player in players:
        player.call("leaveMatch", match=match)
    return match


MAKE: dict[str, Callable[[Client, str], str]] = {
    "open": _open,
    "playing": _playing,
    "finished": _finished,
    "cancelled": _cancelled,
}
