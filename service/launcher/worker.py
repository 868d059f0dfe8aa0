"""gunicorn's gevent worker, with an end that does not wait for idle connections, and without HTML.

A connection is kept open between two requests, and longer than the proxies in front of the service do it: whoever
closes first loses no request. The stock worker waits at its end until every such pause is over. This one closes
connections that are between two requests, and lets requests that run finish. Before that it may go on for a while with
nothing changed but that the end is announced: a load balancer that asks for readiness sees it and sends nobody else.

What is not even HTTP never reaches the application. The stock worker answers it with a page that repeats what was sent,
and writes that to its log, where a token may have been in it. This one answers with a problem, as everything else does.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
from functools import partial
from http import HTTPStatus
from types import FrameType, TracebackType
from typing import Any

import gevent
from gunicorn.http.errors import InvalidResponseHeader, InvalidResponseHeaderName, ParseException
from gunicorn.util import write_nonblock
from gunicorn.workers.ggevent import GeventWorker

from service.launcher import departures, draining
from service.launcher.accepting import Listener
from service.launcher.crowd import Place
from service.launcher.gunicorn_conf import DRAIN
from service.problems import KINDS, MEDIA_TYPE
from service.telemetry.observer import NOTHING

_LINGER = 2.0
"""Seconds that somebody who was refused gets to finish sending and to read why."""


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """The stock worker plus a note of who is between two requests, and of how many connections there are.

    Attributes:
        place: the worker among all others, if it has found one; the master sets it.
    """

    place: Place | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._idle: set[_Idle] = set()

    def server_class(self, listener: Any, *, spawn: Any, **_: Any) -> Listener:
        """What takes connections; gunicorn calls this where it would make a server of its own."""
        if self.place is not None:
            self.place.begin()
            draining.when_begun(self.place.end)
        return Listener(listener, self.place, partial(self.handle, listener), spawn)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: announce it, and go on for as long as the operator wants it announced."""
        draining.announce()
        gevent.spawn_later(float(os.environ.get(DRAIN, "0")), super().handle_exit, sig, frame)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection for as long as there is anybody at its other end."""
        departures.limit_silence(client)
        if self.place is None:
            super().handle(listener, client, addr)
            return
        self.place.came()
        try:
            super().handle(listener, client, addr)
        finally:
            self.place.went()

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        """Answer a request. That the client is gone meanwhile is nothing to complain of."""
        try:
            super().handle_request(listener_name, req, sock, addr)
        except TimeoutError as error:
            raise StopIteration from error  # gunicorn's word for: close the connection

    def timeout_ctx(self) -> _Idle:
        """Limit, and note, the wait for a connection's next request: gunicorn calls this for nothing else."""
        return _Idle(self.cfg.keepalive, self._idle)

    def notify(self) -> None:
        """Show that the worker lives: about once a second, also while it finishes its requests."""
        super().notify()
        if not self.alive:
            draining.begin()
            for idle in list(self._idle):
                idle.end()

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:  # noqa: ARG002 (gunicorn's)
        """Answer a request that is not proper HTTP, or that broke the server itself."""
        ours = isinstance(exc, InvalidResponseHeader | InvalidResponseHeaderName)
        request_id = secrets.token_hex(8)
        if isinstance(exc, ParseException) and not ours:
            self.log.warning("request %s is not proper HTTP: %s", request_id, type(exc).__name__)
            code = "bad-request"
        else:
            self.log.error("request %s failed in the server", request_id, exc_info=exc)
            code = "internal-error"
        self._count(code)
        with contextlib.suppress(OSError), gevent.Timeout(_LINGER, False):  # noqa: FBT003 (gives up silently)
            write_nonblock(client, _problem(code, request_id))
            # Closing while there is still something to read would reset the connection, and the answer with it.
            client.shutdown(socket.SHUT_WR)
            while client.recv(65_536):
                pass

    def _count(self, code: str) -> None:
        """Have a problem counted that the application does not hear of."""
        if parts := getattr(self.wsgi, "extensions", {}).get("turncoat"):
            parts.observer.request(NOTHING, KINDS[code].status, 0.0)
            parts.observer.problem(code)


def _problem(code: str, request_id: str) -> bytes:
    """The whole answer that tells of a problem and ends the connection, in the language of those who ask for none."""
    from service import texts  # read by the application already; gunicorn's parent process imports this module too

    kind = KINDS[code]
    language = texts.LANGUAGES[0]
    problem = {
        "type": "about:blank",
        "title": texts.title(code, language),
        "status": kind.status,
        "code": code,
        "instance": f"urn:request:{request_id}",
    }
    body = json.dumps(problem).encode()
    head = [
        f"HTTP/1.1 {kind.status} {HTTPStatus(kind.status).phrase}",
        "Connection: close",
        f"Content-Type: {MEDIA_TYPE}",
        f"Content-Language: {language}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "Vary: Accept-Language",
        f"X-Request-Id: {request_id}",
        "X-Content-Type-Options: nosniff",
    ]
    return "\r\n".join([*head, "", ""]).encode() + body


class _Idle:
    """A wait for a connection's next request, which gives up after the time to keep it, or when it is ended."""

    def __init__(self, seconds: float, everybody: set[_Idle]) -> None:
        self._timeout = gevent.Timeout(seconds, False)  # noqa: FBT003  # gevent's way to say: give up silently
        self._everybody = everybody
        self._greenlet = gevent.getcurrent()

    def __enter__(self) -> None:
        self._everybody.add(self)
        self._timeout.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._everybody.discard(self)
        return bool(self._timeout.__exit__(kind, error, trace))

    def end(self) -> None:
        """Give up now."""
        gevent.kill(self._greenlet, exception=self._timeout, block=False)
