"""The service in a worker of the fault harness: its clock can be moved from outside, and faults can be planted in it.

gunicorn imports this in its workers, after gevent has replaced what it replaces and before anything of the service.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flask import Flask

CLOCK = "FAULTS_CLOCK"
"""Environment variable with the file that says by how many seconds which worker's clock is wrong."""

PLANTED = "FAULTS_PLANTED"
"""Environment variable with the name of a fault that the service is to have; see :data:`PLANTS`."""


def create_app() -> Flask:
    """What gunicorn serves in place of ``service.app:create_app()``."""
    move_the_clock(Path(os.environ[CLOCK]))
    from service.app import create_app as intact_app

    app = intact_app()
    if planted := os.environ[PLANTED]:
        store = app.extensions["turncoat"].store
        store.write = PLANTS[planted](store, store.write)
    return app


def move_the_clock(file: Path) -> None:
    """Have the time in this process be what the file says. It is looked at ten times a second at most."""
    true, process = time.time, str(os.getpid())
    offset, looked = 0.0, float("-inf")

    def moved() -> float:
        nonlocal offset, looked
        if time.monotonic() - looked > 0.1:
            looked = time.monotonic()
            offset = json.loads(file.read_text()).get(process, 0.0)
        return true() + offset

    time.time = moved


Write = Callable[..., bool]


def _first_acknowledged(store: Any, write: Write) -> Write:
    """The write comes a little later, if it comes at all."""

    def later(match: str, read: Any, *args: Any, **more: Any) -> bool:
        if read is None:  # a new match is read at once
            return write(match, read, *args, **more)
        threading.Timer(0.1, write, (match, read, *args), more).start()
        return True

    return later


def _acknowledged_in_any_case(store: Any, write: Write) -> Write:
    """Whatever the store says, or if it says nothing."""
    from service.store.connection import StoreFull, StoreUnavailable

    def hopeful(*args: Any, **more: Any) -> bool:
        try:
            return write(*args, **more)
        except (StoreFull, StoreUnavailable):
            return True

    return hopeful


def _tried_again(store: Any, write: Write) -> Write:
    """A write without an answer is simply done again, whatever lies there."""
    from service.store.connection import StoreUnavailable

    def insistent(match: str, read: Any, *args: Any, **more: Any) -> bool:
        try:
            return write(match, read, *args, **more)
        except StoreUnavailable:
            return write(match, store.read(match), *args, **more)

    return insistent


def _in_two_steps(store: Any, write: Write) -> Write:
    """The match first, and what happened in it a little later: whoever ends in between leaves a half."""
    from service.store import keys

    def halved(match: str, read: Any, *args: Any, events: Any = (), moves: Any = (), **more: Any) -> bool:
        written = write(match, read, *args, **more)
        if written and (events or moves):
            time.sleep(0.02)
            for key, entries in ((keys.events(match), events), (keys.moves(match), moves)):
                if entries:
                    store._client.rpush(key, *entries)
        return written

    return halved


PLANTS: dict[str, Callable[[Any, Write], Write]] = {
    "first acknowledged": _first_acknowledged,
    "acknowledged in any case": _acknowledged_in_any_case,
    "tried again": _tried_again,
    "in two steps": _in_two_steps,
}
"""Faults of a service, by name."""
