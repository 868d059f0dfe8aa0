"""What is there when the fuzzer comes: guests, and matches in every status, of which there are always enough.

Ids and moves that are drawn at random lead nowhere. Here the fuzzer finds real ones.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any

from fuzzing.ledger import OUR_OWN
from support.clients import Client, OverHttp

GAMES = {"verraeter": 3, "kabale": 2, "inside_job": 3}
"""The games, each with the seats of its matches here."""


class Unnoted(OverHttp):
    """Sends requests that do not count as the fuzzer's, once more where the service has closed an idle connection."""

    _numbers = itertools.count()

    def send(
        self, method: str, url: str, headers: Mapping[str, str], data: bytes | None
    ) -> tuple[int, Mapping[str, str], bytes]:
        headers = {**headers, "X-Request-Id": f"{OUR_OWN}{next(self._numbers)}"}
        try:
            return super().send(method, url, headers, data)
        except (HTTPException, OSError):
            return super().send(method, url, headers, data)


class Stage:
    """Guests and matches.

    Args:
        address: of the service.
        token: of the fuzzer, when it is a guest.
        chance: chooses.
    """

    def __init__(self, address: str, token: str | None, chance: random.Random) -> None:
        visitor = Client(Unnoted(address))
        self._chance = chance
        self._fuzzer = Client(visitor.transport, token) if token else visitor.become("Fuzzer")
        self._ben, self._cleo = visitor.become("Ben"), visitor.become("Cleo")
        self._running: dict[str, str] = {}
        self._finished = [self._play_to_the_end(game) for game in GAMES]
        self._cancelled = self._ben.create()
        self._ben.call("leaveMatch", match=self._cancelled)
        self._private = self._fuzzer.call("createMatch", {"game": "kabale", "seats": 3, "visibility": "private"}).body[
            "match"
        ]
        self._joined = [self._joined_match()]
        self._used = 0

    def match_for(self, operation: str) -> str:
        """A match of which this operation can ask with success, more often than not."""
        match operation:
            case "playMove":
                return self.running_match()
            case "joinMatch":
                return self._to_be_joined()
            case "startMatch":
                return self._to_be_started()
            case "leaveMatch":
                return self._chance.choice([self._joined_match, self._to_be_started, self._any_match])()
            case "getReplay":
                return self._chance.choice([*self._finished, *self._finished, self._any_match()])
        return self._any_match()

    def running_match(self) -> str:
        """A match in which the fuzzer's guest is asked for a move."""
        game = self._chance.choice(list(GAMES))
        if game not in self._running:
            self._running[game] = self._against_stand_ins(game)
        return self._running[game]

    def finished_match(self) -> str:
        """A match that is over."""
        return self._chance.choice(self._finished)

    def move_in(self, match: str) -> Any:
        """A good body for a move in this match; nothing where the fuzzer's guest is not asked for one."""
        answer = self._fuzzer.call("getView", match=match)
        decision = (answer.body["you"] or {}).get("decision") if answer.status == 200 else None
        if decision is None:
            over = [game for game, running in self._running.items() if running == match]
            for game in over:
                self._finished.append(self._running.pop(game))
            return None
        return {"decision": decision["id"], "move": self._chance.choice(decision["legal_moves"])}

    def join_code(self) -> str:
        """The code of a match of somebody else, or of one in which the fuzzer's guest sits."""
        body = {"game": "verraeter", "seats": 4, "visibility": "private"}
        code: str = self._ben.call("createMatch", body).body["join_code"]
        if self._chance.random() < 0.3:
            self._fuzzer.call("joinByCode", {"join_code": code})
        return code

    def _any_match(self) -> str:
        if self._used % 50 == 0:
            self._joined = [self._joined_match(), self._ben.create()]
        self._used += 1
        return self._chance.choice(
            [*self._joined, *self._finished[-6:], *self._running.values(), self._cancelled, self._private]
        )

    def _to_be_joined(self) -> str:
        return self._joined_match() if self._chance.random() < 0.3 else self._ben.create(seats=4)

    def _joined_match(self) -> str:
        match = self._ben.create(seats=4)
        self._fuzzer.join(match)
        return match

    def _to_be_started(self) -> str:
        match = self._fuzzer.create("kabale", seats=5)
        for other in (self._ben, self._cleo):
            other.join(match)
        return match

    def _against_stand_ins(self, game: str) -> str:
        match = self._fuzzer.create(game, seats=GAMES[game])
        assert self._fuzzer.call("startMatch", {"stand_ins": True}, match=match).status == 200
        return match

    def _play_to_the_end(self, game: str) -> str:
        match = self._against_stand_ins(game)
        while body := self.move_in(match):
            assert self._fuzzer.call("playMove", body, match=match).status == 200
        return match
