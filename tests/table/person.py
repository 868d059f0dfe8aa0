"""Somebody who plays at the table in a browser, with the mouse or with the keyboard, and knows no rules."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, expect
from support.clients import Client, OverHttp
from support.store import PATIENCE

WIDE = {"width": 1280, "height": 900}
NARROW = {"width": 360, "height": 740}

THINGS = "[data-thing].fits:not(.picked)"
MOVES = ".moves > ul > li > button, button.main[data-move]:enabled"

_SIGHT = f"""() => ({{
    decision: document.querySelector(".ask [data-decision]")?.dataset.decision ?? null,
    over: document.querySelector(".result") !== null,
    things: [...document.querySelectorAll({json.dumps(THINGS)})].map((thing) => thing.dataset.thing),
    moves: document.querySelectorAll({json.dumps(MOVES)}).length,
    picked: document.querySelectorAll(".picked").length,
    sending: document.querySelector(".ask.mine") !== null && document.querySelector(".can, [data-move]") === null,
}})"""

_ALL = """() => JSON.stringify([
    document.documentElement.outerHTML, {...localStorage}, {...sessionStorage}, document.cookie, location.href,
    [...document.querySelectorAll("input")].map((input) => input.value),
])"""


@dataclass(frozen=True)
class Sight:
    """What somebody sees who looks for something to click on."""

    decision: str | None
    over: bool
    things: list[str]
    moves: int
    picked: int
    sending: bool

    @property
    def is_asked(self) -> bool:
        return self.decision is not None and not self.sending


class Person:
    """A player at a page.

    Attributes:
        complaints: what the page wrote to the console, or failed with.
        requests: the addresses that it asked for anything, with the method.
    """

    def __init__(self, context: BrowserContext, address: str, name: str) -> None:
        self.context = context
        self.address = address
        self.name = name
        self.complaints: list[str] = []
        self.requests: list[tuple[str, str]] = []
        self.offline = False
        self._chance = random.Random(name)
        context.on("request", lambda request: self.requests.append((request.method, request.url)))
        self.page: Page = context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.on("console", lambda said: self._hear(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self._hear(str(error)))

    def _hear(self, complaint: str) -> None:
        if not (self.offline and "ERR_INTERNET_DISCONNECTED" in complaint):
            self.complaints.append(complaint)

    def hosts(self) -> set[str]:
        """Whom the page asked for anything."""
        return {urlsplit(url).netloc for _, url in self.requests}

    # --- coming and going ---

    def arrive(self, where: str = "") -> None:
        """Open the page and take a name."""
        self.page.goto(f"{self.address}/table/{where}")
        self.page.locator("input[name=name]").fill(self.name)
        self.page.locator(".name-form button").click()
        expect(self.page.locator(".who")).to_contain_text(self.name)

    def create(self, game: str, seats: int, visibility: str = "public") -> str:
        """Fill in the form for a new match; the address that it can be shared by."""
        self.page.locator(f"input[value={game}]").check()
        self.page.locator("select[name=visibility]").select_option(visibility)
        self.page.locator("select[name=seats]").select_option(str(seats))
        self.page.locator("button[value=create]").click()
        expect(self.page.locator(".room")).to_be_visible()
        return self.page.locator(".share input").first.input_value()

    def join(self, link: str) -> None:
        """Follow a link that somebody has shared, and take a seat."""
        self.arrive(link.partition("/table/")[2])
        self.page.locator(".room button.main").click()
        expect(self.page.locator(".room-seats, .seats").first).to_contain_text(self.name)

    def start(self) -> None:
        """Start it, with stand-ins in the free seats."""
        self.page.locator(".room button.main").click()
        self.is_at_the_table()

    def is_at_the_table(self) -> None:
        expect(self.page.locator(".match .table")).to_be_visible()

    # --- playing ---

    @property
    def match(self) -> str:
        return self.page.url.rpartition("/")[2]

    def looks(self) -> Sight:
        return Sight(**self.page.evaluate(_SIGHT))

    def clicks(self) -> None:
        """Click on something that may be clicked on; nothing if this player is not asked."""
        sight = self.looks()
        if not sight.is_asked:
            return
        if sight.things and (not sight.moves or not sight.picked):
            thing = self._chance.choice(sight.things)
            self.page.locator(f'{THINGS}[data-thing="{thing}"]').first.click()
        elif sight.moves:
            self.page.locator(MOVES).nth(self._chance.randrange(sight.moves)).click()

    def clicks_until(self, done: Callable[[], bool]) -> None:
        """Click on whatever may be clicked on until that is so."""
        self.waits_until(lambda: self.clicks() or done())

    def waits_until(self, done: Callable[[], bool]) -> None:
        """Look on until that is so."""
        until = time.monotonic() + PATIENCE
        while not done():
            assert time.monotonic() < until, self.looks()
            self.page.wait_for_timeout(20)

    def presses(self) -> None:
        """The same with nothing but the keyboard: Tab until something is reached that can be chosen, then Enter."""
        sight = self.looks()
        if not sight.is_asked:
            return
        wanted = MOVES if sight.moves and (sight.picked or not sight.things) else f"{THINGS}, {MOVES}"
        self.tabs_to(wanted, passing=self._chance.randrange(3))
        self.page.keyboard.press("Enter")

    def tabs_to(self, wanted: str, passing: int = 0) -> None:
        """Press Tab until that has the focus, passing by so many of its kind if there are more."""
        for _ in range(300):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("(wanted) => document.activeElement.matches(wanted)", wanted):
                if passing == 0:
                    return
                passing -= 1
        raise AssertionError(f"Tab leads to no {wanted}")

    # --- looking closer ---

    @property
    def token(self) -> str:
        return str(self.page.evaluate("localStorage.getItem('turncoat.token')"))

    @property
    def client(self) -> Client:
        """The same player, without the page."""
        return Client(OverHttp(self.address), self.token)

    def view(self) -> dict[str, Any]:
        return self.client.call("getView", match=self.match).body

    def everything(self) -> str:
        """All that is on the page and in the browser's stores, as one text."""
        return str(self.page.evaluate(_ALL))

    def moves_sent(self) -> int:
        return sum(method == "POST" and url.endswith("/moves") for method, url in self.requests)

    def newest(self) -> int:
        """The number of the newest event in the log; 0 if it is empty."""
        return int(self.page.evaluate("document.querySelector('.log li')?.value ?? 0"))


def everybody_plays(people: list[Person], watch=lambda: None, act=Person.clicks) -> None:
    """Until the result is on every page. Now and then somebody may watch, while the match waits for one of them."""
    until = time.monotonic() + 4 * PATIENCE
    step = 0
    while True:
        sights = [person.looks() for person in people]
        if all(sight.over for sight in sights):
            return
        assert time.monotonic() < until, sights
        asked = [person for person, sight in zip(people, sights, strict=True) if sight.is_asked]
        if not asked:
            people[0].page.wait_for_timeout(20)
            continue
        if step % 7 == 0:
            watch()
        step += 1
        for person in asked:
            act(person)
