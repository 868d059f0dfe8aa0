"""A turn: placing, turning up, refilling, who comes next (section 5)."""

import pytest

from engine.kabale.moves import PlaceCard


def test_a_card_is_placed_face_down_at_the_end(scene):
    """Section 5 step 1: any hand card, any column that is not closed; no pass."""
    table = scene(turn="B").hold("B", "king", "storm", "witch")
    table.column(1, "Queen A, Storm A", closed=True)
    assert table.asked == ("B", "place_card")
    assert table.moves("B") == [
        PlaceCard(card=card, column=column) for card in ("king", "storm", "witch") for column in (0, 2)
    ]
    assert table.moves("A") == table.moves("C") == []
    table.place("B", "storm", 2)
    assert table.lies(2) == "storm B?"
    assert table.asked == ("C", "place_card")


def test_fulfilled_columns_may_still_receive_cards(scene):
    """Section 5 step 1: as long as the round runs."""
    table = scene().goals("music_1", "trade_5", "religion_5").column(0, "King A, Queen B")
    table.place("A", "storm", 0)
    assert table.lies(0) == "king A, queen B, storm A?"


@pytest.mark.parametrize("owner", "ABC")
def test_the_card_above_is_turned_up_whoever_owns_it(scene, owner):
    """Section 5 step 2: whoever owns it, and only the one directly above."""
    table = scene().column(0, f"Fencer C, King {owner}?")
    table.place("A", "storm", 0)
    assert table.lies(0) == f"fencer C, king {owner}, storm A?"
    (event,) = table.events(type(table.log[1].public))
    assert (event.owner, event.column, event.slot, event.character) == ("ABC".index(owner), 0, 1, "king")


def test_nothing_is_turned_up_below_a_goal_or_in_another_column(scene):
    """Section 5 step 2: the first card of a column turns nothing up, other columns stay as they are."""
    table = scene().hold("B", "romeo").column(1, "King B?")
    table.place("A", "storm", 0)
    assert table.lies(1) == "king B?"
    assert table.story() == ["card_placed", "influence_drawn", "kabale_turn_begun"]


@pytest.mark.parametrize("card", ["assassin", "explorer", "storm", "traitor", "disguise"])
def test_a_card_that_is_face_up_does_not_act_again(scene, card):
    """Section 5 step 2: such as an Assassin that has killed."""
    table = scene().column(0, f"{card} B").hold("B", "king")
    table.place("A", "queen", 0)
    assert table.lies(0) == f"{card} B, queen A?"
    assert table.story() == ["card_placed", "influence_drawn", "kabale_turn_begun"]


def test_refill_up_to_three(scene):
    """Section 5 step 4: at the end of the turn, only the seat on turn."""
    table = scene().hold("A", "king").hold("B", "queen").leave_in_draw_pile("A", "witch", "storm", "giant", "beggar")
    table.place("A", "king", 0)
    assert table.player("A").hand == ["giant", "storm", "witch"]
    assert table.player("A").draw_pile == ["beggar"]
    assert table.player("B").hand == ["queen"]


def test_the_discard_pile_is_shuffled_when_a_card_has_to_be_drawn(scene):
    """Section 5 step 4: not before the draw pile is empty and another card is needed; nothing else is shuffled."""
    table = scene().hold("A", "king", "queen").leave_in_draw_pile("A", "witch", "giant")
    table.place("A", "king", 0)
    assert table.player("A").hand == ["giant", "queen", "witch"]
    assert table.player("A").draw_pile == []
    assert len(table.player("A").discard_pile) == 21
    assert "own_pile_shuffled" not in table.story()
    table.place("B", "king", 1)
    table.place("C", "king", 2)
    discarded = set(table.player("A").discard_pile)
    table.place("A", "witch", 0)
    assert table.player("A").discard_pile == []
    (drawn,) = set(table.player("A").hand) - {"queen", "giant"}
    assert set(table.player("A").draw_pile) == discarded - {drawn}
    assert table.player("A").draw_pile != sorted(table.player("A").draw_pile)
    shuffled = next(e.public for e in table.log if e.public.__struct_config__.tag == "own_pile_shuffled")
    assert (shuffled.seat, shuffled.draw_pile_size) == (0, 21)


def test_a_reshuffle_in_the_middle_of_drawing(scene):
    """Section 5 step 4: first what is left in the draw pile, then from the new one."""
    table = scene().hold("A", "king").hold("B", "romeo").leave_in_draw_pile("A", "witch")
    table.place("A", "king", 0)
    assert "witch" in table.player("A").hand
    assert len(table.player("A").hand) == 3
    assert len(table.player("A").draw_pile) == 21
    assert table.story() == [
        "card_placed",
        "influence_drawn",
        "own_pile_shuffled",
        "influence_drawn",
        "kabale_turn_begun",
    ]
    first, then = (event for event in table.log if event.public.__struct_config__.tag == "influence_drawn")
    assert (first.public.count, first.private[0].you.cards) == (1, ["witch"])
    assert then.public.count == len(then.private[0].you.cards) == 2


