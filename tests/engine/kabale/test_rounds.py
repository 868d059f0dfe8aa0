"""The end of a round and of a match (sections 7 and 9)."""

import pytest

from engine.kabale.options import KabaleOptions
from engine.kabale.scoring import score


def nearly_over(scene, **options):
    """Seat B ends the round by placing a card in column 2."""
    table = scene(turn="B", **options).goals("music_2", "trade_1", "religion_2")
    return table.column(0, "King A, Queen C").column(1, "Storm A?").column(2, "Wizard C")


def test_round_ends_when_every_column_is_fulfilled(scene):
    """Section 7: at once; then the columns are scored and all their cards discarded, hands and piles kept."""
    table = nearly_over(scene).hold("A", "giant", "beggar").hold("B", "fencer", "squire", "romeo")
    piles = [len(player.draw_pile) for player in table.state.players]
    table.place("B", "fencer", 2)
    assert table.state.round == 2
    assert table.player("A").discard_pile == ["king", "storm"]
    assert table.player("B").discard_pile == ["fencer"]
    assert table.player("C").discard_pile == ["queen", "wizard"]
    assert table.player("A").hand == ["beggar", "giant"]
    assert len(table.player("B").hand) == 3
    assert [len(player.draw_pile) for player in table.state.players] == [piles[0], piles[1] - 1, piles[2] - 3]
    assert [player.goals for player in table.state.players] == [["music_2", "trade_1"], ["religion_2"], []]
    assert all(not column.slots and not column.closed for column in table.state.columns)
    assert table.story() == [
        "card_placed",
        "influence_drawn",
        "kabale_round_ended",
        *["column_scored"] * 3,
        "goals_revealed",
        "influence_drawn",
        "kabale_turn_begun",
    ]


def test_next_round_starts_left_of_who_ended_it(scene):
    """Section 7: left of the seat whose turn ended it, with the next goals off the stack."""
    table = nearly_over(scene)
    stack = list(table.state.goal_stack)
    table.place("B", "fencer", 2)
    assert table.asked == ("C", "place_card")
    assert [column.goal for column in table.state.columns] == stack[:-4:-1]
    assert table.state.goal_stack == stack[:-3]
    last = table.table.last_round
    assert (last.round, last.ended_by, last.ending) == (1, 1, "all_columns_fulfilled")


def test_whoever_decided_last(scene):
    """Section 7: the next round starts left of the seat on turn, whoever made the last decision in it."""
    table = scene(turn="B").goals("music_2", "trade_1", "religion_3").hold("A", "king")
    table.column(0, "King C, Queen C").column(1, "Storm C").column(2, "Fencer C, Disguise A?")
    table.place("B", "fencer", 2)
    assert table.asked == ("A", "tuck_card")
    assert table.state.round == 1
    table.tuck("A", "king")
    assert table.state.round == 2
    assert table.asked == ("C", "place_card")


def test_face_down_cards_count_and_tucked_ones_do_not(scene):
    """Section 7; ruling Q10: number of cards, face up and face down; a tucked one shares its slot."""
    table = scene(seats=2).goals("music_2", "trade_1").column(0, "Disguise A with king").hold("B", "queen")
    table.place("A", "storm", 1)
    assert table.state.round == 1
    table = scene(seats=2).goals("music_2", "trade_1").column(0, "Disguise A, King B?").hold("B", "queen")
    table.place("A", "storm", 1)
    assert table.state.round == 2


def test_more_cards_than_needed_are_enough(scene):
    """Section 7: as many as the goal's value or more."""
    table = scene(seats=2).goals("music_1", "trade_1").column(0, "King A, Queen A, Fencer B")
    table.place("A", "storm", 1)
    assert table.state.round == 2


def test_test_comes_after_the_ability(scene):
    """Section 7; ruling Q11: an Assassin that kills the last card, or an Explorer that leaves, keeps the round on."""
    table = scene(seats=2).goals("music_2", "trade_1").column(0, "Assassin B?").column(1, "King A")
    table.place("A", "storm", 0)
    assert table.state.round == 1
    assert table.lies(0) == "assassin B"
    table = scene(seats=2).goals("music_2", "trade_2").column(0, "Explorer B?").column(1, "King A, Storm A?")
    table.place("A", "fencer", 0)
    assert table.state.round == 1
    assert table.lies(0) == "fencer A?"
    # Without an ability the same placement ends the round.
    table = scene(seats=2).goals("music_2", "trade_1").column(0, "Fencer B?").column(1, "King A")
    table.place("A", "storm", 0)
    assert table.state.round == 2


def test_storm_can_end_the_round(scene):
    """Section 7: a closed column is fulfilled whatever its goal's value."""
    table = scene(seats=2).goals("music_5", "trade_1").column(0, "Storm B?").column(1, "King A")
    table.place("A", "queen", 0)
    assert table.state.round == 2
    assert [len(column.cards) for column in table.table.last_round.columns] == [2, 1]


