"""``turncoat serve``, with workers whose clock can be moved: ``python -m faults.serve``."""

from __future__ import annotations

import sys

from service.launcher.launcher import launch
from service.settings import read_settings

if __name__ == "__main__":
    sys.exit(launch(read_settings(), app="faults.workers:create_app()"))
