"""Elsewhere ids came from a weak generator, secrets stood in addresses, and rooms could be guessed.

Here a token in an address is not honoured, ids are long and follow no order, a miss looks like any other miss, a run of
misses ends in 429, and nothing that was sent comes back in an error.
"""

from __future__ import annotations

import itertools
import random
import re

import pytest
from flask import Flask
from support.bodies import bodies
from support.clients import Client, InProcess
from support.contract import operations
from support.limits import Clock, limited_app
from support.store import StoreServer
from support.truth import Truth

from service.settings import default_rates

BODIES = {body.operation: body.value for body in reversed(bodies())}
MARKER = "MARKER-of-a-secret"
TRIES = 60
"""Misses in a minute, by default, after which nothing is looked up any more."""
ID = re.compile(r"[A-Za-z0-9_-]{22}")


@pytest.fixture(scope="module")
def match(app: Flask) -> str:
    return newcomer(app).create(seats=4)


def newcomer(app: Flask) -> Client:
    return Client(InProcess(app.test_client())).become("Ada")


def about(operation: str, **parameters: str) -> dict[str, str]:
    """Those of the parameters that the operation has in its path; all others are ``1``."""
    names = re.findall(r"{(\w+)}", operations()[operation].path)
    return {name: parameters.get(name, "1") for name in names}


# --- addresses ---


@pytest.mark.parametrize("operation", operations())
@pytest.mark.parametrize("name", ["token", "access_token", "authorization", "jwt", "key", "auth", "bearer", "api_key"])
def test_a_token_in_the_address_is_not_honoured(app: Flask, match: str, operation: str, name: str):
    """Addresses end in logs and histories. It identifies nobody, and its value is not repeated."""
    token = newcomer(app).token
    visitor = Client(InProcess(app.test_client()))
    answer = visitor.call(
        operation, BODIES.get(operation), query=f"?{name}={token}", **about(operation, match=match, game="kabale")
    )
    security = operations()[operation].entry["security"]
    assert answer.code == ("unauthenticated" if security and {} not in security else "invalid")
    assert token.encode() not in answer.raw + str(answer.headers).encode()


def test_no_address_has_a_place_for_a_secret():
    """What may stand in an address, literally: ids, filters and places in lists; nothing that lets anybody in."""
    in_paths = {name for operation in operations().values() for name in re.findall(r"{(\w+)}", operation.path)}
    assert in_paths == {"match", "game"}
    queries = {
        parameter["name"]
        for operation in operations().values()
        for parameter in operation.entry.get("parameters", [])
        if parameter["in"] == "query"
    }
    filters = {"game", "status", "has_open_seat", "waiting_on_me"}
    assert queries <= {"after", "limit", "cursor"} | filters


# --- ids ---


def test_ids_of_matches_are_long_and_follow_no_order(visitor: Client):
    ada, ids = visitor.become("Ada"), []
    for _ in range(40):
        random.seed(1)
        ids.append(ada.create())
    assert_not_guessable(ids)


def test_ids_of_players_are_long_and_follow_no_order(visitor: Client):
    ids = []
    for _ in range(40):
        random.seed(1)
        ids.append(visitor.become("Ada").call("getMe").body["player"])
    assert_not_guessable(ids)


def assert_not_guessable(ids: list[str]) -> None:
    """Drawn with the interpreter's own generator in the same state, and all different nevertheless."""
    assert all(ID.fullmatch(id_) for id_ in ids)
    assert len({id_[:4] for id_ in ids}) > 35
    assert len({id_[-4:] for id_ in ids}) > 35
    assert ids not in (sorted(ids), sorted(ids, reverse=True))


# --- misses ---


@pytest.mark.parametrize("operation", [name for name, entry in operations().items() if "{match}" in entry.path])
def test_a_miss_looks_the_same_whatever_was_asked_for(visitor: Client, truth: Truth, operation: str):
    """An id that never was, one whose match has expired, and nonsense."""
    ada = visitor.become("Ada")
    expired = ada.create()
    for key in truth.keys_of(expired):
        truth.redis.delete(key)
    misses = [expired, expired.swapcase(), "A" * 22, "x", "..", f"{expired}\x00", "ä" * 22, "*", "{x}:record"]
    answers = {
        ada.call(operation, BODIES.get(operation), match=miss, headers={"X-Request-Id": "same"}).raw for miss in misses
    }
    assert len(answers) == 1
    assert b"no-such-match" in answers.pop()


