"""Every restriction of the rules, and the shapes of moves (section 12)."""

import json

import msgspec
import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.moves import (
    DeclareConflict,
    DeclineBuild,
    DraftAction,
    MoveBuilding,
    PlaceBuilding,
    PlaceFarm,
    PlaySupplies,
    TurnBuilding,
)


def setting_up(table):
    table.state.phase = "place_farm"
    return table


def building(table):
    table.draft("builder", "farmer", "strategist").fight()
    return table


def over(table):
    table.draft("builder", "farmer", "strategist")
    table.state.round = 9
    table.fight()
    table.play(0, DeclineBuild())
    return table


def drafting(table):
    table.declare(4, aside="farmer")
    return table


def supplying(table):
    return table.draft("builder", "farmer", "strategist")


# The reason, how three players come to the decision of seat 0, the seat and its move.
REFUSED = [
    ("not-your-turn", setting_up, 1, PlaceFarm(landscape=1)),
    ("not-your-turn", lambda table: table, 1, DeclareConflict(border=4)),
    ("not-your-turn", drafting, 2, DraftAction(action="builder")),
    ("not-your-turn", supplying, 1, PlaySupplies(cards=(3,))),
    ("not-your-turn", building, 2, DeclineBuild()),
    ("not-your-turn", over, 0, DeclineBuild()),
    ("not-your-turn", over, 0, DeclareConflict(border=4)),
    ("wrong-kind-of-move", setting_up, 0, DeclareConflict(border=4)),
    ("wrong-kind-of-move", setting_up, 0, PlaceBuilding(landscape=0, side="farm")),
    ("wrong-kind-of-move", lambda table: table, 0, PlaceFarm(landscape=0)),
    ("wrong-kind-of-move", lambda table: table, 0, PlaySupplies(cards=())),
    ("wrong-kind-of-move", drafting, 0, DeclareConflict(border=4)),
    ("wrong-kind-of-move", drafting, 0, PlaySupplies(cards=(3,))),
    ("wrong-kind-of-move", supplying, 0, DraftAction(action="builder")),
    ("wrong-kind-of-move", supplying, 0, DeclineBuild()),
    ("wrong-kind-of-move", building, 0, PlaceFarm(landscape=0)),
    ("wrong-kind-of-move", building, 0, PlaySupplies(cards=())),
    ("foreign-house", setting_up, 0, PlaceFarm(landscape=1)),
    ("foreign-house", building, 0, PlaceBuilding(landscape=3, side="farm")),
    ("foreign-house", lambda table: building(table.farm(0, 0)), 0, MoveBuilding(origin=0, to=3)),
    ("foreign-house", lambda table: building(table.farm(1, 3)), 0, PlaceBuilding(landscape=3, side="farm")),
    ("landscape-occupied", lambda table: setting_up(table.farm(2, 0)), 0, PlaceFarm(landscape=0)),
    ("landscape-occupied", lambda table: building(table.farm(2, 0)), 0, PlaceBuilding(landscape=0, side="farm")),
    ("landscape-occupied", lambda table: building(table.farm(0, 0, 2)), 0, MoveBuilding(origin=0, to=2)),
    ("no-enmity", lambda table: table.land("rose", 4), 0, DeclareConflict(border=4)),
    ("action-not-offered", drafting, 0, DraftAction(action="farmer")),
    ("supplies-not-in-hand", supplying, 0, PlaySupplies(cards=(2,))),
    ("supplies-not-in-hand", supplying, 0, PlaySupplies(cards=(4, 4))),
    ("supplies-not-ascending", supplying, 0, PlaySupplies(cards=(5, 4))),
    ("reserve-empty", lambda table: building(table.farm(0, 0, 2, 4)), 0, PlaceBuilding(landscape=6, side="farm")),
    ("no-own-building", building, 0, TurnBuilding(landscape=0)),
    ("no-own-building", lambda table: building(table.farm(2, 0)), 0, TurnBuilding(landscape=0)),
    ("no-own-building", lambda table: building(table.farm(2, 0)), 0, MoveBuilding(origin=0, to=2)),
    (
        "too-many-trading-posts",
        lambda table: building(table.post(0, 0, 2)),
        0,
        PlaceBuilding(landscape=4, side="trading_post"),
    ),
    ("too-many-trading-posts", lambda table: building(table.post(0, 0, 3).farm(0, 4)), 0, TurnBuilding(landscape=4)),
]


