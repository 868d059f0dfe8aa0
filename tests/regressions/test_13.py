"""Elsewhere a doubled "yes" answered the next vote as well, and a turn was begun twice.

Here what was done once is refused when it comes again, however fast, and at whichever worker.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from support.at_once import at_once, copies
from support.clients import Client, seated
from support.server import Server
from support.sitting import Sitting, every_game
from support.truth import Truth

from engine.game import AnyGame
from engine.verraeter import VERRAETER

TAPS = 8


@every_game
def test_equal_moves_at_once_count_once(server: Server, truth: Truth, game: AnyGame):
    """In every phase of a match; the others get ``decision-closed``, whichever worker they meet."""
    sitting = Sitting(server.visitor(), truth, game, 1)
    devices = [copies(server, player, TAPS) for player in sitting.players]
    for _ in range(40):
        if not (waiting_on := sitting.waiting_on()):
            break
        seat = sitting.chance.choice(waiting_on)
        decision = sitting.players[seat].view(sitting.match)["you"]["decision"]
        move = sitting.chance.choice(decision["legal_moves"])
        played = len(truth.moves(sitting.match))
        answers = at_once([partial(device.move, sitting.match, decision["id"], move) for device in devices[seat]])
        assert Counter(answer.code for answer in answers) == {None: 1, "decision-closed": TAPS - 1}
        (accepted,) = [answer for answer in answers if answer.status == 200]
        assert accepted.body == sitting.players[seat].view(sitting.match)
        assert len(truth.moves(sitting.match)) == played + 1


def test_different_moves_at_once_count_once(server: Server):
    visitor = server.visitor()
    match, players = seated(visitor)
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    moves = (decision["legal_moves"] * TAPS)[:TAPS]
    devices = copies(server, players[seat], TAPS)
    answers = at_once(
        [partial(device.move, match, decision["id"], move) for device, move in zip(devices, moves, strict=True)]
    )
    assert Counter(answer.code for answer in answers) == {None: 1, "decision-closed": TAPS - 1}


@every_game
def test_starts_at_once_deal_once(server: Server, truth: Truth, game: AnyGame):
    visitor, seats = server.visitor(), game.seats[-1] - 1
    usual, _ = seated(visitor, game.id, seats)
    host = visitor.become("Host")
    match = host.create(game.id, seats + 1)
    for seat in range(1, seats):
        visitor.become(f"Player {seat}").join(match)
    devices = copies(server, host, TAPS)
    answers = at_once([partial(device.call, "startMatch", {}, match=match) for device in devices])
    assert Counter(answer.code for answer in answers) == {None: 1, "already-started": TAPS - 1}
    assert len(truth.events(match)) == len(truth.events(usual))


@every_game
def test_a_repeat_never_answers_the_next_decision(visitor: Client, truth: Truth, game: AnyGame):
    """After every move it comes again, and so does everything that would be legal now, under the old number."""
    sitting = Sitting(visitor, truth, game, 2)
    twice_in_a_row = 0
    for moves in sitting.steps():
        if moves:
            entry = truth.moves(sitting.match)[-1]
            player, answered = sitting.players[entry.seat], sitting.next_decision(entry.seat) - 1
            decision = player.view(sitting.match)["you"]["decision"]
            twice_in_a_row += decision is not None
            with truth.unchanged(sitting.match):
                for move in [entry.move, *(decision["legal_moves"][:2] if decision else [])]:
                    answer = player.move(sitting.match, answered, move)
                    assert (answer.status, answer.code) == (409, "decision-closed")
    assert twice_in_a_row, "no seat had two decisions in a row"


def test_a_repeat_that_would_fit_again_is_refused(visitor: Client, truth: Truth):
    """Where it is hardest: the same seat decides twice, and the same move would be legal twice."""
    sitting = Sitting(visitor, truth, VERRAETER, seats=3)

    def same_seat_twice(state: Any) -> None:
        state.phase, state.start_seat, state.strategist_seat = "declare_conflict", 0, 0
        for position, land in enumerate(state.landscapes):
            land.house = "eagle" if position % 2 else "rose"

    truth.lay_out(sitting.match, same_seat_twice)
    player, move = sitting.players[0], {"type": "declare_conflict", "border": 4}
    decision = player.view(sitting.match)["you"]["decision"]["id"]
    assert player.move(sitting.match, decision, move).status == 200
    truth.lay_out(sitting.match, same_seat_twice)
    assert move in player.view(sitting.match)["you"]["decision"]["legal_moves"]
    with truth.unchanged(sitting.match):
        assert player.move(sitting.match, decision, move).code == "decision-closed"
    assert player.move(sitting.match, decision + 1, move).status == 200
