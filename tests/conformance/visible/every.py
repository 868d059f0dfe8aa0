"""All tables of facts there are, by the id of their game. A new game gets a line here."""

from __future__ import annotations

from typing import Final

from conformance.visible import Fact, inside_job, kabale, verraeter

FACTS: Final[dict[str, list[Fact]]] = {
    "verraeter": verraeter.FACTS,
    "kabale": kabale.FACTS,
    "inside_job": inside_job.FACTS,
}
