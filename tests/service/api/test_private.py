"""Private matches: they are there for their players only, and the way in is a code that dies with the start."""

from __future__ import annotations

import re
from collections.abc import Callable
from unittest.mock import Mock

import msgspec
import pytest
from flask import Flask
from support.clients import Answer, Client
from support.contract import operations
from support.truth import Truth

from service.match import JOIN_CODE_CHARACTERS, Match
from service.store import StoreFull, keys

UNKNOWN = "A" * 22


class Room:
    """A private match with Ada in it, and its code."""

    def __init__(self, visitor: Client, seats: int = 3, **more) -> None:
        self.ada = visitor.become("Ada")
        answer = self.ada.call("createMatch", {"game": "verraeter", "seats": seats, "visibility": "private", **more})
        assert answer.status == 201
        self.match, self.code = answer.body["match"], answer.body["join_code"]

    def enter(self, player: Client, **more) -> Answer:
        return player.call("joinByCode", {"join_code": self.code, **more})


@pytest.fixture
def room(visitor: Client) -> Room:
    return Room(visitor)


def test_the_code_is_on_the_card_of_players_only(room: Room, visitor: Client):
    assert re.fullmatch(f"[{JOIN_CODE_CHARACTERS}]{{8}}", room.code)
    assert room.ada.card(room.match)["join_code"] == room.code
    ben = visitor.become("Ben")
    answer = room.enter(ben)
    assert (answer.status, answer.body["seat"], answer.body["join_code"]) == (201, 1, room.code)
    assert ben.card(room.match)["join_code"] == room.code


def test_a_public_match_has_no_code(visitor: Client):
    ada = visitor.become("Ada")
    assert ada.card(ada.create())["join_code"] is None


OF_A_MATCH = [name for name, operation in operations().items() if "{match}" in operation.path]
BODIES = {"joinMatch": {}, "startMatch": {}, "playMove": {"decision": 1, "move": {"type": "decline_build"}}}


@pytest.mark.parametrize("operation", OF_A_MATCH)
@pytest.mark.parametrize("state", ["open", "playing"])
def test_to_all_others_it_is_not_there(visitor: Client, truth: Truth, operation: str, state: str):
    """The very bytes of an answer about a match that never was; with a token and, where none is needed, without."""
    room = Room(visitor)
    if state == "playing":
        for name in ("Ben", "Cleo"):
            room.enter(visitor.become(name))
    headers = {"X-Request-Id": "same"}
    needs_token = {} not in operations()[operation].entry["security"]
    with truth.unchanged(room.match, room.ada):
        for who in [visitor.become("Stranger"), *([] if needs_token else [visitor])]:
            here, nowhere = (
                who.call(operation, BODIES.get(operation), match=match, headers=headers)
                for match in (room.match, UNKNOWN)
            )
            assert (here.status, here.code) == (404, "no-such-match")
            assert here.raw == nowhere.raw
            assert dict(here.headers) == dict(nowhere.headers)


def of_a_newer_version(record: Match) -> bytes:
    return msgspec.msgpack.encode({**msgspec.to_builtins(record, builtin_types=(bytes,)), "newer": 1})


def of_newer_rules(record: Match) -> bytes:
    return msgspec.msgpack.encode(msgspec.structs.replace(record, rules_version=99))


def overdue(record: Match) -> bytes:
    return msgspec.msgpack.encode(msgspec.structs.replace(record, deadline=1))


@pytest.mark.parametrize("operation", OF_A_MATCH)
@pytest.mark.parametrize("becomes", [of_a_newer_version, of_newer_rules, overdue])
def test_whatever_has_become_of_it(
    app: Flask,
    visitor: Client,
    truth: Truth,
    monkeypatch: pytest.MonkeyPatch,
    operation: str,
    becomes: Callable[[Match], bytes],
):
    """Strangers do not learn that it cannot be read, and have nothing done in it, nor learn that this fails."""
    room = Room(visitor, move_seconds=60)
    ben, cleo, stranger = (visitor.become(name) for name in ("Ben", "Cleo", "Stranger"))
    room.enter(ben)
    room.enter(cleo)
    ben.call("leaveMatch", match=room.match)
    truth.overwrite(room.match, match=becomes(truth.match(room.match)))
    before = truth.everything(room.match)
    monkeypatch.setattr(app.extensions["turncoat"].store, "write", Mock(side_effect=StoreFull))
    headers = {"X-Request-Id": "same"}
    for who in (stranger, ben):
        if (who, operation) != (ben, "leaveMatch"):
            here, nowhere = (
                who.call(operation, BODIES.get(operation), match=match, headers=headers)
                for match in (room.match, UNKNOWN)
            )
            assert (here.raw, dict(here.headers)) == (nowhere.raw, dict(nowhere.headers))
        assert room.enter(who).code == "wrong-join-code"
    assert truth.everything(room.match) == before
    told = room.ada.call(operation, BODIES.get(operation), match=room.match).code
    assert told == ("store-full" if becomes is overdue else "unreadable-match")
    truth.redis.delete(*truth.keys_of(room.match))  # else sweepers of other tests would meet it again and again


