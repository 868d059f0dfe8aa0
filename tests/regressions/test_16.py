"""Elsewhere the ``player_id`` in a body was believed.

Here a token alone says who somebody is. Whatever else names a player is refused, or not heard at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from support.bodies import Body, bodies
from support.clients import Answer, Client
from support.contract import operations
from support.sitting import Sitting, every_game, voting
from support.truth import Truth

from engine.game import AnyGame

CLAIMS = [
    *["player_id", "player", "players", "playerId", "user", "user_id", "username", "sub", "id", "me", "token"],
    *["seat_id", "as", "on_behalf_of", "creator", "owner", "actor", "author", "role", "admin"],
]
"""Names under which a body or an address might say who somebody is."""

HEADERS = [
    *["Player", "Player-Id", "X-Player", "X-Player-Id", "X-User", "X-User-Id", "X-Seat", "X-Forwarded-User"],
    *["X-Remote-User", "Remote-User", "X-Auth-Request-User", "From", "X-Original-User", "X-Token", "Token"],
]


def thefts(move: Any, victim: str, seat: int, token: str) -> Iterator[tuple[str, Callable[..., Answer]]]:
    """Ways to say in a request for a move that one is somebody else, by the code with which each is answered."""
    body = {"decision": 1, **move}

    def post(**how: Any) -> Callable[..., Answer]:
        how.setdefault("body", body)
        return lambda thief, match: thief.call("playMove", match=match, **how)

    for name in [*CLAIMS, "seat"]:
        for value in (victim, seat, {"id": victim, "seat": seat}):
            yield "invalid", post(body={**body, name: value})
            yield "invalid", post(body={**body, "move": {**body["move"], name: value}})
        for value in (victim, seat):
            yield "invalid", post(query=f"?{name}={value}")
    for name in HEADERS:
        for value in (victim, str(seat), token):
            yield "", post(headers={name: value})
    yield "", post(headers={"Cookie": f"token={token}; player={victim}; session={token}; seat={seat}"})


@every_game
def test_nobody_makes_another_seat_s_move(visitor: Client, truth: Truth, game: AnyGame):
    sitting = Sitting(visitor, truth, game)
    for moves in sitting.steps():
        if moves % 12 or not (waiting_on := sitting.waiting_on()):
            continue
        seat = waiting_on[0]
        victim = sitting.players[seat]
        decision = victim.view(sitting.match)["you"]["decision"]
        move = {"decision": decision["id"], "move": decision["legal_moves"][0]}
        player_id = victim.call("getMe").body["player"]
        idle = next(player for place, player in enumerate(sitting.players) if place not in waiting_on)
        ways = list(thefts(move, player_id, seat, victim.token))
        for thief, usual in [
            (idle, {"not-your-decision", "decision-closed"}),
            (sitting.stranger, {"not-a-player"}),
            (sitting.spectator, {"unauthenticated"}),
        ]:
            with truth.unchanged(sitting.match):
                for code, way in sitting.chance.sample(ways, 25) if moves else ways:
                    answer = way(thief, sitting.match)
                    assert answer.code in (usual if not code or "unauthenticated" in usual else {code})


def test_a_vote_counts_for_who_sent_it(visitor: Client, truth: Truth):
    """Where several are asked at once, a claim to be another voter makes no difference."""
    match, players = voting(visitor, truth, seats=5)
    thief, victim = truth.match(match).waiting_on[:2]
    sent = players[thief].view(match)["you"]["decision"]
    body = {"decision": sent["id"], "move": sent["legal_moves"][0]}
    claim = {name: players[victim].call("getMe").body["player"] for name in HEADERS}
    assert players[thief].call("playMove", body, match=match, headers=claim).status == 200
    assert truth.moves(match)[-1].seat == thief
    waiting_on = truth.match(match).waiting_on
    assert victim in waiting_on
    assert thief not in waiting_on


@pytest.mark.parametrize("body", bodies(), ids=lambda body: f"{body.operation} {body.label}")
def test_no_body_says_who_somebody_is(visitor: Client, truth: Truth, body: Body):
    """Of all operations of the contract, at every depth."""
    ada, eve = visitor.become("Ada"), visitor.become("Eve")
    match, player_id = ada.create(seats=4), ada.call("getMe").body["player"]
    about = {"match": match} if "{match}" in operations()[body.operation].path else {}
    with truth.unchanged(match, ada):
        for place, name in product(body.places, CLAIMS):
            if place.schema["type"] == "object" and name not in place.schema["properties"]:
                answer = eve.call(body.operation, body.with_value((*place.path, name), player_id), **about)
                assert (answer.status, answer.code) == (422, "invalid")
                assert f"{place.pointer}/{name}" in [error["pointer"] for error in answer.body["errors"]]
