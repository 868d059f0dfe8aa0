"""What a process tells operators, by its settings."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from service.telemetry.logs import Format, Level, RequestLog
from service.telemetry.metrics import Metrics

if TYPE_CHECKING:
    from service.telemetry.traces import Traces

Made = TypeVar("Made")


class Telemetry(NamedTuple):
    """All of it.

    Attributes:
        traces: ``None`` where none are wanted.
    """

    metrics: Metrics
    requests: RequestLog
    traces: Traces | None

    def around(self, made: Made) -> Made:
        """The same object, with a span around each of its methods where traces are wanted."""
        return made if self.traces is None else self.traces.around(made)


def telemetry(games: Iterable[str], codes: Iterable[str], form: Format, level: Level, *, traces: bool) -> Telemetry:
    """Make it.

    Args:
        games: the ids of the games.
        codes: the codes of all problems.
        form: of the log.
        level: of the log.
        traces: whether there are any.
    """
    log = RequestLog(form, level)
    if not traces:
        return Telemetry(Metrics(games, codes), log, None)
    from service.telemetry.traces import TracedMetrics, Traces  # an optional extra

    made = Traces()
    return Telemetry(TracedMetrics(made, games, codes), log, made)


def can_trace() -> bool:
    """Whether what traces are made with is installed. Nothing of it is imported to find out."""
    needed = ("opentelemetry", "opentelemetry.sdk", "opentelemetry.exporter", "opentelemetry.exporter.otlp.proto.http")
    try:
        return all(find_spec(package) is not None for package in needed)
    except (ModuleNotFoundError, ValueError):  # the latter for what somebody has forbidden to be imported
        return False
