"""Elsewhere the state was filtered, and the same answer carried the unfiltered initial state, or an undo stack.

Here every place in every answer about a match stands in a list, ``paths/`` and the game's id, with who receives it.
A place that is new, or gone, fails until somebody who knows why it is no secret has entered it by hand. Operations are
those of the contract: a new one is watched by itself, and needs its line in :data:`ANSWERS`.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask
from support.clients import Client, InProcess, Transport
from support.contract import operations
from support.sitting import Sitting, dealt_by_number
from support.truth import Truth
from support.watching import NEVER, paths

from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.kabale import KABALE

LISTS = Path(__file__).with_name("paths")

ANSWERS = {
    **dict.fromkeys(["getMatch", "createMatch", "joinMatch", "joinByCode", "startMatch"], "card"),
    **dict.fromkeys(["getView", "playMove"], "view"),
    **dict.fromkeys(["listMatches", "listMyMatches"], "cards"),
    "listEvents": "events",
}
"""The list that has the places of each operation's answers."""

UNLISTED = {
    *["listGames", "getGame", "createPlayer", "renewToken", "getMe"],  # tell nothing of a match
    "leaveMatch",  # tells nothing
    "getReplay",  # tells everything, after the end
}

MATCHES: Mapping[str, Mapping[int, Mapping[str, Any]]] = {
    "verraeter": {0: {}, 6: {}},
    "kabale": {0: {}, 1: {}},
    "inside_job": {
        0: {},
        1: {"special_roles": ["accomplice", "paranoid_agent"]},
        2: {"special_roles": ["decoy", "sleeper_agent"], "missions_needed": 9, "intel_limit": 14},
        29: {"special_roles": ["bugged_agent", "prof_no", "risk_agent", "tim_shady"], "intel_limit": 6},
    },
}
"""Matches, by number, with options with which everything happens that can."""

Places = dict[tuple[str, str], set[str]]
"""By list, and by whether they are told to ``everybody`` or to ``players`` besides."""


class Noting:
    """A way to the service on which every place in every answer about a match is noted.

    Attributes:
        places: by operation, and by whether a token was sent.
    """

    def __init__(self, transport: Transport, game: AnyGame) -> None:
        self._transport = transport
        self._game = game
        self.places: dict[tuple[str, bool], set[str]] = defaultdict(set)

    def send(self, method, url, headers, data):
        status, answer_headers, raw = self._transport.send(method, url, headers, data)
        operation = operation_of(method, url)
        if status < 300 and operation not in UNLISTED:
            told = json.loads(raw) if raw else {}
            if "items" in told and "latest" not in told:  # a list of matches, of all that there are
                told["items"] = [item for item in told["items"] if item["game"] == self._game.id]
            self.places[operation, "Authorization" in headers] |= set(paths(told))
        return status, answer_headers, raw


def operation_of(method: str, url: str) -> str:
    """The operation at an address."""
    path = url.partition("?")[0]
    (found,) = [
        operation.id
        for operation in operations().values()
        if operation.method.upper() == method and re.fullmatch(re.sub(r"{\w+}", "[^/]+", operation.path), path)
    ]
    return found


@pytest.fixture(scope="module", params=GAMES.values(), ids=GAMES)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return request.param


@pytest.fixture(scope="module")
def noted(app: Flask, truth: Truth, game: AnyGame) -> Noting:
    """Everything that was received in some whole matches, which are the same in every run."""
    truth.redis.flushall()  # matches that other tests left may come before these in every list
    noting = Noting(InProcess(app.test_client()), game)
    visitor = Client(noting)
    for number, options in MATCHES[game.id].items():
        with dealt_by_number(truth, 100 * list(GAMES).index(game.id) + number):
            seats = next(seats for seats in game.seats if seats > 3 or not options)
            sitting = Sitting(visitor, truth, game, number, seats=seats, options=options)
        play_and_read(sitting)
    if game is KABALE:
        play_without_cards(visitor, truth)
    play_in_private(visitor, game)
    return noting


def play_and_read(sitting: Sitting) -> None:
    for moves in sitting.steps():
        for _, viewer in sitting.viewers if moves % 3 == 0 else ():
            viewer.view(sitting.match)
        if moves in (0, 20) or not sitting.waiting_on():
            for _, viewer in sitting.viewers:
                sitting.read(viewer)


def play_without_cards(visitor: Client, truth: Truth) -> None:
    """Seats that have no more cards are skipped, which hardly ever happens."""
    sitting = Sitting(visitor, truth, KABALE, seats=3)

    def no_cards(state: Any) -> None:
        player = state.players[(state.turn + 1) % 3]
        player.hand, player.draw_pile = [], []

    truth.lay_out(sitting.match, no_cards)
    sitting.move()
    sitting.read(visitor)


def play_in_private(visitor: Client, game: AnyGame) -> None:
    """A private match, started before it is full."""
    players = [visitor.become(f"Player {seat}") for seat in range(game.seats[0])]
    new = {"game": game.id, "seats": game.seats[-1], "visibility": "private", "name": "Us", "move_seconds": 1000}
    card = players[0].call("createMatch", new).body
    for player in players[1:]:
        player.call("joinByCode", {"join_code": card["join_code"]})
    assert players[0].call("startMatch", {"stand_ins": True}, match=card["match"]).status == 200
    players[0].card(card["match"])


def received(noting: Noting) -> Places:
    """By list; what players receive is what they receive beyond everybody."""
    found: Places = {}
    for list_ in set(ANSWERS.values()):
        of_list = [operation for operation, name in ANSWERS.items() if name == list_]
        for kind, with_token in (("everybody", False), ("players", True)):
            found[list_, kind] = set().union(*(noting.places[operation, with_token] for operation in of_list))
        found[list_, "players"] -= found[list_, "everybody"]
    return found


def listed(game: AnyGame) -> Places:
    """The lists as they stand in the file."""
    found: Places = defaultdict(set)
    for line in (LISTS / f"{game.id}.txt").read_text().splitlines():
        if heading := re.fullmatch(r"# (\w+), (\w+)", line):
            places = found[heading[1], heading[2]]
        elif line:
            assert line not in places, f"{line} stands there twice"
            places.add(line)
    return {key: places for key, places in found.items() if places}


def test_every_operation_has_its_list(noted: Noting):
    assert set(ANSWERS) | UNLISTED == set(operations())
    assert {operation for operation, _ in noted.places} == set(ANSWERS), "one was never answered"


def test_every_place_is_in_the_list(noted: Noting, game: AnyGame):
    there, expected = received(noted), listed(game)
    for key in there.keys() | expected.keys():
        new, gone = there.get(key, set()) - expected.get(key, set()), expected.get(key, set()) - there.get(key, set())
        assert (sorted(new), sorted(gone)) == ([], []), f"{game.id}, {key}: places that are new, and that are gone"


def test_every_kind_of_move_and_event_is_in_the_list(game: AnyGame):
    """So the matches are enough of them."""
    tags = {tag for places in listed(game).values() for place in places for tag in re.findall(r"<(\w+)>", place)}
    members = [*get_args(game.move_type), *get_args(game.event_type)]
    assert tags == {member.__struct_config__.tag for member in members}


def test_no_place_has_a_telling_name(game: AnyGame):
    for places in listed(game).values():
        assert not {name for place in places for name in re.split(r"[\[\]<>.]+", place)} & NEVER


def test_what_players_alone_are_told_is_under_you(game: AnyGame):
    for (_, kind), places in listed(game).items():
        own = {place for place in places if re.search(r"(^|\.)you\.", place)}
        assert own == (places if kind == "players" else set())
