"""The log of a running service: one line for every request, with what it was about and nothing that anybody sent."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.clients import Client, OverHttp, play_on, seated
from support.live import LiveStream
from support.scanning import Scanner
from support.server import Server, make_folder
from support.store import PATIENCE, StoreServer, eventually
from support.truth import Truth

LAUNCHER = ("Turncoat ends:",)
"""How lines begin that the launcher writes for whoever has started it."""


@pytest.fixture(scope="module")
def service(store: StoreServer) -> Iterator[Server]:
    folder = make_folder()
    server = Server(folder, redis_url=store.url)
    server.start()
    yield server
    server.stop()
    shutil.rmtree(folder)


def lines(server: Server) -> list[dict[str, Any]]:
    """All lines of the log, each an object."""
    return [json.loads(line) for line in server.said().splitlines() if not line.startswith(LAUNCHER)]


def line_of(server: Server, request_id: str) -> dict[str, Any]:
    """The one line of a request, once it is there."""
    found: list[dict[str, Any]] = []

    def there() -> bool:
        found[:] = [line for line in lines(server) if line.get("id") == request_id]
        return bool(found)

    eventually(there, f"the line of {request_id}")
    assert len(found) == 1
    return found[0]


def ask(server: Server, method: str, url: str, **headers: str) -> int:
    connection = HTTPConnection(urlsplit(server.address).netloc, timeout=PATIENCE)
    connection.request(method, url, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


class Numbered(OverHttp):
    """Numbers its requests, so that each can be found in the log.

    Attributes:
        sent: what was sent so far, by its number: the operation is for the log to tell.
    """

    def __init__(self, address: str, name: str) -> None:
        super().__init__(address)
        self._name = name
        self.answers: dict[str, int] = {}

    def send(self, method, url, headers, data):
        number = f"{self._name}-{len(self.answers)}"
        status, *rest = super().send(method, url, {**headers, "X-Request-Id": number}, data)
        self.answers[number] = status
        return status, *rest


def test_every_request_has_one_line(service: Server):
    transport = Numbered(service.address, "one-line")
    match, players = seated(Client(transport), "kabale", 2)
    play_on(match, players, random.Random(3))
    Client(transport).call("getReplay", match=match)
    last = f"one-line-{len(transport.answers) - 1}"
    line_of(service, last)
    told = {line["id"]: line for line in lines(service) if str(line.get("id")).startswith("one-line-")}
    assert {number: line["status"] for number, line in told.items()} == transport.answers
    assert {line["operation"] for line in told.values()} == {
        *["createPlayer", "createMatch", "joinMatch", "getMatch", "getView", "playMove", "getReplay"]
    }
    for line in told.values():
        about = {} if line["operation"] == "createPlayer" else {"match": match}
        if line["operation"] == "createMatch":
            about = {"match": match}
        assert line == {
            "timestamp": line["timestamp"],
            "level": "info",
            "event": "request",
            "id": line["id"],
            "operation": line["operation"],
            "status": line["status"],
            "ms": line["ms"],
            **about,
        }
        assert 0 < line["ms"] < 1000 * PATIENCE


def test_what_clients_write_where_an_id_belongs_is_not_repeated(service: Server, truth: Truth):
    """A token, a code, a player's id: whatever stands in an address, a query or a header by mistake."""
    visitor = service.visitor()
    ada = visitor.become("Ada of the long log")
    created = ada.call("createMatch", {"game": "kabale", "seats": 2, "visibility": "private"}).body
    player = ada.call("getMe").body["player"]
    code, token, match = created["join_code"], ada.token, created["match"]
    said = len(service.said())
    number = 0
    for secret in (code, token, player):
        for url in (
            f"/v1/matches/{secret}",
            f"/v1/matches/{secret}/view?{secret}={secret}",
            f"/v1/matches/{match}/view?token={secret}",
            f"/v1/{secret}",
            f"/{secret}?{secret}",
        ):
            for authorization in (f"Bearer {token}", f"Bearer {secret}", f"Basic {secret}"):
                number += 1
                ask(service, "GET", url, Authorization=authorization, X_Request_Id=f"careless-{number}", Cookie=secret)
                ask(service, "POST", url, Authorization=authorization, User_Agent=secret, Referer=secret)
    ask(service, "GET", f"/v1/matches/{match}", X_Request_Id="a stranger")
    ask(service, "GET", f"/v1/matches/{match}", X_Request_Id="careless-last")
    line_of(service, "careless-last")
    log = service.said()[said:]
    for secret in (code, token, token.split(".")[1], token.split(".")[2], player, "Ada of the long log"):
        assert secret not in log
    assert "a stranger" not in log, "an id that is none is not taken from the caller"
    assert "127.0.0.1" not in log
    assert number == 45


