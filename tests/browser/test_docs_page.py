"""The page at ``/docs``: in a real browser, on a wide screen and on a phone, without any other host."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser.visit import NARROW, WIDE, Visit
from playwright.sync_api import expect
from support.contract import operations

Visitor = Callable[[dict[str, int]], Visit]
ELSEWHERE = "https://elsewhere.example/x.png"
INTRUSION = f"""() => {{
    const script = document.createElement("script");
    script.textContent = "document.title = 'caught'";
    document.body.append(script);
    const image = document.createElement("img");
    image.setAttribute("onerror", "document.title = 'caught'");
    image.setAttribute("src", "{ELSEWHERE}");
    document.body.append(image);
}}"""

SIZES = pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "phone"])


def test_every_operation_is_there_and_unfolds(visit: Visitor):
    """With every parameter and every answer that the contract announces, and never wider than the screen."""
    here = visit(NARROW)
    here.open("/docs")
    expect(here.page).to_have_title("Turncoat")
    shown = here.page.locator(".opblock .opblock-summary-operation-id").all_inner_texts()
    assert sorted(shown) == sorted(operations())
    assert not here.is_too_wide()
    for operation in operations().values():
        block = here.unfold(operation.id)
        assert block.locator(".opblock-summary-description").inner_text() == operation.entry["summary"]
        statuses = block.locator(".responses-table > tbody > tr > .response-col_status").all_inner_texts()
        assert [status.split()[0] for status in statuses] == list(operation.entry["responses"])
        assert block.locator(".parameters > tbody > tr").count() == len(operation.parameters)
        for size in (WIDE, NARROW):
            here.page.set_viewport_size(size)
            assert not here.is_too_wide(), (operation.id, size)
        here.fold(operation.id)


@SIZES
def test_a_match_is_created_by_trying_it_out(visit: Visitor, size: dict[str, int]):
    """Become a guest, give the page the token, create a match; it still knows the token when it is loaded anew."""
    here = visit(size)
    here.open("/docs")
    status, guest = here.try_out("createPlayer", {"name": "Ada"})
    assert (status, guest["name"]) == (201, "Ada")
    here.authorize(str(guest["token"]))
    new = {"game": "kabale", "seats": 2, "visibility": "public"}
    status, card = here.try_out("createMatch", new)
    assert status == 201
    assert (card["game"], card["status"], card["seat"]) == ("kabale", "open", 0)
    assert not here.is_too_wide()
    here.page.reload()
    expect(here.page.locator(".opblock.is-open")).to_have_count(1)  # the address leads there again
    status, card = here.try_out("createMatch", {**new, "seats": 3})
    assert status == 201


def test_a_refusal_is_shown_as_it_came(visit: Visitor):
    here = visit(WIDE)
    here.open("/docs")
    with here.page.expect_console_message(lambda said: "status of 422" in said.text):  # the browser's own remark
        status, problem = here.try_out("createPlayer", {"nome": "Ada"})
    assert (status, problem["code"]) == (422, "invalid")
    assert len(here.complaints) == 1
    here.complaints.clear()


def test_an_address_leads_to_an_operation(visit: Visitor):
    here = visit(WIDE)
    here.open("/docs#/matches/createMatch")
    expect(here.page.locator(".opblock.is-open .opblock-summary-operation-id")).to_have_text("createMatch")
    here.unfold("getMe")
    assert here.page.url.endswith("#/players/getMe")


def test_no_script_runs_that_is_not_a_file_of_the_page(visit: Visitor):
    """What the contract, or an answer, says stays text, even if it came into the page as markup."""
    here = visit(WIDE)
    here.open("/docs")
    with (
        here.page.expect_console_message(lambda said: "inline script" in said.text),
        here.page.expect_event("requestfailed") as failed,
    ):
        here.page.evaluate(INTRUSION)
    assert (failed.value.url, failed.value.failure) == (ELSEWHERE, "csp")
    expect(here.page).to_have_title("Turncoat")
    assert all("Content Security Policy" in said or said == f"{ELSEWHERE}: csp" for said in here.complaints)
    here.complaints.clear()
    here.requests.remove(ELSEWHERE)
