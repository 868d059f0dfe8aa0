"""What every operation tells caches, line by line; a new operation needs its own."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from support.clients import Client
from support.contract import operations
from support.successes import SUCCESSES


class Told(NamedTuple):
    """What an answer says to caches.

    Attributes:
        conditional: it has an ETag, by which a reader is spared what they have already.
    """

    cache_control: str
    vary: set[str]
    conditional: bool = False


PERSONAL = Told("private, no-cache", {"Authorization"}, conditional=True)
"""What differs from caller to caller."""

WRITTEN = Told("private, no-cache", {"Authorization"})
LOG = Told("private, no-cache", {"Authorization", "Accept"})
"""Told as a page or as a stream."""

SECRET = Told("no-store", set())
PUBLIC = Told("public, max-age=300", {"Accept-Language"})

TABLE = {
    "listGames": PUBLIC,
    "getGame": PUBLIC,
    "createPlayer": SECRET,
    "renewToken": SECRET,
    "getMe": SECRET,
    "listMyMatches": PERSONAL,
    "listMatches": PERSONAL,
    "createMatch": WRITTEN,
    "joinMatch": WRITTEN,
    "joinByCode": WRITTEN,
    "leaveMatch": WRITTEN,
    "startMatch": WRITTEN,
    "getMatch": PERSONAL,
    "getView": PERSONAL,
    "playMove": PERSONAL,
    "listEvents": LOG,
    "getReplay": PERSONAL,
}


def test_every_operation_has_its_line():
    assert set(TABLE) == set(SUCCESSES) == set(operations())


@pytest.mark.parametrize("operation", TABLE)
def test_what_caches_are_told(visitor: Client, operation: str):
    answer = SUCCESSES[operation](visitor)
    assert answer.status < 300
    told = TABLE[operation]
    assert answer.headers["Cache-Control"] == told.cache_control
    assert _names(answer.headers.get("Vary", "")) == told.vary
    assert ("ETag" in answer.headers) == told.conditional


READ_AGAIN = [name for name, told in TABLE.items() if told.conditional and operations()[name].method == "get"]


@pytest.mark.parametrize("operation", READ_AGAIN)
def test_an_answer_without_a_body_says_the_same(visitor: Client, operation: str):
    answer = SUCCESSES[operation](visitor, headers={"If-None-Match": "*"})
    assert (answer.status, answer.raw) == (304, b"")
    assert answer.headers["Cache-Control"] == TABLE[operation].cache_control
    assert _names(answer.headers["Vary"]) == TABLE[operation].vary
    assert answer.headers["ETag"]


@pytest.mark.parametrize("operation", TABLE)
def test_a_problem_is_never_stored(visitor: Client, operation: str):
    answer = SUCCESSES[operation](visitor, query="?unknown=1")
    assert answer.status == 422
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_whoever_has_no_token_is_told_the_same(visitor: Client):
    """A cache that keeps the spectators' answer must know that it is only theirs."""
    match = visitor.become("Ada").create()
    answer = visitor.call("getMatch", match=match)
    assert answer.headers["Cache-Control"] == PERSONAL.cache_control
    assert _names(answer.headers["Vary"]) == PERSONAL.vary


def _names(vary: str) -> set[str]:
    return {name.strip() for name in vary.split(",") if name.strip()}
