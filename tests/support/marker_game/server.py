"""A running service that hosts the marker game beside all others: gunicorn, its workers and its log are real."""

from __future__ import annotations

import sys
from pathlib import Path

from support.marker_game.serve import APP
from support.server import Server

ROOT = Path(__file__).parents[3]


class MarkerServer(Server):
    """Like any other server of the tests.

    Args:
        folder: for its log.
        redis_url: its store.
        app: what gunicorn serves.
    """

    def __init__(self, folder: Path, redis_url: str, app: str = APP) -> None:
        # The workers find this package by the path, as they find the service by the folder that they start in.
        super().__init__(folder, redis_url=redis_url, TURNCOAT_PORT="0", PYTHONPATH=str(ROOT / "tests"))
        self._app = app

    def _command(self) -> list[str]:
        return [sys.executable, "-m", "support.marker_game.serve", self._app]
