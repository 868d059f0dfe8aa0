"""Elsewhere the key to a chair worked after leaving.

Here whoever has left reads what a stranger reads, to the byte, and can do what a stranger can do: nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.bodies import bodies
from support.clients import Client
from support.contract import operations
from support.live import LiveStream
from support.server import Server
from support.sitting import REQUEST_ID, Sitting, every_game
from support.truth import Truth

from engine.catalogue import GAMES
from engine.game import AnyGame

BODIES = {body.operation: body.value for body in reversed(bodies())}
KEY = {"Idempotency-Key": "a-key-of-the-one-who-leaves"}


def leave(player: Client, match: str) -> None:
    assert player.call("leaveMatch", match=match).status == 204


def assert_reads_like(sitting: Sitting, player: Client, stranger: Client, etags: list[str]) -> None:
    """Everything that can be read, also with the ETags of what the player saw from the chair."""
    theirs, strangers = sitting.read(player), sitting.read(stranger)
    assert theirs.keys() == strangers.keys()
    for operation in theirs.keys() - {"getMe"}:
        assert theirs[operation].raw == strangers[operation].raw, operation
        assert theirs[operation].headers.get("ETag") == strangers[operation].headers.get("ETag")
    for etag in etags:
        answer = player.call("getView", match=sitting.match, headers={"If-None-Match": etag})
        assert answer.raw == strangers["getView"].raw


def assert_acts_like(sitting: Sitting, player: Client, stranger: Client, moves: list[Any]) -> None:
    """Everything that changes something is refused like a stranger, or changes nothing."""
    asked = [(name, BODIES.get(name)) for name, entry in operations().items() if writes_a_match(entry)]
    asked += [("playMove", {"decision": decision, "move": move}) for decision, move in moves]
    with sitting.truth.unchanged(sitting.match):
        for operation, body in asked:
            answers = [
                who.call(operation, body, match=sitting.match, headers=REQUEST_ID).raw for who in (player, stranger)
            ]
            assert answers[0] == answers[1], operation


def writes_a_match(operation: Any) -> bool:
    return operation.method != "get" and "{match}" in operation.path


@every_game
@pytest.mark.parametrize("asked", [True, False], ids=["while asked", "while others are"])
def test_after_leaving_a_running_match(visitor: Client, truth: Truth, game: AnyGame, asked: bool):
    """To the end of the match and after it."""
    sitting = Sitting(visitor, truth, game, 1)
    for _ in range(6):
        sitting.move()
    seat = next(seat for seat in range(len(sitting.players)) if (seat in sitting.waiting_on()) == asked)
    leaver = sitting.players[seat]
    seen = leaver.call("getView", match=sitting.match)
    decision = seen.body["you"]["decision"] or {"id": sitting.next_decision(seat), "legal_moves": []}
    known = [(decision["id"] + more, move) for more in (-1, 0, 1) for move in decision["legal_moves"][:2]]

    leave(leaver, sitting.match)
    for moves in sitting.steps():
        assert seat not in sitting.waiting_on()
        if moves % 10 == 0 or not sitting.waiting_on():
            assert_reads_like(sitting, leaver, sitting.stranger, [seen.headers["ETag"]])
            assert_acts_like(sitting, leaver, sitting.stranger, known)
    assert visitor.card(sitting.match)["status"] == "finished"


@every_game
def test_a_repeat_with_a_key_shows_no_more(visitor: Client, truth: Truth, game: AnyGame):
    """What was done from the chair may be asked for again, and is answered with what a stranger sees."""
    sitting = Sitting(visitor, truth, game, 1)
    seat = sitting.waiting_on()[0]
    leaver = sitting.players[seat]
    decision = leaver.view(sitting.match)["you"]["decision"]
    body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    assert leaver.call("playMove", body, match=sitting.match, headers=KEY).body["you"] is not None
    leave(leaver, sitting.match)
    again = leaver.call("playMove", body, match=sitting.match, headers=KEY)
    assert (again.status, again.headers["Idempotency-Replayed"]) == (200, "true")
    assert again.raw == sitting.stranger.call("getView", match=sitting.match).raw


@every_game
def test_a_stream_that_was_opened_from_the_chair_tells_no_more(server: Server, truth: Truth, game: AnyGame):
    """Up to the moment of leaving it tells what the player learned; from then on, what a stranger learns."""
    sitting = Sitting(server.visitor(), truth, game, 1)
    seat = sitting.waiting_on()[0]
    leaver = sitting.players[seat]
    stream = LiveStream(server.address, sitting.match, leaver.token)
    for _ in range(12):  # by then everybody has learned something
        sitting.move()
    stream.has(len(truth.events(sitting.match)))
    before = stream.events
    leave(leaver, sitting.match)
    for _ in sitting.steps():
        pass
    after = stream.ends()[len(before) :]
    assert any(sent.data["event"]["you"] for sent in before)
    told = [sent.data for sent in after]
    pages = [answer for name, answer in sitting.read(sitting.stranger).items() if name.startswith("listEvents")]
    listed = [entry for page in pages for entry in page.body["items"]]
    assert told == listed[len(before) :]


@pytest.mark.parametrize("started", [True, False], ids=["running", "open"])
def test_after_leaving_a_private_match_there_is_none(visitor: Client, started: bool):
    ada, ben, cleo = (visitor.become(name) for name in ("Ada", "Ben", "Cleo"))
    new = {"game": "kabale", "seats": 3, "visibility": "private"}
    card = ada.call("createMatch", new).body
    for player in (ben, cleo) if started else (ben,):
        assert player.call("joinByCode", {"join_code": card["join_code"]}).status == 201
    leave(ben, card["match"])
    for operation in operations().values():
        if "{match}" in operation.path and operation.id != "leaveMatch":
            answer = ben.call(operation.id, BODIES.get(operation.id), match=card["match"])
            assert (answer.status, answer.code) == (404, "no-such-match"), operation.id
    assert card["match"].encode() not in ben.call("listMyMatches").raw
    leave(ben, card["match"])


def test_after_leaving_before_the_start_the_chair_is_somebody_else_s(visitor: Client):
    for game in GAMES.values():
        ada, ben, cleo = (visitor.become(name) for name in ("Ada", "Ben", "Cleo"))
        match = ada.create(game.id, game.seats[-1])
        seat = ben.join(match)
        leave(ben, match)
        assert cleo.join(match, seat=seat) == seat
        stranger = visitor.become("Stranger")
        for operation in ("getMatch", "getView", "listEvents", "startMatch"):
            theirs, strangers = (
                who.call(operation, BODIES.get(operation), match=match, headers=REQUEST_ID) for who in (ben, stranger)
            )
            assert theirs.raw == strangers.raw
