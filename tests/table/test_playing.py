"""Two people and stand-ins play each game to its end by clicking, in a browser each."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect
from table.person import NARROW, Person, everybody_plays
from table.secrets import assert_keep_secrets

Comes = Callable[..., Person]


def sit_down(person: Comes, game: str, seats: int) -> list[Person]:
    ada, ben = person("Ada"), person("Bendix", size=NARROW)
    ada.arrive()
    ben.join(ada.create(game, seats))
    if seats > 2:
        ada.start()
    ada.is_at_the_table()
    ben.is_at_the_table()
    return [ada, ben]


def assert_ended_well(people: list[Person]) -> None:
    """Everybody reads the result, and every move was sent once."""
    replay = people[0].client.call("getReplay", match=people[0].match).body
    for person in people:
        view = person.view()
        seat = view["you"]["seat"]
        won = view["result"]["seats"][seat]["won"]
        expect(person.page.locator(".result h2")).to_have_text("You have won!" if won else "You have lost.")
        names = person.client.call("getGame", game=view["game"]).body["names"]
        shown = person.page.locator(".result .reason").all_inner_texts()
        assert sorted(shown) == sorted(names[seat["reason"]] for seat in view["result"]["seats"])
        made = [move for move in replay["moves"] if move["seat"] == seat]
        assert person.moves_sent() == len(made)
        latest = person.client.call("listEvents", match=person.match).body["latest"]
        expect(person.page.locator(".log li").first).to_have_attribute("value", str(latest))


@pytest.mark.parametrize(("game", "seats"), [("verraeter", 3), ("kabale", 3), ("inside_job", 3)])
def test_a_match_is_played_by_clicking(person: Comes, game: str, seats: int):
    people = sit_down(person, game, seats)

    def watch() -> None:
        assert_keep_secrets(people)
        width = people[1].page.evaluate("document.documentElement.scrollWidth")
        assert width <= NARROW["width"], "the page of the phone can be scrolled sideways"

    everybody_plays(people, watch)
    assert_ended_well(people)


def test_a_match_is_played_by_keyboard_alone(person: Comes):
    """From the name to the result, against stand-ins."""
    ada = person("Ada")
    ada.page.goto(f"{ada.address}/table/")
    expect(ada.page.locator(".name-form")).to_be_visible()
    ada.tabs_to("input[name=name]")
    ada.page.keyboard.type("Ada")
    ada.page.keyboard.press("Enter")
    expect(ada.page.locator(".new-match")).to_be_visible()
    ada.tabs_to("input[name=game]")
    ada.page.keyboard.press("ArrowDown")
    ada.page.keyboard.press("ArrowDown")
    expect(ada.page.locator("input[value=inside_job]")).to_be_checked()
    ada.tabs_to("button[value=alone]")
    ada.page.keyboard.press("Enter")
    ada.is_at_the_table()
    everybody_plays([ada], act=Person.presses)
    assert_ended_well([ada])


def test_a_reload_and_a_cut_connection_lose_nothing(person: Comes):
    ada, ben = sit_down(person, "kabale", 2)
    turns = 0

    def watch() -> None:
        nonlocal turns
        turns += 1
        if turns == 2:
            before = ada.newest()
            ada.page.reload()
            ada.is_at_the_table()
            expect(ada.page.locator(f".log li[value='{before}']")).to_have_count(1)
        if turns == 4:
            _cut_off(ada, ben)

    everybody_plays([ada, ben], watch)
    assert_ended_well([ada, ben])
    numbers = ada.page.evaluate("[...document.querySelectorAll('.log li')].map((line) => line.value)")
    assert numbers == sorted(set(numbers), reverse=True)
    assert ben.page.evaluate("[...document.querySelectorAll('.log li')].map((line) => line.value)") == numbers


def _cut_off(ada: Person, ben: Person) -> None:
    """Ada hears nothing while Ben may play; then she catches up by herself."""
    ada.offline = True
    ada.context.set_offline(True)
    expect(ada.page.locator("[data-line]")).to_have_attribute("data-line", "lost")
    for _ in range(4):
        ben.clicks()
    ada.context.set_offline(False)
    expect(ada.page.locator("[data-line]")).to_have_attribute("data-line", "live")
    ada.offline = False


def alone(person: Comes, game: str, seconds: int = 0) -> Person:
    """Somebody at a table with stand-ins only."""
    ada = person("Ada")
    ada.arrive()
    ada.page.locator(f"input[value={game}]").check()
    ada.page.locator("select[name=time]").select_option(str(seconds))
    ada.page.locator("button[value=alone]").click()
    ada.is_at_the_table()
    return ada


def test_the_deadline_ticks(person: Comes):
    ada = alone(person, "kabale", seconds=600)
    timer = ada.page.get_by_role("timer")
    expect(timer).to_have_text(re.compile(r"Time left: (10:00|9:\d\d)"))
    shown = timer.inner_text()
    expect(timer).not_to_have_text(shown)


def test_without_streams_the_table_is_kept_up_to_date_by_asking(person: Comes):
    ada = person("Ada")
    refused = []

    def refuse(route: Route) -> None:
        if route.request.headers.get("accept") == "text/event-stream":
            refused.append(route.request.url)
            route.fulfill(status=429, headers={"Retry-After": "1"}, body="")
        else:
            route.continue_()

    ada.page.route("**/events*", refuse)
    ada.arrive()
    ada.page.locator("input[value=kabale]").check()
    ada.page.locator("button[value=alone]").click()
    ada.is_at_the_table()
    expect(ada.page.locator("[data-line]")).to_have_attribute("data-line", "polling")
    for _ in range(4):
        before, sent = ada.newest(), ada.moves_sent()
        ada.clicks_until(lambda sent=sent: ada.moves_sent() > sent)
        ada.waits_until(lambda before=before: ada.newest() > before)
    assert refused
    assert all("status of 429" in complaint for complaint in ada.complaints)
    ada.complaints.clear()


def test_a_double_click_plays_once(person: Comes):
    ada = alone(person, "verraeter")
    expect(ada.page.locator("[data-thing^=land]").first).to_be_visible()
    ada.page.locator("[data-thing^=land]").first.dblclick()
    expect(ada.page.locator("[data-thing^=land]")).to_have_count(0)
    assert ada.moves_sent() == 1
