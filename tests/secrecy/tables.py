"""A match that is played while everybody asks for everything, and all that comes back is searched for secrets."""

from __future__ import annotations

import base64
import json
import random
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import msgspec
from secrecy import hidden
from secrecy.probing import Caller, Moment, of_the_house, of_the_match, wrong
from support.contract import PROBLEM, operations
from support.marker_game import MARKER_GAME
from support.marker_game.ledger import Ledger
from support.scanning import Leak, Received, Request, Scanner, Wire, as_json, strings
from support.truth import Truth

from engine.game import AnyGame
from service.match import LoggedEvent
from service.store import keys
from service.store.packing import unpacked


class Table:
    """One match, its players, a stranger with a token and a spectator without.

    Args:
        new_wire: makes a way to the service, one for everybody.
        truth: a look behind the service.
        scanner: searches what comes back.
        game: what is played.
        chance: decides who plays what, and what is asked besides.
        some: how many of the wrong requests everybody makes at every step; at the beginning it is all of them.
    """

    def __init__(
        self,
        new_wire: Callable[[], Wire],
        truth: Truth,
        scanner: Scanner,
        game: AnyGame,
        *,
        seats: int,
        options: Mapping[str, Any],
        chance: random.Random,
        some: int = 6,
    ) -> None:
        self.scanner = scanner
        self.game = game
        self.asked: Counter[tuple[str, int]] = Counter()
        self.match = ""
        self._truth = truth
        self._chance = chance
        self._some = some
        self._wires: dict[str, Wire] = {}
        self._new_wire = new_wire
        self._unsearched: list[tuple[Caller, Request, Received]] = []
        self._own: dict[str, set[bytes]] = {}
        self._of_the_match: set[bytes] = set()
        self._ledger: Ledger | None = None
        self._listed: dict[bytes, Any] = {}
        self._state: Any = None
        self._seats = [self._newcomer(f"seat {seat}", seat) for seat in range(seats)]
        self.callers = [*self._seats, self._newcomer("the stranger", None), Caller("the spectator", None, None)]
        self._wires["the spectator"] = new_wire()
        self._own["the spectator"] = set()
        self._open(options)

    # --- the beginning ---

    def _newcomer(self, name: str, seat: int | None) -> Caller:
        """Somebody with a token, which is nobody else's business."""
        self._wires[name] = self._new_wire()
        nobody = Caller(name, seat, None)
        answer = self._ask(nobody, _post("createPlayer", nobody, {"name": name}))
        told = json.loads(answer.body)
        caller = Caller(name, seat, told["token"])
        _, claims, signature = told["token"].split(".")
        self._own[name] = {told["player"].encode(), claims.encode(), signature.encode(), _decoded(claims)}
        for secret in self._own[name]:
            self.scanner.know(secret, f"the identity of {name}")
        return caller

    def _open(self, options: Mapping[str, Any]) -> None:
        """Create the match and let everybody join. What was received before the secrets were known is searched then."""
        creator, *others = self._seats
        new = {"game": self.game.id, "seats": len(self._seats), "visibility": "public", "options": options}
        answer = self._ask(creator, _post("createMatch", creator, new))
        assert answer.status == 201, answer.body
        self.match = json.loads(answer.body)["match"]
        seed = self._truth.match(self.match).seed
        self._know(seed, "the seed")
        self._know(seed.hex(), "the seed")
        for caller in self.callers:
            for request in of_the_match(caller, self._moment(caller)):
                self._ask(caller, request)
            for request in self._sample(wrong(caller, self.match)):
                self._ask(caller, request)
        for caller in others:
            entropy = secrets.token_urlsafe(24)
            self._know(entropy, f"the entropy of {caller.name}")
            answer = self._ask(caller, _post("joinMatch", caller, {"entropy": entropy}, match=self.match))
            assert answer.status == 201, answer.body
        self._read_state()
        if self.game is MARKER_GAME:
            self._ledger = Ledger(self._state)
        self._learn_marks()
        unsearched, self._unsearched = self._unsearched, []
        for received in unsearched:
            self._search(*received)

    def _know(self, secret: str | bytes, what: str) -> None:
        self.scanner.know(secret, what)
        self._of_the_match.add(secret.encode() if isinstance(secret, str) else secret)

    def _learn_marks(self) -> None:
        if self._ledger is not None:
            for mark, what in self._ledger.marks.items():
                self._know(mark, what)

    # --- the course ---

    def play(
        self, *, thoroughly: bool = True, until_a_leak: bool = False, look: Callable[[], bool] = lambda: True
    ) -> None:
        """Play at random; before every move, and at the end, everybody asks for everything.

        Args:
            thoroughly: ask in every wrong way too before the first move.
            until_a_leak: stop when something was found.
            look: whether to ask before this move; always before the first one and at the end.
        """
        self.look(thoroughly=thoroughly)
        while self.waiting_on() and not (until_a_leak and self.scanner.leaks):
            self.move()
            if look() or not self.waiting_on():
                self.look()

    def waiting_on(self) -> list[int]:
        return self._truth.match(self.match).waiting_on

    def look(self, *, thoroughly: bool = False) -> None:
        """Let everybody ask for everything; nothing of the match changes by that.

        Args:
            thoroughly: also for what has nothing to do with this match, and in every wrong way that there is.
        """
        self._list_moves()
        before = self._version()
        for caller in self.callers:
            for request in of_the_match(caller, self._moment(caller)):
                self._ask(caller, request)
            wrong_ones = chain(wrong(caller, self.match), of_the_house(caller))
            for request in wrong_ones if thoroughly else self._sample(wrong_ones):
                self._ask(caller, request)
        assert self._version() == before, "asking has changed the match"

    def move(self) -> None:
        """Play one move at random, and send it again."""
        caller = self._seats[self._chance.choice(self.waiting_on())]
        seen = self._ask(caller, Request("getView", "to decide", "GET", self._url("getView"), caller.headers()))
        decision = json.loads(seen.body)["you"]["decision"]
        move = self._chance.choice(decision["legal_moves"])
        request = _post("playMove", caller, {"decision": decision["id"], "move": move}, match=self.match)
        received = self._exchange(caller, request)
        assert received.status == 200, received.body
        self._read_state()
        if self._ledger is not None:
            assert caller.seat is not None
            self._ledger.played(caller.seat, move, self._state)
            self._learn_marks()
        self._search(caller, request, received)
        again = self._ask(caller, request)
        assert again.status == 409, again.body

    def leave(self) -> None:
        """All go home, and their secrets are looked for no longer."""
        self.scanner.forget(self._of_the_match.union(*self._own.values()))
        for wire in self._wires.values():
            wire.close()

    # --- asking ---

    def _ask(self, caller: Caller, request: Request) -> Received:
        received = self._exchange(caller, request)
        if self._state is None:
            self._unsearched.append((caller, request, received))
        else:
            self._search(caller, request, received)
        return received

    def _exchange(self, caller: Caller, request: Request) -> Received:
        received = self._wires[caller.name].exchange(request)
        self.asked[request.operation, received.status] += 1
        etag = received.header("ETag")
        if etag is not None and received.status == 200 and request.method == "GET":
            caller.etags[request.url] = etag
        return received

    def _search(self, caller: Caller, request: Request, received: Received) -> None:
        self.scanner.scan(received, caller.name, request, self._earned(caller, request))
        if self.game.id in hidden.KNOWN_GAMES and "/v1/matches/" in request.url and not self._told_in_full(request):
            kind = received.header("Content-Type")
            if received.body and kind in ("application/json", PROBLEM):
                body, read = json.loads(received.body), self._events_read(caller.seat)
                for leak in hidden.leaks(self.game.id, self._state, caller.seat, body, read):
                    asked = f"{request.method} {request.operation}, {request.what}"
                    self.scanner.leaks.append(Leak(leak, "as a value", "body", caller.name, asked))

    def _earned(self, caller: Caller, request: Request) -> set[bytes]:
        """What this caller may read in the answer to this request."""
        earned = set(self._own[caller.name])
        if self._ledger is not None:
            earned |= {mark.encode() for mark in self._ledger.earned(caller.seat)}
        if self._told_in_full(request):
            earned |= self._of_the_match
        return earned

    def _told_in_full(self, request: Request) -> bool:
        """The replay tells everything, once the match is over."""
        return request.operation == "getReplay" and self.game.result(self._true_state()) is not None

    # --- what is asked, and what is true ---

    def _moment(self, caller: Caller) -> Moment:
        record = self._truth.match(self.match)
        seat = caller.seat
        if seat is None or not record.answered:
            decision, legal = 1, []
        else:
            decision, legal = record.answered[seat] + 1, self._legal_moves(seat)
        wrong_moves = [move for move in self._listed.values() if move not in legal]
        chosen = self._sample(wrong_moves, 4)
        stranger = {"type": "place_farm", "landscape": 0}
        if self.game.id == "verraeter":
            stranger = {"type": "play_card", "card": "red_1", "wager": False}
        return Moment(self.match, bool(record.answered), decision, [*chosen, stranger], legal)

    def _list_moves(self) -> None:
        """Note all moves that somebody may make now; they will be wrong for others, and later."""
        for seat in self.waiting_on():
            for move in self._legal_moves(seat):
                self._listed[as_json(move)] = move

    def _legal_moves(self, seat: int) -> list[Any]:
        return msgspec.to_builtins(self.game.legal_moves(self._true_state(), seat))

    def _true_state(self) -> Any:
        return msgspec.convert(self._state, self.game.state_type)

    def _read_state(self) -> None:
        self._state = msgspec.msgpack.decode(self._truth.stored(self.match, "state"))

    def _events_read(self, viewer: int | None) -> set[str]:
        """Everything that stands in the events as a viewer reads them, by the engine's own account."""
        decoder = msgspec.msgpack.Decoder(LoggedEvent[self.game.event_type])
        stored = self._truth.redis.lrange(keys.events(self.match), 0, -1)
        return set(
            strings(msgspec.to_builtins([decoder.decode(unpacked(entry)).event.seen_by(viewer) for entry in stored]))
        )

    def _version(self) -> bytes:
        return self._truth.redis.hget(keys.record(self.match), "version")

    def _url(self, operation: str) -> str:
        return operations()[operation].url(match=self.match)

    def _sample(self, items: Any, count: int | None = None) -> list[Any]:
        items = list(items)
        return self._chance.sample(items, min(len(items), self._some if count is None else count))


def _post(operation: str, caller: Caller, body: Any, **parameters: str) -> Request:
    headers = caller.headers() | {"Content-Type": "application/json"}
    return Request(operation, "to play", "POST", operations()[operation].url(**parameters), headers, as_json(body))


def _decoded(claims: str) -> bytes:
    return base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4))
