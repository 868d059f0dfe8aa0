"""The frame of the long runs: they may be interrupted at any time, say what they have found, and fail by it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


def carry_out(run: Callable[[], None], report: Callable[[], None], faults: Callable[[], Iterable[str]]) -> int:
    """Run, and report whatever was found up to the end, whoever brought it about.

    Args:
        faults: what must not be, told when the run is over.

    Returns:
        the exit code: 1 if there are faults, 130 after an interruption.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it would be ignored
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = 0
    try:
        run()
    except KeyboardInterrupt:
        print("\ninterrupted; so far:")
        code = INTERRUPTED
    report()
    return code or int(any(True for _ in faults()))
