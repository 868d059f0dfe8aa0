"""``turncoat serve`` with the ceiling instead of the service: ``python -m bench.serve_bare``."""

from __future__ import annotations

import sys

from service.launcher.launcher import launch
from service.settings import read_settings

if __name__ == "__main__":
    sys.exit(launch(read_settings(), app="bench.bare:create_app()"))
