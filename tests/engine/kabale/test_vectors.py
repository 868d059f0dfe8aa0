"""The worked columns and turns of section 11, played as they are written."""

import pytest

SPARED = {"witch_spares_witches": True}


def test_specialist_at_its_own_goal(score):
    """Vector: Cardinal A, Storm B, Merchant A (religion)."""
    assert score("Cardinal A, Storm B, Merchant A", "religion").outcome == ({"A": 20, "B": 9}, "A")


def test_specialists_elsewhere_tie(score):
    """Vector: Merchant B, Landlord A, Cardinal C (music)."""
    column = score("Merchant B, Landlord A, Cardinal C", "music")
    assert column.outcome == ({"A": 8, "B": 8, "C": 8}, "B")
    assert column.decided_by == "nearest_card"


def test_wizard_knocks_out_king_and_specialist(score):
    """Vector: King A, Wizard B, Assassin C, Troubadour A (music)."""
    assert score("King A, Wizard B, Assassin C, Troubadour A", "music").outcome == ({"B": 7, "C": 9.5}, "C")


def test_witch_knocks_out_nines(score):
    """Vector: Storm A, Witch B, Assassin C, Traitor A (trade)."""
    cards = "Storm A, Witch B, Assassin C, Traitor A"
    assert score(cards, "trade").outcome == ({"A": 10, "C": 9.5}, "A")
    assert score(cards, "trade", **SPARED).outcome == ({"A": 10, "B": 1, "C": 9.5}, "A")


def test_wizard_and_witch(score):
    """Vector: King A, Wizard B, Witch C, Assassin A (trade)."""
    cards = "King A, Wizard B, Witch C, Assassin A"
    assert score(cards, "trade").outcome == ({"A": 9.5}, "A")
    assert score(cards, "trade", **SPARED).outcome == ({"A": 9.5, "C": 1}, "A")


def test_two_wizards(score):
    """Vector: King A, Wizard B, Wizard C (trade)."""
    assert score("King A, Wizard B, Wizard C", "trade").outcome == ({"A": 20, "B": 7, "C": 7}, "A")


def test_musketeers_cancel_everything(score):
    """Vector: King A, Wizard B, Musketeers C, Troubadour B, Squire C, Prince C (music)."""
    column = score("King A, Wizard B, Musketeers C, Troubadour B, Squire C, Prince C", "music")
    assert column.outcome == ({"A": 20, "B": 15, "C": 27}, "C")
    assert column.decided_by == "highest_total"


def test_pair(score):
    """Vector: King A, Prince B, Squire B (trade)."""
    column = score("King A, Prince B, Squire B", "trade")
    assert column.outcome == ({}, "B")
    assert column.decided_by == "pair"


def test_broken_pair(score):
    """Vector: Queen A, Prince B, Squire B, Wizard A (trade)."""
    assert score("Queen A, Prince B, Squire B, Wizard A", "trade").outcome == ({"A": 7, "B": 2}, "A")


def test_lovers(score):
    """Vector: Romeo A, Juliet A, Romeo B, King C (trade)."""
    assert score("Romeo A, Juliet A, Romeo B, King C", "trade").outcome == ({"A": 29, "B": 5, "C": 20}, "A")


def test_beggar(score):
    """Vector: Beggar A, King B, Squire C (trade)."""
    assert score("Beggar A, King B, Squire C", "trade").outcome == ({"A": 4, "B": 20, "C": 2}, "C")


def test_beggars_tie(score):
    """Vector: Beggar A, Beggar B, King C (trade)."""
    column = score("Beggar A, Beggar B, King C", "trade")
    assert column.outcome == ({"A": 4, "B": 4, "C": 20}, "B")
    assert column.decided_by == "farthest_card"


def test_giant_and_hermit(score):
    """Vector: Squire C, Giant A, Hermit B, Storm C (trade)."""
    column = score("Squire C, Giant A, Hermit B, Storm C", "trade")
    assert column.outcome == ({"A": 11, "B": 9, "C": 11}, "C")
    assert column.decided_by == "nearest_card"


def test_double_under_double(score):
    """Vector: Double A, Double B, Merchant C (trade)."""
    assert score("Double A, Double B, Merchant C", "trade").outcome == ({"A": 12, "B": 12, "C": 12}, "A")


def test_double_with_nothing_below(score):
    """Vector: Beggar A, King B, Double C (trade)."""
    assert score("Beggar A, King B, Double C", "trade").outcome == ({"A": 4, "B": 20}, "A")


def test_dragon(score):
    """Vector: Dragon A, King B, Witch B, Squire A (trade)."""
    cards = "Dragon A, King B, Witch B, Squire A"
    assert score(cards, "trade").outcome == ({"A": 11, "B": 18}, "B")
    assert score(cards, "trade", **SPARED).outcome == ({"A": 11, "B": 18}, "B")