def test_who_has_left_is_a_stranger_again(room: Room, visitor: Client):
    ben = visitor.become("Ben")
    room.enter(ben)
    assert ben.call("leaveMatch", match=room.match).status == 204
    assert ben.call("getMatch", match=room.match).code == "no-such-match"
    assert ben.call("leaveMatch", match=room.match).status == 204, "but for leaving once more"
    assert room.enter(ben).body["seat"] == 1


def test_who_has_left_a_running_one_cannot_come_back(room: Room, visitor: Client):
    ben, cleo = visitor.become("Ben"), visitor.become("Cleo")
    room.enter(ben)
    room.enter(cleo)
    ben.call("leaveMatch", match=room.match)
    for operation in ("getMatch", "getView", "listEvents", "getReplay"):
        assert ben.call(operation, match=room.match).code == "no-such-match"
    assert room.enter(ben).code == "wrong-join-code"
    assert ben.call("joinMatch", {}, match=room.match).code == "no-such-match"


def test_the_code_dies_with_the_start(room: Room, visitor: Client, truth: Truth):
    ben, cleo, late = (visitor.become(name) for name in ("Ben", "Cleo", "Late"))
    room.enter(ben)
    assert room.enter(cleo).body["status"] == "playing"
    with truth.unchanged(room.match, room.ada):
        assert room.enter(late).code == "wrong-join-code"
        again = room.enter(cleo)
    assert (again.status, again.body["seat"]) == (200, 2), "who got in by it, and lost the answer, is told so"
    assert {player.card(room.match)["join_code"] for player in (room.ada, ben, cleo)} == {None}


def test_the_code_dies_with_the_match(room: Room, visitor: Client):
    room.ada.call("leaveMatch", match=room.match)
    assert room.enter(visitor.become("Ben")).code == "wrong-join-code"


def test_a_wrong_code_looks_the_same_whatever_it_led_to(room: Room, visitor: Client):
    over = Room(visitor)
    over.ada.call("leaveMatch", match=over.match)
    ben = visitor.become("Ben")
    never = "A" * 8
    answers = [
        ben.call("joinByCode", {"join_code": code}, headers={"X-Request-Id": "same"}) for code in (over.code, never)
    ]
    assert answers[0].raw == answers[1].raw
    assert over.code not in answers[0].raw.decode()


def test_a_seat_may_be_chosen_and_entropy_added(visitor: Client, truth: Truth):
    room = Room(visitor, seats=4)
    answer = room.enter(visitor.become("Ben"), seat=2, entropy="by-ben")
    assert answer.body["seat"] == 2
    assert truth.match(room.match).seats[2].entropy == "by-ben"
    assert room.enter(visitor.become("Cleo"), seat=2).code == "seat-taken"
    assert room.enter(visitor.become("Cleo"), seat=9).code == "invalid"


def test_players_of_a_private_match_join_it_by_its_id_too(room: Room, visitor: Client):
    """Joining twice is joining once, whichever way."""
    ben = visitor.become("Ben")
    room.enter(ben)
    again = ben.call("joinMatch", {}, match=room.match)
    assert (again.status, again.body["seat"]) == (200, 1)


def test_codes_differ_and_lead_to_their_matches(visitor: Client):
    rooms = [Room(visitor) for _ in range(30)]
    assert len({room.code for room in rooms}) == 30
    ben = visitor.become("Ben")
    for room in rooms:
        assert room.enter(ben).body["match"] == room.match


def test_a_code_that_is_taken_is_not_given_again(visitor: Client, monkeypatch: pytest.MonkeyPatch):
    codes = iter(["AAAA2222", "AAAA2222", "BBBB3333"])
    monkeypatch.setattr("service.matches.new_join_code", lambda: next(codes))
    assert [Room(visitor).code for _ in range(2)] == ["AAAA2222", "BBBB3333"]


def test_a_code_that_only_the_index_has_is_none(room: Room, visitor: Client, truth: Truth):
    """Of two equal creations at once, the one that comes too late leaves such a code behind."""
    truth.redis.set(keys.code("ZZZZ9999"), room.match, ex=60)
    assert visitor.become("Ben").call("joinByCode", {"join_code": "ZZZZ9999"}).code == "wrong-join-code"


def test_the_code_outlives_the_match(room: Room, visitor: Client, truth: Truth):
    for _ in range(2):
        assert truth.redis.pttl(keys.code(room.code)) > truth.redis.pttl(keys.record(room.match))
        room.enter(visitor.become("Ben"))


@pytest.mark.parametrize(
    "code", ["", "A" * 7, "A" * 9, "aaaaaaaa", "AAAA-AAA", "AAAAAAA0", "AAAAAAAA\n", "ÄÄÄÄÄÄÄÄ", 12345678, None]
)
def test_what_is_no_code_is_refused(visitor: Client, code: object):
    answer = visitor.become("Ada").call("joinByCode", {"join_code": code})
    assert (answer.code, answer.body["errors"][0]["pointer"]) == ("invalid", "/join_code")
