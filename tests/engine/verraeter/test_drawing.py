"""Section 4: drawing supply cards; phases 5, 9, 10 and 11."""

import pytest

from engine.verraeter.events import DiscardPileShuffled, SuppliesDrawn
from engine.verraeter.moves import DeclineBuild, MoveBuilding, PlaceBuilding, TurnBuilding


def drawn(table):
    """Who drew how many cards from which source, in order."""
    return [(event.seat, event.source, event.count) for event in table.events(SuppliesDrawn)]


# --- Diplomat +2 ---


@pytest.mark.parametrize(("rose", "winner"), [([], "eagle"), ([2], None), ([5], "rose")])
def test_diplomat_2_draws_whatever_the_outcome(scene, rose, winner):
    """Fact 10; ruling Q17: its owner draws one card at once, in a win, a draw and a loss."""
    table = scene(seats=3).hold([3, 4, 5], [2, 5], [3, 4]).draft("diplomat_2", "builder", "strategist")
    table.fight([], rose)
    assert table.fought[2] == winner
    assert table.state.phase == "build"
    assert drawn(table) == [(0, "diplomat_2", 1)]
    assert table.hands[0] == [2, 3, 4, 5]


def test_diplomat_2_with_five_cards_in_hand(scene):
    """Fact 36; ruling Q17: no card is drawn past the hand limit."""
    table = scene(seats=3).hold([2, 3, 4, 5, 5], [3], [4]).draft("diplomat_2", "builder", "strategist")
    table.fight()
    assert drawn(table) == []
    assert table.hands[0] == [2, 3, 4, 5, 5]
    assert table.state.players[0].drawn == 0


def test_diplomat_2_draws_after_playing_from_a_full_hand(scene):
    """Ruling Q17: what was played is no longer in hand."""
    table = scene(seats=3).hold([2, 3, 4, 5, 5], [3], [4]).draft("diplomat_2", "builder", "strategist")
    table.fight([3])
    assert drawn(table) == [(0, "diplomat_2", 1)]
    assert table.hands[0] == [2, 2, 4, 5, 5]


def test_drawn_card_cannot_join_the_conflict(scene):
    """Fact 10; ruling Q18: the totals are those of the cards played."""
    table = scene(seats=3).leave_in_draw_pile(8, 6).draft("diplomat_2", "builder", "strategist")
    table.fight()
    assert table.fought == (7, 5, "eagle")
    assert table.hands[0] == [3, 4, 5, 8]
    assert table.state.last_conflict.played == [[], [], []]


def test_only_the_weaker_diplomat_draws(scene):
    """Facts 9, 10: Diplomat +5 draws nothing."""
    table = scene(seats=3).draft("diplomat_5", "builder", "strategist")
    table.fight()
    assert drawn(table) == []


# --- Farmer ---


def test_farmer_draws_three(scene):
    """Fact 34: three cards."""
    table = scene(seats=3).hold([], [3], [4]).draft("farmer", "diplomat_5", "strategist")
    table.fight()
    assert drawn(table) == [(0, "farmer", 3)]
    assert table.hands[0] == [2, 2, 2]


@pytest.mark.parametrize(("hand", "count"), [([3], 3), ([3, 4], 3), ([3, 4, 5], 2), ([3, 4, 5, 5], 1)])
def test_farmer_draws_up_to_five(scene, hand, count):
    """Fact 34; ruling Q19: to five cards in hand and no more, and no farm card either."""
    table = scene(seats=3).hold(hand, [3], [4]).farm(0, 0, 2, 8).draft("farmer", "diplomat_5", "strategist")
    table.fight()
    assert drawn(table) == [(0, "farmer", count)]
    assert len(table.hands[0]) == len(hand) + count


def test_farmer_with_a_full_hand(scene):
    """Ruling Q19: nothing is drawn."""
    table = scene(seats=3).hold([2, 3, 4, 5, 5], [3], [4]).farm(0, 0, 2).draft("farmer", "diplomat_5", "strategist")
    table.fight()
    assert drawn(table) == []


