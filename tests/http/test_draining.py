"""A service that is told to end says so first, and goes on serving for as long as was set."""

from __future__ import annotations

import http.client
import json
import random
import shutil
from urllib.parse import urlsplit

from support.clients import play_on, seated
from support.server import Server, make_folder
from support.store import PATIENCE, StoreServer, eventually


def readiness(server: Server) -> tuple[int, str | None, str | None]:
    """What a load balancer that has no connection yet is told: the status, how long to stay away, the code."""
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        body = answer.read()
        code = json.loads(body)["code"] if answer.status >= 400 else None
        return answer.status, answer.getheader("Retry-After"), code
    finally:
        connection.close()


def test_readiness_fails_first_and_everything_else_goes_on(store: StoreServer):
    folder = make_folder()
    server = Server(folder, redis_url=store.url, workers=1, TURNCOAT_DRAIN_SECONDS="20")
    server.start()
    try:
        visitor = server.visitor()
        match, players = seated(visitor)
        assert readiness(server) == (200, None, None)
        server.terminate()
        eventually(lambda: readiness(server) != (200, None, None), "the announcement of the end")
        assert readiness(server) == (503, "1", "draining")
        play_on(match, players, random.Random(6), moves=5)
        assert server.visitor().become("Late").create()
    finally:
        server.stop(hurry=True)
        shutil.rmtree(folder)
