"""Numbers in files that all workers share, as the library has them, but quicker.

For each of the half dozen numbers that a request raises, the library asks the system for the id of this process, and
takes a lock, which gevent has replaced by one that looks for other greenlets. The process that counts has not been
forked since it imported us, and nothing is waited for while the lock is held.
"""

from __future__ import annotations

import os
from typing import Any

from prometheus_client import values

from service.telemetry.families import SHARED_FOLDER


def use() -> None:
    """Have all metrics that are made from now on in this process keep their numbers so, if they are shared at all."""
    if SHARED_FOLDER not in os.environ:
        return
    from gevent.monkey import get_original  # the launcher imports this module, and must not import that one

    process = os.getpid()
    library: Any = values
    usual, library.Lock = library.Lock, get_original("threading", "Lock")
    try:
        library.ValueClass = library.MultiProcessValue(lambda: process)
    finally:
        library.Lock = usual
