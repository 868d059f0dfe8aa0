"""Clients that go away while they are kept waiting.

Nobody reads from a connection whose request is being answered, so that the client has closed it shows only when the
answer is written, and then not before the second time. A stream writes seldom, and a page that was loaded anew three
times in a minute would find its own old streams in its way.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from typing import Any, Final

_SILENCE: Final = 30_000
"""Milliseconds after which a connection is given up on which the client confirms nothing that was sent: a phone in a
tunnel says no farewell."""

# Both are known on Linux only; elsewhere a client that is gone is noticed later.
_CLOSED: Final = getattr(select, "POLLRDHUP", 0) | select.POLLHUP | select.POLLERR
_USER_TIMEOUT: Final = getattr(socket, "TCP_USER_TIMEOUT", None)


def limit_silence(client: Any) -> None:
    """Have the system give up a connection whose other side is no longer there, or no longer reads."""
    if _USER_TIMEOUT is not None and client.family in (socket.AF_INET, socket.AF_INET6):
        client.setsockopt(socket.IPPROTO_TCP, _USER_TIMEOUT, _SILENCE)


def when_gone(client: Any, callback: Callable[[], None]) -> Callable[[], None]:
    """Have something called, at most once, when the client closes its connection.

    Args:
        client: the connection, in a process where gevent has replaced sockets; ``None`` where there is none.
        callback: must not block.

    Returns:
        what ends the watch.
    """
    if client is None:
        return lambda: None
    import gevent  # not for those who only read this module: it must come first where it comes at all

    watcher = gevent.get_hub().loop.io(client.fileno(), 1)

    def look() -> None:
        # There may be something else to read: a client may send its next request before it has the answer.
        watcher.stop()
        if _closed(client.fileno()):
            callback()

    def stop() -> None:
        watcher.stop()
        watcher.close()

    watcher.start(look)
    return stop


def _closed(connection: int) -> bool:
    from gevent.monkey import get_original

    poller = get_original("select", "poll")()
    poller.register(connection, _CLOSED)
    return bool(poller.poll(0))
