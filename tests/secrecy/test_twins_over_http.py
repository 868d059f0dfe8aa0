"""Two matches that differ only in what a viewer cannot see are answered alike, to the last byte, header and status.

Random matches are played through the API. At sampled moments, and for every viewer, another state takes the place of
the true one in the store, which this viewer cannot tell apart by the rules (``resample``); nothing else changes. Then
everything that changes nothing is asked in both worlds: views, cards, the replay that is not there yet, moves that are
refused, joining, starting, and whatever an ETag of the one world is answered with in the other.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from flask import Flask, request
from secrecy.garden import Garden
from secrecy.probing import Caller, Moment, of_the_match, wrong
from support.contract import operations
from support.marker_game import MARKER_GAME, MarkerGame
from support.scanning import InTheProcess, Received, Request, as_json
from support.truth import Truth

from engine.catalogue import GAMES
from engine.game import AnyGame, BadOptions, IllegalMove
from engine.inside_job import InsideJob
from engine.kabale import Kabale
from engine.randomness import Stream
from engine.verraeter import Verraeter
from service.match import LoggedEvent
from service.store import keys
from service.store.packing import unpacked

SHARE = 2
"""Matches of each game in a normal run."""

PAIRS_PER_MATCH = 45
"""About so many pairs are compared in a match, over all viewers; some more in short ones."""

TWINS = 3
"""How many other states each state is compared with, for each viewer."""

ALWAYS = {"as it is", "own ETag"}
"""What is asked of every reading operation in every pair; of the rest a sample is taken."""


@dataclass
class Counts:
    """What was compared.

    Attributes:
        pairs: states of which everything was compared that a viewer may ask.
        varied: those of them in which the twin really was another state.
        answers: pairs of answers.
        size: bytes in one half of them.
        differences: where two answers differed.
    """

    pairs: int = 0
    varied: int = 0
    answers: int = 0
    size: int = 0
    differences: list[str] = field(default_factory=list)

    def add(self, other: Counts) -> None:
        self.pairs += other.pairs
        self.varied += other.varied
        self.answers += other.answers
        self.size += other.size
        self.differences += other.differences

    def __str__(self) -> str:
        return (
            f"twins over HTTP: {self.pairs} pairs compared, {self.varied} of different states, in {self.answers} pairs "
            f"of answers with {self.size} bytes each; {len(self.differences)} answers differing"
        )


class Worlds:
    """A match, and everybody who looks at it."""

    def __init__(self, app: Flask, truth: Truth, game: AnyGame, chance: random.Random) -> None:
        self.game = game
        self.counts = Counts()
        self._truth = truth
        self._chance = chance
        self._wire = InTheProcess(app.test_client())
        seats = chance.choice(game.seats)
        self._seats = [self._newcomer(seat) for seat in range(seats)]
        self._others = [self._newcomer(None), Caller("the spectator", None, None)]
        self._listed: dict[bytes, Any] = {}
        creator, *others = self._seats
        new = {"game": game.id, "seats": seats, "visibility": "public", "options": options(game, seats, chance)}
        self.match = self._post(creator, "createMatch", new)["match"]
        for caller in others:
            self._post(caller, "joinMatch", {}, match=self.match)

    def play(self, pairs: int = PAIRS_PER_MATCH, until: str | None = None) -> Counts:
        """Play to the end, and compare now and then, at the beginning and the end always.

        Args:
            pairs: about how many.
            until: stop when this was found.
        """
        rate = 1.0
        moves = 0
        while True:
            record = self._truth.match(self.match)
            if not record.waiting_on or not moves or self._chance.random() < rate:
                for viewer in [*self._seats, self._chance.choice(self._others)]:
                    self.compare(viewer)
            if not record.waiting_on or self.found(until):
                return self.counts
            self._move(record.waiting_on)
            moves += 1
            rate = pairs / TWINS / (len(self._seats) + 1) / USUAL_MOVES.get(self.game.id, 60)

    def found(self, what: str | None) -> bool:
        """Whether a difference like this was found."""
        return what is not None and any(what in difference for difference in self.counts.differences)

    def compare(self, viewer: Caller) -> None:
        """Ask everything in the true world, and the same again in others."""
        stored = self._truth.stored(self.match, "state")
        state = self.game.load(stored)
        self._list_moves(state)
        seen = [event.seen_by(viewer.seat) for event in self._events()]
        here = [(entry, self._exchange(viewer, entry)) for entry in self._requests(viewer, state)]
        for _ in range(TWINS):
            random = Stream(self._chance.randbytes(16))
            twin = self.game.dump(self.game.resample(state, seen, viewer.seat, random))
            self._truth.overwrite(self.match, state=twin)
            try:
                there = [self._wire.exchange(entry) for entry, _ in here]
            finally:
                self._truth.overwrite(self.match, state=stored)
            self.counts.pairs += 1
            self.counts.varied += twin != stored
            for (entry, one), another in zip(here, there, strict=True):
                self.counts.answers += 1
                self.counts.size += len(one.body)
                asked = f"{entry.method} {entry.operation}, {entry.what}"
                self.counts.differences += [
                    f"{self.game.id}: {viewer.name} can tell by the {place} of {asked}"
                    for place in differences(one, another)
                ]

    def _requests(self, viewer: Caller, state: Any) -> Iterator[Request]:
        record = self._truth.match(self.match)
        decision, legal = 1, []
        if viewer.seat is not None:
            decision = record.answered[viewer.seat] + 1
            legal = msgspec.to_builtins(self.game.legal_moves(state, viewer.seat))
        wrong_moves = [move for move in self._listed.values() if move not in legal]
        some = self._chance.sample(wrong_moves, min(6, len(wrong_moves)))
        moment = Moment(self.match, True, decision, some, legal)
        rest = []
        for entry in of_the_match(viewer, moment):
            if entry.what in ALWAYS:
                yield entry
            else:
                rest.append(entry)
        moves = [entry for entry in rest if entry.operation == "playMove"]
        yield from self._chance.sample(moves, min(4, len(moves)))
        rest += wrong(viewer, self.match)
        yield from self._chance.sample(rest, 4)

    def _exchange(self, caller: Caller, asked: Request) -> Received:
        received = self._wire.exchange(asked)
        etag = received.header("ETag")
        if etag is not None and received.status == 200 and asked.method == "GET":
            caller.etags[asked.url] = etag
        if asked.what == "own ETag":
            assert received.status == 304
        return received

    # --- playing ---

    def _newcomer(self, seat: int | None) -> Caller:
        name = "the stranger" if seat is None else f"seat {seat}"
        nobody = Caller(name, seat, None)
        return Caller(name, seat, self._post(nobody, "createPlayer", {"name": name})["token"])

    def _post(self, caller: Caller, operation: str, body: Any, **parameters: str) -> Any:
        url = operations()[operation].url(**parameters)
        headers = caller.headers() | {"Content-Type": "application/json"}
        answer = self._wire.exchange(Request(operation, "to play", "POST", url, headers, as_json(body)))
        assert answer.status in (200, 201), answer.body
        return json.loads(answer.body)

    def _move(self, waiting_on: list[int]) -> None:
        caller = self._seats[self._chance.choice(waiting_on)]
        url = operations()["getView"].url(match=self.match)
        seen = self._wire.exchange(Request("getView", "to decide", "GET", url, caller.headers()))
        decision = json.loads(seen.body)["you"]["decision"]
        move = {"decision": decision["id"], "move": self._chance.choice(decision["legal_moves"])}
        self._post(caller, "playMove", move, match=self.match)

    def _list_moves(self, state: Any) -> None:
        for seat in self.game.deciding(state):
            for move in msgspec.to_builtins(self.game.legal_moves(state, seat)):
                self._listed[as_json(move)] = move

    def _events(self) -> list[Any]:
        stored = self._truth.redis.lrange(keys.events(self.match), 0, -1)
        return [
            msgspec.msgpack.decode(unpacked(entry), type=LoggedEvent[self.game.event_type]).event for entry in stored
        ]


USUAL_MOVES = {"marker_game": 15, "verraeter": 80, "kabale": 120, "inside_job": 40}
"""About how long a match is; only how often it is compared depends on it."""


def options(game: AnyGame, seats: int, chance: random.Random) -> Mapping[str, Any]:
    """Options that fit: for those that are a choice of a few, any; for others the default."""
    chosen = {}
    for entry in msgspec.inspect.type_info(game.options_type).fields:
        match entry.type:
            case msgspec.inspect.BoolType():
                chosen[entry.encode_name] = chance.random() < 0.5
            case msgspec.inspect.LiteralType(values=values):
                chosen[entry.encode_name] = chance.choice(values)
    try:
        game.check_options(msgspec.convert(chosen, game.options_type), seats)
    except BadOptions:
        return {}
    return chosen


def differences(one: Received, another: Received) -> Iterator[str]:
    """In which parts two answers differ."""
    if (one.status, one.reason) != (another.status, another.reason):
        yield f"status ({one.status}, {another.status})"
    for name in sorted({name for name, _ in [*one.headers, *another.headers]} - {"Date"}):
        if [value for key, value in one.headers if key == name] != [
            value for key, value in another.headers if key == name
        ]:
            yield f"header {name}"
    if one.body != another.body:
        yield "body"


@pytest.fixture(scope="module")
def counts(say: Callable[[str], None]) -> Iterator[Counts]:
    counts = Counts()
    yield counts
    say(str(counts))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_hidden_things_make_no_difference(app: Flask, truth: Truth, game: AnyGame, matches: int | None, counts: Counts):
    for number in range(matches or SHARE):
        counts.add(Worlds(app, truth, game, random.Random(f"{game.id} {number}")).play())
    assert counts.differences == []


def test_hidden_marks_make_no_difference(garden: Garden, matches: int | None, counts: Counts):
    app = garden.app()
    for number in range(matches or SHARE):
        counts.add(Worlds(app, garden.truth, MARKER_GAME, random.Random(number)).play())
    assert counts.differences == []


# --- planted leaks ---


def is_found(garden: Garden, what: str, game: AnyGame = MARKER_GAME) -> bool:
    """Whether a difference like this is found in some matches."""
    app = garden.app()
    every_match = (Worlds(app, garden.truth, game, random.Random(number)) for number in range(20))
    return any(worlds.play(180, until=what) and worlds.found(what) for worlds in every_match)


def fingerprint(state: Any, values: int) -> int:
    """A small number that depends on everything in a state."""
    return sum(place * byte for place, byte in enumerate(msgspec.msgpack.encode(state))) % values


SIZES = [
    (Verraeter, "draw_pile_size", lambda state: sum(state.draw_pile)),
    (Verraeter, "middle_size", lambda state: len(set(state.middle) & {"builder", "farmer"})),
    (Kabale, "goal_stack_size", lambda state: sum(map(len, state.goal_stack))),
    (InsideJob, "undealt_size", lambda state: sum(map(len, state.undealt))),
    (InsideJob, "supply", lambda state: [player.role != "agent" for player in state.players].index(True)),
    (MarkerGame, "draw_pile_size", lambda state: int(state.draw_pile[0][-1], 16)),
    (MarkerGame, "plots_left", lambda state: state.players[0].hand[0] < state.players[1].hand[0]),
]


@pytest.mark.parametrize(("game", "name", "leak"), SIZES)
def test_a_number_that_depends_on_hidden_cards_is_found(garden: Garden, game: type, name: str, leak: Any):
    def plant(intact: Any) -> Any:
        return lambda self, state: msgspec.structs.replace(intact(self, state), **{name: leak(state)})

    garden.game("table", plant, game)
    (played,) = [entry for entry in garden.modules["engine.catalogue"].GAMES.values() if type(entry) is game]
    assert is_found(garden, "can tell by the body of GET getView", played)


def _state(garden: Garden) -> Any:
    match = request.path.split("/")[3]
    return msgspec.msgpack.decode(garden.truth.stored(match, "state"))


def a_length(garden: Garden) -> None:
    """A few blanks after the view, as many as hidden cards say."""

    def plant(intact: Any) -> Any:
        def encoded(body: Any) -> bytes:
            return intact(body) + b" " * (fingerprint(_state(garden), 3) if request.path.endswith("/view") else 0)

        return encoded

    garden.replace("service.api.matches", "encoded", plant)


def an_etag(garden: Garden) -> None:
    def plant(intact: Any) -> Any:
        def tagged_answer(body: Any) -> Any:
            response = intact(body)
            if request.path.endswith("/view") and "ETag" in response.headers:
                response.set_etag(f"{response.get_etag()[0]}{fingerprint(_state(garden), 8)}")
                response.make_conditional(request)
            return response

        return tagged_answer

    garden.replace("service.api.matches", "tagged_answer", plant)


def a_header(garden: Garden) -> None:
    def plant(intact: Any) -> Any:
        def personal(response: Any) -> Any:
            if request.method == "GET":
                response.headers["Server-Timing"] = f"app;dur={fingerprint(_state(garden), 50)}"
            return intact(response)

        return personal

    garden.replace("service.api.matches", "personal", plant)


def a_refusal(garden: Garden) -> None:
    """It tells whether somebody else has the card that was named."""

    def plant(intact: Any) -> Any:
        def play(self: MarkerGame, state: Any, seat: int, move: Any, random: Any) -> Any:
            try:
                return intact(self, state, seat, move, random)
            except IllegalMove as refused:
                named = getattr(move, "mark", getattr(move, "ballot", None))
                elsewhere = any(named in player.hand + player.ballots for player in state.players[1:])
                raise IllegalMove(f"{refused.reason}-but-elsewhere" if elsewhere else refused.reason) from refused

        return play

    garden.game("play", plant)


def a_status(garden: Garden) -> None:
    """Whether one's decision is said to be closed or not asked depends on another one's hand."""

    def plant(intact: Any) -> Any:
        def check(change: Any, seat: int, decision: int) -> None:
            try:
                intact(change, seat, decision)
            except Exception as refused:
                if fingerprint(change.state, 2):
                    raise
                raise garden.modules["service.problems"].Problem("invalid") from refused

        return check

    garden.replace("service.matches", "_check_decision", plant)


def a_length_of_a_head(garden: Garden) -> None:
    def plant(intact: Any) -> Any:
        def sign_answer(response: Any) -> Any:
            if request.method == "HEAD" and request.path.endswith("/view"):
                response.headers["Content-Length"] = 1000 + fingerprint(_state(garden), 9)
            return intact(response)

        return sign_answer

    garden.replace("service.api.guards", "_sign_answer", plant)


@pytest.mark.parametrize(
    ("plant", "where"),
    [
        (a_length, "header Content-Length of GET getView"),
        (an_etag, "header ETag of GET getView"),
        (an_etag, "status (304, 200) of GET getView, own ETag"),
        (a_header, "header Server-Timing of GET getView"),
        (a_refusal, "body of POST playMove"),
        (a_status, "status (409, 422) of POST playMove"),
        (a_length_of_a_head, "header Content-Length of HEAD getView"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_planted_difference_is_found(garden: Garden, plant: Callable[[Garden], None], where: str):
    plant(garden)
    assert is_found(garden, where)
