"""Elsewhere views were made by blanking what is hidden, and a new field was forgotten.

Here views and events are built from nothing: a secret that is added anywhere in a state shows up nowhere. And whatever
something hides, it has the same fields as everything of its kind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest
from support.clients import Client
from support.enriched import FIELD, SECRET, enrich
from support.sitting import Sitting, every_game
from support.truth import Truth

from engine.game import AnyGame


@every_game
def test_secrets_that_are_added_to_a_state_show_up_nowhere(
    visitor: Client, truth: Truth, game: AnyGame, monkeypatch: pytest.MonkeyPatch
):
    """Every part of every state has one more, while everybody asks for everything."""
    loaded = enrich(monkeypatch, game)
    sitting = Sitting(visitor, truth, game, 1)
    assert SECRET in str(sitting.state()), "nothing was added"
    for moves in sitting.steps():
        if moves % 10 == 0 or not sitting.waiting_on():
            for _, viewer in sitting.viewers:
                answers = [*sitting.read(viewer).values(), viewer.move(sitting.match, 9999, {"type": "decline_build"})]
                for answer in answers:
                    assert SECRET.encode() not in answer.raw + str(answer.headers).encode()
                    assert f'"{FIELD}"'.encode() not in answer.raw
    assert loaded[0] > 100


@every_game
def test_things_of_a_kind_have_the_same_fields_whatever_they_hide(visitor: Client, truth: Truth, game: AnyGame):
    """Everywhere in views and events, for everybody, throughout a match."""
    sitting = Sitting(visitor, truth, game, 1)
    fields: dict[str, set[frozenset[str]]] = defaultdict(set)
    for moves in sitting.steps():
        if moves % 16 == 0 or not sitting.waiting_on():
            for _, viewer in sitting.viewers:
                for operation, answer in sitting.read(viewer).items():
                    name = operation.partition(",")[0]
                    if answer.status == 200 and name in ("getMatch", "getView", "listEvents"):
                        note_fields(answer.body, name, fields)
    assert len(fields) > 10
    assert {place: shapes for place, shapes in fields.items() if len(shapes) > 1} == {}


def note_fields(value: Any, place: str, fields: dict[str, set[frozenset[str]]]) -> None:
    """Note which fields the objects at each place have; members of a union are of different kinds."""
    if isinstance(value, dict):
        if "type" in value and re.search(r"(event|legal_moves)$", place):
            place += f"<{value['type']}>"
        fields[place].add(frozenset(value))
        for name, inner in value.items():
            note_fields(inner, f"{place}.{name}", fields)
    elif isinstance(value, list):
        for inner in value:
            note_fields(inner, place, fields)
