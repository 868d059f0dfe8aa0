"""The launcher: start the store, then gunicorn; look after them; end gunicorn, then the store.

It reads from top to bottom as the service's life. All waiting is done in :meth:`Launcher._wait`, where the store is
looked after too, so the store is kept alive in every phase, also while gunicorn finishes its last requests.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping
from contextlib import ExitStack

from service.launcher import LaunchError
from service.launcher.announcing import announce
from service.launcher.checking import StoreCheck
from service.launcher.console import say
from service.launcher.embedded import EmbeddedStore, find_binary
from service.launcher.folder import DataFolder
from service.launcher.gunicorn_conf import graceful_timeout
from service.launcher.keys import keep_id_secret, keep_token_keys
from service.launcher.measures import Measures
from service.launcher.signals import Signals
from service.launcher.web import Web, address_of, listen, raise_open_files
from service.setting_checks import has_issuer, together
from service.settings import STORE_URL, Settings, absolute_files, refuse, variable

APP = "service.app:create_app()"

_SLOW_READING = 5.0
_STORE_PATIENCE = 30.0
_CHECK_PATIENCE = 15.0
_HURRY = 3.0
_MARGIN = 5.0
"""Seconds on top of gunicorn's own patience, before it is taken to hang."""


def launch(settings: Settings, app: str = APP) -> int:
    """Serve until told to stop.

    Args:
        settings: the settings, as the workers read them again from their environment.
        app: what gunicorn serves.

    Returns:
        the exit code.

    Raises:
        BadSetting: the settings do not go together.
        LaunchError: the service cannot be started.
    """
    refuse(together(settings))
    with Signals() as signals, ExitStack() as running:
        return Launcher(settings, app, signals, running).run()


class Launcher:
    """One run of the service."""

    def __init__(self, settings: Settings, app: str, signals: Signals, running: ExitStack) -> None:
        self._settings = settings
        self._app = app
        self._signals = signals
        self._running = running
        self._store: EmbeddedStore | None = None
        self._check: StoreCheck | None = None
        self._haste = 0
        """0: go on; 1: end in good order; more: whoever asked is in a hurry."""

    def run(self) -> int:
        """Start, serve and end.

        Returns:
            the exit code.
        """
        raise_open_files()
        environment = self._settings_for_workers()
        listener = self._running.enter_context(listen(self._settings.host, self._settings.port))
        self._start_store()
        self._check_store(environment)
        code = 0
        if self._is_refused():
            code = 1
        elif not self._haste:
            address = address_of(self._settings.host, listener)
            measures = self._running.enter_context(Measures())
            with Web(listener, self._settings, self._app, environment, measures) as web:
                code = self._serve(web, address)
        self._end_store()
        return code

    def _serve(self, web: Web, address: str) -> int:
        ready = False
        while not self._haste and web.exit_code() is None and not self._is_refused():
            self._wait(None if ready else web.ready)
            if not ready and web.all_ready():
                ready = True
                announce(self._settings, address, self._check.found if self._check is not None else None)
        if not self._haste and web.exit_code() is not None:
            say(f"Error: the HTTP server ended by itself (exit code {web.exit_code()})", trouble=True)
            return 1
        self._end_web(web, finish=ready)
        return 1 if self._is_refused() else 0

    def _settings_for_workers(self) -> dict[str, str]:
        """Choose the store and the secrets; the workers learn of them through their environment."""
        chosen = absolute_files(self._settings)
        if self._settings.redis_url is not None:
            return chosen
        find_binary()  # where there is none, a folder may be impossible too, and is not what is missing
        folder = self._running.enter_context(DataFolder(self._settings.data))
        self._store = self._running.enter_context(EmbeddedStore(folder))
        chosen |= {STORE_URL: self._store.url, variable("data"): str(folder.path)}
        if not self._settings.token_keys and not has_issuer(self._settings):
            chosen[variable("token_keys")] = keep_token_keys(folder.token_keys)
        if self._settings.id_secret is None:
            chosen[variable("id_secret")] = keep_id_secret(folder.id_secret)
        return chosen

    def _start_store(self) -> None:
        """Start the store and wait until it has read its data, for as long as that takes."""
        if self._store is None:
            return
        try:
            self._store.start()
        except OSError as error:
            raise LaunchError(f"the embedded store cannot be started: {error}") from error
        patience: float | None = time.monotonic() + _SLOW_READING
        while not self._haste and not self._store.answers():
            self._hear(self._signals.wait(0.01))
            if patience is not None and time.monotonic() > patience:
                say("The embedded store is still reading its data …", trouble=True)
                patience = None

    def _check_store(self, environment: Mapping[str, str]) -> None:
        """Have somebody look at a store of the operator's own, until there is a first conclusion.

        One that is not there yet is looked at when it comes, while the service already serves.
        """
        if self._store is not None:
            return
        self._check = self._running.enter_context(StoreCheck(environment))
        patience = time.monotonic() + _CHECK_PATIENCE
        while not self._haste and not self._check.has_concluded() and time.monotonic() < patience:
            self._wait(self._check.conclusion, timeout=0.5)

    def _is_refused(self) -> bool:
        return self._check is not None and self._check.has_refused()

    def _end_web(self, web: Web, *, finish: bool) -> None:
        """End gunicorn; the more often somebody asks, the harder.

        Before every worker is ready there is nothing to finish, and a worker that is still on its way would not
        hear a polite request.
        """
        say("Turncoat ends: finishing the requests that run (Ctrl-C again to hasten) …", trouble=True)
        web.terminate()
        deadline = time.monotonic() + (graceful_timeout + _MARGIN if finish else _HURRY)
        asked = 1
        while web.exit_code() is None:
            if self._haste > asked == 1:
                web.hasten()
                asked, deadline = 2, time.monotonic() + _HURRY
            if self._haste > 2 or time.monotonic() > deadline:
                web.kill()
            self._wait(timeout=0.5)

    def _end_store(self) -> None:
        if self._store is None:
            return
        self._store.terminate()
        deadline = time.monotonic() + _STORE_PATIENCE
        haste_before = max(self._haste, 1)
        while self._store.exit_code() is None:
            if self._haste > haste_before or time.monotonic() > deadline:
                self._store.kill()
            self._hear(self._signals.wait(0.5))

    def _wait(self, file: int | None = None, timeout: float | None = None) -> None:
        """Wait until something happens, and look after the store.

        Args:
            file: a file descriptor; something to read in it counts as something that happens.
            timeout: seconds to wait at most.
        """
        if self._store is not None and (pause := self._store.tend()) is not None:
            timeout = pause if timeout is None else min(timeout, pause)
        self._hear(self._signals.wait(timeout, *([] if file is None else [file])))

    def _hear(self, signals: list[int]) -> None:
        """Take note of signals. Only Ctrl-C hastens: tools repeat and pass on SIGTERM without meaning more by it."""
        for number in signals:
            self._haste = self._haste + 1 if number == signal.SIGINT else max(self._haste, 1)
