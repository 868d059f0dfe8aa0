"""Whether the page of one player tells what only another may know."""

from __future__ import annotations

import re
import time
from typing import Any

import jwt
from support.store import PATIENCE
from table.person import Person

_ACTIONS = ("Traitor", "Diplomat", "Builder", "Strategist", "Farmer")


def assert_keep_secrets(people: list[Person]) -> None:
    """Each other's, on the page and in the browser's stores. Only while one of these people is waited for."""
    for reader in people:
        for other in people:
            if other is not reader:
                _assert_knows_nothing(reader, other)


def _assert_knows_nothing(reader: Person, other: Person) -> None:
    view = other.view()  # first: what it holds as secret was one when the page is read, for only this test plays for it
    names = other.client.call("getGame", game=view["game"]).body["names"]
    everything = reader.everything()
    assert other.token not in everything
    assert jwt.decode(other.token, options={"verify_signature": False})["sub"] not in everything
    if view["status"] == "playing":
        _OF_THE_GAMES[view["game"]](reader, other, view, names, everything)


def _verraeter(reader: Person, other: Person, view: dict[str, Any], names: dict[str, str], everything: str) -> None:
    own = sorted(f"Supply card {value}" for value in reader.view()["you"]["hand"])
    assert _eventually(lambda: sorted(_labels(reader, ".supply")), own) == own
    if view["table"]["seats"][view["you"]["seat"]]["action"] is None:
        panel = reader.page.locator(".seat", has_text=other.name).inner_text()
        assert not any(action in panel for action in _ACTIONS)


def _kabale(reader: Person, other: Person, view: dict[str, Any], names: dict[str, str], everything: str) -> None:
    for card in view["you"]["face_down"]:
        if card["character"] != "explorer":  # everybody has seen one that moved
            slot = f".column:nth-child({card['column'] + 1}) .slots > li:nth-child({card['slot'] + 1}) > *"
            expected = f"Face-down card of {other.name}"
            assert _eventually(lambda slot=slot: _labels(reader, slot)[:1], [expected]) == [expected]
            assert names[card["character"]] not in reader.page.locator(slot).inner_text()


def _inside_job(reader: Person, other: Person, view: dict[str, Any], names: dict[str, str], everything: str) -> None:
    for card in view["you"]["hand"]:
        assert not re.search(rf"\b{names[card]}\b(?! \()", everything), card
    mine, theirs = reader.view()["you"]["role"], view["you"]["role"]
    if mine != theirs:
        assert not re.search(rf"\b{names[theirs]}\b", everything)


_OF_THE_GAMES = {"verraeter": _verraeter, "kabale": _kabale, "inside_job": _inside_job}


def _labels(person: Person, selector: str) -> list[str]:
    find = "(selector) => [...document.querySelectorAll(selector)].map((one) => one.getAttribute('aria-label'))"
    return list(person.page.evaluate(find, selector))


def _eventually(look, wanted):
    until = time.monotonic() + PATIENCE
    while (seen := look()) != wanted and time.monotonic() < until:
        time.sleep(0.05)
    return seen