def test_farmer_gets_no_farm_card(scene):
    """Facts 34, 36: others draw for their farms, the Farmer does not."""
    table = scene(seats=3).hold([3], [4], [5]).farm(0, 0).farm(1, 1).farm(2, 2)
    table.draft("farmer", "diplomat_5", "strategist").fight()
    assert drawn(table) == [(0, "farmer", 3), (1, "farms", 1), (2, "farms", 1)]


def test_farmer_draws_before_the_discard(scene):
    """Facts 34, 35: cards played this round are not among those shuffled for the Farmer."""
    table = scene(seats=3).hold([8], [3, 4, 5], [4, 5]).leave_in_draw_pile(2)
    table.draft("farmer", "diplomat_2", "strategist").fight([8], [3])
    assert drawn(table) == [(1, "diplomat_2", 1), (0, "farmer", 3)]
    assert 8 not in table.hands[0]
    assert table.state.discard_pile == [3, 8]


# --- discard and farms ---


def test_played_cards_are_discarded(scene):
    """Fact 35: in phase 10, all of them and nothing else."""
    table = scene(seats=3).discard(6, 6).draft("builder", "farmer", "strategist")
    table.fight([3, 5], [], [4])
    assert table.state.discard_pile == [6, 6]
    assert [player.played for player in table.state.players] == [[3, 5], [], [4]]
    table.play(0, DeclineBuild())
    assert table.state.discard_pile == [3, 4, 5, 6, 6]
    assert [player.played for player in table.state.players] == [None, None, None]


def test_one_card_for_each_farm_under_the_own_house(scene):
    """Fact 36: farms under landscapes of the other house and trading posts give nothing."""
    table = scene().hold([3], [4], [5], [3]).farm(0, 0, 1).farm(1, 3, 5).post(1, 7).post(2, 2).farm(3, 4)
    table.draft("diplomat_5", "farmer", "strategist", "traitor").fight()
    assert table.allegiances == "EREE"
    assert drawn(table) == [(1, "farmer", 3), (0, "farms", 1), (3, "farms", 1)]
    table.draft("diplomat_5", "strategist", "farmer", "diplomat_2", border=7).fight()
    assert drawn(table)[3:] == [
        (3, "diplomat_2", 1),
        (2, "farmer", 3),
        (1, "farms", 1),
        (3, "farms", 1),
        (0, "farms", 1),
    ]


def test_farms_pay_in_turn_from_the_start_player(scene):
    """Fact 36: the start player of this round draws first."""
    table = scene(start=2).hold([], [], [], []).farm(0, 0).farm(1, 1).farm(2, 2).farm(3, 3)
    table.leave_in_draw_pile(8, 6, 5).draft("diplomat_2", "diplomat_5", "strategist", "farmer")
    table.fight()
    assert drawn(table) == [
        (0, "diplomat_2", 1),
        (3, "farmer", 2),
        (3, "farmer", 1),
        (2, "farms", 1),
        (0, "farms", 1),
        (1, "farms", 1),
    ]


@pytest.mark.parametrize(("hand", "count"), [([], 3), ([3, 4], 3), ([3, 4, 5], 2), ([3, 4, 5, 5], 1)])
def test_farm_draw_stops_at_five_cards(scene, hand, count):
    """Fact 36: three farms give three cards, but never past five in hand."""
    table = scene(seats=3).hold(hand, [3], [4]).farm(0, 0, 2, 8).draft("diplomat_5", "farmer", "strategist")
    table.fight()
    assert drawn(table) == [(1, "farmer", 3), (0, "farms", count)]
    assert len(table.hands[0]) == len(hand) + count


