"""The service with the marker game, and with a leak that only a real server has: it logs the next card."""

from __future__ import annotations

import logging
import sys
from typing import Any

from flask import Flask
from support.marker_game import MarkerGame
from support.marker_game import app as intact


def create_app() -> Flask:
    """For gunicorn, in a process of its own."""

    def table(self: MarkerGame, state: Any) -> Any:
        logging.getLogger("turncoat").warning("the table is shown; next is %s", state.draw_pile[-1])
        print(state.plots[0].encode().hex(), file=sys.stderr)
        return shown(self, state)

    shown, MarkerGame.table = MarkerGame.table, table  # type: ignore[method-assign]
    return intact.create_app()
