"""Clients that go away. That a stream notices it is tested over HTTP; here is what cannot be seen from outside."""

from __future__ import annotations

import socket
import sys

import pytest
from gunicorn.workers.ggevent import GeventWorker

from service.launcher import departures
from service.launcher.worker import Worker


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has this option")
def test_a_connection_is_given_up_when_nobody_confirms_anything():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        departures.limit_silence(client)
        assert client.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000


def test_a_unix_socket_has_no_such_option_and_needs_none():
    one, other = socket.socketpair()
    with one, other:
        departures.limit_silence(one)


def test_where_there_is_no_connection_nobody_goes_away():
    departures.when_gone(None, lambda: pytest.fail("nobody was there"))()


def test_a_connection_that_was_given_up_is_closed_without_complaint(monkeypatch: pytest.MonkeyPatch):
    """Else it would be put into the log as an error."""

    def give_up(*_: object) -> None:
        raise TimeoutError(110, "Connection timed out")

    monkeypatch.setattr(GeventWorker, "handle_request", give_up)
    with pytest.raises(StopIteration):
        Worker.__new__(Worker).handle_request("listener", None, None, None)
