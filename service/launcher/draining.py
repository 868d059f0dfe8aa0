"""Word that the process is about to end, for whoever keeps a client waiting.

The worker calls :func:`begin` once it has stopped accepting connections. Requests that wait for a change register
with :func:`when_begun` and answer at once, so that a client with a long wait neither holds up the end nor is cut off.

There is no lock and no event here on purpose: this module is imported before gevent has replaced those.
"""

from __future__ import annotations

from collections.abc import Callable

_state = {"begun": False}
_callbacks: list[Callable[[], None]] = []


def begun() -> bool:
    """Whether the process is about to end."""
    return _state["begun"]


def when_begun(callback: Callable[[], None]) -> None:
    """Have something called when the process is about to end. It must not block."""
    _callbacks.append(callback)


def begin() -> None:
    """Tell everybody, once."""
    if not _state["begun"]:
        _state["begun"] = True
        for callback in _callbacks:
            callback()
