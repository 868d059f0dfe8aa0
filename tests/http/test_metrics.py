"""What operators read of a running service adds up to what its clients did, whichever worker did it."""

from __future__ import annotations

import os
import random
import shutil
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any, Self
from urllib.parse import urlsplit

import pytest
from support.clients import Answer, Client, OverHttp
from support.contract import operations
from support.live import LiveStream
from support.metrics import Metrics, scrape
from support.server import Server, make_folder
from support.store import PATIENCE, eventually

GAMES = ("inside_job", "kabale", "verraeter")
SEATS = 3


@pytest.fixture(scope="module")
def service() -> Iterator[Server]:
    """A service with a store of its own, so that nobody else's matches are counted."""
    folder = make_folder()
    server = Server(folder)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


class Ledger:
    """What clients did, as they saw it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests: Counter[tuple[str, str]] = Counter()
        self.problems: Counter[tuple[str]] = Counter()
        self.moves: Counter[tuple[str, str]] = Counter()
        self.matches: Counter[tuple[str, str]] = Counter()

    def note(self, operation: str, status: int, code: str | None) -> None:
        with self._lock:
            self.requests[operation, str(status)] += 1
            if code is not None:
                self.problems[(code,)] += 1

    def move(self, game: str, outcome: str, count: int = 1) -> None:
        with self._lock:
            self.moves[game, outcome] += count

    def became(self, game: str, *statuses: str) -> None:
        with self._lock:
            for status in statuses:
                self.matches[game, status] += 1


class Counted(Client):
    """A client whose every answer is noted."""

    def __init__(self, ledger: Ledger, transport: OverHttp, token: str | None = None) -> None:
        super().__init__(transport, token)
        self.ledger = ledger

    def call(self, operation_id: str, *args: Any, **more: Any) -> Answer:
        answer = super().call(operation_id, *args, **more)
        self.ledger.note(operation_id, answer.status, answer.code)
        return answer

    def become(self, name: str) -> Counted:
        return Counted(self.ledger, self.transport, super().become(name).token)


class Table:
    """Three clients that play one match of a game to its end, and blunder on the way."""

    def __init__(self, address: str, ledger: Ledger, game: str, seed: int) -> None:
        self._game = game
        self._address = address
        self._ledger = ledger
        self._chance = random.Random(f"{game} {seed}")
        self._seed = seed
        self._players = [Counted(ledger, OverHttp(address)).become(f"Player {seat}") for seat in range(SEATS)]

    def play(self) -> None:
        creator, *others = self._players
        visibility = self._chance.choice(["public", "private"])
        created = creator.call("createMatch", {"game": self._game, "seats": SEATS, "visibility": visibility})
        match = created.body["match"]
        for player in others:
            if visibility == "private":
                assert player.call("joinByCode", {"join_code": created.body["join_code"]}).status == 201
            else:
                player.join(match)
        self._ledger.became(self._game, "open", "playing")
        while waiting_on := creator.card(match)["waiting_on"]:
            self._decide(match, waiting_on[0])
        self._ledger.became(self._game, "finished")

    def _decide(self, match: str, seat: int) -> None:
        player = self._players[seat]
        decision = player.view(match)["you"]["decision"]
        body = {"decision": decision["id"], "move": self._chance.choice(decision["legal_moves"])}
        if self._chance.random() < 0.1:
            self._blunder(match, player, body)
        key = {"Idempotency-Key": f"{match[:8]}-{self._seed}-{seat}-{decision['id']:08}"}
        assert player.call("playMove", body, headers=key, match=match).status == 200
        self._ledger.move(self._game, "accepted")
        if self._chance.random() < 0.1:
            again = player.call("playMove", body, headers=key, match=match)
            assert again.headers["Idempotency-Replayed"] == "true"
            self._ledger.move(self._game, "repeated")

    def _blunder(self, match: str, player: Counted, body: dict[str, Any]) -> None:
        """Something that is refused: counted with the game if it was judged as a move at all."""
        stranger = Counted(self._ledger, OverHttp(self._address)).become("Stranger")
        later = {**body, "decision": body["decision"] + 1}
        elsewhere = {"kabale": {"type": "move_building", "from": 3, "to": 3}}.get(
            self._game, {"type": "place_card", "card": "king", "column": 0}
        )
        for who, sent, code in [
            (player, later, "not-your-decision"),
            (player, {**body, "move": elsewhere}, "illegal-move"),
            (stranger, body, "not-a-player"),
        ]:
            answer = who.call("playMove", sent, match=match)
            if answer.code == "no-such-match":  # a private match, for a stranger
                continue
            assert answer.code == code
            self._ledger.move(self._game, code)
        assert player.call("playMove", raw=b"{", match=match).code == "malformed-json"
        assert player.call("getReplay", match=match).status in (404, 409)


def alone(address: str, ledger: Ledger, game: str) -> None:
    """One client with stand-ins, who leaves; and one whose match is given up before it starts."""
    player = Counted(ledger, OverHttp(address)).become("Alone")
    match = player.create(game, SEATS)
    assert player.call("startMatch", {"stand_ins": True}, match=match).status == 200
    ledger.became(game, "open", "playing")
    while player.card(match)["status"] == "playing":
        decision = player.view(match)["you"]["decision"]
        assert player.move(match, decision["id"], decision["legal_moves"][0]).status == 200
        ledger.move(game, "accepted")
    ledger.became(game, "finished")
    replay = player.call("getReplay", match=match).body
    ledger.move(game, "stand-in", sum(move["stand_in"] for move in replay["moves"]))
    given_up = player.create(game, SEATS)
    assert player.call("leaveMatch", match=given_up).status == 204
    ledger.became(game, "open", "cancelled")


def rubbish(address: str, ledger: Ledger, number: int) -> None:
    """Requests to addresses and by methods that are none of ours, each another one."""
    for place in range(20):
        method, url = [
            ("GET", f"/v2/{number}/{place}"),
            ("POST", f"/v1/matches/{number}-{place}/burn"),
            (f"M{number}X{place}", "/v1/games"),
            ("DELETE", f"/v1/games/{number}{place}"),
        ][place % 4]
        connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
        connection.request(method, url, headers={"X-Request-Id": f"r{number}.{place}"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        ledger.note("none", answer.status, {404: "not-found", 405: "method-not-allowed"}[answer.status])


class Scraper:
    """Reads the metrics again and again meanwhile; no counter ever goes back."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.looks = 0
        self.went_back: list[Any] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        before: dict[Any, float] = {}
        while not self._done.wait(0.05):
            now = scrape(self._address).counters()
            self.went_back += [
                (what, value, now.get(what)) for what, value in before.items() if now.get(what, 0) < value
            ]
            before = now
            self.looks += 1


