"""Elsewhere the last chair was sold several times, and a leaver's chair was lost for ever.

Here any number of players may join at once: exactly the free seats are taken, each by one of them. And however often
they leave and come back, the match keeps all its seats.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest
from support.at_once import at_once, copies
from support.clients import Answer, Client, seated
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
    assert free_seats(visitor, match) == list(range(1, wanted))


def test_one_guest_joining_twenty_times_at_once_has_one_seat(server: Server, visitor: Client):
    match = visitor.become("Host").create(seats=4)
    devices = copies(server, visitor.become("Eager"), CROWD)
    answers = at_once([partial(device.call, "joinMatch", {}, match=match) for device in devices])
    assert Counter(answer.status for answer in answers) == {201: 1, 200: CROWD - 1}
    assert {answer.body["seat"] for answer in answers} == {1}
    assert [seat["name"] for seat in visitor.card(match)["seats"]] == ["Host", "Eager", None, None]


@every_game
def test_leaving_and_joining_in_a_loop_never_shrinks_a_match(server: Server, visitor: Client, game: AnyGame):
    """One after another at first, then all at once; whoever comes last finds every seat that nobody has."""
    seats = game.seats[-1]
    match = visitor.become("Host").create(game.id, seats)
    guests = [server.visitor().become(f"Guest {number}") for number in range(seats - 1)]
    for turn in range(12):
        guest = guests[turn % len(guests)]
        assert guest.join(match) == 1
        assert guest.call("leaveMatch", match=match).status == 204
        assert free_seats(visitor, match) == list(range(1, seats))

    def come_and_go(guest: Client) -> Answer:
        for _ in range(6):
            assert guest.call("joinMatch", {}, match=match).status in (200, 201)
            assert guest.call("leaveMatch", match=match).status == 204
        return guest.call("leaveMatch", match=match)

    at_once([partial(come_and_go, guest) for guest in guests[:-1]])  # the last one would start the match
    assert free_seats(visitor, match) == list(range(1, seats))

    answers = at_once([partial(guest.call, "joinMatch", {}, match=match) for guest in guests])
    assert sorted(answer.body["seat"] for answer in answers) == list(range(1, seats))
    card = visitor.card(match)
    assert (card["status"], len(card["seats"])) == ("playing", seats)


def free_seats(visitor: Client, match: str) -> list[int]:
    return [seat["seat"] for seat in visitor.card(match)["seats"] if seat["name"] is None]


@every_game
def test_a_running_match_keeps_its_seats_when_players_leave(
    server: Server, visitor: Client, truth: Truth, game: AnyGame
):
    """A stand-in has each of them at once, also if several leave at the same moment."""
    seats = game.seats[-1]
    match, players = seated(visitor, game.id, seats)
    leavers = [copies(server, player, 1)[0] for player in players[1:]]
    answers = at_once([partial(leaver.call, "leaveMatch", match=match) for leaver in leavers])
    assert [answer.status for answer in answers] == [204] * (seats - 1)
    card = visitor.card(match)
    assert (card["status"], card["waiting_on"]) == ("playing", [0])
    assert [seat["stand_in"] for seat in card["seats"]] == [False, *[True] * (seats - 1)]
    assert len(truth.state(match).players) == seats
