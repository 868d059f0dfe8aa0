"""gunicorn's logger, whose lines take the form that all lines of the service have."""

from __future__ import annotations

import os
from typing import Any, cast

from gunicorn.glogging import Logger as GunicornLogger

from service.launcher.gunicorn_conf import LOG_FORMAT, LOG_LEVEL
from service.telemetry import logs


class Logger(GunicornLogger):  # type: ignore[misc]  # gunicorn has no types
    """The stock logger, without handlers of its own. The workers inherit what is set up here."""

    def setup(self, cfg: Any) -> None:
        """Hand all lines on to where everybody's go."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True
        logs.set_up(
            cast("logs.Format", os.environ.get(LOG_FORMAT, "auto")),
            cast("logs.Level", os.environ.get(LOG_LEVEL, "info")),
        )
