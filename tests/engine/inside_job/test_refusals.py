"""Every restriction of the rules, and the shapes of moves (section 16)."""

import json

import msgspec
import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, PlayCard

FIRST = ChooseMission(mission="all_even_blue")


def partner(table):
    table.state.phase = "choose_partner"
    return table


def as_dealt(table):
    return table


def risky(table):
    table.state.drawn = ["all_even_blue", "risk_two_wagered_green"]
    return table


def trick(shorts=""):
    def lay_out(table):
        table.hold("r9 b1", "r2 b2", "r3 g3", "r4").mission("all_even_blue")
        return table.play(shorts)

    return lay_out


def poor(table):
    return trick("r9")(table.tokens(1, 0, 1, 1))


def open_roles(table):
    return trick("r9")(table.reveal(1))


def vote(table):
    return table.voting()


def over(table):
    return table.voting().vote(1, 0, 0, 0)


def voted(table):
    vote(table).do(1, CastVote(targets=(0,)))
    return table


def card(name, wager=False):
    return PlayCard(card=name, wager=wager)


def votes(*targets):
    return CastVote(targets=targets)


AGENTS = "agent agent insider agent"
PARANOID = "agent paranoid_agent insider agent"
HELPED = "agent agent insider accomplice"

# The reason, the roles, the situation, the seat and its move.
REFUSED = [
    ("not-your-turn", AGENTS, as_dealt, 1, FIRST),
    ("not-your-turn", HELPED, partner, 0, ChoosePartner(seat=1)),
    ("not-your-turn", AGENTS, trick(), 1, card("red_2")),
    ("not-your-turn", AGENTS, trick("r9"), 2, card("red_3")),
    ("not-your-turn", AGENTS, trick("r9"), 0, card("blue_1")),
    ("not-your-turn", HELPED, vote, 3, votes(0)),
    ("not-your-turn", AGENTS, over, 0, votes(1)),
    ("not-your-turn", AGENTS, over, 0, FIRST),
    ("already-voted", AGENTS, voted, 1, votes(0)),
    ("already-voted", AGENTS, voted, 1, votes(1, 1)),
    ("already-voted", AGENTS, voted, 1, FIRST),
    ("wrong-kind-of-move", HELPED, partner, 3, FIRST),
    ("wrong-kind-of-move", HELPED, partner, 3, votes(0)),
    ("wrong-kind-of-move", AGENTS, as_dealt, 0, card("red_9")),
    ("wrong-kind-of-move", AGENTS, as_dealt, 0, ChoosePartner(seat=1)),
    ("wrong-kind-of-move", AGENTS, trick(), 0, FIRST),
    ("wrong-kind-of-move", AGENTS, trick(), 0, votes(1)),
    ("wrong-kind-of-move", AGENTS, vote, 0, card("red_9")),
    ("wrong-kind-of-move", AGENTS, vote, 0, FIRST),
    ("no-such-seat", HELPED, partner, 3, ChoosePartner(seat=4)),
    ("no-such-seat", AGENTS, vote, 0, votes(4)),
    ("no-such-seat", PARANOID, vote, 1, votes(0, 4)),
    ("own-seat", HELPED, partner, 3, ChoosePartner(seat=3)),
    ("own-seat", AGENTS, vote, 0, votes(0)),
    ("own-seat", PARANOID, vote, 1, votes(1, 2)),
    ("mission-not-drawn", AGENTS, as_dealt, 0, ChooseMission(mission="all_odd_red")),
    ("mission-not-drawn", AGENTS, risky, 0, ChooseMission(mission="risk_lowest_wins_yellow")),
    ("mission-not-drawn", AGENTS, risky, 0, ChooseMission(mission="two_wagered_green")),
    ("must-choose-risk-mission", AGENTS, risky, 0, FIRST),
    ("card-not-in-hand", AGENTS, trick(), 0, card("red_2")),
    ("card-not-in-hand", AGENTS, trick("r9"), 1, card("red_9", wager=True)),
    ("card-not-in-hand", AGENTS, trick("r9 r2"), 2, card("blue_2")),
    ("must-follow-suit", AGENTS, trick("r9"), 1, card("blue_2")),
    ("must-follow-suit", AGENTS, trick("r9"), 1, card("blue_2", wager=True)),
    ("no-wagers-in-this-match", AGENTS, (trick("r9"), {"wagers": False}), 1, card("red_2", wager=True)),
    ("start-player-may-not-wager", AGENTS, trick(), 0, card("red_9", wager=True)),
    ("revealed-may-not-wager", AGENTS, open_roles, 1, card("red_2", wager=True)),
    ("no-token-to-wager", AGENTS, poor, 1, card("red_2", wager=True)),
    ("target-revealed", AGENTS, lambda table: vote(table.reveal(1)), 0, votes(1)),
    ("target-revealed", PARANOID, lambda table: vote(table.reveal(3)), 1, votes(0, 3)),
    ("one-vote-only", AGENTS, vote, 0, votes(1, 2)),
    ("one-vote-only", AGENTS, vote, 2, votes(1, 1)),
    ("votes-must-differ", PARANOID, vote, 1, votes(2, 2)),
    ("votes-not-ascending", PARANOID, vote, 1, votes(2, 0)),
    ("votes-not-ascending", PARANOID, lambda table: vote(table.reveal(1)), 1, votes(2, 0)),
]


