"""Random histories: clients that find, join, start, play, watch and leave matches, all at the same time."""

from __future__ import annotations

import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from histories.clients import Notebook, Recording, Unreliable
from histories.outcomes import read_outcomes
from histories.recorded import History
from redis import Redis

from engine.catalogue import GAMES

CLIENTS = 5
STEPS = 80
MATCHES = 3
DREAMS = 2
"""Decisions that one of the clients lets become overdue."""
PATIENT_WAITS = 3
"""After so many waits in a row without anything new a client plays on no longer."""


@dataclass(frozen=True)
class Offer:
    """A match that the clients have told each other of."""

    match: str
    seats: int
    join_code: str | None
    timed: bool


@dataclass
class Board:
    """What the clients have told each other."""

    offers: list[Offer] = field(default_factory=list)
    _left: int = MATCHES
    _lock: Lock = field(default_factory=Lock)

    def one_more(self) -> bool:
        """Whether somebody may make another match; then they should."""
        with self._lock:
            self._left -= 1
            return self._left >= 0


class Somebody:
    """A client with a will of its own, given by chance."""

    recorder: type[Recording] = Recording
    connection: type[Unreliable] = Unreliable

    def __init__(
        self, address: str, notebook: Notebook, board: Board, seed: str, name: str | None, *, dreamer: bool = False
    ) -> None:
        self._chance = random.Random(seed)
        self._board = board
        self.recording = self.recorder(lambda: self.connection(address), notebook, self._chance, name)
        self._mine: set[str] = set()
        self._events: dict[str, int] = {}
        self._decided: dict[str, Any] = {}
        self._dreams = DREAMS if dreamer else 0

    def live(self) -> None:
        """Do this and that."""
        if self._dreams:
            self._create({"move_seconds": 1, "visibility": "public"})
        ways = [self._play, self._join, self._create, self._start, self._leave, self._look]
        for step in range(STEPS):
            weights = [60, 5, 2, 3, 1, 10] if step > STEPS // 5 else [10, 40, 30, 10, 2, 5]
            self._chance.choices(ways, weights)[0]()

    def watch(self) -> None:
        """Look on, without a seat anywhere."""
        for _ in range(STEPS):
            self._look()

    def finish(self) -> None:
        """Play on until all one's matches are over, or nobody else seems to play any more."""
        waits_in_vain = 0
        while waits_in_vain < PATIENT_WAITS:
            if waiting := self._listed("waiting_on_me=true"):
                self._play_in(self._chance.choice(waiting))
                waits_in_vain = 0
            elif not self._listed("status=playing"):
                return
            elif not self._listed("waiting_on_me=true", wait=True):
                waits_in_vain += 1

    def _listed(self, which: str, *, wait: bool = False) -> list[str]:
        """Which of one's matches are so."""
        page = self.recording.read("listMyMatches", query=f"?limit=100&{which}", wait=wait)
        return [card["match"] for card in page.answer["items"]] if page.accepted else []

    # --- what one can do ---

    def _create(self, wanted: dict[str, Any] | None = None) -> None:
        if not self._board.one_more():
            return
        game = GAMES[self._chance.choice(sorted(GAMES))]
        body: dict[str, Any] = {
            "game": game.id,
            "seats": self._chance.choice(list(game.seats)[:3]),
            "visibility": self._chance.choice(["public", "private"]),
        }
        if self._chance.random() < 0.4:
            body["move_seconds"] = 1
        body |= wanted or {}
        call = self.recording.write("createMatch", body)
        if call.accepted:
            self._mine.add(call.answer["match"])
            self._board.offers.append(
                Offer(call.answer["match"], body["seats"], call.answer["join_code"], "move_seconds" in body)
            )

    def _join(self) -> None:
        offer = self._offer()
        if offer is None:
            return
        body: dict[str, Any] = {}
        if self._chance.random() < 0.3:
            body["seat"] = self._chance.randrange(offer.seats)
        if self._chance.random() < 0.5:
            body["entropy"] = f"{self._chance.getrandbits(64):016x}"
        if offer.join_code:
            call = self.recording.write("joinByCode", {"join_code": offer.join_code, **body}, offer.match)
        else:
            call = self.recording.write("joinMatch", body, offer.match)
        if not call.refused:
            self._mine.add(offer.match)

    def _start(self) -> None:
        if self._mine:
            self._start_one(self._one_of_mine())

    def _start_one(self, match: str) -> None:
        stand_ins = {"stand_ins": True} if self._chance.random() < 0.4 else {}
        self.recording.write("startMatch", stand_ins, match)

    def _leave(self) -> None:
        if not self._mine:
            return
        match = self._one_of_mine()
        lost = self._chance.choice(["early", "late", None, None])
        call = self.recording.ask("leaveMatch", match=match, breaks=lost)
        if call.accepted and self._chance.random() < 0.5:
            self._mine.discard(match)

    def _play(self) -> None:
        if self._mine:
            self._play_in(self._one_of_mine(), wait=self._sometimes())

    def _play_in(self, match: str, *, wait: bool = False) -> None:
        call = self.recording.read("getView", match, wait=wait)
        if call.refused and call.code == "not-started":
            self._start_one(match)
            return
        if call.unknown:
            return  # something failed on the way, and another time it may be better
        if not call.accepted or call.answer["you"] is None or call.answer["status"] != "playing":
            self._mine.discard(match)
            return
        decision = call.answer["you"]["decision"]
        if decision and self._dreams and match in self._timed():
            self._dream(match, decision)
        elif decision:
            self._decide(match, decision)

    def _timed(self) -> set[str]:
        return {offer.match for offer in self._board.offers if offer.timed}

    def _dream(self, match: str, decision: Any) -> None:
        """Let a decision become overdue; or wait at least as long as it takes."""
        self._dreams -= 1
        for _ in range(25):
            time.sleep(0.1)
            view = self.recording.read("getView", match)
            if not view.accepted or not (you := view.answer["you"]) or you["decision"] != decision:
                return

    def _decide(self, match: str, decision: Any) -> None:
        whim = self._chance.random()
        body = {"decision": decision["id"], "move": self._chance.choice(decision["legal_moves"])}
        if whim < 0.04 and match in self._decided:
            body = self._decided[match]  # again, as a new request
        elif whim < 0.07:
            body["decision"] += self._chance.choice([-1, 1])
            body["decision"] = max(1, body["decision"])
        elif whim < 0.12 and match in self._decided:
            body["move"] = self._decided[match]["move"]
        self._decided[match] = body
        self.recording.write("playMove", body, match)

    def _list(self) -> None:
        if self.recording.id is None or self._chance.random() < 0.3:
            self.recording.read("listMatches", query="?limit=100")
        else:
            query = self._chance.choice(["", "&waiting_on_me=true", "&status=playing"])
            self.recording.read("listMyMatches", query="?limit=100" + query, wait=self._sometimes())

    def _look(self) -> None:
        offer = self._offer()
        operation = self._chance.choice(["getMatch", "getView", "listEvents", "list"])
        if offer is None or operation == "list":
            self._list()
        elif operation != "listEvents":
            self.recording.read(operation, offer.match, wait=self._sometimes())
        else:
            self._read_events(offer.match)

    def _read_events(self, match: str) -> None:
        after = self._events.get(match, 0) if self._chance.random() < 0.8 else 0
        query = f"?after={after}&limit={self._chance.randint(1, 100)}"
        call = self.recording.read("listEvents", match, query=query, wait=self._sometimes())
        if call.accepted and call.answer["items"]:
            self._events[match] = call.answer["items"][-1]["number"]

    def _sometimes(self) -> bool:
        return self._chance.random() < 0.04

    def _offer(self) -> Offer | None:
        return self._chance.choice(self._board.offers) if self._board.offers else None

    def _one_of_mine(self) -> str:
        return self._chance.choice(sorted(self._mine))


def play_history(address: str, redis: Redis, seed: int) -> History:
    """One random history, and what came of it."""
    notebook, board = Notebook(), Board()
    players = [
        Somebody(address, notebook, board, f"{seed}/{place}", f"P{seed}-{place}", dreamer=place == 0)
        for place in range(CLIENTS)
    ]
    spectator = Somebody(address, notebook, board, f"{seed}/spectator", None)
    to_the_end = random.Random(seed).random() < 0.5
    with ThreadPoolExecutor(CLIENTS + 1) as threads:
        lives = [threads.submit(player.live) for player in players] + [threads.submit(spectator.watch)]
        for life in lives:
            life.result()
        if to_the_end:
            for end in [threads.submit(player.finish) for player in players]:
                end.result()
    names = {player.recording.id: player.recording.name for player in players}
    outcomes = read_outcomes(redis, names, [player.recording.client for player in [spectator, *players]])
    return History(names, sorted(notebook.calls, key=lambda call: call.began), outcomes)
