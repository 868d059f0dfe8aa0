"""``turncoat`` with the tiny application in place of the real one."""

from __future__ import annotations

import functools
import os
import resource
from pathlib import Path

from service import cli

# What most systems start a process with; the launcher is to raise it.
resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

os.environ["PYTHONPATH"] = str(Path(__file__).parent)
cli.launch = functools.partial(cli.launch, app="tiny_app:app")
cli.main()
