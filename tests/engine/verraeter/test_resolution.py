"""Phases 4 to 6: the reveal, the fight and the victory points."""

import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.events import ActionsRevealed, AllegianceChanged, LandscapeTurned, PointsScored
from engine.verraeter.moves import DeclineBuild

# Nobody changes house and nobody adds strength but seat 0; the Builder's decision stops the match after phase 6.
ONE_DIPLOMAT = ["diplomat_5", "strategist", "farmer", "builder"]
POINTS = {
    "wasteland": (3, 2, 1, 1),
    "meadow": (5, 3, 2, 1),
    "river": (6, 4, 3, 2),
    "forest": (8, 5, 3, 2),
    "village": (9, 6, 4, 3),
    "city": (11, 7, 5, 3),
}


# --- phase 4: the reveal ---


def test_only_the_traitor_acts_at_the_reveal(scene):
    """Fact 21: all cards are turned up together, then the Traitor's owner and nobody else changes house."""
    table = scene().draft("builder", "traitor", "farmer", "strategist")
    table.fight()
    assert table.allegiances == "EEER"
    (revealed,) = table.events(ActionsRevealed)
    assert revealed.actions == ["builder", "traitor", "farmer", "strategist"]
    (change,) = table.events(AllegianceChanged)
    assert (change.seat, change.house) == (1, "eagle")


def test_supply_cards_of_the_traitor_count_for_the_new_house(scene):
    """Fact 21: the Traitor's owner was Eagle when playing and fights for Rose."""
    table = scene().draft("traitor", "builder", "farmer", "strategist")
    table.fight([5], [3], [4])
    assert table.fought == (5 + 4, 5 + 5 + 3, "rose")


def test_change_lasts(scene):
    """Fact 21: the new allegiance stays after the round, till that player is Traitor again."""
    table = scene(seats=3).draft("traitor", "strategist", "farmer")
    table.fight()
    assert (table.state.round, table.allegiances) == (2, "RRE")
    table.draft("strategist", "diplomat_5", "farmer", border=4).fight()
    assert (table.state.round, table.allegiances) == (3, "RRE")
    table.draft("traitor", "diplomat_5", "farmer", border=6).fight()
    assert table.allegiances == "ERE"


def test_traitor_not_chosen(scene):
    """Ruling Q15: without a Traitor nobody changes house and no Traitor's point is paid."""
    table = scene().draft(*ONE_DIPLOMAT)
    table.fight()
    assert table.allegiances == "ERER"
    assert table.events(AllegianceChanged) == []
    assert [player.gains.traitor for player in table.state.players] == [0, 0, 0, 0]


@pytest.mark.parametrize("seats", [3, 4])
def test_no_special_roles_at_all(scene, seats):
    """Ruling Q15: a phase whose role nobody has is skipped."""
    table = scene(seats=seats).draft(*["diplomat_5", "diplomat_2", "farmer", "strategist"][:seats])
    table.fight()
    assert (table.state.phase, table.state.round) == ("declare_conflict", 2)


# --- phase 5: the fight ---


def test_totals(scene):
    """Fact 24: base defence, all supply cards of the house's players, and the Diplomats of its players."""
    table = (
        scene().hold([2, 8], [3, 4, 5], [6], [5, 5]).draft("builder", "diplomat_5", "diplomat_2", "farmer", border=9)
    )
    table.fight([2, 8], [3, 4], [6], [5])
    assert table.fought == (15 + 10 + 6 + 2, 10 + 7 + 5 + 5, "eagle")


def test_totals_with_three_players(scene):
    """Fact 24: the same with three players."""
    table = scene(seats=3, start=1).draft("diplomat_2", "builder", "farmer", border=5)
    table.fight([3], [4, 5], [])
    assert table.allegiances == "EER"
    assert table.fought == (7 + 3 + 9 + 2, 5, "eagle")


def test_both_diplomats_on_one_side(scene):
    """Fact 9; ruling Q16: together they add 7."""
    table = scene().draft("diplomat_2", "builder", "diplomat_5", "farmer")
    table.fight()
    assert table.fought == (5 + 7, 5, "eagle")


