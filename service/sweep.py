"""What ``turncoat sweep`` becomes: the sweeper alone, without a server around it.

It is a module of its own because the command line imports no application.
"""

from __future__ import annotations

import sys
from typing import Final

from service.app import create_app
from service.launcher.console import say
from service.launcher.signals import Signals
from service.settings import BadSetting, read_settings, variable
from service.store.check import Unfit
from service.store_check import until_there
from service.telemetry import logs

_PATIENCE: Final = 10.0
"""Seconds that a look that has begun gets to finish. One that is cut short does no harm."""


def main() -> int:
    """Sweep until told to stop.

    Returns:
        the exit code.
    """
    try:
        settings = read_settings()
        logs.set_up(settings.log_format, settings.log_level)
        parts = create_app(settings).extensions["turncoat"]
        sweeper = parts.background
    except BadSetting as error:
        say(f"Error: {error}", trouble=True)
        return 2
    with Signals() as signals:
        try:
            if until_there(settings, lambda seconds: not signals.wait(seconds)) is None:
                return 0
        except Unfit as error:
            say(f"Error: {error}", trouble=True)
            return 1
        if settings.sweep_metrics_port:
            try:
                parts.observer.serve(settings.host, settings.sweep_metrics_port)
            except OSError as error:
                say(f"Error: {variable('sweep_metrics_port')}: {error.strerror}", trouble=True)
                return 1
        sweeper.start()
        say(f"Turncoat looks for overdue decisions every {settings.sweep_interval:g} s. Ctrl-C ends it")
        while not signals.wait(None):
            pass
    sweeper.stop()
    sweeper.join(_PATIENCE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
