"""``turncoat serve``, with the marker game in the catalogue: ``python -m support.marker_game.serve``."""

from __future__ import annotations

import sys

from service.launcher.launcher import launch
from service.settings import read_settings

APP = "support.marker_game.app:create_app()"

if __name__ == "__main__":
    sys.exit(launch(read_settings(), app=(sys.argv[1:] or [APP])[0]))
