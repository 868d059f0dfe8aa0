"""Lists over two workers, while many come and go at once."""

from __future__ import annotations

from functools import partial

from support.at_once import at_once, copies
from support.clients import Client
from support.lists import items, link, lobby, mine
from support.server import Server


def test_while_many_come_and_go_every_list_stays_right(server: Server, visitor: Client):
    """Each guest creates a match, and all join and leave one another's; afterwards lists and cards agree."""
    guests = [server.visitor().become(f"Guest {number}") for number in range(6)]
    waiting = [guest.create("inside_job", 5) for guest in guests]

    def come_and_go(guest: Client, own: str) -> None:
        others = [match for match in waiting if match != own]
        for number, match in enumerate(others):
            guest.call("joinMatch", {}, match=match)
            if number % 2:
                guest.call("leaveMatch", match=match)
            else:
                guest.create("kabale", 2)

    at_once([partial(come_and_go, guest, own) for guest, own in zip(guests, waiting, strict=True)])

    matches = {match for guest in guests for match in mine(guest, "?limit=3")} | set(waiting)
    assert len(matches) == 6 + 6 * 3
    for guest in guests:
        seats = {match for match in matches if guest.card(match)["seat"] is not None}
        assert set(mine(guest, "?limit=4")) == seats
        for card in items(guest, "listMyMatches"):
            assert card == guest.card(card["match"])
    for status in ("open", "playing"):
        right = {match for match in matches if visitor.card(match)["status"] == status}
        assert right == matches & set(lobby(visitor, f"?status={status}&limit=100"))


def test_turning_pages_while_others_create_shows_each_match_once(server: Server, visitor: Client):
    """All that were there at the start; each page comes from whichever worker."""
    host = visitor.become("Host")
    there = [host.create("kabale", 3) for _ in range(30)]
    devices = copies(server, host, 2)

    def create() -> list[str]:
        return [devices[0].create("kabale", 3) for _ in range(25)]

    def turn() -> list[str]:
        found: list[str] = []
        query = "?game=kabale&status=open&limit=4"
        while query:
            answer = devices[1].call("listMatches", query=query)
            found += [card["match"] for card in answer.body["items"]]
            query = f"?{link(answer).partition('?')[2]}" if answer.body["next_cursor"] else ""
        return found

    created, found = at_once([create, turn])
    assert len(found) == len(set(found))
    assert set(there) <= set(found)
    assert set(created) <= set(lobby(visitor, "?game=kabale&status=open&limit=100"))