def evening(address: str, ledger: Ledger, seed: int, games: Sequence[str] = GAMES) -> None:
    """Several games at once, with everything that goes wrong at a table."""
    tasks = [Table(address, ledger, game, seed).play for game in games]
    tasks += [lambda game=game: alone(address, ledger, game) for game in games]
    tasks += [lambda: rubbish(address, ledger, seed)]
    with Scraper(address) as scraper, ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(task) for task in tasks]:
            done.result()
    assert scraper.looks > 3
    assert scraper.went_back == []


def compare(metrics: Metrics, ledger: Ledger) -> None:
    """Every number of the clients is one of the service's, and the other way round."""
    ours = {*operations(), "none"}
    requests = metrics.counted("turncoat_requests_total")
    assert {labels: count for labels, count in requests.items() if labels[0] in ours} == ledger.requests
    assert metrics.counted("turncoat_problems_total") == ledger.problems
    assert metrics.counted("turncoat_moves_total") == ledger.moves
    assert metrics.counted("turncoat_matches_total") == {
        (status, game): count for (game, status), count in ledger.matches.items()
    }
    timed = metrics.counted("turncoat_request_seconds_count")
    for operation in ours:
        answers = sum(count for (of, _), count in ledger.requests.items() if of == operation)
        assert timed[(operation,)] == answers, operation


