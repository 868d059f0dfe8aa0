"""What the store knows at the moment when metrics are asked for; it is the same whichever service is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service.telemetry.families import FAMILIES

Labels = TypeVar("Labels", bound=tuple[str, ...])


class StoreGauges(Collector):
    """Looks into the store whenever it is collected. Without an answer it says so, and nothing else.

    Args:
        matches: how many public matches there are, by game and status.
        overdue: how many decisions are overdue.
        failures: what these raise when the store fails.
    """

    def __init__(
        self,
        matches: Callable[[], Mapping[tuple[str, str], int]],
        overdue: Callable[[], int],
        failures: tuple[type[Exception], ...],
    ) -> None:
        self._matches = matches
        self._overdue = overdue
        self._failures = failures

    def describe(self) -> list[Metric]:
        """Nothing: finding out would ask the store."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Ask the store."""
        try:
            matches, overdue = self._matches(), self._overdue()
        except self._failures:
            yield _gauge("turncoat_store_up", {(): 0})
            return
        yield _gauge("turncoat_store_up", {(): 1})
        yield _gauge("turncoat_public_matches", matches, "game", "status")
        yield _gauge("turncoat_overdue_decisions", {(): overdue})


def _gauge(name: str, values: Mapping[Labels, int], *labels: str) -> Metric:
    family = GaugeMetricFamily(name, FAMILIES[name], labels=labels)
    for of, value in values.items():
        family.add_metric(of, value)
    return family
