"""Clients that play on whatever happens, and ask again with the same key until they are told what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from http.client import HTTPException
from threading import Event
from types import TracebackType
from typing import Any, Self

from histories.clients import Notebook, Recording, Unreliable
from histories.outcomes import read_outcomes
from histories.play import Board, Offer, Somebody
from histories.recorded import Call, History
from redis import Redis

LATEST_OFFERS = 8
FIRST_MATCHES, MATCHES_PER_SECOND = 4, 0.5
LOBBY = ("open", "playing", "finished")
"""In this order a match that goes on meanwhile is missed by none of the lists."""


class Whole(Unreliable):
    """Takes no part of an answer for the whole, and begins a new connection after one that broke."""

    def send(self, method, url, headers, data):
        status, received, body = super().send(method, url, headers, data)
        if status == 304 and not received.get("ETag"):
            raise HTTPException("the answer is not whole")
        if status not in (204, 304) and received.get("Content-Length") != str(len(body)):
            raise HTTPException("the answer is not whole")
        return status, received, body


class Steadfast(Recording):
    """Sends what has a key again, for a while, until the outcome is known."""

    patience = 10.0
    """Seconds; longer than the service may be gone."""

    def write(self, operation: str, body: Any, match: str | None = None) -> Call:
        """Send what writes, and again if nothing is known of it."""
        call = super().write(operation, body, match)
        began = time.monotonic()
        while call.unknown and call.key and time.monotonic() < began + self.patience:
            time.sleep(self.chance.uniform(0.05, 0.3))
            call = self.ask(operation, call.body, match=match, key=call.key)
        return call


@dataclass
class Fair(Board):
    """The clients' agreement to make new matches now and then, since old ones end."""

    since: float = field(default_factory=time.monotonic)
    made: int = 0

    def one_more(self) -> bool:
        """Whether it is time for another one."""
        with self._lock:
            wanted = FIRST_MATCHES + MATCHES_PER_SECOND * (time.monotonic() - self.since)
            self.made += self.made < wanted
            return self.made < wanted


class Steady(Somebody):
    """A client that lives until it is told to stop."""

    recorder, connection = Steadfast, Whole

    def _create(self, wanted: dict[str, Any] | None = None) -> None:
        """Less often with so little time that decisions become overdue all the time."""
        super()._create(wanted or ({"move_seconds": 60} if self._chance.random() < 0.6 else None))

    def _offer(self) -> Offer | None:
        latest = self._board.offers[-LATEST_OFFERS:]
        return self._chance.choice(latest) if latest else None

    def live_until(self, stop: Event) -> None:
        """Do this and that, at a pace that leaves the machine to others too."""
        ways = [self._play, self._join, self._create, self._start, self._leave, self._look]
        while not stop.wait(self._chance.uniform(0, 0.03)):
            weights = [60, 5, 8, 4, 1, 8] if self._mine else [0, 40, 30, 0, 0, 10]
            self._chance.choices(ways, weights)[0]()

    def watch_until(self, stop: Event) -> None:
        """Look on, without a seat anywhere."""
        while not stop.wait(self._chance.uniform(0, 0.08)):
            self._look()

    def look_back(self) -> None:
        """In the end, look at everything once more."""
        for offer in self._board.offers:
            if offer.join_code and offer.match not in self._mine:
                continue
            for operation in ("getMatch", "getView"):
                self.recording.ask(operation, match=offer.match)
            self.recording.ask("listEvents", match=offer.match, query="?after=0&limit=100")
        if self.recording.id is not None:
            self.recording.ask("listMyMatches", query="?limit=100")


class Crowd:
    """Clients that play together, a spectator among them, for as long as it is entered.

    They end each after what it is doing; whatever they have stumbled over is raised then.

    Args:
        hang_up: ends all of their connections, for good. After Ctrl-C nobody waits for the answers of a service that
            may be gone.
    """

    def __init__(self, address: str, players: int, seed: str, hang_up: Callable[[], None]) -> None:
        self._hang_up = hang_up
        self._notebook, self._board = Notebook(losses=True), Fair()
        self._players = [
            Steady(address, self._notebook, self._board, f"{seed}/{place}", f"P{seed}-{place}")
            for place in range(players)
        ]
        self._spectator = Steady(address, self._notebook, self._board, f"{seed}/spectator", None)
        self._stop = Event()
        self._threads = ThreadPoolExecutor(players + 1)
        self._lives: list[Future[None]] = []

    def __enter__(self) -> Self:
        self._lives = [self._threads.submit(player.live_until, self._stop) for player in self._players]
        self._lives.append(self._threads.submit(self._spectator.watch_until, self._stop))

        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        try:
            if kind is KeyboardInterrupt:
                self._abandon()
            wait(self._lives)
        except KeyboardInterrupt:
            self._abandon()
            raise
        finally:
            self._threads.shutdown()
        if kind is not KeyboardInterrupt:
            for life in self._lives:
                life.result()

    def _abandon(self) -> None:
        """Have nobody wait for an answer any more, nor ask again."""
        for somebody in (*self._players, self._spectator):
            somebody.recording.patience = 0
        self._hang_up()

    def settle(self) -> None:
        """Ask what came of all that is unknown, now that the service answers again, and look at everything."""
        for player in self._players:
            for call in self._unanswered(player.recording.id):
                player.recording.ask(call.operation, call.body, match=call.match, key=call.key)
        for somebody in (*self._players, self._spectator):
            somebody.look_back()

    def _unanswered(self, player: str | None) -> list[Call]:
        """The requests with a key of which a player does not know whether they were carried out."""
        groups: dict[tuple[str, str], list[Call]] = {}
        for call in self._notebook.calls:
            if call.key and call.player == player:
                groups.setdefault((call.operation, call.key), []).append(call)
        return [calls[-1] for calls in groups.values() if all(call.unknown for call in calls)]

    def history(self, redis: Redis) -> History:
        """All that was asked and told, and what lies in the store."""
        names = {player.recording.id: player.recording.name for player in self._players}
        readers = [somebody.recording.client for somebody in (self._spectator, *self._players)]
        outcomes = read_outcomes(redis, names, readers)
        return History(names, sorted(self._notebook.calls, key=lambda call: call.began), outcomes)

    def lobby(self) -> set[str]:
        """All matches that the lobby shows."""
        client, listed = self._spectator.recording.client, set[str]()
        for status in LOBBY:
            cursor = ""
            while True:
                page = client.call("listMatches", query=f"?limit=100&status={status}{cursor}").body
                listed |= {card["match"] for card in page["items"]}
                if page["next_cursor"] is None:
                    break
                cursor = f"&cursor={page['next_cursor']}"
        return listed
