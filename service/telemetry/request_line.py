"""What the log tells of a request."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType


class RequestLine(msgspec.Struct):
    """One line, in the order in which it is written. There is no room in it for anything that anybody sent.

    Attributes:
        id: the request's, which the client has too: the one thing that a client may choose.
        ms: how long it took, without what the client asked to wait.
        waited_ms: how long it waited for a change, if it did.
        problem: the code, if it was refused or failed.
        match: the match that it was about, if it was found.
        trace: the id of its trace, if there is one.
    """

    timestamp: datetime
    level: Literal["info", "error"]
    event: Literal["request"]
    id: str
    operation: str
    status: int
    ms: float
    waited_ms: float | UnsetType = UNSET
    problem: str | UnsetType = UNSET
    match: str | UnsetType = UNSET
    trace: str | UnsetType = UNSET
