"""A real browser without a screen, for the tests that look at pages."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from playwright.sync_api import Browser, sync_playwright

from support.tools import command

_FLAGS = [
    *["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    *["--disable-component-update", "--disable-sync"],
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # there is no other host
]


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The machine's own Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=command("chromium"), args=_FLAGS)
        yield browser
        browser.close()
