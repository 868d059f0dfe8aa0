"""The health check of the image says what the service at the settings' address says."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from service.probe import is_alive
from service.settings import Settings, variable


@contextmanager
def listening(status: int, host: str = "127.0.0.1") -> Iterator[int]:
    """Something that answers every request for ``/healthz`` with this status, and every other with 404."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_):
            pass

    class Listener(HTTPServer):
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET

    with Listener((host, 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def at(port: int | str, host: str | None = None) -> dict[str, str]:
    return {variable("port"): str(port)} | ({} if host is None else {variable("host"): host})


@pytest.mark.parametrize(("status", "alive"), [(200, True), (503, False), (500, False), (404, False), (302, False)])
def test_what_is_answered_counts(status: int, alive: bool):
    with listening(status) as port:
        assert is_alive(at(port)) is alive


@pytest.mark.parametrize("host", ["0.0.0.0", "", "127.0.0.1", "localhost", None])
def test_it_asks_where_the_service_listens(host: str | None):
    with listening(200) as port:
        assert is_alive(at(port, host))


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="there is no IPv6 on this machine")
@pytest.mark.parametrize("host", ["::", "::1"])
def test_it_asks_by_ipv6(host: str):
    with listening(200, "::1") as port:
        assert is_alive(at(port, host))


def test_where_nothing_listens_nothing_is_alive():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert not is_alive(at(port))
    assert not is_alive(at("eighty"))


def test_what_speaks_no_http_is_not_alive():
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"+PONG\r\n\r\n")

        thread = Thread(target=answer)
        thread.start()
        assert not is_alive(at(listener.getsockname()[1]))
        thread.join()


def test_without_settings_it_asks_where_the_service_listens_then(monkeypatch: pytest.MonkeyPatch):
    asked: list[tuple[str, int]] = []

    class Connection:
        def __init__(self, host: str, port: int, timeout: float) -> None:
            asked.append((host, port))

        def request(self, *_):
            raise OSError

        def close(self):
            pass

    monkeypatch.setattr("service.probe.HTTPConnection", Connection)
    assert not is_alive({})
    assert asked == [(Settings.host, Settings.port)]


@pytest.mark.parametrize(("status", "code"), [(200, 0), (503, 1)])
def test_the_command_ends_with_what_it_found(status: int, code: int):
    with listening(status) as port:
        ended = subprocess.run([sys.executable, "-m", "service.probe"], env=os.environ | at(port), check=False)
    assert ended.returncode == code
