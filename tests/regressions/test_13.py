"""Elsewhere a doubled "yes" answered the next vote as well, and a turn was begun twice.

Here what was done once is refused when it comes again, however fast, and at whichever worker. With an Idempotency-Key
it is answered with the first outcome, and still not done twice.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

from support.at_once import at_once, copies
from support.clients import Answer, Client, seated
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
    """In matches in which a seat decides twice in a row, as in most."""
    assert any(repeat_every_move(Sitting(visitor, truth, game, number)) for number in range(20))


def repeat_every_move(sitting: Sitting) -> bool:
    """After every move it comes again, and so does everything that would be legal now, under the old number.

    Gives whether somebody had the next decision too.
    """
    twice_in_a_row = False
    for moves in sitting.steps():
        if moves:
            entry = sitting.truth.moves(sitting.match)[-1]
            player, answered = sitting.players[entry.seat], sitting.next_decision(entry.seat) - 1
            decision = player.view(sitting.match)["you"]["decision"]
            twice_in_a_row |= decision is not None
            with sitting.truth.unchanged(sitting.match):
                for move in [entry.move, *(decision["legal_moves"][:2] if decision else [])]:
                    answer = player.move(sitting.match, answered, move)
                    assert (answer.status, answer.code) == (409, "decision-closed")
    return twice_in_a_row


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


# --- with a key ---

KEY = {"Idempotency-Key": "one-tap-and-no-more"}


def assert_done_once(answers: list[Answer], status: int) -> Answer:
    """All have the first status, and all but one say that it was done before; gives that one."""
    assert [answer.status for answer in answers] == [status] * len(answers)
    (first,) = [answer for answer in answers if "Idempotency-Replayed" not in answer.headers]
    assert {answer.headers["Idempotency-Replayed"] for answer in answers if answer is not first} == {"true"}
    return first


@every_game
def test_equal_moves_with_a_key_at_once_count_once(server: Server, truth: Truth, game: AnyGame):
    """Afterwards, too: a late repeat has the first outcome, whatever was played since."""
    sitting = Sitting(server.visitor(), truth, game, 3)
    seat = sitting.waiting_on()[0]
    devices = copies(server, sitting.players[seat], TAPS)
    decision = devices[0].view(sitting.match)["you"]["decision"]
    body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    tap = [partial(device.call, "playMove", body, match=sitting.match, headers=KEY) for device in devices]
    first = assert_done_once(at_once(tap), 200)
    assert first.body == devices[0].view(sitting.match)
    assert len(truth.moves(sitting.match)) == 1
    for _ in range(5):
        sitting.move()
    with truth.unchanged(sitting.match):
        late = tap[0]()
        assert (late.status, late.headers["Idempotency-Replayed"]) == (200, "true")
        assert late.body == devices[0].view(sitting.match)
        other = {**body, "decision": decision["id"] + 1}
        refused = devices[0].call("playMove", other, match=sitting.match, headers=KEY)
        assert (refused.status, refused.code) == (422, "idempotency-key-reused")


@every_game
def test_everything_else_with_a_key_at_once_is_done_once(server: Server, truth: Truth, game: AnyGame):
    """Creating, joining by id and by code, and starting."""
    visitor, seats = server.visitor(), game.seats[-1]

    def tap(player: Client, operation: str, body: Any, **about: str) -> list[Answer]:
        devices = copies(server, player, TAPS)
        return at_once([partial(device.call, operation, body, headers=KEY, **about) for device in devices])

    for visibility in ("public", "private"):
        host, guest = visitor.become("Host"), visitor.become("Guest")
        created = tap(host, "createMatch", {"game": game.id, "seats": seats, "visibility": visibility})
        card = assert_done_once(created, 201).body
        assert {answer.body["match"] for answer in created} == {card["match"]}
        joined = (
            tap(guest, "joinMatch", {"entropy": "x"}, match=card["match"])
            if visibility == "public"
            else tap(guest, "joinByCode", {"join_code": card["join_code"]})
        )
        assert_done_once(joined, 201)
        assert_done_once(tap(host, "startMatch", {"stand_ins": True}, match=card["match"]), 200)
        assert host.card(card["match"])["status"] == "playing"
        names = [seat["name"] for seat in host.card(card["match"])["seats"]]
        assert names == ["Host", "Guest", *[None] * (seats - 2)]
