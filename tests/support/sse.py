"""Server-sent events, read as the standard has them."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class Sent(NamedTuple):
    """One event of a stream."""

    id: int
    data: Any


def parse(stream: bytes) -> list[Sent]:
    """All events of a stream that has come to its end, or of the part of one that has arrived.

    What a client would drop, such as an event that was cut off, is dropped. What the service never sends fails.
    """
    events = []
    *blocks, _cut = stream.decode(errors="ignore").split("\n\n")
    for block in blocks:
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if fields:
            assert set(fields) == {"id", "data"}, fields
            events.append(Sent(int(fields["id"]), json.loads(fields["data"])))
    return events


def comments(stream: bytes) -> int:
    """How many signs of life there are."""
    return stream.decode().split("\n").count(":")
