"""Clients that know nothing but the contract: addresses by operationId, bodies by schema, moves from the view."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any, Protocol
from urllib.parse import urlsplit

from flask.testing import FlaskClient

from support.contract import check_answer, check_headers, operations
from support.store import PATIENCE


@dataclass(frozen=True)
class Answer:
    """What came back; ``body`` is decoded, ``raw`` is as it came."""

    status: int
    headers: Mapping[str, str]
    body: Any
    raw: bytes

    @property
    def code(self) -> str | None:
        """The code of a problem; ``None`` for what is none."""
        return self.body["code"] if self.status >= 400 else None


class Transport(Protocol):
    """A way to send a request."""

    def send(
        self, method: str, url: str, headers: Mapping[str, str], data: bytes | None
    ) -> tuple[int, Mapping[str, str], bytes]: ...


class OverHttp:
    """To a running server, on one connection that is kept open. It never sends anything twice."""

    def __init__(self, address: str) -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)

    def __del__(self) -> None:
        self._connection.close()

    def send(self, method, url, headers, data):
        try:
            self._connection.request(method, url, body=data, headers=headers)
            response = self._connection.getresponse()
            return response.status, response.headers, response.read()
        except (HTTPException, OSError):
            self._connection.close()  # the next request opens a new one
            raise


class InProcess:
    """To an app in this process, past every socket."""

    def __init__(self, client: FlaskClient) -> None:
        self._client = client

    def send(self, method, url, headers, data):
        with self._client.open(url, method=method, headers=headers, data=data) as response:
            return response.status_code, response.headers, response.data


class Client:
    """Somebody who uses the API. Every answer is held to the contract."""

    def __init__(self, transport: Transport, token: str | None = None) -> None:
        self.transport = transport
        self.token = token

    def call(
        self,
        operation_id: str,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
        query: str = "",
        **parameters: str,
    ) -> Answer:
        """Call an operation. ``raw`` sends these very bytes instead of ``body`` as JSON."""
        operation = operations()[operation_id]
        all_headers = dict(headers or {})
        if self.token is not None:
            all_headers.setdefault("Authorization", f"Bearer {self.token}")
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        if data is not None:
            all_headers.setdefault("Content-Type", "application/json")
        status, answer_headers, answer = self.transport.send(
            operation.method.upper(), operation.url(**parameters) + query, all_headers, data
        )
        value = check_answer(operation, status, answer_headers.get("Content-Type"), answer)
        check_headers(operation, status, answer_headers)
        return Answer(status, answer_headers, value, answer)

    # --- what most tests need ---

    def become(self, name: str) -> Client:
        """A guest of that name, on the same transport."""
        answer = self.call("createPlayer", {"name": name})
        assert answer.status == 201, answer.body
        return Client(self.transport, answer.body["token"])

    def create(self, game: str = "verraeter", seats: int = 3, **more: Any) -> str:
        """A public match; gives its id."""
        answer = self.call("createMatch", {"game": game, "seats": seats, "visibility": "public", **more})
        assert answer.status == 201, answer.body
        return answer.body["match"]

    def join(self, match: str, **body: Any) -> int:
        """A seat in a match; gives its number."""
        answer = self.call("joinMatch", body, match=match)
        assert answer.status == 201, answer.body
        return answer.body["seat"]

    def card(self, match: str) -> Any:
        answer = self.call("getMatch", match=match)
        assert answer.status == 200, answer.body
        return answer.body

    def view(self, match: str) -> Any:
        answer = self.call("getView", match=match)
        assert answer.status == 200, answer.body
        return answer.body

    def move(self, match: str, decision: int, move: Any) -> Answer:
        return self.call("playMove", {"decision": decision, "move": move}, match=match)


def seated(visitor: Client, game: str = "verraeter", seats: int = 3, **more: Any) -> tuple[str, list[Client]]:
    """A match that has just started, and its players in seat order."""
    players = [visitor.become(f"Player {seat}") for seat in range(seats)]
    match = players[0].create(game, seats, **more)
    for player in players[1:]:
        player.join(match)
    return match, players


def play_on(match: str, players: list[Client], chance: random.Random, *, moves: int = 10_000) -> None:
    """Play a match on at random, for some moves or to its end."""
    for _ in range(moves):
        waiting_on = players[0].card(match)["waiting_on"]
        if not waiting_on:
            return
        player = players[waiting_on[0]]
        decision = player.view(match)["you"]["decision"]
        answer = player.move(match, decision["id"], chance.choice(decision["legal_moves"]))
        assert answer.status == 200, answer.body
