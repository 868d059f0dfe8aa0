"""Nobody is kept out: what a checker of accessibility finds, in both themes, and the languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from support.tools import node_package
from table.person import NARROW, WIDE, Person, everybody_plays

Comes = Callable[..., Person]
AXE = Path(__file__).parents[2] / "examples" / "table"

_CHECK = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations.map((violation) => ({
    rule: violation.id, help: violation.help,
    nodes: violation.nodes.slice(0, 3).map((node) => [node.html.slice(0, 160), node.failureSummary]),
}))"""


def violations(person: Person) -> list[Any]:
    """What axe finds, by day and by night."""
    if not person.page.evaluate("'axe' in window"):
        person.page.evaluate((node_package(AXE, "axe-core") / "axe.min.js").read_text())
    found = []
    for theme in ("light", "dark"):
        person.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        found += [{"theme": theme, **violation} for violation in person.page.evaluate(_CHECK)]
    person.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return found


def test_the_way_to_a_table(person: Comes):
    ada = person("Ada")
    ada.page.goto(f"{ada.address}/table/")
    expect(ada.page.locator(".name-form")).to_be_visible()
    assert violations(ada) == []
    ada.arrive()
    expect(ada.page.locator(".new-match")).to_be_visible()
    ada.page.locator(".new-match summary").first.click()
    for game, lists in (("verraeter", 1), ("kabale", 0), ("inside_job", 1)):
        ada.page.locator(f"input[value={game}]").check()
        expect(ada.page.locator(".list-option")).to_have_count(lists)
        for each in ada.page.locator(".list-option:not([open]) > summary").all():
            each.click()
        assert violations(ada) == []
    ada.create("kabale", 3)
    assert violations(ada) == []
    ada.page.locator(".top nav a").click()
    expect(ada.page.locator("[aria-labelledby=mine-title] .row")).to_have_count(1)
    assert violations(ada) == []


@pytest.mark.parametrize(
    ("game", "size"),
    [("verraeter", WIDE), ("kabale", NARROW), ("inside_job", WIDE)],
    ids=["verraeter", "kabale", "inside_job"],
)
def test_a_table_and_its_result(person: Comes, game: str, size: dict[str, int]):
    """Looked at whenever something new is asked, and once for each kind of question."""
    ada = person("Ada", size=size)
    ada.arrive()
    ada.page.locator(f"input[value={game}]").check()
    ada.page.locator("button[value=alone]").click()
    ada.is_at_the_table()
    asked: set[str] = set()

    def act(someone: Person) -> None:
        question = someone.page.locator(".ask h2").inner_text()
        if question not in asked:
            asked.add(question)
            assert violations(someone) == []
        someone.clicks()

    everybody_plays([ada], act=act)
    assert asked
    assert violations(ada) == []


@pytest.mark.parametrize(
    ("language", "lobby", "game", "asked"),
    [
        ("de", "Meine Partien", "Kabale und Hiebe", "Du bist am Zug"),
        ("nl", "Mijn partijen", "Bedriegers Bedrogen", "Jij bent aan zet"),
    ],
)
def test_the_reader_s_language(person: Comes, language: str, lobby: str, game: str, asked: str):
    """The browser's, at first; then the one that is chosen, also after the page is loaded anew."""
    ada = person("Ada", language=language)
    ada.arrive()
    expect(ada.page.locator("html")).to_have_attribute("lang", language)
    expect(ada.page.locator("#mine-title")).to_have_text(lobby)
    ada.page.locator("input[value=kabale]").check()
    ada.page.locator("button[value=alone]").click()
    expect(ada.page.locator(".match-head h1")).to_contain_text(game)
    expect(ada.page.locator(".ask.mine h2")).to_contain_text(asked)
    ada.page.locator(".language select").select_option("en")
    expect(ada.page.locator(".match-head h1")).to_contain_text("Ruse & Bruise")
    ada.page.reload()
    expect(ada.page.locator(".match-head h1")).to_contain_text("Ruse & Bruise")
    expect(ada.page.locator(".ask.mine h2")).to_contain_text("Your move")
