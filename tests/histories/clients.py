"""A client that writes down whatever it asks and is told, and does not always hear the answer."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any, Protocol

from histories.recorded import Call
from support.clients import Answer, Client, OverHttp, Transport

WRITES_WITH_KEY = ("createMatch", "joinMatch", "joinByCode", "startMatch", "playMove")


class AnswerLost(OSError):
    """The request was sent; the answer is not known."""


class Breakable(Transport, Protocol):
    """A connection that breaks when it is told to, once; ``early``: at once, ``late``: when the answer is there."""

    breaks: str | None


class Unreliable(OverHttp):
    """To a running server. What is broken early has been sent; when it is carried out, nobody knows."""

    breaks: str | None = None

    def send(self, method, url, headers, data):
        breaks, self.breaks = self.breaks, None
        if breaks is None:
            return super().send(method, url, headers, data)
        try:
            self._connection.request(method, url, body=data, headers=headers)
            if breaks == "late":
                self._connection.getresponse().read()
        finally:
            self._connection.close()
        raise AnswerLost


@dataclass
class Notebook:
    """Where all clients write down their calls.

    Attributes:
        losses: whether answers may get lost without the clients' doing.
    """

    calls: list[Call] = field(default_factory=list)
    losses: bool = False
    _numbers: itertools.count = field(default_factory=itertools.count)

    def number(self) -> int:
        return next(self._numbers)


class Recording:
    """One player with a connection, or a spectator without a token; everything is written down."""

    def __init__(
        self, connect: Callable[[], Breakable], notebook: Notebook, chance: random.Random, name: str | None = None
    ) -> None:
        self._connect = connect
        self._notebook = notebook
        self._transport = connect()
        self.client = Client(self._transport)
        self._seen: dict[tuple[str, str | None, str], Answer] = {}
        self.chance = chance
        self.name = name
        self.id: str | None = None
        if name is not None:
            guest = self.client.call("createPlayer", {"name": name})
            self.id = guest.body["player"]
            self.client.token = guest.body["token"]

    def new_key(self) -> str:
        return f"key-{self.chance.getrandbits(80):020x}"

    def ask(
        self,
        operation: str,
        body: Any = None,
        *,
        match: str | None = None,
        key: str | None = None,
        query: str = "",
        headers: Mapping[str, str] | None = None,
        breaks: str | None = None,
    ) -> Call:
        """Make one request and write it down.

        Args:
            match: what it is about, also where the request does not name it.
            breaks: when to lose the answer.
        """
        number = self._notebook.number()
        parameters = {} if match is None or operation in ("createMatch", "joinByCode") else {"match": match}
        sent = {**(headers or {}), **({"Idempotency-Key": key} if key else {})}
        self._transport.breaks = breaks
        began = time.monotonic()
        answer: Answer | None = None
        try:
            answer = self.client.call(operation, body, headers=sent, query=query, **parameters)
        except (HTTPException, OSError):
            assert breaks is not None or self._notebook.losses, "an answer was lost by itself"
        call = Call(
            number=number,
            player=self.id,
            operation=operation,
            match=match
            or (answer.body["match"] if answer and operation == "createMatch" and not answer.code else None),
            body=body,
            key=key,
            query=query,
            began=began,
            ended=time.monotonic(),
            status=answer and answer.status,
            answer=answer and self._content((operation, match, query), answer),
            replayed=answer is not None and answer.headers.get("Idempotency-Replayed") == "true",
            waited=answer is not None and "Preference-Applied" in answer.headers,
        )
        self._notebook.calls.append(call)
        return call

    def _content(self, what: tuple[str, str | None, str], answer: Answer) -> Any:
        """What the answer says; if nothing is new, what was read before."""
        if answer.status == 304:
            assert answer.headers["ETag"] == self._seen[what].headers["ETag"]
            return self._seen[what].body
        if answer.status == 200 and answer.headers.get("ETag"):
            self._seen[what] = answer
        return answer.body

    def read(self, operation: str, match: str | None = None, *, wait: bool = False, query: str = "") -> Call:
        """Read something, perhaps only if it is new, perhaps waiting for that."""
        headers = {"Prefer": "wait=1"} if wait else {}
        known = self._seen.get((operation, match, query))
        if known and (wait or self.chance.random() < 0.5):
            headers["If-None-Match"] = known.headers["ETag"]
        return self.ask(operation, match=match, headers=headers, query=query)

    def write(self, operation: str, body: Any, match: str | None = None) -> Call:
        """Send what writes, the way clients on a train do: with a key, again if no answer came, or just so."""
        key = self.new_key() if self.chance.random() < 0.8 else None
        whim = self.chance.random()
        if key is None:
            return self.ask(operation, body, match=match)
        if whim < 0.25:
            return self._insist(operation, body, match, key)
        if whim < 0.3:
            return self._at_once(lambda copy: copy.ask(operation, body, match=match, key=key))
        call = self.ask(operation, body, match=match, key=key)
        known = match or call.match
        if whim < 0.4:
            return self.ask(operation, body, match=known, key=key)
        if whim < 0.44 and isinstance(body, dict) and call.accepted:
            self.ask(operation, self._changed(operation, body), match=known, key=key)
        return call

    def _insist(self, operation: str, body: Any, match: str | None, key: str) -> Call:
        """Send it until an answer comes, or give up."""
        for _ in range(self.chance.randint(1, 3)):
            call = self.ask(operation, body, match=match, key=key, breaks=self.chance.choice(["early", "late"]))
        if self.chance.random() < 0.8:
            call = self.ask(operation, body, match=match, key=key)
        return call

    def _at_once(self, request: Callable[[Recording], Call]) -> Call:
        """The same from two devices at the same moment."""
        copies = [self._copy(), self._copy()]
        with ThreadPoolExecutor(2) as threads:
            return next(iter(threads.map(request, copies)))

    def _copy(self) -> Recording:
        copy = Recording(self._connect, self._notebook, self.chance)
        copy.client.token, copy.id = self.client.token, self.id
        return copy

    def _changed(self, operation: str, body: dict[str, Any]) -> dict[str, Any]:
        """Another body, as good as this one."""
        return {
            "createMatch": lambda: {**body, "name": "Another one"},
            "joinMatch": lambda: {**body, "entropy": "other"},
            "joinByCode": lambda: {**body, "entropy": "other"},
            "startMatch": lambda: {"stand_ins": not body.get("stand_ins", False)},
            "playMove": lambda: {**body, "decision": body["decision"] + 1},
        }[operation]()
