"""Every restriction of the rules, and the shapes of moves (section 14)."""

import json

import msgspec
import pytest

from engine.kabale import KABALE
from engine.kabale.moves import DeclineSwap, DeclineTuck, PlaceCard, SwapGoals, TuckCard


def placing(table):
    return table.hold("A", "king", "storm").column(1, "Storm B, King B?", closed=True)


def swapping(table):
    table.hold("A", "giant").column(0, "Traitor A?")
    table.place("A", "king", 0)
    return table


def tucking(table):
    table.hold("A", "giant").column(0, "Disguise A?")
    table.place("A", "king", 0)
    return table


def over(table):
    table.state.round = 6
    table.goals("music_1", "trade_1", "religion_1").column(0, "King B").column(1, "King C")
    table.place("A", "king", 2)
    return table


# The reason, how three players come to the decision of seat A, the seat and its move.
REFUSED = [
    ("not-your-turn", placing, "B", PlaceCard(card="king", column=0)),
    ("not-your-turn", placing, "C", DeclineSwap()),
    ("not-your-turn", swapping, "B", SwapGoals(columns=(0, 1))),
    ("not-your-turn", swapping, "C", PlaceCard(card="king", column=0)),
    ("not-your-turn", tucking, "B", DeclineTuck()),
    ("not-your-turn", over, "A", PlaceCard(card="king", column=0)),
    ("not-your-turn", over, "B", DeclineTuck()),
    ("wrong-kind-of-move", placing, "A", SwapGoals(columns=(0, 1))),
    ("wrong-kind-of-move", placing, "A", DeclineSwap()),
    ("wrong-kind-of-move", placing, "A", TuckCard(card="king")),
    ("wrong-kind-of-move", placing, "A", DeclineTuck()),
    ("wrong-kind-of-move", swapping, "A", PlaceCard(card="giant", column=0)),
    ("wrong-kind-of-move", swapping, "A", TuckCard(card="giant")),
    ("wrong-kind-of-move", swapping, "A", DeclineTuck()),
    ("wrong-kind-of-move", tucking, "A", PlaceCard(card="giant", column=0)),
    ("wrong-kind-of-move", tucking, "A", SwapGoals(columns=(0, 1))),
    ("wrong-kind-of-move", tucking, "A", DeclineSwap()),
    ("no-such-column", placing, "A", PlaceCard(card="king", column=3)),
    ("no-such-column", placing, "A", PlaceCard(card="queen", column=5)),
    ("no-such-column", swapping, "A", SwapGoals(columns=(0, 3))),
    ("no-such-column", swapping, "A", SwapGoals(columns=(5, 0))),
    ("column-closed", placing, "A", PlaceCard(card="king", column=1)),
    ("column-closed", placing, "A", PlaceCard(card="queen", column=1)),
    ("card-not-in-hand", placing, "A", PlaceCard(card="queen", column=0)),
    ("card-not-in-hand", tucking, "A", TuckCard(card="king")),
    ("card-not-in-hand", tucking, "A", TuckCard(card="disguise")),
    ("same-column-twice", swapping, "A", SwapGoals(columns=(1, 1))),
    ("columns-not-ascending", swapping, "A", SwapGoals(columns=(2, 0))),
]


@pytest.mark.parametrize(("reason", "situation", "seat", "move"), REFUSED)
def test_illegal_move(scene, reason, situation, seat, move):
    """Section 14: an illegal move has its own reason and leaves the state as it was."""
    assert situation(scene(seats=3)).refused(seat, move) == reason


OWN_COLUMN = "not-the-traitors-column"


@pytest.mark.parametrize("columns", [(1, 2)])
def test_illegal_swap_under_the_option(scene, columns):
    """Ruling D2; section 14: with the option, one of the two columns is the Traitor's."""
    table = swapping(scene(seats=3, traitor_swap="own_column"))
    assert table.refused("A", SwapGoals(columns=columns)) == OWN_COLUMN
    assert table.refused("A", SwapGoals(columns=(2, 1))) == "columns-not-ascending"
    swapping(scene(seats=3)).swap("A", *columns)


def test_every_reason_is_exercised():
    """Section 14: the reasons that the game announces are the ones refused above."""
    expected = {
        "not-your-turn",
        "wrong-kind-of-move",
        "no-such-column",
        "column-closed",
        "card-not-in-hand",
        "same-column-twice",
        "columns-not-ascending",
        OWN_COLUMN,
    }
    assert {reason for reason, *_ in REFUSED} | {OWN_COLUMN} == expected == set(KABALE.refusals)
    assert len(KABALE.refusals) == len(expected)


def test_refusals_tell_nothing_of_others(scene):
    """Section 13: the reason is the same whatever the others hold and whatever lies face down."""
    for card, other in (("king", "queen"), ("queen", "king")):
        table = scene(seats=3).hold("A", "storm").hold("B", card).column(0, f"{other} B?")
        assert table.refused("A", PlaceCard(card="king", column=0)) == "card-not-in-hand"


MOVES = [
    ({"type": "place_card", "card": "king", "column": 0}, PlaceCard(card="king", column=0)),
    ({"type": "place_card", "card": "double", "column": 5}, PlaceCard(card="double", column=5)),
    ({"type": "swap_goals", "columns": [0, 5]}, SwapGoals(columns=(0, 5))),
    ({"type": "decline_swap"}, DeclineSwap()),
    ({"type": "tuck_card", "card": "witch"}, TuckCard(card="witch")),
    ({"type": "decline_tuck"}, DeclineTuck()),
]


@pytest.mark.parametrize(("sent", "move"), MOVES)
def test_shape_of_moves(sent, move):
    """Section 14: moves are read from and written to its words."""
    assert msgspec.convert(sent, KABALE.move_type) == move
    assert msgspec.json.decode(json.dumps(sent), type=KABALE.move_type) == move
    assert msgspec.json.decode(msgspec.json.encode(move)) == sent


@pytest.mark.parametrize(
    "sent",
    [
        *({**sent, "seat": 0} for sent, _ in MOVES),
        *({"type": "place_card", "card": "king", "column": value} for value in (-1, 6, 3.0, 3.5, True, "3", None, [3])),
        *({"type": "place_card", "card": value, "column": 0} for value in ("ace", "King", None, 1, ["king"])),
        *({"type": "swap_goals", "columns": value} for value in ([], [0], [0, 1, 2], 0, "01", None, [0, 6], [-1, 0])),
        *({"type": "swap_goals", "columns": [0, value]} for value in (1.0, True, "1", None)),
        *({"type": "tuck_card", "card": value} for value in ("ace", "King", None, 1)),
        {"type": "place_card", "card": "king"},
        {"type": "place_card", "column": 0},
        {"type": "swap_goals"},
        {"type": "tuck_card"},
        {"type": "pass"},
        {"card": "king", "column": 0},
        {"type": None},
        {},
        [],
        None,
        3,
    ],
    ids=json.dumps,
)
def test_moves_of_a_wrong_shape_are_no_moves(sent):
    """Section 14: unknown fields, other types and numbers out of range are not even read."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(sent, KABALE.move_type)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(sent), type=KABALE.move_type)
