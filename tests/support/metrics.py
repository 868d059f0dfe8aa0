"""What a service tells Prometheus, read as Prometheus reads it."""

from __future__ import annotations

from collections import Counter
from http.client import HTTPConnection
from urllib.parse import urlsplit

from prometheus_client.parser import text_string_to_metric_families

from support.store import PATIENCE

Labels = tuple[str, ...]


class Metrics:
    """All samples at one moment.

    Attributes:
        kinds: the kind of each metric, by its name as it is declared.
        samples: the values, by name and then by the values of the labels, in the order of the labels' names.
    """

    def __init__(self, text: str) -> None:
        self.kinds: dict[str, str] = {}
        self.samples: dict[str, dict[Labels, float]] = {}
        for family in text_string_to_metric_families(text):
            assert family.name not in self.kinds, f"{family.name} is declared twice"
            assert family.documentation
            self.kinds[family.name] = family.type
            for sample in family.samples:
                labels = tuple(value for _, value in sorted(sample.labels.items()))
                same = self.samples.setdefault(sample.name, {})
                assert labels not in same, f"{sample.name} {labels} is there twice"
                same[labels] = sample.value

    def of(self, name: str, *labels: str) -> float:
        """One value; 0 if nothing was counted yet."""
        return self.samples.get(name, {}).get(labels, 0)

    def counted(self, name: str) -> Counter[Labels]:
        """What was counted, by labels; what never happened is left out."""
        return Counter({labels: int(value) for labels, value in self.samples.get(name, {}).items() if value})

    def counters(self) -> dict[tuple[str, Labels], float]:
        """Everything that must never become less."""
        return {
            (name, labels): value
            for name, values in self.samples.items()
            if name.endswith(("_total", "_bucket", "_count", "_sum"))
            for labels, value in values.items()
        }


def scrape(address: str) -> Metrics:
    """Ask a running service."""
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, text
        return Metrics(text)
    finally:
        connection.close()
