"""Word that the process is about to end, in two steps.

First, once a signal has come, the end is **announced**: readiness fails, so that whoever shares out the requests looks
elsewhere. Requests are still served, for as long as the operator has set.

Then the worker stops accepting connections, and the end has **begun**. Requests that wait for a change register with
:func:`when_begun` and answer at once, so that a client with a long wait neither holds up the end nor is cut off.

There is no lock and no event here on purpose: this module is imported before gevent has replaced those.
"""

from __future__ import annotations

from collections.abc import Callable

_state = {"announced": False, "begun": False}
_callbacks: list[Callable[[], None]] = []


def announced() -> bool:
    """Whether the process will end soon, and wants no new clients."""
    return _state["announced"]


def announce() -> None:
    """Let it be known."""
    _state["announced"] = True


def begun() -> bool:
    """Whether the process is about to end."""
    return _state["begun"]


def when_begun(callback: Callable[[], None]) -> None:
    """Have something called when the process is about to end. It must not block."""
    _callbacks.append(callback)


def begin() -> None:
    """Tell everybody, once."""
    announce()
    if not _state["begun"]:
        _state["begun"] = True
        for callback in _callbacks:
            callback()
