"""Elsewhere the last chair was sold several times, and a leaver's chair was lost for ever.

Here any number of players may join at once: exactly the free seats are taken, each by one of them.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from support.at_once import at_once, copies
from support.clients import Client
from support.server import Server
from support.sitting import every_game
from support.truth import Truth

from engine.game import AnyGame

CROWD = 20


@pytest.fixture
def visitor(server: Server) -> Client:
    return server.visitor()


@every_game
def test_twenty_joins_at_once_fill_exactly_the_free_seats(server: Server, visitor: Client, truth: Truth, game: AnyGame):
    for seats in game.seats:
        match = visitor.become("Host").create(game.id, seats)
        guests = [server.visitor().become(f"Guest {number}") for number in range(CROWD)]
        answers = at_once([partial(guest.call, "joinMatch", {}, match=match) for guest in guests])
        free = seats - 1
        assert Counter(answer.code for answer in answers) == {None: free, "match-full": CROWD - free}
        taken = {
            answer.body["seat"]: guest for guest, answer in zip(guests, answers, strict=True) if answer.code is None
        }
        assert sorted(taken) == list(range(1, seats))
        for seat, guest in taken.items():
            assert guest.card(match)["seat"] == guest.view(match)["you"]["seat"] == seat
        assert visitor.card(match)["status"] == "playing"
        assert len(truth.state(match).players) == seats


@every_game
def test_twenty_who_want_the_same_seat_at_once(server: Server, visitor: Client, game: AnyGame):
    seats = game.seats[-1]
    match = visitor.become("Host").create(game.id, seats)
    wanted = seats - 1
    guests = [server.visitor().become(f"Guest {number}") for number in range(CROWD)]
    answers = at_once([partial(guest.call, "joinMatch", {"seat": wanted}, match=match) for guest in guests])
    refused = "match-full" if seats == 2 else "seat-taken"
    assert Counter(answer.code for answer in answers) == {None: 1, refused: CROWD - 1}
    (owner,) = [guest for guest, answer in zip(guests, answers, strict=True) if answer.code is None]
    assert [guest.card(match)["seat"] for guest in guests].count(wanted) == 1
    assert owner.card(match)["seat"] == wanted
    free = [seat["seat"] for seat in visitor.card(match)["seats"] if seat["name"] is None]
    assert free == list(range(1, wanted))


def test_one_guest_joining_twenty_times_at_once_has_one_seat(server: Server, visitor: Client):
    match = visitor.become("Host").create(seats=4)
    devices = copies(server, visitor.become("Eager"), CROWD)
    answers = at_once([partial(device.call, "joinMatch", {}, match=match) for device in devices])
    assert Counter(answer.status for answer in answers) == {201: 1, 200: CROWD - 1}
    assert {answer.body["seat"] for answer in answers} == {1}
    assert [seat["name"] for seat in visitor.card(match)["seats"]] == ["Host", "Eager", None, None]
