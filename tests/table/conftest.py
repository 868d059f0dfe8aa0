"""A real browser without a screen, and people who sit in front of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect
from support.server import Server
from support.store import PATIENCE
from table.person import WIDE, Person

expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture
def person(browser: Browser, server: Server) -> Iterator[Callable[..., Person]]:
    """Somebody with a browser profile of their own. At the end nothing may have been wrong, and no other host asked."""
    people: list[Person] = []

    def comes(name: str, *, size: dict[str, int] | None = None, language: str = "en") -> Person:
        context = browser.new_context(viewport=size or WIDE, locale=language, reduced_motion="reduce")  # type: ignore[arg-type]
        people.append(Person(context, server.address, name))
        return people[-1]

    yield comes
    for each in people:
        each.context.close()
    for each in people:
        assert each.complaints == []
        assert each.hosts() == {urlsplit(server.address).netloc}
