"""Matches are played over HTTP while every viewer asks for everything, and nothing that comes back is unearned.

The marker game is served by a real server, with its workers and its log. Every operation of the contract is called by
every seat, by a stranger and by a spectator at every step, properly and in every wrong way. Each answer is searched,
from its status line to its last byte, for the marks that its reader has not seen by the rules so far, for the seed,
and for what others are known by, in every usual encoding. The games of the catalogue are searched for the same
secrets of the match, and for cards that exist only once.
"""

from __future__ import annotations

import random
import shutil
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import msgspec
import pytest
from secrecy import hidden
from secrecy.tables import Table
from support.contract import operations
from support.marker_game import MARKER_GAME
from support.marker_game.server import MarkerServer
from support.scanning import OverSockets, Scanner
from support.server import make_folder
from support.store import PATIENCE, StoreServer
from support.truth import Truth

from engine.catalogue import GAMES
from engine.game import AnyGame

SHARE = {True: 2, False: 1}
"""Matches in a normal run: of the marker game, and of each other one."""

ONE_IN = 10
"""So many matches of a long run are played elsewhere for one here, in which thousands of questions are asked."""

STATUSES = {200, 201, 304, 400, 401, 403, 404, 405, 406, 409, 413, 415, 422}
"""What one must have been answered to have asked for everything."""


@pytest.fixture(scope="module")
def server(store: StoreServer) -> Iterator[MarkerServer]:
    folder = make_folder()
    running = MarkerServer(folder, store.url)
    running.start()
    yield running
    running.stop()
    shutil.rmtree(folder)


@dataclass
class Account:
    """What the tests of this module have done together."""

    totals: Counter[str] = field(default_factory=Counter)
    asked: Counter[tuple[str, int]] = field(default_factory=Counter)

    def close(self, table: Table, server: MarkerServer, said: int) -> None:
        """Search the log too, where nobody has earned anything; count; and see that all is well.

        Args:
            table: has been played.
            server: where.
            said: how much the server had written to its log before.
        """
        log = server.said()[said:]
        table.scanner.look(log.encode(), "log", "whoever reads the log", "anything", earned=())
        found = table.scanner
        self.totals.update(matches=1, answers=found.answers, bytes=found.size, leaks=len(found.leaks))
        self.asked.update(table.asked)
        table.leave()
        assert found.leaks == []
        assert not [entry for entry in table.asked if entry[1] >= 500]

    def summary(self) -> str:
        return (
            f"sentinels: {self.totals['matches']} matches, {self.totals['answers']} answers with "
            f"{self.totals['bytes']} bytes searched, {len({name for name, _ in self.asked} & set(operations()))} "
            f"operations called, {self.totals['leaks']} markers and secrets leaked"
        )


@pytest.fixture(scope="module")
def account(say: Callable[[str], None]) -> Iterator[Account]:
    account = Account()
    yield account
    say(account.summary())


