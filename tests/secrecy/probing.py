"""Everything that one can ask of the service, properly and improperly: requests made from the contract.

What is here changes no running match, so that anybody may ask all of it at any moment. An operation that the contract
gains is asked without a change to this module: when it reads, properly; when it writes, in every wrong way. To be
asked properly it needs an entry in :data:`GOOD_BODIES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from support.contract import Operation, operations
from support.scanning import Request, as_json

REQUEST_ID = "probe"
"""The same for all requests, so that answers differ only where they tell something."""

JSON = {"Content-Type": "application/json"}

GOOD_BODIES: dict[str, list[Any]] = {
    "createPlayer": [{"name": "Ada"}],
    "renewToken": [{}],
    "createMatch": [{"game": "verraeter", "seats": 3, "visibility": "public"}],
    "joinMatch": [{}, {"seat": 0}, {"seat": 15}, {"entropy": "abc"}],
    "joinByCode": [{"join_code": "AAAAAAAA"}],
    "startMatch": [{}, {"stand_ins": True}],
}
"""What changes no match that has started: joining and starting are refused, or answered as before."""

UNKNOWN_MATCH = "A" * 22

ELSEWHERE = [
    *["/", "/v1", "/v1/", "/healthz", "/readyz", "/docs", "/metrics", "/debug", "/favicon.ico", "/v1/admin"],
    *["//v1/games", "/v1/games/", "/v1/games/nothing", "/v1/games/marker_game%00", "/v1/matches/"],
]
"""Addresses beside the contract, with something there or not."""

OF_A_MATCH = ["", "/", "/state", "/seed", "/log", "/debug", "/hands", "/../view", "/view/", "/view/0", "/%2e%2e/replay"]
"""Addresses beside the contract below that of a match."""


@dataclass
class Caller:
    """Who asks.

    Attributes:
        name: for messages.
        seat: null for who has none.
        token: null for a spectator.
        etags: the latest ETag by address.
    """

    name: str
    seat: int | None
    token: str | None
    etags: dict[str, str] = field(default_factory=dict)

    def headers(self) -> dict[str, str]:
        """What every request of this caller has."""
        own = {"X-Request-Id": REQUEST_ID}
        return own if self.token is None else own | {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True)
class Moment:
    """A match as it is now, for one caller.

    Attributes:
        match: its id.
        started: it is running or over, so joining and starting change nothing.
        decision: the number of the caller's next decision.
        wrong_moves: moves that are not legal for the caller now, as they are sent.
        legal_moves: those that are, which are sent only in answer to a decision that is not open.
    """

    match: str
    started: bool
    decision: int
    wrong_moves: Sequence[Any]
    legal_moves: Sequence[Any]


def of_the_match(caller: Caller, moment: Moment) -> Iterator[Request]:
    """Every operation about a match, properly; also what is properly refused."""
    for operation in operations().values():
        if "{match}" not in operation.path:
            continue
        if operation.method == "get":
            yield from _reading(operation, caller, moment.match)
        elif operation.method == "delete":
            if caller.seat is None:  # for a player it would be no question
                yield Request(operation.id, "as it is", "DELETE", _url(operation, match=moment.match), caller.headers())
        elif moment.started:
            for body in GOOD_BODIES.get(operation.id, []):
                yield _writing(operation, caller, f"body {body}", as_json(body), match=moment.match)
    if moment.started:
        yield from moves(caller, moment)


def moves(caller: Caller, moment: Moment) -> Iterator[Request]:
    """Moves that will be refused."""
    play = operations()["playMove"]
    now = moment.decision
    tried = [(now, move) for move in moment.wrong_moves]
    some = [*moment.legal_moves[:2], *moment.wrong_moves[:2]]
    tried += [(other, move) for other in (0, now - 1, now + 1, now + 7) for move in some]
    for decision, move in tried:
        body = {"decision": decision, "move": move}
        yield _writing(play, caller, f"decision {decision - now:+}, {move}", as_json(body), match=moment.match)
    for move in some:
        body = {"decision": now, "move": move, "seat": 0}
        yield _writing(play, caller, "the seat in the body", as_json(body), match=moment.match)


def wrong(caller: Caller, match: str) -> Iterator[Request]:
    """Every operation about a match in every wrong way, and other methods and addresses."""
    for operation in operations().values():
        if "{match}" in operation.path:
            yield from _wrong(operation, caller, match)
    yield from _wrong_methods(caller, match, about_a_match=True)
    for rest in OF_A_MATCH:
        yield Request("nothing", f"address …{rest}", "GET", f"/v1/matches/{match}{rest}", caller.headers())


def of_the_house(caller: Caller) -> Iterator[Request]:
    """Everything that has nothing to do with a match that is there already, properly and in every wrong way."""
    for operation in operations().values():
        if "{match}" not in operation.path:
            if operation.method == "get":
                yield from _reading(operation, caller, "")
            for body in GOOD_BODIES.get(operation.id, []):
                yield _writing(operation, caller, f"body {body}", as_json(body))
            yield from _wrong(operation, caller, "")
    yield from _wrong_methods(caller, "", about_a_match=False)
    for address in ELSEWHERE:
        yield Request("nothing", f"address {address}", "GET", address, caller.headers())


def _url(operation: Operation, **parameters: str) -> str:
    """Its address; parameters that nobody named are ``1``."""
    names = re.findall(r"{(\w+)}", operation.path)
    return operation.url(**{name: parameters.get(name, "1") for name in names})


def _reading(operation: Operation, caller: Caller, match: str) -> Iterator[Request]:
    for game in ("marker_game", "verraeter") if "{game}" in operation.path else ("",):
        url = _url(operation, match=match, game=game)
        ways: list[tuple[str, str, dict[str, str]]] = [
            ("as it is", "GET", {}),
            ("head only", "HEAD", {}),
            ("what is allowed", "OPTIONS", {}),
            ("a range", "GET", {"Range": "bytes=0-40"}),
            ("any ETag", "GET", {"If-None-Match": "*"}),
            ("compressed", "GET", {"Accept-Encoding": "gzip, br"}),
        ]
        for what, method, headers in ways:
            yield Request(operation.id, what, method, url, caller.headers() | headers)
        if url in caller.etags:  # known by now, if whoever takes these requests notes it
            own = {"If-None-Match": caller.etags[url]}
            yield Request(operation.id, "own ETag", "GET", url, caller.headers() | own)


def _writing(operation: Operation, caller: Caller, what: str, body: bytes, **parameters: str) -> Request:
    url = _url(operation, **parameters)
    return Request(operation.id, what, operation.method.upper(), url, caller.headers() | JSON, body)


def _wrong(operation: Operation, caller: Caller, match: str) -> Iterator[Request]:
    takes_body = "requestBody" in operation.entry
    nonsense = as_json({"nonsense": 1}) if takes_body else None
    url = _url(operation, match=match, game="verraeter")

    def request(what: str, headers: Mapping[str, str], body: bytes | None = nonsense, url: str = url) -> Request:
        own = caller.headers() | (JSON if takes_body else {}) | headers
        return Request(operation.id, what, operation.method.upper(), url, own, body)

    yield request("a bad token", {"Authorization": f"Bearer {caller.token}x"})
    yield request("no token", {"Authorization": "Basic YTpi"})
    yield request("HTML wanted", {"Accept": "text/html"})
    yield request("If-Match", {"If-Match": "*"})
    yield request("an unknown parameter", {}, url=f"{url}?secret=1&token={caller.token}")
    if operation.method != "delete" or caller.seat is None:
        yield request("a strange language", {"Accept-Language": "xx-YY;q=0.1, *;q=0"})
    if "{match}" in operation.path:
        for other in (UNKNOWN_MATCH, "x", "%", "../" + match, match + "x", match.swapcase(), "A" * 500):
            yield request(f"match {other[:40]}", {}, url=_url(operation, match=other))
    if takes_body:
        yield request("half a body", {}, b'{"a": ')
        yield request("a list", {}, b"[]")
        yield request("no body", {}, b"")
        yield request("NaN", {}, b'{"decision": NaN}')
        yield request("odd bytes", {}, b"\xff\xfe\x00")
        yield request("text", {"Content-Type": "text/plain"})
        yield request("compressed", {"Content-Encoding": "gzip"})
        yield request("too much", {}, b'{"a": "' + b"x" * 20_000 + b'"}')
        yield request("Idempotency-Key", {"Idempotency-Key": "abc"})


def _wrong_methods(caller: Caller, match: str, *, about_a_match: bool) -> Iterator[Request]:
    by_path: dict[str, set[str]] = {}
    for operation in operations().values():
        if ("{match}" in operation.path) == about_a_match:
            by_path.setdefault(_url(operation, match=match, game="verraeter"), set()).add(operation.method.upper())
    for url, known in by_path.items():
        for method in ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
            if method not in known:
                yield Request("nothing", f"{method} {url.rsplit('/', 1)[1]}", method, url, caller.headers())
