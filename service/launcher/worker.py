"""gunicorn's gevent worker, with an end that does not wait for idle connections.

A connection is kept open between two requests, and longer than the proxies in front of the service do it: whoever
closes first loses no request. The stock worker waits at its end until every such pause is over. This one closes
connections that are between two requests, and lets requests that run finish.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

import gevent
from gunicorn.workers.ggevent import GeventWorker

from service.launcher import draining


class Worker(GeventWorker):  # type: ignore[misc]  # gunicorn has no types
    """The stock worker plus a note of who is between two requests."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._idle: set[_Idle] = set()

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
