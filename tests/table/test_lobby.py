"""Finding a match, creating one with its options, inviting others, and watching."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect
from table.person import NARROW, Person
from table.secrets import assert_knows_nothing

Comes = Callable[..., Person]


def test_a_private_match_is_joined_by_the_link_to_it(person: Comes):
    """Nobody else can see it: the link has to bring the code. It may be followed again by who has a seat already."""
    ada, ben = person("Ada"), person("Bendix", size=NARROW)
    ada.arrive()
    link = ada.create("verraeter", 3, visibility="private")
    for _ in range(2):
        ben.page.goto("about:blank")
        if ben.page.goto(link) and ben.page.locator("input[name=name]").is_visible():
            ben.arrive(link.partition("/table/")[2])
        ben.page.locator(".room button.main").click()
        expect(ben.page.locator(".room-seats")).to_contain_text("Bendix")
        assert ben.match == ada.match
    expect(ada.page.locator(".room-seats")).to_contain_text("Bendix")


def test_a_match_in_public_can_be_watched(person: Comes):
    """By who is no player: what happens is seen, what a player alone knows is not, and there is nothing to click on."""
    ada, dora = person("Ada"), person("Dora")
    ada.arrive()
    ada.create("kabale", 3)
    ada.start()
    dora.arrive()
    dora.page.locator(f'.row a[href$="{ada.match}"]').click()
    dora.is_at_the_table()
    for _ in range(3):
        expect(dora.page.locator(".ask h2")).to_have_text("You are watching. Ada to move.")
        assert_knows_nothing(dora, ada)
        assert not dora.looks().things
        asked = ada.looks().decision
        ada.clicks_until(lambda asked=asked: ada.looks().decision not in (asked, None))
    expect(dora.page.locator(f".log li[value='{ada.newest()}']")).to_have_count(1)


def test_the_lists_among_the_options_are_sent_as_they_were_changed(person: Comes):
    """The points of the printed landscapes; of what cannot be, the service says where it is."""
    ada = person("Ada")
    ada.arrive()
    ada.page.locator(".new-match summary").first.click()
    ada.page.locator(".list-option summary").click()
    ada.page.get_by_label("Line 1, field 2").fill("99")
    ada.page.get_by_label("Line 2, field 2").fill("100")
    ada.page.get_by_label("Line 3, field 4").fill("7")
    ada.page.locator("button[value=create]").click()
    expect(ada.page.locator(".new-match .problem")).to_contain_text("landscape_points/1/1")
    assert len(ada.complaints) == 1
    assert "422" in ada.complaints.pop()
    ada.page.get_by_label("Line 2, field 2").fill("0")
    ada.create("verraeter", 3)
    points = ada.client.call("getMatch", match=ada.match).body["options"]["landscape_points"]
    assert points[:3] == [[3, 99, 1, 1], [5, 0, 2, 1], [6, 4, 3, 7]]


def test_a_deck_of_one_s_own(person: Comes):
    ada = person("Ada")
    ada.arrive()
    ada.page.locator("input[value=inside_job]").check()
    ada.page.locator(".new-match summary").first.click()
    ada.page.locator(".list-option summary").click()
    usual = ada.page.locator(".list-option li").count()
    ada.page.get_by_label("Line 1, field 1", exact=True).select_option(label="No trump")
    ada.page.get_by_label("Line 1, field 2", exact=True).select_option(label="Yellow")
    ada.page.get_by_role("button", name="Remove line 3", exact=True).click()
    expect(ada.page.locator(".list-option li")).to_have_count(usual - 1)
    ada.create("inside_job", 3)
    deck = ada.client.call("getMatch", match=ada.match).body["options"]["mission_deck"]
    assert len(deck) == usual - 1
    assert deck[0] == {"condition": "no_trump", "trump": "yellow"}
