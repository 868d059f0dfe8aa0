"""Section 6: the missions and their conditions."""

from collections import Counter
from itertools import product

import msgspec
import pytest

from engine.inside_job.components import COMPONENTS, MISSIONS
from engine.inside_job.ids import Mission
from engine.inside_job.options import InsideJobOptions

ROLES = {3: "agent agent insider", 4: "agent agent insider agent", 5: "agent agent insider agent agent"}

# For each condition, with blue as trump: tricks with which it succeeds, and tricks with which it fails.
TRICKS = {
    "ascending": (
        ["b1 b2 b3", "r1 g2 y13", "r1 g2* y3 b4*", "r1 r4 r5 r7 r13"],
        ["b1 b3 g3*", "r1 g1 y2", "r3 r2 r4", "r1 r2 g2*", "r1 r2 r3 g3", "r1 r4 r5 r13 r7"],
    ),
    "descending": (
        ["b3 b2 b1", "r13 g2 y1", "r9 g8* y3 b2*", "r13 r7 r5 r4 r1"],
        ["b3 b1 b2", "r2 g2 y1", "r3 r4 r2", "r3 r2 g2*", "r4 r3 r2 g2", "r13 r7 r5 r1 r4"],
    ),
    "all_odd": (
        ["r1 r3 r5", "r13 g11 b9 y7", "r1 g1* y1 b1 r3"],
        ["r1 r3 r2", "r2 r3 r5", "r1 r2* r3", "r1 r3 r5 r7 r12"],
    ),
    "all_even": (
        ["r2 r4 r6", "r12 g10 b8 y2", "r2 g2* y2 b2 r4"],
        ["r2 r4 r1", "r1 r4 r6", "r2 r3* r4", "r2 r4 r6 r8 r13"],
    ),
    "one_suit": (
        ["r1 r2 r3", "b1 b2 r3*", "b1 g2* r3* y4*", "b1 b2* b3"],
        ["r1 r2 g3", "r1 r2 r3*", "r1 g2* y3*", "r1 r2 r3 r4 b5", "g1 r2 r3"],
    ),
    "first_wins": (
        ["r9 r8 r7", "b1 r13 g13", "r9 g13 y13", "b3 r2* g1*"],
        ["r9 r10 r1", "r9 b1 r1", "r9 r1 g1*", "b3 r3* r1", "r13 r12 r11 r10 g1*"],
    ),
    "second_wins": (
        ["r9 r10 r1", "r13 b1 r12", "r13 g1* r12 r11", "b3 r3* b2", "r1 r3 r2 g9 y9"],
        ["r9 r8 r7", "r9 r10 b1", "r9 g10 r8", "r9 g5* y5*", "r1 r2 r3 g9"],
    ),
    "last_wins": (
        ["r9 r10 r11", "r13 r12 b1", "r13 b2 g2*", "r1 r2 r3 r4 r5", "r13 g5* y5 b5*"],
        ["r9 r10 g13", "r13 g2* b2", "r1 r2 r3 r4 g5", "r9 r11 r10", "r9 b1 r10"],
    ),
    "middle_odd": (
        ["r2 r3 r4", "r2 r1* r4", "r2 r3 r5 r4", "r2 r4 r5 r6 r8"],
        ["r3 r2 r5", "r1 r4* r3", "r1 r3 r4 r5", "r1 r4 r3 r5", "r1 r4 r6 r3", "r1 r3 r4 r5 r7"],
    ),
    "all_below_7": (
        ["r1 r2 r6", "r6 g6 b6*", "r1 r2 r3 r4 g5*"],
        ["r1 r2 r7", "r7 r1 r2", "r1 r13* r2", "r1 r2 r3 r4 g7"],
    ),
    "ends_match": (
        ["r1 g2 r3", "b1 g2 r3*", "b1 g2 y3 r4*", "r1 g2 g3 g4 r5", "b1 b2 b3"],
        ["r1 r2 g3", "r1 g2 r3*", "b1 b2 b3 b4 r5", "r1 b2* g3"],
    ),
    "last_lowest": (
        ["r3 r2 r1", "r3 b2 g1*", "r9 r8 r13 r7", "r9 g9 b9 y9 r8"],
        ["r3 r2 g2", "r1 r2 r3", "r2 r1 b1*", "r9 r8 r7 r5 r6", "r9 g8 y8"],
    ),
    "third_wagered": (
        ["r1 r2 r3*", "r1 r2 r3* r4", "r1 r2* b3* r4 r5"],
        ["r1 r2* r3", "r1 r2 r3", "r1 r2* r3 r4*", "r1 r2 r3 r4* r5*", "b1 b2 b3"],
    ),
    "winner_wagered": (
        ["r13 r1* r12", "b5 b6* b4", "b5 g5* r1", "r1 g5* y5* r2"],
        ["r1 r2 r3", "b9 r8* r7*", "b13 b1* b12 b11", "r1 r2* b3"],
    ),
    "two_wagered": (
        ["r1 r2* r3*", "r1 r2* r3* r4*", "r1 b2* r3 r4 y5*"],
        ["r1 r2 r3*", "r1 r2 r3", "r1 b2 b3*", "b1 b2 b3 b4 b5*"],
    ),
    "lowest_wins": (
        ["r5 g6 y7", "r5 b1 r6", "r5 g2* r6", "r2 g3 y4 g13 y5"],
        ["r5 r6 r7", "r5 g5 y7", "r5 b5 r6", "r5 g2* y2*", "r5 g5* r6"],
    ),
    "all_above_6": (
        ["r7 r8 r13", "r7 g7 b7*", "r7 r8 r9 r10 g11*"],
        ["r7 r8 r6", "r6 r7 r8", "r7 r1* r8", "r7 r8 r9 r10 g6"],
    ),
    "no_trump": (
        ["r1 r2 r3", "r1 g2 y3", "r1 r2 r3 r4 y5"],
        ["r1 r2 b3", "b1 r2 r3", "r1 r2* r3", "r1 r2 r3 r4 r5*"],
    ),
    "some_trump": (
        ["r1 r2 b3", "b1 r2 r3", "r1 r2* r3", "r1 r2 r3 r4 r5*", "b1 b2 b3"],
        ["r1 r2 r3", "r1 g2 y3", "r1 r2 r3 r4 y5"],
    ),
    "first_highest": (
        ["r9 r8 r7", "r9 b8 g8*", "r13 g12 y12 b1 r2"],
        ["r9 g9 r7", "r9 r10 r7", "r9 r8 b9*", "r5 r4 r3 r2 g6"],
    ),
    "last_highest": (
        ["r7 r8 r9", "b8 g8 r9*", "r2 b1 y12 g12 r13"],
        ["r7 r9 g9", "r7 r10 r9", "r7 b9* r9", "g6 r4 r3 r2 r5"],
    ),
    "spread_at_most_6": (
        ["r1 r7 r4", "r7 g7 b7*", "r13 r7 r8 r9 g10*"],
        ["r1 r8 r4", "r1 r2 b8*", "r13 r12 r6", "r13 r7 r8 r9 g6*"],
    ),
}


