"""Requests with an Idempotency-Key: sent again, they are not carried out again, and the first outcome comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import DEFAULT, Mock

import msgspec
import pytest
from flask import Flask
from support.clients import Answer, Client, seated
from support.truth import Truth

KEY = "0123456789abcdef"


def keyed(player: Client, operation: str, body: Any, key: str = KEY, **about: str) -> Answer:
    return player.call(operation, body, headers={"Idempotency-Key": key}, **about)


Situation = Callable[[Client], tuple[Client, str, Any, dict[str, str]]]


def creating(visitor: Client) -> Any:
    return visitor.become("Ada"), "createMatch", {"game": "verraeter", "seats": 3, "visibility": "public"}, {}


def creating_a_private_one(visitor: Client) -> Any:
    return visitor.become("Ada"), "createMatch", {"game": "kabale", "seats": 3, "visibility": "private"}, {}


def joining(visitor: Client) -> Any:
    return visitor.become("Ben"), "joinMatch", {"seat": 2, "entropy": "x"}, {"match": visitor.become("Ada").create()}


def joining_last(visitor: Client) -> Any:
    """Which starts the match."""
    return visitor.become("Ben"), "joinMatch", {}, {"match": visitor.become("Ada").create(game="kabale", seats=2)}


def joining_by_code(visitor: Client) -> Any:
    new = {"game": "kabale", "seats": 2, "visibility": "private"}
    code = visitor.become("Ada").call("createMatch", new).body["join_code"]
    return visitor.become("Ben"), "joinByCode", {"join_code": code}, {}


def starting(visitor: Client) -> Any:
    ada = visitor.become("Ada")
    return ada, "startMatch", {"stand_ins": True}, {"match": ada.create(seats=3)}


def moving(visitor: Client) -> Any:
    match, players = seated(visitor)
    player = players[visitor.card(match)["waiting_on"][0]]
    decision = player.view(match)["you"]["decision"]
    return player, "playMove", {"decision": decision["id"], "move": decision["legal_moves"][0]}, {"match": match}


SITUATIONS = [creating, creating_a_private_one, joining, joining_last, joining_by_code, starting, moving]
NAMES = [situation.__name__ for situation in SITUATIONS]


@pytest.mark.parametrize("situation", SITUATIONS, ids=NAMES)
def test_a_repeat_finds_the_first_outcome(visitor: Client, truth: Truth, situation: Situation):
    player, operation, body, about = situation(visitor)
    first = keyed(player, operation, body, **about)
    assert first.status in (200, 201)
    assert "Idempotency-Replayed" not in first.headers
    match = first.body["match"]
    before, keys = truth.everything(match), truth.all_keys()
    for key in (KEY, f'"{KEY}"'):  # bare, and as a structured field has it
        again = keyed(player, operation, body, key, **about)
        assert (again.status, again.body) == (first.status, first.body)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.headers.get("Location") == first.headers.get("Location")
    assert truth.everything(match) == before
    assert truth.all_keys() <= keys


@pytest.mark.parametrize("situation", SITUATIONS, ids=NAMES)
def test_the_order_of_the_fields_makes_no_other_request(visitor: Client, situation: Situation):
    player, operation, body, about = situation(visitor)
    first = keyed(player, operation, body, **about)
    again = keyed(player, operation, dict(reversed(body.items())), **about)
    assert (again.status, again.headers.get("Idempotency-Replayed")) == (first.status, "true")


@pytest.mark.parametrize("situation", SITUATIONS, ids=NAMES)
def test_another_body_under_the_same_key_is_refused(visitor: Client, truth: Truth, situation: Situation):
    player, operation, body, about = situation(visitor)
    match = keyed(player, operation, body, **about).body["match"]
    other = {
        "createMatch": {**body, "seats": 4},
        "joinMatch": {"seat": 1},
        "joinByCode": {**body, "seat": 0},
        "startMatch": {},
        "playMove": {**body, "decision": 2},
    }[operation]
    with truth.unchanged(match, player):
        answer = keyed(player, operation, other, **about)
    assert (answer.status, answer.code) == (422, "idempotency-key-reused")


def test_a_repeat_shows_the_match_as_it_is_now(visitor: Client):
    player, operation, body, about = joining(visitor)
    first = keyed(player, operation, body, **about)
    visitor.become("Cleo").join(about["match"])
    again = keyed(player, operation, body, **about)
    assert (again.status, first.body["status"], again.body["status"]) == (201, "open", "playing")


def test_the_same_key_in_another_operation_or_match_is_another_key(visitor: Client):
    ada = visitor.become("Ada")
    new = {"game": "kabale", "seats": 3, "visibility": "public"}
    match = keyed(ada, "createMatch", new).body["match"]
    others = [visitor.become("Ben").create(game="kabale") for _ in range(2)]
    for other in others:
        answer = keyed(ada, "joinMatch", {}, match=other)
        assert (answer.status, answer.headers.get("Idempotency-Replayed")) == (201, None)
    keyed(visitor.become("Cleo"), "joinMatch", {}, match=match)
    answer = keyed(ada, "startMatch", {}, match=match)
    assert (answer.status, answer.headers.get("Idempotency-Replayed")) == (200, None)


def test_in_one_match_too_the_same_key_in_another_operation_is_another_key(visitor: Client):
    ada, operation, body, about = starting(visitor)
    keyed(ada, operation, body, **about)
    decision = ada.view(about["match"])["you"]["decision"]
    move = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    answer = keyed(ada, "playMove", move, **about)
    assert (answer.status, answer.headers.get("Idempotency-Replayed")) == (200, None)


def test_two_equal_creations_at_once_make_one_match(app: Flask, visitor: Client, monkeypatch: pytest.MonkeyPatch):
    """Who looked before the other one wrote, and comes to write later, finds what was made."""
    ada, operation, body, about = creating_a_private_one(visitor)
    first = keyed(ada, operation, body, **about)
    archive = app.extensions["turncoat"].archive
    monkeypatch.setattr(archive, "find", Mock(wraps=archive.find, side_effect=[None, DEFAULT]))
    second = keyed(ada, operation, body, **about)
    assert (second.status, second.body, second.headers["Idempotency-Replayed"]) == (201, first.body, "true")


def test_after_leaving_a_late_repeat_takes_no_seat(visitor: Client, truth: Truth):
    """Not even of a request that found its player seated, and had nothing to do."""
    match = visitor.become("Ada").create(seats=4)
    ben = visitor.become("Ben")
    ben.join(match)
    assert keyed(ben, "joinMatch", {}, match=match).status == 200
    ben.call("leaveMatch", match=match)
    with truth.unchanged(match):
        late = keyed(ben, "joinMatch", {}, match=match)
    assert (late.status, late.body["seat"], late.headers["Idempotency-Replayed"]) == (200, None, "true")


def test_the_same_key_of_another_player_is_another_key(visitor: Client):
    new = {"game": "kabale", "seats": 3, "visibility": "public"}
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    one, other = keyed(ada, "createMatch", new), keyed(ben, "createMatch", new)
    assert one.body["match"] != other.body["match"]
    assert "Idempotency-Replayed" not in other.headers
    for player, name in ((visitor.become("Cleo"), "Cleo"), (visitor.become("Dora"), "Dora")):
        answer = keyed(player, "joinMatch", {}, match=one.body["match"])
        assert (answer.status, answer.body["seats"][answer.body["seat"]]["name"]) == (201, name)


def test_what_failed_is_not_noted(visitor: Client):
    """The same request under the same key may succeed later."""
    ada, ben, cleo = (visitor.become(name) for name in ("Ada", "Ben", "Cleo"))
    match = ada.create(seats=4)
    ben.join(match, seat=1)
    assert keyed(cleo, "joinMatch", {"seat": 1}, match=match).code == "seat-taken"
    ben.call("leaveMatch", match=match)
    answer = keyed(cleo, "joinMatch", {"seat": 1}, match=match)
    assert (answer.status, answer.headers.get("Idempotency-Replayed")) == (201, None)


def test_a_move_is_remembered_after_others_have_played(visitor: Client):
    """Where the decision alone would say ``decision-closed``."""
    player, operation, body, about = moving(visitor)
    first = keyed(player, operation, body, **about)
    assert player.call("playMove", body, **about).code == "decision-closed"
    again = keyed(player, operation, body, **about)
    assert (again.status, again.body) == (200, first.body)


def test_the_last_four_are_remembered(visitor: Client, truth: Truth):
    ada = visitor.become("Ada")
    match = ada.create(game="inside_job", seats=3)
    ada.call("startMatch", {"stand_ins": True}, match=match)
    played = []
    while len(played) < 6:
        decision = ada.view(match)["you"]["decision"]
        body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
        assert keyed(ada, "playMove", body, f"{KEY}-{len(played)}", match=match).status == 200
        played.append(body)
        if ada.card(match)["status"] != "playing":
            break
    answers = [keyed(ada, "playMove", body, f"{KEY}-{number}", match=match) for number, body in enumerate(played)]
    assert [answer.code for answer in answers] == ["decision-closed"] * (len(played) - 4) + [None] * 4
    assert len(truth.match(match).repeats) == 4


def test_the_creation_is_remembered_as_long_as_the_match(visitor: Client):
    ada = visitor.become("Ada")
    new = {"game": "inside_job", "seats": 3, "visibility": "public"}
    match = keyed(ada, "createMatch", new).body["match"]
    ada.call("startMatch", {"stand_ins": True}, match=match)
    for number in range(5):
        decision = ada.view(match)["you"]["decision"]
        body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
        keyed(ada, "playMove", body, f"{KEY}-{number}", match=match)
    again = keyed(ada, "createMatch", new)
    assert (again.status, again.body["match"], again.headers["Idempotency-Replayed"]) == (201, match, "true")


@pytest.mark.parametrize("seats", [2, 3], ids=["playing", "open"])
def test_who_has_left_a_private_match_is_not_shown_it_for_a_repeat(visitor: Client, seats: int):
    """Nor does a late repeat take the seat again while it could be had."""
    new = {"game": "kabale", "seats": seats, "visibility": "private"}
    body = {"join_code": visitor.become("Ada").call("createMatch", new).body["join_code"]}
    ben = visitor.become("Ben")
    match = keyed(ben, "joinByCode", body).body["match"]
    assert keyed(ben, "joinMatch", {}, match=match).status == 200
    ben.call("leaveMatch", match=match)
    assert keyed(ben, "joinByCode", body).code == "wrong-join-code"
    assert keyed(ben, "joinMatch", {}, match=match).code == "no-such-match"


def test_a_creator_who_has_left_a_private_match_is_not_shown_it_for_a_repeat(visitor: Client):
    """Nor whether it can be read: it is there for its players only."""
    ada, operation, body, about = creating_a_private_one(visitor)
    created = keyed(ada, operation, body, **about).body
    visitor.become("Ben").call("joinByCode", {"join_code": created["join_code"]})
    assert ada.call("leaveMatch", match=created["match"]).status == 204
    for sent in (body, {**body, "seats": 4}):
        answer = keyed(ada, operation, sent, **about)
        assert (answer.status, answer.code) == (404, "no-such-match")


def test_a_creator_who_has_left_a_public_match_reads_what_a_spectator_reads(visitor: Client):
    ada, operation, body, about = creating(visitor)
    match = keyed(ada, operation, body, **about).body["match"]
    visitor.become("Ben").join(match)
    ada.call("leaveMatch", match=match)
    again = keyed(ada, operation, body, **about)
    assert (again.status, again.body) == (201, visitor.card(match))


def test_a_repeat_of_the_creation_has_overdue_decisions_made_like_any_other_request(visitor: Client, truth: Truth):
    ada, operation, body, about = creating(visitor)
    body |= {"move_seconds": 60}
    match = keyed(ada, operation, body, **about).body["match"]
    ada.call("startMatch", {"stand_ins": True}, match=match)
    record = truth.match(match)
    record.deadline = 1
    truth.overwrite(match, match=msgspec.msgpack.encode(record))
    assert keyed(ada, operation, body, **about).body == ada.card(match)
    assert any(made.seat == 0 and made.stand_in for made in truth.moves(match))


def test_no_key_is_stored_as_it_is(visitor: Client, truth: Truth):
    player, operation, body, about = moving(visitor)
    keyed(player, operation, body, "a-key-that-is-easy-to-find", **about)
    for part in truth.everything(about["match"]):
        assert b"easy-to-find" not in repr(part).encode()


@pytest.mark.parametrize("key", ["", "a" * 15, "a" * 65, '"' + "a" * 16, "a" * 16 + '"', "ä" * 16, "a b" * 6, '""'])
@pytest.mark.parametrize("situation", [creating, moving], ids=["creating", "moving"])
def test_what_is_no_key_is_refused(visitor: Client, truth: Truth, situation: Situation, key: str):
    player, operation, body, about = situation(visitor)
    keys = truth.all_keys()
    answer = keyed(player, operation, body, key, **about)
    assert (answer.status, answer.code) == (422, "invalid")
    assert answer.body["errors"][0]["pointer"] == "Idempotency-Key"
    assert truth.all_keys() <= keys
