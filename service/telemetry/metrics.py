"""Metrics, in the form that Prometheus reads.

They are counted in files that all workers of a service share, one set per process, so that whichever worker is asked
tells of all; and what a worker has counted outlives it. The launcher makes the folder and names it in the environment.
Without one, as in a single process, everything is counted in memory.

Every label has a bounded set of values. What is met on every request is prepared when it is met first.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from service.telemetry import shared_values
from service.telemetry.families import FAMILIES, SHARED_FOLDER
from service.telemetry.observer import Fallback, Observer, Waiting

disable_created_metrics()  # type: ignore[no-untyped-call]  # shared files do not keep them, so nobody shall expect them

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST

_REQUEST_BUCKETS: Final = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_TRIP_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

_REFUSED_MOVES: Final = frozenset(
    {"illegal-move", "decision-closed", "not-your-decision", "match-over", "not-started", "not-a-player"}
)


class Metrics(Observer):
    """Counts whatever it is told.

    Args:
        games: the ids of the games.
        codes: the codes of all problems.
    """

    def __init__(self, games: Iterable[str], codes: Iterable[str]) -> None:
        shared_values.use()
        self.registry = CollectorRegistry()
        self._requests = self._counter("turncoat_requests", "operation", "status")
        self._request_seconds = self._histogram("turncoat_request_seconds", _REQUEST_BUCKETS, "operation")
        self._trip_seconds = self._histogram("turncoat_store_seconds", _TRIP_BUCKETS, "trip")
        self._trip_errors = self._counter("turncoat_store_errors", "error")
        moves = self._counter("turncoat_moves", "game", "outcome")
        outcomes = ["accepted", "stand-in", "repeated", *sorted(_REFUSED_MOVES), "refused"]
        self._moves = {(game, outcome): moves.labels(game, outcome) for game in games for outcome in outcomes}
        matches = self._counter("turncoat_matches", "game", "became")
        statuses = ["open", "playing", "finished", "cancelled"]
        self._matches = {(game, status): matches.labels(game, status) for game in games for status in statuses}
        problems = self._counter("turncoat_problems", "code")
        self._problems = {code: problems.labels(code) for code in codes}
        self._races = self._counter("turncoat_conflicts")
        limiter = self._counter("turncoat_limiter_failures", "fallback")
        self._limiter = {fallback: limiter.labels(fallback) for fallback in ("let-through", "own-count")}
        waiters = self._gauge("turncoat_waiters", "livesum", "how")
        self._waiters = {how: waiters.labels(how) for how in ("poll", "stream")}
        self._answered: dict[tuple[str, int], tuple[Callable[[], None], Callable[[float], None]]] = {}
        self._trips: dict[str, Callable[[float], None]] = {}
        self._workers = self._gauge("turncoat_workers", "livesum")
        self._workers_started = self._counter("turncoat_workers_started")
        self._gauge("turncoat_info", "livemax", "version").labels(version("turncoat")).set(1)

    def _counter(self, name: str, *labels: str) -> Counter:
        return Counter(name, FAMILIES[name], labels, registry=self.registry)

    def _histogram(self, name: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(name, FAMILIES[name], labels, buckets=buckets, registry=self.registry)

    def _gauge(self, name: str, mode: str, *labels: str) -> Gauge:
        return Gauge(name, FAMILIES[name], labels, registry=self.registry, multiprocess_mode=mode)  # type: ignore[arg-type]  # one of the library's words

    def request(self, operation: str, status: int, seconds: float) -> None:
        """See :class:`Observer`; on every request, so nothing is looked up twice."""
        prepared = self._answered.get((operation, status))
        if prepared is None:
            prepared = self._prepare(operation, status)
        count, take_time = prepared
        count()
        take_time(seconds)

    def _prepare(self, operation: str, status: int) -> tuple[Callable[[], None], Callable[[float], None]]:
        """Find what counts an operation's answers with a status. Failures are there from the first request on, as 0."""
        for other in (status, 500, 503):
            self._answered[operation, other] = (
                self._requests.labels(operation, str(other)).inc,
                self._request_seconds.labels(operation).observe,
            )
        return self._answered[operation, status]

    def worker_began(self) -> None:
        """See :class:`Observer`. That it ends is seen by the one who removes its files."""
        self._workers.set(1)
        self._workers_started.inc()

    def problem(self, code: str) -> None:
        """See :class:`Observer`."""
        self._problems[code].inc()

    def match_written(self, game: str, was: str | None, became: str) -> None:
        """See :class:`Observer`. One that stand-ins play to its end at once has been playing, too."""
        if was == "open" and became == "finished":
            self._matches[game, "playing"].inc()
        self._matches[game, became].inc()

    def moves_written(self, game: str, played: int, stood_in: int) -> None:
        """See :class:`Observer`."""
        if played:
            self._moves[game, "accepted"].inc(played)
        if stood_in:
            self._moves[game, "stand-in"].inc(stood_in)

    def move_repeated(self, game: str) -> None:
        """See :class:`Observer`."""
        self._moves[game, "repeated"].inc()

    def move_refused(self, game: str, code: str) -> None:
        """See :class:`Observer`."""
        self._moves[game, code if code in _REFUSED_MOVES else "refused"].inc()

    def race_lost(self) -> None:
        """See :class:`Observer`."""
        self._races.inc()

    def limiter_failed(self, fallback: Fallback) -> None:
        """See :class:`Observer`."""
        self._limiter[fallback].inc()

    def trip(self, name: str, began: float, ended: float, error: BaseException | None) -> None:
        """See :class:`Observer`."""
        take_time = self._trips.get(name)
        if take_time is None:
            take_time = self._trips[name] = self._trip_seconds.labels(name).observe
        take_time(ended - began)
        if error is not None:
            self._trip_errors.labels(type(error).__name__).inc()

    @contextmanager
    def waiting(self, how: Waiting) -> Iterator[None]:
        """See :class:`Observer`."""
        gauge = self._waiters[how]
        gauge.inc()
        try:
            yield
        finally:
            gauge.dec()

    def serve(self, host: str, port: int) -> None:
        """Tell it at a port, whatever the address: for a process that serves nothing else.

        Raises:
            OSError: the port cannot be opened.
        """
        start_http_server(port, host, self.registry)

    def text(self, *others: Collector) -> bytes:
        """Everything that was counted, by all workers of this service.

        Args:
            others: what is looked up now.
        """
        registry = self.registry
        if SHARED_FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        told = generate_latest(registry)
        if others:
            now = CollectorRegistry()
            for other in others:
                now.register(other)
            told += generate_latest(now)
        return told
