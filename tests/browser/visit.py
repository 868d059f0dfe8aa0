"""A page that somebody has open in a browser, and that remembers whatever went on in it."""

from __future__ import annotations

import json
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect
from support.store import PATIENCE

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}


class Visit:
    """A page that somebody has open.

    Attributes:
        complaints: what the page wrote to the console, what it failed with, and what it was forbidden.
        requests: the addresses that it asked for anything.
    """

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.set_default_timeout(PATIENCE * 1000)
        page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("requestfailed", lambda request: self.complaints.append(f"{request.url}: {request.failure}"))
        page.context.on("request", lambda request: self.requests.append(request.url))

    def open(self, path: str) -> None:
        """Go to a path of the service; ``/docs`` is there once all its operations are."""
        self.page.goto(self.address + path)
        expect(self.page.locator(".opblock").first).to_be_visible()

    def hosts(self) -> set[str]:
        """Whom the page asked for anything."""
        return {urlsplit(url).netloc for url in self.requests if not url.startswith(("data:", "blob:"))}

    def is_too_wide(self) -> bool:
        """Whether the page can be scrolled sideways."""
        width, room = self.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        return int(width) > min(int(room), (self.page.viewport_size or WIDE)["width"])

    def authorize(self, token: str) -> None:
        """Enter a token where the page asks for one."""
        self.page.locator(".btn.authorize").click()
        self.page.locator(".auth-container input").fill(token)
        self.page.locator(".auth-btn-wrapper .authorize").click()
        self.page.locator(".auth-btn-wrapper .btn-done").click()

    def unfold(self, operation: str) -> Locator:
        """Show an operation, unless it is shown already."""
        block = self.page.locator(f".opblock[id$=-{operation}]")
        if "is-open" not in (block.get_attribute("class") or ""):
            block.locator(".opblock-summary-control").click()
        expect(block.locator(".responses-table").first).to_be_visible()
        return block

    def fold(self, operation: str) -> None:
        """Hide it again."""
        block = self.page.locator(f".opblock[id$=-{operation}]")
        block.locator(".opblock-summary-control").click()
        expect(block.locator(".responses-table")).to_have_count(0)

    def try_out(self, operation: str, body: dict[str, object]) -> tuple[int, dict[str, object]]:
        """Send a request from the page, as a reader would; what it shows of the answer."""
        block = self.unfold(operation)
        block.locator(".try-out__btn").click()
        block.locator("textarea.body-param__text").fill(json.dumps(body))
        block.locator(".btn.execute").click()
        answer = block.locator(".live-responses-table .response")
        shown = answer.locator(".response-col_description .highlight-code code").first
        expect(shown).to_be_visible()
        status = answer.locator(".response-col_status").inner_text()
        return int(status.split()[0]), json.loads(shown.inner_text())
