"""The feed once more, as it runs in a worker: gevent has replaced threads, locks and sockets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).with_name("test_feed.py")
ROOT = TESTS.parents[2]

RUN = """
from gevent import monkey
monkey.patch_all()
import sys, pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


def test_everything_holds_with_greenlets():
    done = subprocess.run(
        [sys.executable, "-c", RUN, "-q", "-p", "no:xdist", "-p", "no:cacheprovider", str(TESTS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
