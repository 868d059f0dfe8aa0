"""Every operation once, so that it succeeds: for what must hold of all of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from support.clients import Answer, Client, play_on, seated

NEW_MATCH = {"game": "verraeter", "seats": 3, "visibility": "public"}

Success = Callable[..., Answer]


def _of_a_player(operation: str, body: Any = None) -> Success:
    return lambda visitor, **how: visitor.become("Ada").call(operation, body, **how)


def _of_a_running_match(operation: str) -> Success:
    def succeed(visitor: Client, **how: Any) -> Answer:
        match, players = seated(visitor)
        return players[0].call(operation, match=match, **how)

    return succeed


def _list(operation: str) -> Success:
    def succeed(visitor: Client, **how: Any) -> Answer:
        _, players = seated(visitor)
        return players[0].call(operation, **how)

    return succeed


def _join(visitor: Client, **how: Any) -> Answer:
    return visitor.become("Ben").call("joinMatch", {}, match=visitor.become("Ada").create(), **how)


def _join_by_code(visitor: Client, **how: Any) -> Answer:
    created = visitor.become("Ada").call("createMatch", {**NEW_MATCH, "visibility": "private"})
    return visitor.become("Ben").call("joinByCode", {"join_code": created.body["join_code"]}, **how)


def _start(visitor: Client, **how: Any) -> Answer:
    ada = visitor.become("Ada")
    match = ada.create(seats=4)
    for name in ("Ben", "Cleo"):
        visitor.become(name).join(match)
    return ada.call("startMatch", {}, match=match, **how)


def _move(visitor: Client, **how: Any) -> Answer:
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    return players[seat].call("playMove", body, match=match, **how)


def _replay(visitor: Client, **how: Any) -> Answer:
    match, players = seated(visitor)
    play_on(match, players, random.Random(1))
    return players[0].call("getReplay", match=match, **how)


SUCCESSES: dict[str, Success] = {
    "listGames": lambda visitor, **how: visitor.call("listGames", **how),
    "getGame": lambda visitor, **how: visitor.call("getGame", game="verraeter", **how),
    "createPlayer": lambda visitor, **how: visitor.call("createPlayer", {"name": "Ada"}, **how),
    "renewToken": _of_a_player("renewToken", {}),
    "getMe": _of_a_player("getMe"),
    "listMyMatches": _list("listMyMatches"),
    "listMatches": _list("listMatches"),
    "createMatch": _of_a_player("createMatch", NEW_MATCH),
    "joinMatch": _join,
    "joinByCode": _join_by_code,
    "leaveMatch": _of_a_running_match("leaveMatch"),
    "startMatch": _start,
    "getMatch": _of_a_running_match("getMatch"),
    "getView": _of_a_running_match("getView"),
    "playMove": _move,
    "listEvents": _of_a_running_match("listEvents"),
    "getReplay": _replay,
}
"""By operationId: given a visitor, and what is passed on to :meth:`Client.call`, the answer of a success.

A new operation gets its line here; the tests compare this with the contract.
"""