@pytest.mark.parametrize(
    "id_", ["%00", "%ff", "%0a", "%ed%a0%80", "a" * 3000, "*", "{x}", "%7B%7D:record", "..%00", "-"]
)
@pytest.mark.parametrize("rest", ["", "/view"])
def test_odd_ids_are_matches_that_do_not_exist_and_are_not_repeated(app: Flask, truth: Truth, id_: str, rest: str):
    keys = truth.all_keys()
    response = app.test_client().get(f"/v1/matches/{id_}{rest}")
    assert (response.status_code, response.json["code"]) == (404, "no-such-match")
    assert response.json.keys() == {"type", "title", "status", "code", "instance"}
    assert truth.all_keys() <= keys


# --- guessing ---

_times = (3_000_000_000.0 + 10_000_000 * number for number in itertools.count())


class Guessing:
    """A service with the limits that it has by default, and somebody who guesses."""

    def __init__(self, store: StoreServer) -> None:
        self._app = limited_app(store.url, Clock(next(_times)), **default_rates())
        self.guesser = self.newcomer()

    def newcomer(self) -> Client:
        """Made past all limits; all of them are at one address."""
        token, _ = self._app.extensions["turncoat"].tokens.new_guest("Guesser")
        return Client(InProcess(self._app.test_client()), token)


@pytest.fixture
def guessing(store: StoreServer) -> Guessing:
    return Guessing(store)


@pytest.mark.parametrize("operation", [name for name, entry in operations().items() if "{match}" in entry.path])
def test_a_run_of_misses_ends(guessing: Guessing, match: str, operation: str):
    """From then on a hit looks like a miss."""
    guesser = guessing.guesser
    statuses = [
        guesser.call(operation, BODIES.get(operation), match=f"{number:022}").status for number in range(TRIES + 1)
    ]
    assert statuses == [*[404] * TRIES, 429]
    hit = guesser.call(operation, BODIES.get(operation), match=match)
    assert (hit.status, hit.code) == (429, "too-many-requests")
    assert int(hit.headers["Retry-After"]) > 0


def test_a_run_of_wrong_join_codes_ends(guessing: Guessing):
    codes = map("".join, itertools.islice(itertools.product("23456789", repeat=8), TRIES))
    statuses = [guessing.guesser.call("joinByCode", {"join_code": code}).status for code in codes]
    first = statuses.index(429)
    assert statuses[:first] == [404] * first
    assert first <= 30
    assert set(statuses[first:]) == {429}


def test_a_new_guest_for_each_guess_does_not_help(guessing: Guessing):
    statuses = [guessing.newcomer().call("getMatch", match=f"{number:022}").status for number in range(6 * TRIES)]
    assert statuses[-1] == 429


# --- nothing is echoed ---


@pytest.mark.parametrize("operation", operations())
def test_no_error_repeats_what_was_sent(visitor: Client, match: str, operation: str):
    """Wherever it stood: in the address, in a header, in a value of the body."""
    ada, entry = visitor.become("Ada"), operations()[operation]
    good = about(operation, match=match, game="kabale")
    marked = dict.fromkeys(good, MARKER)
    answers = [
        ada.call(operation, BODIES.get(operation), query=f"?x={MARKER}", **good),
        ada.call(operation, BODIES.get(operation), headers={"Authorization": f"Bearer {MARKER}"}, **good),
        ada.call(operation, BODIES.get(operation), headers={"Authorization": f"{MARKER} x"}, **good),
        ada.call(operation, BODIES.get(operation), headers={"If-Match": f'"{MARKER}"'}, **good),
        ada.call(operation, BODIES.get(operation), headers={"Accept": f"text/{MARKER}"}, **good),
    ]
    if good:
        answers.append(ada.call(operation, BODIES.get(operation), **marked))
    if "requestBody" in entry.entry:
        answers += [
            ada.call(operation, raw=f'"{MARKER}"'.encode(), **good),
            ada.call(operation, raw=f"{{{MARKER}".encode(), **good),
            ada.call(operation, raw=b"{}", headers={"Content-Type": f"text/{MARKER}"}, **good),
        ]
        answers += [
            ada.call(operation, body.with_value(place.path, f"{MARKER}\n{'x' * 99}"), **good)
            for body in bodies()
            if body.operation == operation
            for place in body.places
        ]
    for answer in answers:
        assert answer.code
        assert MARKER.encode() not in answer.raw + str(answer.headers).encode()


@pytest.mark.parametrize("path", ["/{}", "/v1/{}", "/v1/games/{}", "/v1/matches/{}/view", "/docs/{}", "/v1?x={}"])
def test_no_wrong_address_is_repeated(app: Flask, path: str):
    response = app.test_client().get(path.format(MARKER))
    assert response.status_code == 404
    assert MARKER.encode() not in response.data + str(response.headers).encode()
