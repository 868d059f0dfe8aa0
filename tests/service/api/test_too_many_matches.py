"""In how many matches somebody may sit at a time."""

from __future__ import annotations

import pytest
from flask import Flask
from support.clients import Answer, Client
from support.lists import mine, private
from support.truth import Truth


@pytest.fixture
def three_at_most(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app.extensions["turncoat"].lists, "_most_per_player", 3)


def create(client: Client, **headers: str) -> Answer:
    return client.call("createMatch", {"game": "kabale", "seats": 2, "visibility": "public"}, headers=headers)


def test_who_sits_in_as_many_matches_as_one_may_gets_no_further(three_at_most, visitor: Client, truth: Truth):
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    matches = [ada.create("kabale", 2) for _ in range(3)]
    waiting = ben.create("kabale", 3)
    secret, code = private(ben)
    with truth.unchanged(waiting, ben), truth.unchanged(secret, ben):
        for answer in (
            create(ada),
            ada.call("joinMatch", {}, match=waiting),
            ada.call("joinByCode", {"join_code": code}),
        ):
            assert (answer.status, answer.code) == (409, "too-many-matches")
    assert sorted(mine(ada)) == sorted(matches)
    # Who sits in them already may come again, whatever is full.
    assert ada.call("joinMatch", {}, match=matches[0]).status == 200
    # The others are not concerned.
    ben.join(matches[0])
    assert create(ada).code == "too-many-matches", "a match that is played counts too"


@pytest.mark.parametrize("how", ["left", "over", "expired"])
def test_what_is_left_over_or_gone_does_not_count(three_at_most, visitor: Client, truth: Truth, how: str):
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    matches = [ada.create("kabale", 2) for _ in range(3)]
    assert create(ada).code == "too-many-matches"
    if how == "left":
        ada.call("leaveMatch", match=matches[0])
    elif how == "over":
        ben.join(matches[0])
        for player in (ben, ada):
            player.call("leaveMatch", match=matches[0])
    else:
        truth.redis.delete(*truth.keys_of(matches[0]))
    assert create(ada).status == 201
    assert create(ada).code == "too-many-matches"


def test_a_repeated_creation_is_the_first_one_also_at_the_limit(three_at_most, visitor: Client):
    ada = visitor.become("Ada")
    for _ in range(2):
        create(ada)
    key = {"Idempotency-Key": "a-key-of-the-tests"}
    first, second = create(ada, **key), create(ada, **key)
    assert (first.status, second.status) == (201, 201)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert create(ada, **{"Idempotency-Key": "another-key-of-the-tests"}).code == "too-many-matches"