def every(outcome):
    return [(name, cards) for name, tricks in TRICKS.items() for cards in tricks[outcome]]


def judged(scene, mission, cards):
    table = scene(ROLES[len(cards.split())]).trick(mission, cards)
    return table.last.succeeded


@pytest.mark.parametrize(("condition", "cards"), every(0))
def test_succeeding(scene, condition, cards):
    """Section 6.1 'complete trick'; Section 6.1 'colour, value, position'; Section 6.2; Section 6.4: tricks that do."""
    assert judged(scene, f"{condition}_blue", cards)


@pytest.mark.parametrize(("condition", "cards"), every(1))
def test_failing(scene, condition, cards):
    """Section 6.1 'strict'; Section 6.2; Section 6.4: tricks that do not; equal ranks are neither higher nor lower."""
    assert not judged(scene, f"{condition}_blue", cards)


def test_every_condition_is_tried():
    """Section 6.2: each way, and with a wager."""
    assert set(TRICKS) == {condition.id for condition in COMPONENTS.conditions}
    wagered = {name for name, (one, other) in TRICKS.items() if any("*" in cards for cards in one + other)}
    assert wagered == set(TRICKS)


@pytest.mark.parametrize("trump", ["blue", "red", "green", "yellow"])
def test_trump_is_that_of_the_card(scene, trump):
    """Section 6.1 'colour, value, position': the trump suit of the mission decides what a wager makes of a card."""
    first, second, third = (short for short in ("b", "r", "g", "y") if short != trump[0])
    assert judged(scene, f"some_trump_{trump}", f"{first}1 {second}2* {third}3")
    assert judged(scene, f"some_trump_{trump}", f"{first}1 {trump[0]}2 {third}3")
    assert not judged(scene, f"some_trump_{trump}", f"{first}1 {second}2 {third}3")
    assert judged(scene, f"one_suit_{trump}", f"{trump[0]}1 {second}2* {third}3*")
    assert not judged(scene, f"one_suit_{trump}", f"{first}1 {first}2* {first}3*")


def test_middle_of_four_cards(scene):
    """Section 6.2; OQ17: cards 2 and 3 both."""
    verdicts = {
        cards: judged(scene, "middle_odd_blue", cards)
        for cards in ("r2 r3 r5 r4", "r2 r3 r4 r6", "r2 r4 r3 r6", "r3 r4 r6 r5")
    }
    assert list(verdicts.values()) == [True, False, False, False]