def test_nobody_is_left(score):
    """Vector: Witch A, Beggar B (trade)."""
    column = score("Witch A, Beggar B", "trade")
    assert column.outcome == ({}, None)
    assert column.decided_by == "nobody"
    assert score("Witch A, Beggar B", "trade", **SPARED).outcome == ({"A": 1}, "A")


def test_two_witches(score):
    """Vector: Witch A, Witch B, Storm A (trade)."""
    assert score("Witch A, Witch B, Storm A", "trade").outcome == ({"A": 10, "B": 1}, "A")


def test_double_is_judged_as_what_lies_below(score):
    """Vector: Double A, King B, Wizard C, Hermit B (trade)."""
    column = score("Double A, King B, Wizard C, Hermit B", "trade")
    assert column.outcome == ({"C": 7}, "C")
    assert column.knocked_out == {0: "wizard", 1: "wizard", 3: "wizard"}


def test_double_of_a_king_is_safe_from_a_witch(score):
    """Vector: Double A, King A, Witch B, Squire B (trade)."""
    cards = "Double A, King A, Witch B, Squire B"
    assert score(cards, "trade").outcome == ({"A": 40}, "A")
    assert score(cards, "trade", **SPARED).outcome == ({"A": 40, "B": 1}, "A")


def test_disguised_musketeers(score):
    """Vector: Disguise A with Musketeers, Beggar B, Alchemist C (alchemy)."""
    column = score("Disguise A with Musketeers, Beggar B, Alchemist C", "alchemy")
    assert column.outcome == ({"A": 11, "B": 4, "C": 8}, "A")


def test_two_dragons(score):
    """Vector: Dragon A, Dragon B, Storm A, empty Disguise B (trade)."""
    assert score("Dragon A, Dragon B, Storm A, empty Disguise B", "trade").outcome == ({"A": 16, "B": 9}, "A")


# --- turns ---


def test_assassin_above(scene):
    """Turn vector (a): the Assassin alone is left, face up; the placed card is in its owner's discard pile."""
    table = scene().column(0, "Assassin B?")
    table.place("A", "king", 0)
    assert table.lies(0) == "assassin B"
    assert table.player("A").discard_pile == ["king"]


def test_explorer_meets_an_assassin(scene):
    """Turn vector (b): the Explorer goes under the Assassin, which is turned up and kills it."""
    table = scene().column(0, "Explorer B?").column(1, "Assassin C?")
    table.place("A", "king", 0)
    assert table.lies(0) == "king A?"
    assert table.lies(1) == "assassin C"
    assert table.player("B").discard_pile == ["explorer"]


def test_storm_ends_a_column_early(scene):
    """Turn vector (c): two cards fulfil a goal of 5 and close it; the placed card stays face down."""
    table = scene().column(0, "Storm B?")
    table.place("A", "king", 0)
    assert table.lies(0) == "storm B, king A?"
    assert table.state.columns[0].closed
    assert table.table.columns[0].fulfilled


@pytest.mark.parametrize("place", [0, 1])
def test_three_explorers_and_two_open_columns(scene, place):
    """Turn vector (d): the turn terminates."""
    table = scene(seats=3).column(2, "", closed=True)
    table.column(0, "Explorer B?").column(1, "Explorer C?")
    table.place("A", "explorer", place)
    assert table.asked == ("B", "place_card")
    assert len(table.state.columns[0].slots) + len(table.state.columns[1].slots) == 3


def test_chain_around_the_table(scene):
    """Turn vector (e): the Storm placed in column 0 is turned up by the third Explorer and closes column 0."""
    table = scene(seats=3)
    table.column(0, "Explorer B?").column(1, "Explorer C?").column(2, "Explorer A?")
    table.place("A", "storm", 0)
    assert table.lies(0) == "storm A, explorer A!"
    assert table.lies(1) == "explorer B!"
    assert table.lies(2) == "explorer C!"
    assert table.state.columns[0].closed


@pytest.mark.parametrize(
    ("goals", "options", "points"),
    [
        (["music_2", "music_4", "trade_3", "religion_1"], {}, 10),
        (["music_2", "music_4", "trade_3", "religion_1"], {"set_scoring": "set_only"}, 10),
        (
            ["music_3", "alchemy_3", "fencing_2", "agriculture_5", "trade_4", "religion_1", "music_2", "alchemy_3"],
            {},
            44,
        ),
        (
            ["music_3", "alchemy_3", "fencing_2", "agriculture_5", "trade_4", "religion_1", "music_2", "alchemy_3"],
            {"set_scoring": "set_only"},
            34,
        ),
    ],
)
def test_final_scores(scene, goals, options, points):
    """Final score: 10 without a set; with one and the extras 2 and 3, 44 (S) or 34 (R)."""
    assert scene(**options).won("A", *goals).table.seats[0].score == points
