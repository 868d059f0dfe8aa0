"""After the end a match is told in full, and `turncoat verify` confirms it."""

from __future__ import annotations

import json
import random

import pytest
from click.testing import CliRunner
from support.clients import Client, play_on

from service.cli import main


@pytest.fixture(scope="module")
def finished(app) -> tuple[str, list[Client], str]:
    """A finished match, started with a free seat between others, and the commitment it had when it was created."""
    from support.clients import InProcess

    visitor = Client(InProcess(app.test_client()))
    ada, ben, cleo = (visitor.become(name) for name in ("Ada", "Ben", "Cleo"))
    match = ada.create(seats=4, options={"early_end": "at_once"})
    commitment = ada.card(match)["commitment"]
    ben.join(match, seat=3, entropy="heads")
    cleo.join(match, seat=1, entropy="tails-7")
    assert ada.call("startMatch", {}, match=match).status == 200
    players = [ada, cleo, ben]
    play_on(match, players, random.Random(11))
    return match, players, commitment


def verified(replay: bytes) -> tuple[int, str]:
    """What `turncoat verify -` says of it."""
    done = CliRunner().invoke(main, ["verify", "-"], input=replay)
    return done.exit_code, done.output


def test_a_finished_match_is_confirmed(finished, visitor: Client):
    match, _, commitment = finished
    replay = visitor.call("getReplay", match=match)
    assert replay.status == 200
    code, said = verified(replay.raw)
    assert code == 0, said
    moves, events = len(replay.body["moves"]), len(replay.body["events"])
    assert f"its {moves} moves and {events} events follow from it" in said
    assert replay.body["commitment"] == commitment == visitor.card(match)["commitment"]


def test_seats_have_names_and_entropies_and_no_ids(finished, visitor: Client):
    match, players, _ = finished
    replay = visitor.call("getReplay", match=match)
    assert replay.body["seats"] == [
        {"seat": 0, "name": "Ada", "entropy": ""},
        {"seat": 1, "name": "Cleo", "entropy": "tails-7"},
        {"seat": 2, "name": "Ben", "entropy": "heads"},
    ]
    for player in players:
        assert player.call("getMe").body["player"].encode() not in replay.raw


def test_everybody_reads_the_same(finished, visitor: Client):
    match, players, _ = finished
    stranger = visitor.become("Stranger")
    answers = [viewer.call("getReplay", match=match) for viewer in (visitor, stranger, *players)]
    assert len({answer.raw for answer in answers}) == 1
    assert visitor.call("getReplay", match=match, headers={"If-None-Match": answers[0].headers["ETag"]}).status == 304


def test_what_was_changed_is_named(finished, visitor: Client):
    match, _, _ = finished
    original = visitor.call("getReplay", match=match).body
    digit = "0" if original["seed"][0] != "0" else "1"
    drawn = next(place for place, event in enumerate(original["events"]) if event["public"]["type"] == "supplies_drawn")
    ((seat, told),) = original["events"][drawn]["private"].items()
    another_card = 2 if told["you"]["cards"][0] != 2 else 3
    for path, value, place in [
        (["seed"], digit + original["seed"][1:], "/commitment"),
        (["seats", 1, "entropy"], "tails-8", "/events/0/public"),
        (["moves", 0, "move", "landscape"], (original["moves"][0]["move"]["landscape"] + 1) % 12, "/"),
        (["events", drawn, "public", "count"], 4, f"/events/{drawn}/public"),
        (["events", drawn, "private", seat, "you", "cards", 0], another_card, f"/events/{drawn}/private"),
    ]:
        changed = json.loads(json.dumps(original))
        inner = changed
        for step in path[:-1]:
            inner = inner[step]
        assert inner[path[-1]] != value
        inner[path[-1]] = value
        code, said = verified(json.dumps(changed).encode())
        assert code == 1
        assert said.startswith(f"Error: {place}"), (path, said)


def test_before_the_end_there_is_no_replay(visitor: Client):
    host, guest, third = (visitor.become(name) for name in ("Ada", "Ben", "Cleo"))
    match = host.create()
    assert host.call("getReplay", match=match).code == "match-not-finished"
    guest.join(match)
    third.join(match)
    play_on(match, [host, guest, third], random.Random(1), moves=30)
    for viewer in (visitor, host):
        assert viewer.call("getReplay", match=match).code == "match-not-finished"
