"""A real browser without a screen, and pages of the service in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from browser.visit import Visit
from playwright.sync_api import Browser
from support.server import Server


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[[dict[str, int]], Visit]]:
    """Opens pages of a given size. At the end nobody else may have been asked, and nothing may have been wrong."""
    visits: list[Visit] = []

    def opened(size: dict[str, int]) -> Visit:
        narrow = size["width"] < 500
        context = browser.new_context(viewport=size, is_mobile=narrow, has_touch=narrow)  # type: ignore[arg-type]
        visits.append(Visit(context.new_page(), server.address))
        return visits[-1]

    yield opened
    for each in visits:
        each.page.context.close()
    for each in visits:
        assert each.complaints == []
        assert each.hosts() <= {urlsplit(server.address).netloc}