def play(server: MarkerServer, truth: Truth, game: AnyGame, number: int, look: Callable[[], bool]) -> Table:
    """A match on the running server."""
    seats = game.seats[number % len(game.seats)]
    options = {"rounds": 1 + number // 3 % 2} if game is MARKER_GAME else {}
    chance = random.Random(f"{game.id} {number}")
    wire = lambda: OverSockets(server.address)  # noqa: E731
    table = Table(wire, truth, Scanner(), game, seats=seats, options=options, chance=chance)
    table.play(thoroughly=game is MARKER_GAME and number == 0, look=look)
    return table


@pytest.mark.parametrize("game", [MARKER_GAME, *GAMES.values()], ids=lambda game: game.id)
def test_nobody_receives_what_they_have_not_earned(
    server: MarkerServer,
    truth: Truth,
    game: AnyGame,
    matches: int | None,
    account: Account,
):
    marked = game is MARKER_GAME
    chance = random.Random(1)
    for number in range(max(SHARE[marked], (matches or 0) // ONE_IN)):
        said = len(server.said())
        table = play(server, truth, game, number, lambda: marked or chance.random() < 0.03)
        account.close(table, server, said)
        if marked and number == 0:
            everything_was_asked(table)


def everything_was_asked(table: Table) -> None:
    """The contract has no operation that was not called, and none that was only ever refused."""
    assert {operation for operation, _ in table.asked} >= set(operations())
    fine = {operation for operation, status in table.asked if status in (200, 201)}
    reading = {name for name, operation in operations().items() if operation.method == "get"}
    assert fine >= reading | {"createPlayer", "createMatch", "joinMatch", "playMove"}
    assert {status for _, status in table.asked} >= STATUSES


def test_what_is_hidden_is_told_of_every_game():
    """By hand, from the rules; a new game needs an entry."""
    assert set(GAMES) <= hidden.KNOWN_GAMES


def test_a_match_that_cannot_be_read_tells_nothing(server: MarkerServer, truth: Truth, account: Account):
    """What is stored is damaged, or of other rules, and everybody asks for everything once more."""
    said = len(server.said())
    wire = lambda: OverSockets(server.address)  # noqa: E731
    table = Table(wire, truth, Scanner(), MARKER_GAME, seats=2, options={"rounds": 1}, chance=random.Random(2))
    for _ in range(3):
        table.move()
    stored = truth.stored(table.match, "state")
    state = msgspec.msgpack.decode(stored)
    secret = state["draw_pile"][0]
    for damaged in (
        b"",
        stored[:-20],
        msgspec.msgpack.encode(secret),
        msgspec.msgpack.encode(state | {secret: 1}),
        msgspec.msgpack.encode(state | {"phase": secret}),
        msgspec.msgpack.encode(state | {"round": secret}),
        msgspec.msgpack.encode(state | {"rules_version": secret}),
        msgspec.msgpack.encode(state | {"rules_version": 99}),
    ):
        truth.overwrite(table.match, state=damaged)
        table.look()
    refused = sum(count for (_, status), count in table.asked.items() if status == 409)
    assert refused > 100
    account.close(table, server, said)


def test_what_is_not_even_http_tells_nothing(server: MarkerServer, truth: Truth, account: Account):
    said = len(server.said())
    wire = lambda: OverSockets(server.address)  # noqa: E731
    table = Table(wire, truth, Scanner(), MARKER_GAME, seats=2, options={"rounds": 1}, chance=random.Random(3))
    path = f"/v1/matches/{table.match}/view"
    for caller in table.callers:
        token = f"Bearer {caller.token}"
        for sent in (
            f"GET {path} HTTP/9.9\r\nAuthorization: {token}\r\n\r\n",
            f"GET {path} HTTP/1.1\r\nAuthorization {token}\r\n\r\n",
            f"GET {path} HTTP/1.1\r\nAuthor ization: {token}\r\n\r\n",
            f"GET {path}\r\nAuthorization: {token}\r\n\r\n",
            f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\nContent-Length: -1\r\n\r\n",
            f"{token} {path} HTTP/1.1\r\n\r\n",
        ):
            answer = exchange(server, sent.encode())
            assert b" 400 " in answer.partition(b"\r\n")[0]
            table.scanner.look(answer, "answer", caller.name, "broken HTTP", earned=())
    account.close(table, server, said)


def exchange(server: MarkerServer, sent: bytes) -> bytes:
    """Send bytes; gives all that comes back."""
    address = urlsplit(server.address)
    received = b""
    with socket.create_connection((address.hostname, address.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(65_536):
            received += part
    return received


def test_a_card_in_the_log_of_a_real_server_is_found(store: StoreServer, truth: Truth):
    folder = make_folder()
    planted = MarkerServer(folder, store.url, "secrecy.planted_app:create_app()")
    planted.start()
    try:
        wire = lambda: OverSockets(planted.address)  # noqa: E731
        table = Table(wire, truth, Scanner(), MARKER_GAME, seats=2, options={"rounds": 1}, chance=random.Random(4))
        table.move()
        table.scanner.look(planted.said().encode(), "log", "whoever reads the log", "anything", earned=())
        found = {(leak.secret, leak.form) for leak in table.scanner.leaks}
        table.leave()
    finally:
        planted.stop()
        shutil.rmtree(folder)
    assert found >= {("a card of the draw pile", "as it is"), ("a plot", "hex")}
