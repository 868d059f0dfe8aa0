"""Answers that wait until there is something new: the header ``Prefer: wait=25``."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final, TypeVar

from flask import Response, g
from werkzeug.http import parse_list_header

from service.api import accounts
from service.following import Watch
from service.launcher import draining
from service.schemas.following import LONGEST_WAIT

Seen = TypeVar("Seen")

APPLIED: Final = "Preference-Applied"


def seconds(preferences: str) -> int | None:
    """How long the caller prefers to wait; ``None`` for not at all, also when the process is about to end.

    Preferences are advice (RFC 7240): one that cannot be honoured is ignored, and of two equal ones the first counts.

    Args:
        preferences: the header.
    """
    if draining.begun():
        return None
    for preference in parse_list_header(preferences):
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip().lower() == "wait":
            value = value.strip().strip('"')
            wanted = int(value) if re.fullmatch(r"[0-9]{1,2}", value) else 0
            return wanted if 1 <= wanted <= LONGEST_WAIT else None
    return None


def until_new(watch: Watch | None, wait: int | None, look: Callable[[], Seen], is_new: Callable[[Seen], bool]) -> Seen:
    """Look, and go on looking until there is something new, or the time is over, or the process is about to end.

    Args:
        watch: wakes whoever looks; ``None`` where nobody waits.
        wait: how many seconds to wait; ``None`` to look once.
        look: what to see.
        is_new: whether that is worth an answer.

    Returns:
        what was seen last.
    """
    end = time.monotonic() + (wait or 0)
    seen = look()
    if watch is None or is_new(seen):
        return seen
    with accounts.observer().waiting("poll"):
        while (left := end - time.monotonic()) > 0 and not draining.begun():
            began = time.perf_counter()
            watch.wait(left)
            g.waited += time.perf_counter() - began
            if draining.begun() or is_new(seen := look()):
                break
    return seen


def applied(response: Response, wait: int | None) -> Response:
    """Tell the caller that the preference was honoured."""
    if wait is not None:
        response.headers[APPLIED] = f"wait={wait}"
    return response