@pytest.mark.parametrize("insider", range(3))
def test_roles_do_not_matter(scene, insider):
    """Section 6.1 'roles do not matter': the insider's card counts like any other."""
    roles = ["agent"] * 3
    roles[insider] = "insider"
    for condition, (succeeding, failing) in TRICKS.items():
        for cards in (cards for cards in succeeding + failing if len(cards.split()) == 3):
            table = scene(" ".join(roles)).trick(f"{condition}_blue", cards)
            assert table.last.succeeded == (cards in succeeding)


def test_mission_is_judged_once_all_cards_lie(scene):
    """Section 6.1 'complete trick': nothing is said before, however clear it is."""
    table = scene(ROLES[3]).hold("r1", "r2", "r3").mission("all_even_blue").play("r1 r2")
    assert table.story() == ["trick_card_played"] * 2
    assert (table.table.last_trick, table.table.failed) == (None, [])


# --- the cards ---

DECK = {
    "ascending": "red green",
    "descending": "blue yellow",
    "all_odd": "red yellow",
    "all_even": "blue green",
    "one_suit": "blue red",
    "first_wins": "green yellow",
    "second_wins": "blue red",
    "last_wins": "green yellow",
    "middle_odd": "blue green",
    "all_below_7": "red yellow",
    "ends_match": "blue yellow",
    "last_lowest": "red green",
}


def test_normal_deck():
    """Section 6.3: twelve conditions with two trumps each, every suit six times."""
    expected = [f"{condition}_{trump}" for condition, trumps in DECK.items() for trump in trumps.split()]
    assert list(COMPONENTS.mission_deck) == expected
    default = [f"{card.condition}_{card.trump}" for card in InsideJobOptions().mission_deck]
    assert default == expected
    assert Counter(MISSIONS[mission].trump for mission in expected) == dict.fromkeys(
        ("blue", "red", "green", "yellow"), 6
    )
    assert COMPONENTS.mission_deck_source == "reconstructed"


def test_risk_missions():
    """Section 6.4: four of them, each with a trump of its own; they are told apart from normal ones."""
    risk = {card.id: (card.condition, card.trump) for card in COMPONENTS.missions if card.risk}
    assert risk == {
        "risk_third_wagered_blue": ("third_wagered", "blue"),
        "risk_winner_wagered_red": ("winner_wagered", "red"),
        "risk_two_wagered_green": ("two_wagered", "green"),
        "risk_lowest_wins_yellow": ("lowest_wins", "yellow"),
    }


def test_ids_of_missions():
    """Section 6.2: every condition with every trump, and the four risk missions; the data say what an id says."""
    ids = [card.id for card in COMPONENTS.missions]
    suits = ("blue", "red", "green", "yellow")
    assert set(ids[:-4]) == {f"{condition}_{trump}" for condition, trump in product(TRICKS, suits)}
    assert len(ids) == len(set(ids)) == 22 * 4 + 4
    for card in COMPONENTS.missions:
        assert card.id == "risk_" * card.risk + f"{card.condition}_{card.trump}"
        assert msgspec.convert(card.id, Mission) == card.id
    needing = {condition.id for condition in COMPONENTS.conditions if condition.needs_wagers}
    assert needing == {"third_wagered", "winner_wagered", "two_wagered"}


def test_components():
    """Section 6.1 'colour, value, position': 52 unique cards, 4 suits of 13, and the roles with their sides."""
    suits = ("blue", "red", "green", "yellow")
    assert [msgspec.structs.astuple(card) for card in COMPONENTS.cards] == [
        (f"{suit}_{rank}", suit, rank) for suit in suits for rank in range(1, 14)
    ]
    assert (COMPONENTS.suits, COMPONENTS.intel_tokens, COMPONENTS.start_intel) == (suits, 14, 1)
    assert {role.id: role.side for role in COMPONENTS.roles} == {
        "agent": "agents",
        "insider": "insider",
        "bugged_agent": "agents",
        "paranoid_agent": "agents",
        "risk_agent": "agents",
        "sleeper_agent": "agents",
        "prof_no": "insider",
        "decoy": "neutral",
        "accomplice": "neutral",
        "tim_shady": "neutral",
    }


@pytest.mark.parametrize(
    ("mission", "cards"),
    [
        ("risk_third_wagered_blue", "r1 r2 r3*"),
        ("risk_winner_wagered_red", "b1 b2* b3"),
        ("risk_two_wagered_green", "b1 b2* b3*"),
        ("risk_lowest_wins_yellow", "b1 r2 g3"),
    ],
)
def test_risk_mission_is_one_success(scene, mission, cards):
    """Section 6.4; OQ19: and otherwise a mission like any other."""
    table = scene("risk_agent agent insider").succeeded(3).trick(mission, cards)
    assert (table.last.succeeded, len(table.state.succeeded), table.ending) == (True, 4, None)
    shown = table.table.last_trick.mission
    assert (shown.mission, shown.risk) == (mission, True)
    assert (shown.condition, shown.trump) == (MISSIONS[mission].condition, MISSIONS[mission].trump)
    assert not judged(scene, "risk_two_wagered_green", "b1 b2* b3")