def test_diplomats_card_counts_in_the_three(scene):
    """Facts 36, 37: with one card from the Diplomat only two of three farms still pay."""
    table = scene(seats=3).hold([], [3], [4]).farm(0, 0, 2, 8).draft("diplomat_2", "farmer", "strategist")
    table.fight()
    assert drawn(table) == [(0, "diplomat_2", 1), (1, "farmer", 3), (0, "farms", 2)]
    assert len(table.hands[0]) == 3


def test_limit_of_the_round_begins_anew(scene):
    """Fact 36: three cards per round; the next round has its own three."""
    table = scene(seats=3).hold([], [3], [4]).farm(0, 0, 2, 8).draft("diplomat_2", "farmer", "strategist")
    table.fight()
    assert [player.drawn for player in table.state.players] == [0, 0, 0]
    table.hold([], [], []).draft("diplomat_2", "builder", "strategist", border=6).fight()
    assert [player.drawn for player in table.state.players] == [1, 0, 0]
    table.play(1, DeclineBuild())
    assert drawn(table)[3:] == [(0, "diplomat_2", 1), (0, "farms", 2)]


def test_farm_under_a_conquered_landscape_pays_at_once(scene):
    """Fact 36; ruling Q21: a landscape won in phase 6 and a landscape lost count as they are in phase 11."""
    table = scene(seats=3).hold([], [], []).farm(0, 5).farm(1, 11).draft("diplomat_5", "strategist", "farmer")
    table.fight()
    assert table.state.landscapes[5].house == "eagle"
    assert drawn(table) == [(2, "farmer", 3), (0, "farms", 1), (1, "farms", 1)]
    table = scene(seats=3).hold([], [], []).farm(1, 5).draft("diplomat_5", "strategist", "farmer")
    table.fight()
    assert drawn(table) == [(2, "farmer", 3)]


@pytest.mark.parametrize(("position", "count"), [(1, 1), (0, 0)])
def test_farms_of_the_traitor_follow_the_new_house(scene, position, count):
    """Facts 21, 36; ruling Q21: the house after the reveal counts."""
    table = scene(seats=3).hold([], [], []).farm(0, position).draft("traitor", "strategist", "farmer")
    table.fight()
    assert drawn(table) == [(2, "farmer", 3)] + [(0, "farms", 1)] * count


def test_farm_built_this_round_pays(scene):
    """Ruling Q21: placed, turned and moved farms pay in the same round."""
    for prepare, move, count in (
        (lambda table: table, PlaceBuilding(landscape=0, side="farm"), 1),
        (lambda table: table, PlaceBuilding(landscape=0, side="trading_post"), 0),
        (lambda table: table.post(0, 0), TurnBuilding(landscape=0), 1),
        (lambda table: table.farm(0, 0), TurnBuilding(landscape=0), 0),
        (lambda table: table.farm(0, 1), MoveBuilding(origin=1, to=0), 1),
    ):
        table = prepare(scene(seats=3).hold([], [], [])).draft("builder", "strategist", "farmer")
        table.fight()
        table.play(0, move)
        assert drawn(table) == [(2, "farmer", 3)] + [(0, "farms", 1)] * count


# --- the piles ---


def test_cards_are_drawn_from_the_top(scene):
    """Fact 34: the top three of the draw pile; the drawer is told which, not in which order they came."""
    table = scene(seats=3).hold([], [], []).leave_in_draw_pile(8, 2, 6, 5, 5)
    table.draft("farmer", "diplomat_5", "strategist").fight()
    (told,) = [event.seen_by(0) for event in table.log if type(event.public) is SuppliesDrawn]
    assert told.you.cards == [2, 6, 8]
    assert table.hands[0] == [2, 6, 8]
    assert table.state.draw_pile == [5, 5]


