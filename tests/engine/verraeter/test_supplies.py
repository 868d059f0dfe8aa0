"""Phase 3: playing supply cards."""

import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.moves import PlaySupplies

ACTIONS = ["builder", "farmer", "strategist", "diplomat_2"]


def play(*cards):
    return PlaySupplies(cards=cards)


@pytest.mark.parametrize(("start", "order"), [(0, [0, 1, 2, 3]), (3, [3, 0, 1, 2])])
def test_supply_cards_are_played_once_each_in_turn(scene, start, order):
    """Fact 20; ruling Q26: from the start player on, everybody plays once; nobody can add or take back."""
    table = scene(start=start).draft(*ACTIONS)
    for place, seat in enumerate(order[:-1]):
        assert VERRAETER.deciding(table.state) == (seat,)
        table.play(seat, play(3))
        for waiting in order[: place + 1]:
            assert table.refused(waiting, play(4)) == "not-your-turn"
            assert table.refused(waiting, play()) == "not-your-turn"
    table.play(order[-1], play(3, 5))
    assert table.state.last_conflict.played == [[3, 5] if seat == order[-1] else [3] for seat in range(4)]


def test_no_card_has_to_be_played(scene):
    """Fact 20; ruling Q26: playing nothing is a legal answer and leaves the hand alone."""
    table = scene().draft(*ACTIONS)
    assert play() in table.moves(0)
    table.play(0, play())
    assert table.state.players[0].played == []
    assert table.hands[0] == [3, 4, 5]
    assert VERRAETER.deciding(table.state) == (1,)


def test_five_cards_can_be_played(scene):
    """Fact 20: up to five cards, the whole hand."""
    table = scene().hold([2, 3, 4, 5, 8], [3], [4], [5]).draft(*ACTIONS)
    assert play(2, 3, 4, 5, 8) in table.moves(0)
    table.play(0, play(2, 3, 4, 5, 8))
    assert table.hands[0] == []
    assert table.table.seats[0].played == [2, 3, 4, 5, 8]


def test_each_different_list_is_one_move(scene):
    """Fact 20: cards of one value are interchangeable, so equal choices are listed once."""
    table = scene().hold([3, 3, 5], [4], [4], [5]).draft(*ACTIONS)
    expected = [(), (3,), (5,), (3, 3), (3, 5), (3, 3, 5)]
    assert table.moves(0) == [play(*cards) for cards in expected]


@pytest.mark.parametrize(
    ("hand", "count"), [([], 1), ([8], 2), ([2, 3, 4, 5, 6], 32), ([2, 2, 2, 2, 2], 6), ([2, 2, 3, 3, 8], 18)]
)
def test_number_of_choices(scene, hand, count):
    """Fact 20: every selection out of the hand is possible; fewer cards come first, then lower ones."""
    table = scene().hold(hand, [], [], []).draft(*ACTIONS)
    selections = [move.cards for move in table.moves(0)]
    assert len(selections) == count
    assert selections == sorted(selections, key=lambda cards: (len(cards), cards))


@pytest.mark.parametrize("cards", [(2,), (8,), (3, 3), (3, 4, 4), (3, 4, 5, 6), (5, 5)])
def test_only_cards_in_hand_can_be_played(scene, cards):
    """Fact 20: out of the own hand, each card once; it holds 3, 4, 5."""
    table = scene().draft(*ACTIONS)
    assert table.refused(0, play(*cards)) == "supplies-not-in-hand"


@pytest.mark.parametrize("cards", [(4, 3), (5, 3), (3, 5, 4), (5, 4, 3)])
def test_cards_are_listed_in_ascending_order(scene, cards):
    """Fact 20: one choice has one spelling."""
    table = scene().draft(*ACTIONS)
    assert table.refused(0, play(*cards)) == "supplies-not-ascending"


def test_cards_lie_face_up(scene):
    """Fact 20; ruling Q27: played cards are seen by all at once; of the hand only the size is."""
    table = scene().hold([2, 6, 8], [3], [4], [5]).draft(*ACTIONS)
    (event,) = table.play(0, play(2, 8))
    assert (event.public.seat, event.public.cards) == (0, [2, 8])
    seat = table.table.seats[0]
    assert (seat.played, seat.hand_size) == ([2, 8], 1)
    assert "supplies" not in seat.__struct_fields__
    assert table.hand(0).hand == [6]
    assert [table.hand(other).hand for other in (1, 2, 3)] == [[3], [4], [5]]