@pytest.mark.parametrize(("reason", "situation", "seat", "move"), REFUSED)
def test_illegal_move(scene, reason, situation, seat, move):
    """Facts 18, 19, 20, 29, 30, 31: an illegal move has its own reason and leaves the state as it was."""
    assert situation(scene(seats=3)).refused(seat, move) == reason


def test_every_reason_is_exercised():
    """Facts 18, 19, 20, 29, 30, 31: the reasons that the game announces are the ones refused above."""
    expected = {
        "not-your-turn",
        "wrong-kind-of-move",
        "foreign-house",
        "landscape-occupied",
        "no-enmity",
        "action-not-offered",
        "supplies-not-in-hand",
        "supplies-not-ascending",
        "reserve-empty",
        "no-own-building",
        "too-many-trading-posts",
    }
    assert {reason for reason, *_ in REFUSED} == expected == set(VERRAETER.refusals)
    assert len(VERRAETER.refusals) == len(expected)


MOVES = [
    ({"type": "place_farm", "landscape": 0}, PlaceFarm(landscape=0)),
    ({"type": "place_farm", "landscape": 11}, PlaceFarm(landscape=11)),
    ({"type": "declare_conflict", "border": 11}, DeclareConflict(border=11)),
    ({"type": "draft_action", "action": "diplomat_2"}, DraftAction(action="diplomat_2")),
    ({"type": "play_supplies", "cards": []}, PlaySupplies(cards=())),
    ({"type": "play_supplies", "cards": [2, 3, 4, 5, 6]}, PlaySupplies(cards=(2, 3, 4, 5, 6))),
    ({"type": "play_supplies", "cards": [8]}, PlaySupplies(cards=(8,))),
    ({"type": "place_building", "landscape": 3, "side": "farm"}, PlaceBuilding(landscape=3, side="farm")),
    ({"type": "move_building", "from": 0, "to": 11}, MoveBuilding(origin=0, to=11)),
    ({"type": "turn_building", "landscape": 7}, TurnBuilding(landscape=7)),
    ({"type": "decline_build"}, DeclineBuild()),
]


@pytest.mark.parametrize(("sent", "move"), MOVES)
def test_shape_of_moves(sent, move):
    """Facts 18, 20, 29: moves are read from and written to the words of section 12."""
    assert msgspec.convert(sent, VERRAETER.move_type) == move
    assert msgspec.json.decode(json.dumps(sent), type=VERRAETER.move_type) == move
    assert msgspec.json.decode(msgspec.json.encode(move)) == sent


@pytest.mark.parametrize(
    "sent",
    [
        *({**sent, "seat": 0} for sent, _ in MOVES),
        *({"type": "place_farm", "landscape": value} for value in (-1, 12, 3.0, 3.5, True, "3", None, [3])),
        *({"type": "declare_conflict", "border": value} for value in (-1, 12, 4.0, False, "4", None)),
        *({"type": "turn_building", "landscape": value} for value in (-1, 12, 0.0, True)),
        *({"type": "move_building", "from": value, "to": 0} for value in (-1, 12, 0.0, True)),
        *({"type": "move_building", "from": 0, "to": value} for value in (-1, 12, 0.0, True)),
        *({"type": "place_building", "landscape": value, "side": "farm"} for value in (-1, 12, 0.0, True)),
        *({"type": "place_building", "landscape": 0, "side": value} for value in ("castle", "Farm", None, 1)),
        *({"type": "draft_action", "action": value} for value in ("mercenary", "diplomat", "Farmer", 1, None)),
        *({"type": "play_supplies", "cards": [value]} for value in (0, 1, 7, 9, -2, 2.0, True, "2", None)),
        {"type": "play_supplies", "cards": [2, 2, 2, 2, 2, 3]},
        {"type": "play_supplies", "cards": 2},
        {"type": "play_supplies", "cards": "2"},
        {"type": "play_supplies"},
        {"type": "place_farm"},
        {"type": "declare_conflict"},
        {"type": "draft_action"},
        {"type": "place_building", "landscape": 0},
        {"type": "move_building", "from": 0},
        {"type": "move_building", "origin": 0, "to": 2},
        {"type": "turn_building"},
        {"type": "remove_building", "landscape": 0},
        {"landscape": 0},
        {"type": None},
        {},
        [],
        None,
        3,
    ],
    ids=json.dumps,
)
def test_moves_of_a_wrong_shape_are_no_moves(sent):
    """Rulings Q23, Q26, Q30: unknown fields, other types and numbers out of range are not even read."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(sent, VERRAETER.move_type)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(sent), type=VERRAETER.move_type)