def test_no_reshuffle_before_a_card_is_needed(scene):
    """Fact 35: the last card is drawn, the pile stays empty, the discard pile stays as it is."""
    table = scene(seats=3).hold([], [], []).leave_in_draw_pile(8, 2, 6).draft("farmer", "diplomat_5", "strategist")
    discarded = list(table.state.discard_pile)
    table.fight()
    assert (table.state.draw_pile, table.state.discard_pile) == ([], discarded)
    assert table.events(DiscardPileShuffled) == []


def test_no_reshuffle_when_nobody_may_draw(scene):
    """Fact 35: an empty pile is left alone while no card is to be drawn."""
    table = (
        scene(seats=3).hold([2, 2, 2, 3, 3], [4], [5]).leave_in_draw_pile().draft("farmer", "diplomat_5", "strategist")
    )
    discarded = list(table.state.discard_pile)
    table.fight()
    assert (table.state.draw_pile, table.state.discard_pile) == ([], discarded)


def test_reshuffle_in_the_middle_of_a_draw(scene):
    """Fact 35: one card is left, the discard pile becomes the new draw pile, then the draw goes on."""
    table = scene(seats=3).hold([], [3], [4]).leave_in_draw_pile(8).draft("farmer", "diplomat_5", "strategist")
    discarded = sorted(table.state.discard_pile)
    table.fight()
    assert drawn(table) == [(0, "farmer", 1), (0, "farmer", 2)]
    (shuffled,) = table.events(DiscardPileShuffled)
    assert shuffled.draw_pile_size == len(discarded) == 20
    assert table.state.discard_pile == []
    assert len(table.state.draw_pile) == 18
    assert sorted(table.state.draw_pile + [card for card in table.hands[0] if card != 8]) == discarded
    assert table.state.draw_pile != sorted(table.state.draw_pile)


def test_cards_played_this_round_can_be_drawn_from_farms(scene):
    """Fact 35: after phase 10 they are in the discard pile, and phase 11 may shuffle them."""
    table = scene(seats=3).hold([2, 2, 2, 2, 2], [3, 3, 3, 4, 4], [3, 4, 4, 5, 5]).leave_in_draw_pile()
    table.farm(0, 0).draft("diplomat_5", "farmer", "strategist").fight([2, 2, 2, 2, 2])
    assert drawn(table) == [(0, "farms", 1)]
    assert sorted(table.state.draw_pile + table.hands[0]) == [2, 2, 2, 2, 2, 3, 4, 5, 5, 5, 6, 6, 8]
    assert table.state.discard_pile == []


def test_both_piles_empty(scene):
    """Rulings Q20, Q19: all held five cards, the Diplomat drew one, two of three are left for the Farmer.

    The cards on the table are not shuffled, the rest of the draw is lost, and the Farmer gets nothing from farms.
    """
    table = scene().hold([2] * 5, [3] * 5, [4] * 5, [5] * 5).farm(1, 1).farm(0, 0)
    table.leave_in_draw_pile(6, 8, 6).draft("diplomat_2", "farmer", "strategist", "diplomat_5")
    table.fight([2], [3, 3, 3, 3, 3], [4], [])
    assert drawn(table) == [(0, "diplomat_2", 1), (1, "farmer", 2)]
    assert table.hands[1] == [6, 8]
    assert table.hand_sizes == [5, 2, 4, 5]
    assert table.events(DiscardPileShuffled) == []
    assert table.state.discard_pile == [2, 3, 3, 3, 3, 3, 4]
    assert table.state.draw_pile == []


def test_reshuffle_in_phase_5(scene):
    """Facts 10, 35: the Diplomat's card too brings the discard pile back when the draw pile is empty."""
    table = scene(seats=3).hold([3], [4], [5]).leave_in_draw_pile().draft("diplomat_2", "builder", "strategist")
    table.fight([3])
    told = table.story()
    assert told[told.index("conflict_resolved") :][:3] == [
        "conflict_resolved",
        "discard_pile_shuffled",
        "supplies_drawn",
    ]
    assert table.state.players[0].played == [3]
    assert len(table.state.draw_pile) == 19
