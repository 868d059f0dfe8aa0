"""The requests that take a key, each ready to be sent, with what the store shows of whether it was carried out."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from support.clients import Answer, Client, Transport
from support.settings import ID_SECRET
from support.truth import Truth

from service.match import derived_id
from service.store import keys

GAME = "kabale"
"""The game that is played with the fewest."""


@dataclass(frozen=True)
class Case:
    """One request.

    Attributes:
        other: a body that makes it another request.
        match: what it is about, or would make.
        in_path: whether its address names the match.
        status: of the answer, when it is carried out.
        done: how often it has been carried out, by what is stored.
        now: reads what the answer shows.
    """

    operation: str
    player: Client
    body: dict[str, Any]
    other: dict[str, Any]
    key: str
    match: str
    in_path: bool
    status: int
    done: Callable[[], int]
    now: Callable[[], Answer]

    def send(self, transport: Transport, body: dict[str, Any] | None = None) -> Answer:
        """Send it over any connection, with its body or another one."""
        return Client(transport, self.player.token).call(
            self.operation,
            self.body if body is None else body,
            headers={"Idempotency-Key": self.key},
            **({"match": self.match} if self.in_path else {}),
        )


class Cases:
    """Makes them, one after another, over a connection that is never cut."""

    def __init__(self, visitor: Client, truth: Truth, chance: random.Random) -> None:
        self._visitor = visitor
        self._truth = truth
        self._chance = chance
        self._table: tuple[str, list[Client]] | None = None
        self._guests = 0

    def next(self, operation: str) -> Case:
        return getattr(self, f"_{operation}")()

    def _guest(self) -> tuple[Client, str]:
        self._guests += 1
        answer = self._visitor.call("createPlayer", {"name": f"Guest {self._guests}"})
        return Client(self._visitor.transport, answer.body["token"]), answer.body["player"]

    def _key(self) -> str:
        return f"key-{self._chance.getrandbits(96):024x}"

    def _createMatch(self) -> Case:  # noqa: N802  named after the operation
        player, player_id = self._guest()
        key = self._key()
        match = derived_id(ID_SECRET, player_id, key)
        body = {"game": GAME, "seats": 3, "visibility": self._chance.choice(["public", "private"])}
        return Case(
            operation="createMatch",
            player=player,
            body=body,
            other={**body, "name": "Another"},
            key=key,
            match=match,
            in_path=False,
            status=201,
            done=lambda: int(self._truth.redis.exists(keys.record(match))),
            now=lambda: player.call("getMatch", match=match),
        )

    def _joinMatch(self) -> Case:  # noqa: N802
        host, _ = self._guest()
        return self._join("joinMatch", {}, host.create(GAME, self._chance.choice([2, 3])), in_path=True)

    def _joinByCode(self) -> Case:  # noqa: N802
        host, _ = self._guest()
        match = host.create(GAME, self._chance.choice([2, 3]), visibility="private")
        return self._join("joinByCode", {"join_code": host.card(match)["join_code"]}, match, in_path=False)

    def _join(self, operation: str, body: dict[str, Any], match: str, *, in_path: bool) -> Case:
        """With two seats, the match starts with it."""
        player, player_id = self._guest()
        return Case(
            operation=operation,
            player=player,
            body={"entropy": "mine", **body},
            other={"entropy": "other", **body},
            key=self._key(),
            match=match,
            in_path=in_path,
            status=201,
            done=lambda: self._truth.match(match).players().count(player_id),
            now=lambda: player.call("getMatch", match=match),
        )

    def _startMatch(self) -> Case:  # noqa: N802
        player, _ = self._guest()
        match = player.create(GAME, 3)
        stand_ins = self._chance.random() < 0.5
        if not stand_ins:
            self._guest()[0].join(match)
        return Case(
            operation="startMatch",
            player=player,
            body={"stand_ins": stand_ins},
            other={"stand_ins": not stand_ins},
            key=self._key(),
            match=match,
            in_path=True,
            status=200,
            done=lambda: int(self._truth.match(match).started_at is not None),
            now=lambda: player.call("getMatch", match=match),
        )

    def _playMove(self) -> Case:  # noqa: N802
        """The next move of a match that two play on and on."""
        if self._table is None or not self._visitor.card(self._table[0])["waiting_on"]:
            players = [self._guest()[0] for _ in range(2)]
            match = players[0].create(GAME, 2)
            players[1].join(match)
            self._table = match, players
        match, players = self._table
        (seat,) = self._visitor.card(match)["waiting_on"]
        decision = players[seat].view(match)["you"]["decision"]
        move = self._chance.choice(decision["legal_moves"])
        body = {"decision": decision["id"], "move": move}
        before = len(self._truth.moves(match))
        return Case(
            operation="playMove",
            player=players[seat],
            body=body,
            other={**body, "decision": decision["id"] + 1},
            key=self._key(),
            match=match,
            in_path=True,
            status=200,
            done=lambda: len(self._truth.moves(match)) - before,
            now=lambda: players[seat].call("getView", match=match),
        )