def test_diplomats_on_opposite_sides(scene):
    """Fact 9; ruling Q16: each adds its own value to its owner's house."""
    table = scene().draft("diplomat_2", "diplomat_5", "builder", "farmer")
    table.fight()
    assert table.fought == (5 + 2, 5 + 5, "rose")


def test_cards_in_the_middle_do_not_fight(scene):
    """Fact 24: a Diplomat that nobody chose adds nothing."""
    table = scene().draft("traitor", "builder", "farmer", "strategist")
    table.fight()
    assert table.fought == (5, 5, None)


@pytest.mark.parametrize(("border", "totals"), [(1, (3, 0)), (3, (5, 3)), (6, (7, 7)), (11, (0, 15))])
def test_only_the_two_landscapes_fight(scene, border, totals):
    """Fact 24: no other landscape adds to the totals."""
    table = scene().draft("traitor", "builder", "farmer", "strategist", border=border)
    table.fight()
    assert table.fought[:2] == totals


# --- a draw ---


def test_draw(scene):
    """Fact 25: after equal totals nothing flips and nobody scores."""
    table = scene().draft("strategist", "builder", "traitor", "farmer")
    table.fight([4, 5], [5], [4], [])
    assert table.fought == (14, 14, None)
    assert table.scores == [0, 0, 0, 0]
    assert table.events(PointsScored) == table.events(LandscapeTurned) == []
    assert [table.state.landscapes[position].house for position in (4, 5)] == ["eagle", "rose"]


def test_one_point_more_is_enough(scene):
    """Fact 25: 14 against 13 is no draw."""
    table = scene().draft("diplomat_2", "builder", "traitor", "farmer")
    table.fight([3, 4], [4], [4], [])
    assert table.fought == (5 + 7 + 2, 5 + 8, "eagle")


@pytest.mark.parametrize(("option", "points"), [(False, 0), (True, 1)])
@pytest.mark.parametrize("seats", [3, 4])
def test_traitor_in_a_draw(scene, seats, option, points):
    """Fact 25; ruling Q3: the Traitor scores nothing in a draw, by option 1; the others never score."""
    table = scene(seats=seats, traitor_point_in_draw=option)
    table.draft(*["builder", "traitor", "strategist", "farmer"][:seats]).fight()
    assert table.fought == (5, 5, None)
    assert table.scores == [0, points, 0, 0][:seats]
    assert table.state.players[1].gains.traitor == points
    assert table.state.landscapes[4].house == "eagle"


def test_traitor_does_not_score_in_a_draw_by_default(scene):
    """Ruling Q3: the default is no."""
    table = scene().draft("builder", "traitor", "strategist", "farmer")
    table.fight()
    assert table.scores == [0, 0, 0, 0]


# --- phase 6: victory points ---


@pytest.mark.parametrize("winners", [1, 2, 3, 4])
@pytest.mark.parametrize("kind", POINTS)
def test_landscape_points(scene, kind, winners):
    """Facts 5, 7; ruling Q2: every winner scores the defeated landscape's number for the number of winners."""
    border = 2 * list(POINTS).index(kind)
    table = scene().houses("EEEE"[:winners] + "RRRR"[winners:]).draft(*ONE_DIPLOMAT, border=border)
    table.fight()
    assert table.fought[2] == "eagle"
    assert table.scores == [POINTS[kind][winners - 1]] * winners + [0] * (4 - winners)
    assert table.scores == [player.gains.landscapes for player in table.state.players]


@pytest.mark.parametrize("winners", [1, 2, 3])
@pytest.mark.parametrize("kind", POINTS)
def test_landscape_points_with_three_players(scene, kind, winners):
    """Facts 5, 7: the same table serves three players."""
    border = 2 * list(POINTS).index(kind)
    table = scene(seats=3).houses("RRR"[:winners] + "EEE"[winners:])
    table.draft("diplomat_5", "farmer", "builder", border=border).fight()
    assert table.fought[2] == "rose"
    assert table.scores == [POINTS[kind][winners - 1]] * winners + [0] * (3 - winners)


