"""A client that shows what it is sent, and nothing that it knows by itself, finds a name for every id."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from support.clients import Client
from support.sitting import Sitting, every_game

from engine.game import AnyGame

LANGUAGES = ("en", "de", "nl")


def texts_in(value: Any) -> Iterator[str]:
    """Every text in there, but for the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)


def sent(sitting: Sitting) -> Iterator[str]:
    """Whatever the game itself says to anybody in a whole match, in views, decisions, events and the result."""
    for _ in sitting.steps():
        for viewer in (*sitting.players, sitting.spectator):
            view = viewer.view(sitting.match)
            yield from texts_in([view["table"], view["you"], view["result"]])
    for viewer in (*sitting.players, sitting.spectator):
        events = {}
        while page := viewer.call("listEvents", match=sitting.match, query=f"?after={len(events)}").body["items"]:
            events |= {entry["number"]: entry["event"] for entry in page}
        yield from texts_in(list(events.values()))


@every_game
def test_whatever_is_said_in_a_match_has_a_name_in_every_language(visitor: Client, game: AnyGame):
    sitting = Sitting(visitor, None, game, 1)
    said = set(sent(sitting))
    assert not [text for text in said if not re.fullmatch(r"[a-z0-9]+([_-][a-z0-9]+)*", text)], "no id"
    result = sitting.spectator.view(sitting.match)["result"]
    assert {result["ending"], *(entry["reason"] for entry in result["seats"])} <= said
    assert {"over", f"{game.id}_dealt", f"{game.id}_ended"} <= said
    assert said & set(game.kinds)
    for language in LANGUAGES:
        shown = visitor.call("getGame", game=game.id, headers={"Accept-Language": language}).body["names"]
        assert not said - set(shown)