def test_a_killed_card_can_be_drawn_again_at_once(scene):
    """Sections 5 and 6: the Assassin works before the refill, and the discard pile is what it then is."""
    table = scene().column(0, "Assassin B?").hold("A", "king").lay_all_but("A", 1)
    table.place("A", "king", 0)
    assert table.player("A").hand == ["king"]
    assert table.player("A").discard_pile == table.player("A").draw_pile == []


def test_playing_on_with_fewer_cards(scene):
    """Section 5 step 4: if both piles are empty."""
    table = scene().hold("A", "king", "queen").hold("B", "romeo").lay_all_but("A", 1)
    table.place("A", "king", 0)
    assert table.player("A").hand == ["queen"]
    assert table.story() == ["card_placed", "kabale_turn_begun"]
    table.place("B", "king", 2)
    table.place("C", "king", 2)
    assert table.asked == ("A", "place_card")
    assert table.moves("A") == [PlaceCard(card="queen", column=column) for column in (0, 1, 2)]


def test_an_empty_hand_draws_at_the_beginning_of_the_turn(scene):
    """Section 5: up to 3, before the card is placed."""
    table = scene().hold("A", "king").leave_in_draw_pile("B", "witch", "storm", "giant")
    table.place("A", "king", 0)
    assert table.player("B").hand == ["giant", "storm", "witch"]
    assert table.asked == ("B", "place_card")
    assert table.story() == ["card_placed", "influence_drawn", "influence_drawn", "kabale_turn_begun"]
    assert table.log[2].public.seat == 1


def test_a_hand_that_is_not_empty_does_not_draw_at_the_beginning_of_the_turn(scene):
    """Section 5: only who has no card at all draws before placing one."""
    table = scene().hold("A", "king").hold("B", "queen")
    table.place("A", "king", 0)
    assert table.player("B").hand == ["queen"]


def test_who_has_no_card_and_gets_none_is_skipped(scene):
    """Section 5: the next clockwise is on turn; the seat itself may be the only one that can go on."""
    table = scene().hold("A", "king", "queen").lay_all_but("B", 1).hold("C", "storm")
    table.place("A", "king", 0)
    assert table.asked == ("C", "place_card")
    assert table.story()[-2:] == ["kabale_seat_skipped", "kabale_turn_begun"]
    assert table.log[-2].public.seat == 1

    table = scene().hold("A", "king", "queen").lay_all_but("B", 1).lay_all_but("C", 2)
    table.place("A", "king", 0)
    assert table.asked == ("A", "place_card")
    assert [event.public.seat for event in table.log[-3:]] == [1, 2, 0]


def test_if_nobody_can_get_a_card_the_round_ends(scene):
    """Section 5: all columns are scored as they are; it counts as ended by the last turn that was played."""
    table = scene(turn="B").hold("B", "king").lay_all_but("A", 1).lay_all_but("B", 1).lay_all_but("C", 2)
    assert not table.state.columns[0].fulfilled()
    table.place("B", "king", 0)
    assert table.story()[:5] == [
        "card_placed",
        *["kabale_seat_skipped"] * 3,
        "kabale_round_ended",
    ]
    assert [event.public.seat for event in table.log[1:4]] == [2, 0, 1]
    ended = table.log[4].public
    assert (ended.round, ended.ended_by, ended.ending) == (1, 1, "no_cards_left")
    assert table.table.last_round.ending == "no_cards_left"
    assert table.state.round == 2
    # The next round starts left of seat B; with nothing in hand seat C draws three of its discarded cards.
    assert table.asked == ("C", "place_card")
    assert len(table.player("C").hand) == 3
    assert [len(table.player(letter).discard_pile) for letter in "ABC"] == [25, 25, 0]


def test_a_killed_card_keeps_its_owner_in_the_round(scene):
    """Sections 5 and 6: the owner of a killed card draws it when its turn begins with an empty hand."""
    table = scene(seats=2, turn="B").hold("B", "king", "storm").column(0, "Assassin A?").lay_all_but("B", 1)
    table.lay_all_but("A", 1)
    table.place("B", "king", 0)
    # Seat B has drawn its own killed King at the end of its turn; seat A has nothing and is skipped.
    assert table.player("B").hand == ["king", "storm"]
    assert table.asked == ("B", "place_card")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_turns_go_clockwise(scene, seats):
    """Section 3 step 4: every seat in its turn, the first after the last."""
    table = scene(seats)
    order = [*"ABCDEF"[:seats], *"ABCDEF"[:seats]]
    cards = ["king"] * seats + ["queen"] * seats
    for letter, card in zip(order, cards, strict=True):
        assert table.asked == (letter, "place_card")
        table.place(letter, card, "ABCDEF".index(letter))