def test_won_goals_lie_open(scene):
    """Ruling Q16; section 8 step 8: they are public, and so are the goals that left the game."""
    table = scene(seats=2, match_round=2).goals("music_1", "trade_1").column(0, "Witch B?").won("A", "religion_3")
    table.place("A", "king", 1)
    assert [seat.goals for seat in table.table.seats] == [["religion_3", "trade_1"], []]
    assert table.table.lost_goals == ["music_1"]
    assert [seat.score for seat in table.table.seats] == [4, 0]


def test_a_lost_goal_is_nobodys(scene):
    """Ruling Q20: it is removed from the game and counts for nobody."""
    table = scene(seats=2, match_round=6).goals("music_5", "trade_1").column(0, "Witch B?", closed=True)
    table.place("A", "king", 1)
    assert table.state.lost_goals == ["music_5"]
    assert [seat.score for seat in table.result.seats] == [1, 0]


# --- the end of the match ---


@pytest.mark.parametrize("match_round", [1, 2, 3, 4, 5, 6])
def test_six_rounds(scene, match_round):
    """Section 9: the match ends after round 6, not before."""
    table = nearly_over(scene, match_round=match_round)
    assert table.result is None
    table.place("B", "fencer", 2)
    if match_round < 6:
        assert table.state.round == match_round + 1
        assert table.result is None
        return
    assert table.state.round == 6
    assert table.state.phase == "over"
    assert table.deciding == ""
    assert table.state.columns == table.table.columns == []
    assert table.table.turn is None
    assert table.table.goal_stack_size == 0
    assert table.story()[-1] == "kabale_ended"
    assert table.log[-1].public.scores == [3, 2, 0]
    assert all(table.moves(letter) == [] for letter in "ABC")
    result = table.result
    assert result.ending == "last_round"
    assert [(seat.seat, seat.won, seat.rank, seat.score, seat.reason) for seat in result.seats] == [
        (0, True, 1, 3, "most_points"),
        (1, False, 2, 2, "fewer_points"),
        (2, False, 3, 0, "fewer_points"),
    ]


def test_final_tie(scene):
    """Ruling Q19: a shared victory, the same rank; who comes after it has the rank that is left."""
    table = nearly_over(scene, match_round=6).won("B", "religion_4").won("A", "alchemy_3")
    table.place("B", "fencer", 2)
    assert [(seat.won, seat.rank, seat.score) for seat in table.result.seats] == [
        (True, 1, 6),
        (True, 1, 6),
        (False, 3, 0),
    ]


EXTRAS = ["music_5", "music_4", "music_3", "music_3", "music_2"]
SET = ["music_3", "alchemy_3", "fencing_2", "agriculture_5", "trade_4", "religion_1"]


@pytest.mark.parametrize(
    ("goals", "all_goals", "set_only"),
    [
        ([], 0, 0),
        (["music_5"], 5, 5),
        (["music_5", "music_4", "music_3", "music_3", "music_2", "music_1", "trade_5"], 23, 23),
        (SET[:5], 17, 17),
        (SET, 36, 36),
        ([*SET, "music_2"], 39, 35),
        ([*SET, "music_4"], 43, 37),  # the better music card counts for the set
        ([*SET, "music_2", "alchemy_3"], 44, 34),
        # So many extra cards that the plain sum of all of them is more than the doubled set.
        (
            ["music_1", "alchemy_1", "fencing_1", "agriculture_1", "trade_1", "religion_1", "music_5", "music_4"],
            2 * 15 - 2,
            2 * 10 - 2,
        ),
        (
            ["alchemy_1", "fencing_1", "agriculture_1", "trade_1", "religion_1", *EXTRAS],
            2 * 22 - 4,
            22,
        ),
    ],
)
def test_all_six_symbols(goals, all_goals, set_only):
    """Ruling D1: with them the score is doubled, then 1 off for each other card; without them nothing is."""
    for order in (goals, goals[::-1]):
        assert score(order, KabaleOptions()) == all_goals
        assert score(order, KabaleOptions(set_scoring="set_only")) == set_only


@pytest.mark.parametrize(("set_scoring", "points"), [("all_goals", 2 * 22 - 1), ("set_only", 2 * 20 - 1)])
def test_set_scoring_decides_the_result(scene, set_scoring, points):
    """Ruling D1: the option applies to the result, the table and the last event alike."""
    table = nearly_over(scene, match_round=6, set_scoring=set_scoring)
    table.won("B", "music_3", "alchemy_3", "fencing_2", "agriculture_5", "trade_4", "religion_3")
    # Seat A takes music_2 and trade_1, seat B religion_2.
    table.place("B", "fencer", 2)
    assert table.result.seats[1].score == points
    assert table.table.seats[1].score == points
    assert table.log[-1].public.scores == [3, points, 0]
