"""What is in the box and how a match begins (sections 2 and 3)."""

from collections import Counter

import msgspec
import pytest

from engine.kabale import KABALE
from engine.kabale.components import DOUBLED
from engine.kabale.options import KabaleOptions

# Number, value doubled, of each character, as section 2.2 lists them.
TABLE = [
    ("king", 40), ("queen", 32), ("juliet", 28), ("prince", 28), ("explorer", 26), ("hermit", 24), ("dragon", 22),
    ("musketeers", 22), ("traitor", 20), ("assassin", 19), ("storm", 18), ("alchemist", 16), ("fencer", 16),
    ("landlord", 16), ("merchant", 16), ("cardinal", 16), ("troubadour", 16), ("wizard", 14), ("romeo", 10),
    ("beggar", 8), ("giant", 4), ("squire", 4), ("witch", 2), ("disguise", 0), ("double", None),
]  # fmt: skip
TURNED_UP = {"explorer", "traitor", "assassin", "storm", "disguise"}
WITHOUT_ABILITY = {"king", "queen", "juliet"}


def test_influence_cards():
    """Section 2.2: 25 characters whose printed base values add up to 208.5; 9½ is the Assassin's."""
    cards = KABALE.components.influence
    assert [(card.id, None if card.value is None else 2 * card.value) for card in cards] == TABLE
    assert list(DOUBLED.items()) == TABLE
    assert sum(card.value or 0 for card in cards) == 208.5
    assert {card.id for card in cards if "turned_up" in card.acts} == TURNED_UP
    assert {card.id for card in cards if not card.acts} == WITHOUT_ABILITY
    assert {card.id for card in cards if "scoring" not in card.acts} == WITHOUT_ABILITY | TURNED_UP - {"disguise"}
    assert {card.id: (card.specialist_of, card.higher_value) for card in cards if card.specialist_of} == {
        "troubadour": ("music", 12),
        "alchemist": ("alchemy", 12),
        "fencer": ("fencing", 12),
        "landlord": ("agriculture", 12),
        "merchant": ("trade", 12),
        "cardinal": ("religion", 12),
    }
    assert [card.id for card in cards if card.higher_value == 15] == ["romeo"]


def test_half_points_are_json_numbers():
    """Section 2.2: clients receive 9.5."""
    sent = msgspec.json.decode(msgspec.json.encode(KABALE.components))
    assert {card["id"]: card["value"] for card in sent["influence"]}["assassin"] == 9.5
    assert all(type(value) is int or value is None for value in DOUBLED.values())


def test_goal_cards():
    """Section 2.1: six categories with 1, 2, 3, 3, 4, 5, 108 in all; a card is named by category and value."""
    goals = KABALE.components.goals
    categories = ["music", "alchemy", "fencing", "agriculture", "trade", "religion"]
    assert [(goal.category, goal.value, goal.count) for goal in goals] == [
        (name, value, 1 + (value == 3)) for name in categories for value in (1, 2, 3, 4, 5)
    ]
    assert all(goal.id == f"{goal.category}_{goal.value}" for goal in goals)
    assert sum(goal.value * goal.count for goal in goals) == 108
    assert list(KABALE.components.categories) == categories
    assert (KABALE.components.hand_size, KABALE.components.rounds, KABALE.components.goals_per_player) == (3, 6, 6)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_deal(dealt, seats):
    """Sections 3 and 4: 3 cards each, a goal per player in a row, the others in a stack of six rounds in all."""
    for number in range(20):
        state, events = dealt(seats, number)
        cards = sorted(DOUBLED)
        for player in state.players:
            assert len(player.hand) == 3
            assert player.hand == sorted(player.hand)
            assert sorted(player.hand + player.draw_pile) == cards
            assert player.discard_pile == player.goals == []
        assert len(state.columns) == seats
        assert all(not column.slots and not column.closed for column in state.columns)
        assert len(state.goal_stack) == 5 * seats
        assert len(state.unused_goals) == 36 - 6 * seats
        assert state.unused_goals == sorted(state.unused_goals)
        box = Counter({goal.id: goal.count for goal in KABALE.components.goals})
        assert Counter(state.goal_stack + state.unused_goals + [column.goal for column in state.columns]) == box
        assert (state.round, state.phase, state.pending, state.lost_goals) == (1, "place_card", None, [])
        assert KABALE.deciding(state) == (state.turn,)
        assert [event.public.__struct_config__.tag for event in events] == [
            "kabale_dealt",
            "goals_revealed",
            "kabale_turn_begun",
        ]


def test_any_seat_may_begin(dealt):
    """Section 3 step 3; ruling Q18: a random seat, every one of them."""
    assert KABALE.seats == range(2, 7)
    for seats in KABALE.seats:
        begins = Counter(dealt(seats, number)[0].turn for number in range(60 * seats))
        assert set(begins) == set(range(seats))
        assert min(begins.values()) > 30


def test_everything_is_shuffled(dealt):
    """Section 3 steps 1 and 2: hands, draw piles, goals and the unused ones differ from deal to deal."""
    states = [dealt(3, number)[0] for number in range(30)]
    for part in (
        lambda state: tuple(state.players[0].draw_pile),
        lambda state: tuple(state.players[2].hand),
        lambda state: tuple(state.goal_stack),
        lambda state: tuple(state.unused_goals),
        lambda state: tuple(column.goal for column in state.columns),
    ):
        assert len({part(state) for state in states}) == 30
    assert any(state.players[0].draw_pile != state.players[1].draw_pile for state in states)


def test_options_and_their_defaults():
    """Rulings D1, D2, D3: three options; unknown ones and other values are refused."""
    options = KabaleOptions()
    assert (options.set_scoring, options.traitor_swap, options.witch_spares_witches) == ("all_goals", "any_two", False)
    for good in (
        {},
        {"set_scoring": "set_only", "traitor_swap": "own_column", "witch_spares_witches": True},
    ):
        assert msgspec.to_builtins(msgspec.convert(good, KabaleOptions)).items() >= good.items()
    for bad in (
        {"set_scoring": "both"},
        {"traitor_swap": "none"},
        {"witch_spares_witches": 1},
        {"witch_spares_witches": "true"},
        {"goal_points": 3},
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(bad, KabaleOptions)
