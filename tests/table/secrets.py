"""Whether the page of one player tells what only another may know."""

from __future__ import annotations

import re
import time
from typing import Any

import jwt
from support.store import PATIENCE
from table.person import Person

#: What is asked in Verräter while the action cards that were kept lie face down.
_BEFORE_THE_ACTIONS = {"draft_action", "play_supplies"}


def assert_keep_secrets(people: list[Person]) -> None:
    """Each other's, on the page and in the browser's stores. Only while one of these people is waited for."""
    for reader in people:
        for other in people:
            if other is not reader:
                assert_knows_nothing(reader, other)


def assert_knows_nothing(reader: Person, other: Person) -> None:
    """The reader, who may only watch, of the other. While the other is waited for, or the reader is."""
    view = other.view()  # first: what it holds as secret was one when the page is read, for only this test plays for it
    names = other.client.call("getGame", game=view["game"]).body["names"]
    everything = reader.everything()
    assert other.token not in everything
    assert jwt.decode(other.token, options={"verify_signature": False})["sub"] not in everything
    if view["status"] == "playing":
        _OF_THE_GAMES[view["game"]](reader, other, view, names, everything)


def _verraeter(reader: Person, other: Person, view: dict[str, Any], names: dict[str, str], everything: str) -> None:
    mine = reader.view()
    own = sorted(f"Supply card {value}" for value in mine["you"]["hand"])
    assert _eventually(lambda: sorted(_labels(reader, ".supply")), own) == own
    asked = {each["you"]["decision"]["kind"] for each in (view, mine) if each["you"]["decision"] is not None}
    kept = view["you"]["kept"]
    if kept is not None and asked & _BEFORE_THE_ACTIONS:
        panel = reader.page.locator(".seat", has_text=other.name)
        assert _eventually(lambda: names[kept] in panel.inner_text(), False) is False


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
    own = reader.view()
    known = {own["you"]["role"], own["you"]["partner_role"], *(seat["role"] for seat in own["table"]["seats"])}
    theirs = view["you"]["role"]
    if theirs not in known:  # nor revealed, of whatever seat
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
