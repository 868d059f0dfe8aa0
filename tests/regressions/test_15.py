"""Elsewhere a state was read, changed and written back, and a choice that another player made meanwhile was lost.

Here all who vote at once are counted, whichever worker they meet, also when one is killed between reading and writing.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from typing import Any

import pytest
from support.at_once import at_once, copies
from support.clients import Answer, Client
from support.server import Server, make_folder
from support.sitting import voting
from support.store import PATIENCE, StoreServer, eventually
from support.truth import Truth

VOTERS = 5


@pytest.fixture(scope="module")
def quiet() -> Iterator[StoreServer]:
    """A store that nobody else writes to."""
    server = StoreServer()
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def truth(quiet: StoreServer) -> Iterator[Truth]:
    truth = Truth(quiet.url)
    yield truth
    truth.redis.close()


@pytest.fixture(scope="module")
def patient(quiet: StoreServer) -> Iterator[Server]:
    """A service that waits for its store as long as a test takes, and does nothing by itself."""
    folder = make_folder()
    settings = {"TURNCOAT_STORE_TIMEOUT": str(PATIENCE), "TURNCOAT_SWEEP_INTERVAL": "0"}
    running = Server(folder, redis_url=quiet.url, workers=3, **settings)
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder)


@dataclass
class Vote:
    """A match of five in which everybody is asked for a vote.

    Attributes:
        decisions: what each seat is asked.
        ballots: what each seat will answer.
    """

    match: str
    players: list[Client]
    decisions: list[int]
    ballots: list[Any]

    def cast(self, seat: int, device: Client | None = None) -> Answer:
        return (device or self.players[seat]).move(self.match, self.decisions[seat], self.ballots[seat])

    def assert_counted(self, visitor: Client, truth: Truth) -> None:
        """Every vote was recorded as it was cast, and once."""
        view = visitor.view(self.match)
        assert view["status"] == "finished"
        assert [seat["votes"] for seat in view["table"]["seats"]] == [ballot["targets"] for ballot in self.ballots]
        logged = [entry for entry in truth.moves(self.match) if entry.move["type"] == "cast_vote"]
        assert Counter(entry.seat for entry in logged) == dict.fromkeys(range(VOTERS), 1)


@pytest.fixture
def vote(patient: Server, truth: Truth) -> Vote:
    match, players = voting(patient.visitor(), truth, seats=VOTERS)
    asked = [player.view(match)["you"]["decision"] for player in players]
    assert {decision["kind"] for decision in asked} == {"cast_vote"}
    choices = [decision["legal_moves"] for decision in asked]
    ballots = [moves[seat % len(moves)] for seat, moves in enumerate(choices)]
    return Vote(match, players, [decision["id"] for decision in asked], ballots)


@contextmanager
def nothing_is_written(truth: Truth) -> Iterator[None]:
    """Inside, whoever writes to the store waits; reading goes on."""
    truth.redis.execute_command("CLIENT", "PAUSE", int(PATIENCE * 1000), "WRITE")
    try:
        yield
    finally:
        truth.redis.execute_command("CLIENT", "UNPAUSE")


def writers_waiting(truth: Truth) -> int:
    return truth.redis.info("clients")["blocked_clients"]


def all_have_read(truth: Truth) -> None:
    """Wait until every vote was judged by what its worker had read, and has come to the writing."""
    eventually(lambda: writers_waiting(truth) == VOTERS, "the votes")


def test_votes_at_once_are_all_counted(patient: Server, truth: Truth, vote: Vote):
    devices = [copies(patient, player, 1)[0] for player in vote.players]
    answers = at_once([partial(vote.cast, seat, device) for seat, device in enumerate(devices)])
    assert [answer.status for answer in answers] == [200] * VOTERS
    vote.assert_counted(patient.visitor(), truth)


def test_votes_that_were_judged_by_the_same_state_are_all_counted(patient: Server, truth: Truth, vote: Vote):
    """None is answered with a conflict, though all have read the same state before any was written."""
    devices = [copies(patient, player, 1)[0] for player in vote.players]
    with ThreadPoolExecutor(VOTERS) as threads:
        with nothing_is_written(truth):
            answers = [threads.submit(vote.cast, seat, device) for seat, device in enumerate(devices)]
            all_have_read(truth)
        assert [answer.result().status for answer in answers] == [200] * VOTERS
    vote.assert_counted(patient.visitor(), truth)


def test_votes_are_counted_though_a_worker_is_killed_between_reading_and_writing(
    patient: Server, truth: Truth, vote: Vote
):
    """Those whose connection broke do not know whether their vote was counted, and send it again."""
    devices, victim = on_two_workers(patient, vote.players)
    with ThreadPoolExecutor(VOTERS) as threads:
        with nothing_is_written(truth):
            answers = [threads.submit(vote.cast, seat, device) for seat, device in enumerate(devices)]
            all_have_read(truth)
            os.kill(victim, signal.SIGKILL)
            eventually(lambda: victim not in patient.workers(), "the end of the worker")
        broken = [
            seat for seat, answer in enumerate(answers) if isinstance(answer.exception(), HTTPException | OSError)
        ]
    assert 0 < len(broken) < VOTERS
    assert all(answer.result().status == 200 for seat, answer in enumerate(answers) if seat not in broken)
    for seat in broken:
        assert vote.cast(seat, devices[seat]).code in (None, "decision-closed")
    vote.assert_counted(patient.visitor(), truth)


def on_two_workers(server: Server, players: list[Client]) -> tuple[list[Client], int]:
    """Devices of these players that are not all connected with the same worker, and one of their workers."""
    for _ in range(100):
        before = {worker: server.connections(worker) for worker in server.workers()}
        devices = [copies(server, player, 1)[0] for player in players]
        assert all(device.call("getMe").status == 200 for device in devices)
        theirs = [worker for worker, count in before.items() if server.connections(worker) > count]
        if len(theirs) > 1:
            return devices, theirs[0]
    raise AssertionError("one worker takes all connections")


def test_a_vote_changes_nothing_for_others_but_who_is_waited_for(patient: Server, vote: Vote):
    visitor, voters = patient.visitor(), list(range(VOTERS))
    random.Random(1).shuffle(voters)
    for voted, seat in enumerate(voters[:-1], start=1):
        others = [player for other, player in enumerate(vote.players) if other != seat]
        before = [viewer.view(vote.match) for viewer in [visitor, *others]]
        assert vote.cast(seat).status == 200
        after = [viewer.view(vote.match) for viewer in [visitor, *others]]
        still_asked = sorted(voters[voted:])
        for old, new in zip(before, after, strict=True):
            assert new.pop("waiting_on") == still_asked
            old.pop("waiting_on")
            assert without_who_has_voted(new) == without_who_has_voted(old)
        assert all(entry["votes"] is None for entry in visitor.view(vote.match)["table"]["seats"])


def without_who_has_voted(view: dict) -> dict:
    """A view without the other public sign of it, which says the same as ``waiting_on``."""
    for seat in view["table"]["seats"]:
        seat.pop("owes_vote")
    return view