@pytest.mark.parametrize("winning", ["eagle", "rose"])
def test_river_pays_two_winners_four_each(scene, winning):
    """Fact 6: River, two winners: 4 each."""
    table = scene().draft(*(ONE_DIPLOMAT if winning == "eagle" else ONE_DIPLOMAT[::-1]))
    table.fight()
    assert table.fought[2] == winning
    assert table.scores == ([4, 0, 4, 0] if winning == "eagle" else [0, 4, 0, 4])


def test_points_are_those_of_the_defeated_card(scene):
    """Fact 4: the wasteland beats the meadow beside it, and the meadow's number is paid; and the other way."""
    table = scene().draft("farmer", "diplomat_5", "strategist", "builder", border=1)
    table.fight()
    assert table.fought == (3, 0 + 5, "rose")
    assert table.scores == [0, 3, 0, 3]
    table = scene().draft("diplomat_5", "farmer", "strategist", "builder", border=1)
    table.fight()
    assert table.fought == (3 + 5, 0, "eagle")
    assert table.scores == [2, 0, 2, 0]


def test_fewer_winners_get_more(scene):
    """Fact 4: one winner against three gets more than each of three against one."""
    alone, many = scene().houses("ERRR"), scene().houses("EEER")
    for table in (alone, many):
        table.draft(*ONE_DIPLOMAT, border=10).fight()
    assert alone.scores == [11, 0, 0, 0]
    assert many.scores == [5, 5, 5, 0]


def test_one_against_the_rest(scene):
    """Fact 12; ruling Q12: of three players the second is alone, without a special rule; a win takes column I."""
    table = scene(seats=3).draft("builder", "diplomat_5", "farmer")
    table.fight()
    assert table.scores == [0, 6, 0]


def test_everyone_in_the_winning_house_wins(scene):
    """Fact 26; ruling Q13: those who played nothing share the win and count in the number of winners."""
    table = scene().houses("EEER").draft("builder", "strategist", "farmer", "diplomat_2")
    table.fight([5], [], [], [])
    assert table.fought == (10, 7, "eagle")
    assert table.scores == [3, 3, 3, 0]


def test_traitor_scores_one_more_with_the_winners(scene):
    """Fact 22: the Traitor who went over to the winning house counts as a winner and scores 1 more."""
    table = scene().draft("builder", "traitor", "farmer", "strategist")
    table.fight([5])
    assert (table.allegiances, table.fought[2]) == ("EEER", "eagle")
    assert table.scores == [3, 3 + 1, 3, 0]
    gains = table.state.players[1].gains
    assert (gains.landscapes, gains.traitor) == (3, 1)


def test_traitor_scores_one_on_the_losing_side(scene):
    """Fact 22; ruling Q4: the new house lost, the 1 is paid all the same."""
    table = scene().draft("builder", "traitor", "farmer", "strategist")
    table.fight([], [], [], [5])
    assert (table.allegiances, table.fought[2]) == ("EEER", "rose")
    assert table.scores == [0, 1, 0, 6]


@pytest.mark.parametrize(("seats", "points"), [(3, 2), (4, 1)])
def test_all_players_in_one_house(scene, seats, points):
    """Ruling Q10: normal play; the house without players fights with its base defence alone."""
    table = scene(seats=seats).houses("EEEE"[:seats])
    table.draft(*["builder", "farmer", "diplomat_5", "strategist"][:seats], border=3).fight([3], [4])
    assert table.fought == (5 + 3 + 4 + 5, 3, "eagle")
    assert table.scores == [points] * seats
    assert table.state.landscapes[3].house == "eagle"


def test_house_without_players_wins(scene):
    """Rulings Q10, Q11: the landscape flips, nobody gets its points, the Traitor's 1 is still paid."""
    table = scene().houses("EERE").draft("farmer", "strategist", "traitor", "builder", border=1)
    table.land("rose", 2).land("eagle", 1)
    table.fight()
    assert table.allegiances == "EEEE"
    assert table.fought == (0, 3, "rose")
    assert table.scores == [0, 0, 1, 0]
    assert table.state.landscapes[1].house == "rose"
    (turned,) = table.events(LandscapeTurned)
    assert (turned.landscape, turned.house) == (1, "rose")


