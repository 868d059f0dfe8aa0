"""Many at once, over two workers: exactly one wins each race, and nothing is lost."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial

from support.at_once import at_once, copies
from support.clients import Client, seated
from support.server import Server


def test_eight_equal_moves_at_once_count_once(server: Server, visitor: Client):
    """Regression 13: the others get ``decision-closed``, whichever worker they meet, in every phase of a match."""
    match, players = seated(visitor, seats=4)
    devices = [copies(server, player, 8) for player in players]
    chance = random.Random(8)
    for played in range(40):
        (seat,) = visitor.card(match)["waiting_on"]
        decision = players[seat].view(match)["you"]["decision"]
        move = chance.choice(decision["legal_moves"])
        answers = at_once([partial(device.move, match, decision["id"], move) for device in devices[seat]])
        assert Counter(answer.code for answer in answers) == {None: 1, "decision-closed": 7}, f"move {played}"
        (accepted,) = [answer for answer in answers if answer.status == 200]
        assert accepted.body == players[seat].view(match)


def test_eight_different_moves_at_once_count_once(server: Server, visitor: Client):
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    moves = (decision["legal_moves"] * 8)[:8]
    devices = copies(server, players[seat], 8)
    answers = at_once(
        [partial(device.move, match, decision["id"], move) for device, move in zip(devices, moves, strict=True)]
    )
    assert Counter(answer.code for answer in answers) == {None: 1, "decision-closed": 7}


def test_twenty_joins_at_once_fill_exactly_the_free_seats(server: Server, visitor: Client):
    """Regression 12."""
    for seats in (3, 4):
        match = visitor.become("Host").create(seats=seats)
        guests = [server.visitor().become(f"Guest {number}") for number in range(20)]
        answers = at_once([partial(guest.call, "joinMatch", {}, match=match) for guest in guests])
        assert Counter(answer.code for answer in answers) == {None: seats - 1, "match-full": 21 - seats}
        assert sorted(answer.body["seat"] for answer in answers if answer.status == 201) == list(range(1, seats))
        card = visitor.card(match)
        assert card["status"] == "playing"
        taken = {
            answer.body["seat"]: guest for guest, answer in zip(guests, answers, strict=True) if answer.code is None
        }
        for seat, guest in taken.items():
            assert guest.view(match)["you"]["seat"] == seat


def test_one_guest_joining_twenty_times_at_once_has_one_seat(server: Server, visitor: Client):
    match = visitor.become("Host").create(seats=4)
    devices = copies(server, visitor.become("Eager"), 20)
    answers = at_once([partial(device.call, "joinMatch", {}, match=match) for device in devices])
    assert Counter(answer.status for answer in answers) == {201: 1, 200: 19}
    assert {answer.body["seat"] for answer in answers} == {1}
    assert [seat["name"] for seat in visitor.card(match)["seats"]] == ["Host", "Eager", None, None]
