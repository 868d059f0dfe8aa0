"""Ctrl-C for the long runs: they print what was found up to then, and leave nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pytest


def interrupt(run: subprocess.Popen[str], *, tries: int = 50) -> None:
    """Press Ctrl-C as in a terminal, which reaches all processes of a run.

    Args:
        run: begun in a session of its own, with what it prints in a pipe.
        tries: how often to look, five times a second, whether all of its processes have ended.
    """
    os.killpg(run.pid, signal.SIGINT)
    printed, _ = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "interrupted; so far:" in printed
    for _ in range(tries):
        try:
            os.killpg(run.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.2)
    pytest.fail("some of its processes are still there")
