"""The answer is cut off, at any byte, and the client sends the request again: it is done once, and told the same.

The answer gets lost between the service and its client, or between the store and the service. Either way nobody knows
what happened; what the store holds then is what the repeat must agree with.
"""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

import pytest
from lost_answers.cases import Case, Cases
from support.clients import Answer, OverHttp
from support.proxy import Cut, FaultProxy
from support.server import Server, make_folder
from support.store import StoreServer
from support.truth import Truth

CUT_POINTS = int(os.environ.get("CUT_POINTS", "500"))
OPERATIONS = ("createMatch", "joinMatch", "joinByCode", "startMatch", "playMove")
WAYS = ("http", "store")

PATIENT = {"TURNCOAT_STORE_TIMEOUT": "60"}
"""A store that a busy machine holds up has not failed."""

NEVER = 10**9
SCRIPT = b"EVALSHA"


@dataclass
class World:
    """A service, and another one on the same store that is cut off from it."""

    service: Server
    to_service: FaultProxy
    cut_off: Server
    to_store: FaultProxy
    truth: Truth
    cases: Cases


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    store, folders = StoreServer(), [make_folder(), make_folder()]
    store.start()
    truth = Truth(store.url)
    with FaultProxy(Path(store.url.removeprefix("unix://"))) as to_store:
        service = Server(folders[0], redis_url=store.url, **PATIENT)
        service.start()
        cut_off = Server(folders[1], redis_url=f"redis://{to_store.address}", **PATIENT)
        cut_off.start()
        with FaultProxy(service.address.removeprefix("http://")) as to_service:
            cases = Cases(service.visitor(), truth, random.Random(6))
            yield World(service, to_service, cut_off, to_store, truth, cases)
        service.stop()
        cut_off.stop()
    truth.redis.close()
    store.close()
    for folder in folders:
        shutil.rmtree(folder)


class Careful(OverHttp):
    """A client that takes no part of an answer for the whole: Python's own would, if it is cut within the headers."""

    def send(self, method, url, headers, data):
        status, received, body = super().send(method, url, headers, data)
        if received.get("Content-Length") != str(len(body)):
            raise HTTPException("the answer is not whole")
        return status, received, body


class Way:
    """A way on which answers get lost."""

    def __init__(self, world: World, name: str, operation: str) -> None:
        self.proxy = world.to_service if name == "http" else world.to_store
        self.transport = Careful(f"http://{world.to_service.address}" if name == "http" else world.cut_off.address)
        self._to_store = name == "store"
        self._usual = {what: self._measured(world, operation, what) for what in self.kinds()}

    def kinds(self) -> list[str]:
        return ["answers", "requests", *(["scripts"] if self._to_store else [])]

    def _measured(self, world: World, operation: str, what: str) -> int:
        """How much there is to cut if nothing is cut, at least: bytes of requests or answers, or scripts."""
        least = NEVER
        for _ in range(4):
            case = world.cases.next(operation)
            cut = Cut("answers", 0, SCRIPT, nth=NEVER) if what == "scripts" else Cut(what, NEVER, self._mark(case))
            with self.proxy.cutting(cut):
                assert case.send(self.transport).status == case.status
            least = min(least, cut.markers if what == "scripts" else cut.passed)
        return least

    def _mark(self, case: Case) -> bytes:
        """By which the connection to be cut is known: the client's only one, or the one that reads the match."""
        return case.match.encode() if self._to_store else b""

    def cut(self, case: Case, chance: random.Random) -> Cut:
        """A random one; often of what tells that something was done, or that nothing had even been heard."""
        what = chance.choices(self.kinds(), [3, 1, 3][: len(self.kinds())])[0]
        if what == "scripts":
            return Cut("answers", chance.randrange(3), SCRIPT, nth=chance.randint(1, self._usual[what]))
        after = 0 if chance.random() < 0.1 else chance.randrange(self._usual[what])
        return Cut(what, after, self._mark(case))

    def attempt(self, case: Case) -> Answer | None:
        """Send a request that may be cut off."""
        try:
            return case.send(self.transport)
        except (HTTPException, OSError):
            return None


@pytest.mark.parametrize("name", WAYS)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_whatever_is_cut_is_done_once(world: World, operation: str, name: str):
    chance = random.Random(f"{operation}/{name}")
    way = Way(world, name, operation)
    outcomes: Counter[str] = Counter()
    while outcomes.total() < CUT_POINTS / len(OPERATIONS) / len(WAYS):
        case = world.cases.next(operation)
        with way.proxy.cutting(way.cut(case, chance)) as cut:
            first = way.attempt(case)
        if cut.happened.is_set():
            told = "nothing" if first is None else str(first.status)
            outcomes[f"{cut.of} cut, told {told}, {'done' if case.done() else 'not done'}"] += 1
        check_repeat(world, case, first, chance.choice([way.transport, OverHttp(world.service.address)]))
    assert_nobody_has_two_matches(world)
    print(operation, name, dict(outcomes))
    if CUT_POINTS >= 500:
        assert {outcome.rsplit(", ")[-1] for outcome in outcomes} == {"done", "not done"}


def check_repeat(world: World, case: Case, first: Answer | None, transport: OverHttp) -> None:
    """What was or was not carried out is told alike, and is not carried out again."""
    done, before = case.done(), world.truth.everything(case.match)
    if first is not None and first.status == case.status:
        assert (done, first.headers.get("Idempotency-Replayed")) == (1, None)
    elif first is not None:
        assert (first.status, first.code) == (503, "store-unavailable")

    repeat = case.send(transport)
    assert repeat.status == case.status, f"{repeat.body}, {world.cut_off.said()[-2000:]}"
    assert repeat.headers.get("Idempotency-Replayed") == ("true" if done else None)
    assert case.done() == 1
    if done:
        assert world.truth.everything(case.match) == before
    assert repeat.body == case.now().body, "the body is as of now"

    with world.truth.unchanged(case.match):
        other = case.send(transport, case.other)
        assert (other.status, other.code) == (422, "idempotency-key-reused")


def assert_nobody_has_two_matches(world: World) -> None:
    """Among all that were made in these tests so far: each host made one, each request another one."""
    creators = Counter(world.truth.match(match).creator for match in world.truth.matches())
    assert creators
    assert set(creators.values()) == {1}
