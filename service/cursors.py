"""Cursors: where a list goes on. To clients they are opaque; anything that is not one of ours is refused.

A cursor names the last place that was looked at, so what is entered or goes while somebody turns the pages neither
doubles nor hides anything else. It belongs to one list with its filters.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final

from service.entries import Place
from service.problems import Problem

_FORM: Final = re.compile(r"[0-9a-f]{8}:(0|[1-9][0-9]{0,10}):([A-Za-z0-9_-]{1,64})")


def cursor(of_list: str, place: Place) -> str:
    """A cursor for what comes after a place.

    Args:
        of_list: tells the list and its filters from all others.
    """
    text = f"{_mark(of_list)}:{place.at}:{place.match}"
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def place_of(text: str, of_list: str) -> Place:
    """The place that a cursor names.

    Raises:
        Problem: ``bad-cursor``, for whatever :func:`cursor` does not give for this list.
    """
    try:
        decoded = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)).decode("ascii")
    except ValueError as error:
        raise Problem("bad-cursor") from error
    parts = _FORM.fullmatch(decoded)
    if parts is None:
        raise Problem("bad-cursor")
    place = Place(int(parts[1]), parts[2])
    if cursor(of_list, place) != text:
        # The mark is another list's; or the same bytes are written otherwise, for which base64 has several ways.
        raise Problem("bad-cursor")
    return place


def _mark(of_list: str) -> str:
    return hashlib.sha256(of_list.encode()).hexdigest()[:8]