@pytest.mark.parametrize(("reason", "roles", "situation", "seat", "move"), REFUSED)
def test_illegal_move(scene, reason, roles, situation, seat, move):
    """Section 16: an illegal move has its own reason and leaves the state as it was."""
    situation, options = situation if isinstance(situation, tuple) else (situation, {})
    assert situation(scene(roles, **options)).refused(seat, move) == reason


def test_every_reason_is_exercised():
    """Section 16: the reasons that the game announces are the ones refused above."""
    reasons = {reason for reason, *_ in REFUSED}
    assert reasons == set(INSIDE_JOB.refusals)
    assert len(INSIDE_JOB.refusals) == len(reasons)


MOVES = [
    ({"type": "choose_partner", "seat": 0}, ChoosePartner(seat=0)),
    ({"type": "choose_partner", "seat": 4}, ChoosePartner(seat=4)),
    ({"type": "choose_mission", "mission": "all_even_blue"}, FIRST),
    (
        {"type": "choose_mission", "mission": "risk_lowest_wins_yellow"},
        ChooseMission(mission="risk_lowest_wins_yellow"),
    ),
    ({"type": "play_card", "card": "blue_1", "wager": False}, card("blue_1")),
    ({"type": "play_card", "card": "yellow_13", "wager": True}, card("yellow_13", wager=True)),
    ({"type": "cast_vote", "targets": [4]}, votes(4)),
    ({"type": "cast_vote", "targets": [0, 0]}, votes(0, 0)),
]


@pytest.mark.parametrize(("sent", "move"), MOVES)
def test_shape_of_moves(sent, move):
    """Section 16: moves are read from and written to its words."""
    assert msgspec.convert(sent, INSIDE_JOB.move_type) == move
    assert msgspec.json.decode(json.dumps(sent), type=INSIDE_JOB.move_type) == move
    assert msgspec.json.decode(msgspec.json.encode(move)) == sent


@pytest.mark.parametrize(
    "sent",
    [
        *({**sent, "you": 0} for sent, _ in MOVES),
        *({"type": "choose_partner", "seat": value} for value in (-1, 5, 1.0, True, "1", None)),
        *({"type": "choose_mission", "mission": value} for value in ("all_even", "risk_all_even_blue", 1, None)),
        {"type": "choose_mission", "mission": "risk_third_wagered_red"},
        *({"type": "play_card", "card": value, "wager": False} for value in ("blue_0", "blue_14", "Blue_1", "b1", 1)),
        *({"type": "play_card", "card": "blue_1", "wager": value} for value in (0, 1, None, "true")),
        *({"type": "cast_vote", "targets": value} for value in ([], [1, 2, 3], 1, None, [5], [-1], [1.0], [True])),
        {"type": "play_card", "card": "blue_1"},
        {"type": "play_card", "wager": True},
        {"type": "choose_partner"},
        {"type": "choose_mission"},
        {"type": "cast_vote"},
        {"type": "vote", "targets": [1]},
        {"targets": [1]},
        {"type": None},
        {},
        [],
        None,
    ],
    ids=json.dumps,
)
def test_moves_of_a_wrong_shape_are_no_moves(sent):
    """Section 16: unknown fields, other types and numbers out of range are not even read; `wager` is always sent."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(sent, INSIDE_JOB.move_type)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(sent), type=INSIDE_JOB.move_type)


def test_kinds_of_decision(scene):
    """Section 16: in order of play, each as the phase says."""
    assert INSIDE_JOB.kinds == ("choose_partner", "choose_mission", "play_card", "cast_vote")
    for situation, kind in zip((partner, as_dealt, trick(), vote), INSIDE_JOB.kinds, strict=True):
        table = situation(scene(HELPED))
        for seat in INSIDE_JOB.deciding(table.state):
            assert INSIDE_JOB.kind(table.state, seat) == table.table.phase == kind
