"""A match of any game while it is played, and everybody who looks at it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

import service.matches
from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.randomness import Stream
from service.store import keys
from support.clients import Answer, Client, seated
from support.contract import operations
from support.truth import Truth

REQUEST_ID = {"X-Request-Id": "same"}
"""The same for all requests whose answers are compared."""

PRINTED = {"listGames", "getGame"}
"""Operations that tell what is printed on the cards, and nothing of a match."""

RICH_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "inside_job": {"special_roles": ["accomplice", "paranoid_agent"]},
}
"""Options that bring more secrets into a match than the default ones do."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


class Sitting:
    """A running match of any game, its players in seat order, a stranger with a token and a spectator without.

    Args:
        visitor: the spectator; all others use the same way to the service.
        truth: a look behind the service; ``None`` where there is none to be had, and none is needed.
        game: what is played.
        number: the match is chosen by it: how many play, and what they play.
    """

    def __init__(self, visitor: Client, truth: Truth | None, game: AnyGame, number: int = 0, **more: Any) -> None:
        self.game = game
        self.truth = truth
        self.chance = random.Random(f"{game.id} {number}")
        seats = more.pop("seats", game.seats[number % len(game.seats)])
        if seats > 3 and game.id in RICH_OPTIONS:
            more.setdefault("options", RICH_OPTIONS[game.id])
        self.match, self.players = seated(visitor, game.id, seats, **more)
        self.spectator = visitor
        self.stranger = visitor.become("Stranger")
        self.viewers: list[tuple[int | None, Client]] = [
            *enumerate(self.players),
            (None, self.stranger),
            (None, self.spectator),
        ]

    # --- what is so ---

    def waiting_on(self) -> list[int]:
        return self.spectator.card(self.match)["waiting_on"]

    def state(self) -> Any:
        return self.truth.state(self.match)

    def plain_state(self) -> Any:
        """The true state as plain values."""
        return msgspec.msgpack.decode(self.truth.stored(self.match, "state"))

    def next_decision(self, seat: int) -> int:
        """The id of the decision that this seat has to answer next, whether it is asked yet or not."""
        return self.truth.match(self.match).answered[seat] + 1

    # --- playing ---

    def steps(self) -> Iterator[int]:
        """Play at random to the end; stops before every move and after the last one, with the moves so far."""
        moves = 0
        yield moves
        while self.waiting_on():
            self.move()
            moves += 1
            yield moves

    def move(self) -> tuple[int, Answer]:
        """Play one move at random; gives the seat that played it, and what it was answered."""
        seat = self.chance.choice(self.waiting_on())
        decision = self.players[seat].view(self.match)["you"]["decision"]
        answer = self.players[seat].move(self.match, decision["id"], self.chance.choice(decision["legal_moves"]))
        assert answer.status == 200, answer.body
        return seat, answer

    # --- looking ---

    def read(self, viewer: Client) -> dict[str, Answer]:
        """What a viewer is answered by every operation that reads, whatever the contract has.

        Lists of this match are read to their end; of lists of all matches the beginning, where this one is.
        """
        answers = {}
        for operation in operations().values():
            if operation.method == "get" and operation.id not in PRINTED:
                parameters = {parameter["name"] for parameter in operation.entry.get("parameters", [])}
                to_the_end = "{match}" in operation.path
                query, page = f"?limit={100 if to_the_end else 3}" if "limit" in parameters else "", 1
                while page == 1 or (query and to_the_end):
                    answer = viewer.call(operation.id, query=query, headers=REQUEST_ID, **self.about(operation.id))
                    answers[operation.id if page == 1 else f"{operation.id}, page {page}"] = answer
                    query, page = _next_page(answer), page + 1
        return answers

    def shown(self) -> list[tuple[int, str | None, bytes]]:
        """All that everybody can read."""
        return [
            (answer.status, answer.headers.get("ETag"), answer.raw)
            for _, viewer in self.viewers
            for answer in self.read(viewer).values()
        ]

    def about(self, operation: str) -> dict[str, str]:
        """The parameters with which an operation is about this match."""
        path = operations()[operation].path
        return {name: value for name, value in self._parameters().items() if f"{{{name}}}" in path}

    def _parameters(self) -> dict[str, str]:
        return {"match": self.match, "game": self.game.id}

    # --- other worlds ---

    @contextmanager
    def another_world(self, viewer: int | None) -> Iterator[None]:
        """Inside, the cards lie in another way that this viewer, ``None`` for a spectator, cannot tell apart."""
        seen = [event.seen_by(viewer) for event in self.truth.events(self.match)]
        other = self.game.resample(self.state(), seen, viewer, Stream(self.chance.randbytes(16)))
        stored = self.truth.stored(self.match, "state")
        self._overwrite_state(self.game.dump(other))
        try:
            yield
        finally:
            self._overwrite_state(stored)

    def _overwrite_state(self, state: bytes) -> None:
        """Under a version of its own, so that nobody takes what they remember for it."""
        version = int(self.truth.redis.hget(keys.record(self.match), "version"))
        self.truth.overwrite(self.match, state=state, version=b"%d" % (version + 1))


def voting(visitor: Client, truth: Truth, *, seats: int, **more: Any) -> tuple[str, list[Client]]:
    """A match of Inside Job in which at least two have to vote, and its players. Many matches end before the vote."""
    for number in range(100):
        chance = random.Random(number)
        with dealt_by_number(truth, number):
            match, players = seated(visitor, "inside_job", seats, **more)
        while len(waiting := truth.match(match).waiting_on) == 1:
            decision = players[waiting[0]].view(match)["you"]["decision"]
            answer = players[waiting[0]].move(match, decision["id"], chance.choice(decision["legal_moves"]))
            assert answer.status == 200, answer.body
        if waiting:
            return match, players
    raise AssertionError("no match came to a vote")


def _next_page(answer: Answer) -> str:
    """The query that asks for the next page of a list; empty if there is none."""
    link = re.fullmatch(r'<[^?>]*(\?[^>]*)>; rel="next"', answer.headers.get("Link") or "")
    return link[1] if link else ""


@contextmanager
def dealt_by_number(truth: Truth, number: int) -> Iterator[None]:
    """Inside, every match that is created is the same in every run: its id and its seed depend on the number alone."""
    match = f"numbered-{number:013}"
    for key in truth.keys_of(match):
        truth.redis.delete(key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.matches, "new_id", lambda: match)
        patch.setattr(service.matches, "new_seed", lambda: random.Random(number).randbytes(32))
        yield