def test_the_match_is_told_where_it_was_found_and_nowhere_else(service: Server):
    visitor = service.visitor()
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create("kabale", 2)
    hidden = ada.call("createMatch", {"game": "kabale", "seats": 2, "visibility": "private"}).body
    ask_of = [
        (ada, "getView", 409, match, "not-started"),
        (ben, "getMatch", 404, hidden["match"], "no-such-match"),
        (ada, "getMatch", 200, hidden["match"], None),
        (ben, "getMatch", 404, "A" * 22, "no-such-match"),
    ]
    for number, (who, operation, status, of, problem) in enumerate(ask_of):
        answer = who.call(operation, match=of, headers={"X-Request-Id": f"found-{number}"})
        assert (answer.status, answer.code) == (status, problem)
        line = line_of(service, f"found-{number}")
        assert line.get("match") == (None if status == 404 else of)
        assert line.get("problem") == problem
    joined = ben.call("joinByCode", {"join_code": hidden["join_code"]}, headers={"X-Request-Id": "by-code"})
    assert joined.status == 201
    assert line_of(service, "by-code")["match"] == hidden["match"]
    assert ada.call("playMove", raw=b"[]", match=match, headers={"X-Request-Id": "unread"}).code == "invalid"
    assert "match" not in line_of(service, "unread"), "nothing was looked up"


def test_probes_that_go_well_are_not_logged(service: Server):
    for path in ("/healthz", "/readyz", "/metrics"):
        assert ask(service, "GET", path, X_Request_Id=f"probe{path.replace('/', '-')}") == 200
    assert ask(service, "POST", "/healthz", X_Request_Id="probe-wrong") == 405
    line_of(service, "probe-wrong")
    assert not [line for line in lines(service) if str(line.get("id")).startswith("probe-") and line["status"] == 200]


def test_a_stream_has_its_line_at_its_end_and_a_wait_tells_how_long(service: Server):
    ada = service.visitor().become("Ada")
    match = ada.create("kabale", 2)
    stream = LiveStream(service.address, match, ada.token)
    etag = ada.call("getMatch", match=match).headers["ETag"]
    waits = {"If-None-Match": etag, "Prefer": "wait=1", "X-Request-Id": "it-waits"}
    assert ada.call("getMatch", match=match, headers=waits).status == 304
    line = line_of(service, "it-waits")
    assert line["waited_ms"] >= 900
    assert line["match"] == match
    assert not [line for line in lines(service) if line.get("operation") == "listEvents"]
    ada.call("leaveMatch", match=match)  # nobody is left, so it is over
    stream.ends()
    eventually(lambda: any(line.get("operation") == "listEvents" for line in lines(service)), "the stream's line")
    (line,) = [line for line in lines(service) if line.get("operation") == "listEvents"]
    assert line["ms"] >= 900
    assert line["match"] == match


def test_what_others_log_has_the_same_form(service: Server):
    connection = HTTPConnection(urlsplit(service.address).netloc, timeout=PATIENCE)
    connection.request("GET", "/v1/games", headers={"Content-Length": "many"})
    number = connection.getresponse().getheader("X-Request-Id")
    connection.close()
    eventually(lambda: any(number in line["event"] for line in lines(service)), "the word of the server")
    (line,) = [line for line in lines(service) if number in line["event"]]
    assert (line["level"], line["logger"]) == ("warning", "gunicorn.error")
    os.kill(min(service.workers()), signal.SIGKILL)
    eventually(lambda: any("SIGKILL" in line["event"] for line in lines(service)), "the word of the parent")


def test_nothing_secret_is_in_the_log_of_a_whole_match(service: Server, truth: Truth):
    """The scan that all answers are held to, in every encoding, here of what whoever reads the log finds."""
    scanner = Scanner()
    said = len(service.said())
    match, players = seated(service.visitor(), "verraeter", 3)
    scanner.know(truth.match(match).seed, "the seed")
    for number, player in enumerate(players):
        scanner.know(player.token, f"the token of seat {number}")
        scanner.know(player.call("getMe").body["player"], f"the player in seat {number}")
    play_on(match, players, random.Random(4))
    log = service.said()[said:]
    assert match in log
    scanner.look(log.encode(), "log", "whoever reads the log", "anything", earned=())
    assert scanner.leaks == []


def test_people_read_lines_of_text(store: StoreServer):
    folder = make_folder()
    server = Server(folder, redis_url=store.url, workers=1, TURNCOAT_LOG_FORMAT="text")
    server.start()
    try:
        ask(server, "GET", "/v1/games", X_Request_Id="readable")
        eventually(lambda: "readable" in server.said(), "the line")
        (line,) = [line for line in server.said().splitlines() if "readable" in line]
        assert "request" in line
        assert "operation=listGames status=200" in line
        assert not line.startswith("{")
    finally:
        server.stop()
        shutil.rmtree(folder)


def test_a_quiet_log_has_only_what_goes_wrong(store: StoreServer):
    folder = make_folder()
    server = Server(folder, redis_url=store.url, workers=1, TURNCOAT_LOG_LEVEL="warning", TURNCOAT_STORE_TIMEOUT="1")
    server.start()
    try:
        assert ask(server, "GET", "/v1/games") == 200
        assert ask(server, "GET", "/nowhere") == 404
        store.kill()
        try:
            assert ask(server, "GET", f"/v1/matches/{'A' * 22}", X_Request_Id="broken") == 503
        finally:
            store.start()
        line = line_of(server, "broken")
        assert (line["level"], line["status"], line["problem"]) == ("error", 503, "store-unavailable")
        assert not [line for line in lines(server) if line.get("status", 500) < 500]
        assert "match" not in line
    finally:
        server.stop()
        shutil.rmtree(folder)
