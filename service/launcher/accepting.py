"""A worker's end of the listening socket: it lets others go first that have fewer connections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import gevent
from gevent.server import StreamServer

from service.launcher.crowd import Place

_PAUSE: Final = 0.002
"""Seconds; enough for a worker that is idle to wake up, and not much beside the making of a connection."""

_AFTER_A_PAUSE: Final = 4
"""How many connections are then taken in any case: the others may hang, or have ended in this very moment."""


class Listener(StreamServer):  # type: ignore[misc]  # gevent's server has no types
    """The stock server, which takes no connection while another worker should.

    Args:
        listener: the socket.
        place: the worker among all others; ``None`` if it takes whatever comes.
        handle: serves a connection, from its socket and address.
        spawn: the pool in which that is done.
    """

    max_accept = 1

    def __init__(self, listener: Any, place: Place | None, handle: Callable[..., None], spawn: Any) -> None:
        super().__init__(listener, handle=handle, spawn=spawn)
        self._place = place
        self._in_any_case = 0

    def do_read(self) -> Any:
        """Take the next connection; nothing if there is none, or if others should take it."""
        if self._in_any_case:
            self._in_any_case -= 1
        elif self._place is not None and self._place.is_crowded():
            self._in_any_case = _AFTER_A_PAUSE
            self.stop_accepting()
            gevent.spawn_later(_PAUSE, self._go_on)
            return None
        return super().do_read()

    def _go_on(self) -> None:
        if self.started:
            self.start_accepting()