def test_counters_add_up_to_what_the_clients_did_also_after_a_worker_was_killed(service: Server):
    address = service.address
    ledger = Ledger()
    evening(address, ledger, 1)
    compare(scrape(address), ledger)

    before = service.workers()
    os.kill(min(before), signal.SIGKILL)
    eventually(lambda: len(service.workers()) == 2 and service.workers() != before, "another worker")
    eventually(lambda: scrape(address).of("turncoat_workers") == 2, "the word of the new worker alone")
    compare(scrape(address), ledger)
    evening(address, ledger, 2, ["kabale"])
    metrics = scrape(address)
    compare(metrics, ledger)
    assert metrics.of("turncoat_workers_started_total") == 3
    assert metrics.of("turncoat_store_up") == 1
    assert metrics.of("turncoat_overdue_decisions") == 0
    shown = server_lobby(service)
    assert {labels: count for labels, count in metrics.samples["turncoat_public_matches"].items() if count} == shown


def server_lobby(service: Server) -> Counter[tuple[str, str]]:
    """What the lobby has, by game and status."""
    visitor, shown = service.visitor(), Counter()
    cursor = ""
    while True:
        page = visitor.call("listMatches", query=f"?limit=100{cursor}").body
        shown.update((card["game"], card["status"]) for card in page["items"])
        if page["next_cursor"] is None:
            return shown
        cursor = f"&cursor={page['next_cursor']}"


def test_labels_stay_few_whatever_is_asked_for(service: Server):
    address = service.address
    rubbish(address, Ledger(), 3)
    before = scrape(address)
    for number in range(4, 9):
        rubbish(address, Ledger(), number)
    after = scrape(address)
    assert {name: set(values) for name, values in after.samples.items()} == {
        name: set(values) for name, values in before.samples.items()
    }
    assert (
        after.of("turncoat_requests_total", "none", "404") == before.of("turncoat_requests_total", "none", "404") + 50
    )
    statuses = {status for _, status in after.samples["turncoat_requests_total"]}
    assert len(statuses) < 25


def test_what_is_not_even_http_is_counted(service: Server):
    before = scrape(service.address)
    connection = HTTPConnection(urlsplit(service.address).netloc, timeout=PATIENCE)
    connection.request("GET", "/v1/games", headers={"Content-Length": "many"})
    assert connection.getresponse().status == 400
    connection.close()
    after = scrape(service.address)
    for name, labels in [("turncoat_requests_total", ("none", "400")), ("turncoat_problems_total", ("bad-request",))]:
        assert after.of(name, *labels) == before.of(name, *labels) + 1


def test_who_waits_is_seen_until_they_go_or_their_worker_is_killed(service: Server):
    address = service.address
    player = service.visitor().become("Ada")
    match = player.create("kabale", 2)
    etag = player.call("getMatch", match=match).headers["ETag"]

    def waiting() -> tuple[float, float]:
        metrics = scrape(address)
        return metrics.of("turncoat_waiters", "poll"), metrics.of("turncoat_waiters", "stream")

    assert waiting() == (0, 0)
    poll = threading.Thread(
        target=lambda: player.call("getMatch", match=match, headers={"If-None-Match": etag, "Prefer": "wait=50"})
    )
    poll.start()
    stream = LiveStream(address, match, player.token)
    eventually(lambda: waiting() == (1, 1), "both who wait")
    service.visitor().become("Ben").join(match)
    poll.join()
    eventually(lambda: waiting() == (0, 1), "the answer")
    for worker in service.workers():
        os.kill(worker, signal.SIGKILL)
    stream.ends()
    eventually(lambda: waiting() == (0, 0), "nobody")


def test_what_a_client_asks_to_wait_is_no_slowness_of_the_service(service: Server):
    player = service.visitor().become("Ada")
    match = player.create("kabale", 2)
    etag = player.call("getMatch", match=match).headers["ETag"]
    before = scrape(service.address).of("turncoat_request_seconds_sum", "getMatch")
    began = time.monotonic()
    assert player.call("getMatch", match=match, headers={"If-None-Match": etag, "Prefer": "wait=2"}).status == 304
    lasted = time.monotonic() - began
    counted = scrape(service.address).of("turncoat_request_seconds_sum", "getMatch") - before
    assert counted <= lasted - 2 + 0.1