@pytest.mark.parametrize("winning", ["eagle", "rose"])
def test_defeated_landscape_changes_hands(scene, winning):
    """Fact 27: the defeated landscape is turned over, and no other."""
    table = scene().draft(*(ONE_DIPLOMAT if winning == "eagle" else ONE_DIPLOMAT[::-1]))
    before = [land.house for land in table.state.landscapes]
    types = [land.type for land in table.state.landscapes]
    table.fight()
    defeated = 5 if winning == "eagle" else 4
    before[defeated] = winning
    assert [land.house for land in table.state.landscapes] == before
    assert [land.type for land in table.state.landscapes] == types


def test_defeated_landscape_across_the_closing_border(scene):
    """Facts 18, 27: border 11 lies between the city of the Rose and the wasteland of the Eagle."""
    table = scene().draft(*ONE_DIPLOMAT[::-1], border=11)
    table.fight()
    assert table.fought == (0, 15 + 5, "rose")
    assert [table.state.landscapes[position].house for position in (11, 0, 1)] == ["rose", "rose", "rose"]
    assert table.scores == [0, 2, 0, 2]


def test_buildings_stay_under_a_turned_landscape(scene):
    """Fact 28: farms and trading posts stay, whoever owns them."""
    table = scene().farm(1, 5).post(3, 7).draft(*ONE_DIPLOMAT)
    table.fight()
    assert table.state.landscapes[5].house == "eagle"
    building = table.state.landscapes[5].building
    assert (building.owner, building.side, table.state.players[1].reserve) == (1, "farm", 2)
    table.play(3, DeclineBuild())
    table.draft("farmer", "builder", "diplomat_5", "strategist", border=6).fight()
    assert table.state.landscapes[7].house == "eagle"
    building = table.state.landscapes[7].building
    assert (building.owner, building.side) == (3, "trading_post")


# --- phase 8: the Strategist ---


@pytest.mark.parametrize(("cards", "winner"), [([5], "eagle"), ([], None), ([[], [5]], "rose")])
def test_strategist_scores_two_win_lose_or_draw(scene, cards, winner):
    """Facts 22, 23; ruling Q5: seat 0 of the Eagle scores 2 more in each case."""
    table = scene(seats=3).draft("strategist", "builder", "farmer")
    table.fight(*(cards if winner == "rose" else [cards]))
    assert table.fought[2] == winner
    before = table.scores
    table.play(1, DeclineBuild())
    assert [now - then for now, then in zip(table.scores, before, strict=True)] == [2, 0, 0]
    assert table.state.players[0].gains.strategist == 2


def test_strategist_takes_the_strategy_and_conflict_card(scene):
    """Fact 32: and therefore chooses the next conflict."""
    table = scene(start=1).draft("diplomat_5", "farmer", "diplomat_2", "strategist")
    table.fight()
    assert table.state.strategist_seat == 3
    assert VERRAETER.deciding(table.state) == (3,)
    assert VERRAETER.kind(table.state, 3) == "declare_conflict"


def test_strategist_not_chosen(scene):
    """Fact 33; ruling Q14: the holder keeps the cards, gets no points and chooses again."""
    table = scene(seats=3).draft("farmer", "diplomat_5", "diplomat_2")
    table.state.strategist_seat = 2
    table.fight()
    assert table.state.round == 2
    assert table.state.strategist_seat == 2
    assert VERRAETER.deciding(table.state) == (2,)
    assert [player.gains.strategist for player in table.state.players] == [0, 0, 0]


def test_strategist_acts_after_the_builder(scene):
    """Fact 38: while the Builder decides, the Strategy card still lies where it lay."""
    table = scene().draft("builder", "diplomat_5", "farmer", "strategist")
    table.fight()
    assert (table.state.strategist_seat, table.state.players[3].gains.strategist) == (0, 0)
    table.play(0, DeclineBuild())
    assert (table.state.strategist_seat, table.state.players[3].gains.strategist) == (3, 2)
