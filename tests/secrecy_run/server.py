"""Runs pytest again and again without importing it anew: one process per run, forked off a prepared one.

It is started in a copy of the repository and knows nothing of the game in it, so every run imports the copy as it is
then. A line on the standard input is a list of arguments in JSON; the answer is a line with the exit code.
"""

from __future__ import annotations

import json
import os
import signal
import sys

import hypothesis.strategies  # noqa: F401  prepared, not used
import msgspec  # noqa: F401
import pytest

LONGEST_RUN = 600


def run(arguments: list[str]) -> int:
    """Run pytest in a process of its own."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST_RUN)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        sys.path.insert(0, os.getcwd())  # noqa: PTH109  engine/ of this copy, before any that is installed
        os._exit(int(pytest.main(arguments)))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    for line in sys.stdin:
        print(run(json.loads(line)), flush=True)
