"""What cards do when they are turned up during a turn (section 6)."""

import pytest

from engine.kabale.moves import DeclineSwap, DeclineTuck, SwapGoals, TuckCard


def tags(events):
    return [event.public.__struct_config__.tag for event in events]


@pytest.mark.parametrize(
    "card",
    [
        *("king", "queen", "juliet", "prince", "hermit", "dragon", "musketeers", "alchemist", "fencer", "landlord"),
        *("merchant", "cardinal", "troubadour", "wizard", "romeo", "beggar", "giant", "squire", "witch", "double"),
    ],
)
def test_other_characters_do_nothing(scene, card):
    """Sections 2.2 and 5 step 3: only R abilities work in a turn."""
    table = scene().hold("B", "storm").column(0, f"Queen C, {card} B?").column(1, "King C, Dragon C")
    events = table.place("A", "squire", 0)
    assert tags(events) == ["card_placed", "card_turned_up", "influence_drawn", "kabale_turn_begun"]
    assert table.lies(0) == f"queen C, {card} B, squire A?"


# --- Assassin ---


@pytest.mark.parametrize("victim", ["king", "assassin", "storm", "explorer", "traitor", "disguise", "witch"])
def test_assassin_kills_what_turned_it_up(scene, victim):
    """Character assassin: the card leaves for its owner's discard pile without being turned up; nothing fires."""
    table = scene().hold("A", victim, "giant").hold("B", "romeo").column(0, "Fencer A, Assassin B?")
    events = table.place("A", victim, 0)
    assert tags(events) == ["card_placed", "card_turned_up", "card_killed", "influence_drawn", "kabale_turn_begun"]
    assert table.lies(0) == "fencer A, assassin B"
    assert table.player("A").discard_pile == [victim]
    killed = events[2]
    assert (killed.public.owner, killed.public.column, killed.public.slot) == (0, 0, 2)
    assert killed.public.character is None
    assert set(killed.private) == {0}
    assert killed.private[0].you.card == victim


def test_assassin_kills_its_owners_card_too(scene):
    """Character assassin; section 5 step 2: whoever owns it."""
    table = scene().column(0, "Assassin A?")
    table.place("A", "king", 0)
    assert table.lies(0) == "assassin A"
    assert table.player("A").discard_pile == ["king"]


def test_assassin_kills_an_explorer_that_arrives(scene):
    """Characters assassin, explorer: everybody has just seen this card, so everybody is told its name."""
    table = scene().column(0, "Explorer C?").column(1, "Assassin B?")
    events = table.place("A", "king", 0)
    killed = next(event for event in events if event.public.__struct_config__.tag == "card_killed")
    assert (killed.public.owner, killed.public.character) == (2, "explorer")
    assert table.player("C").discard_pile == ["explorer"]


# --- Explorer ---


@pytest.mark.parametrize(("origin", "target"), [(0, 1), (1, 2), (2, 0)])
def test_explorer_moves_to_the_right(scene, origin, target):
    """Character explorer: to the end of the next column, from the last to the first; the cards below close up."""
    table = scene().column(origin, "King C, Explorer B?").column(target, "Queen C")
    table.place("A", "storm", origin)
    assert table.lies(origin) == "king C, storm A?"
    assert table.lies(target) == "queen C, explorer B!"
    moved = next(e.public for e in table.log if e.public.__struct_config__.tag == "explorer_moved")
    assert (moved.owner, moved.origin, moved.origin_slot, moved.to, moved.slot) == (1, origin, 1, target, 1)


def test_explorer_turns_up_the_card_it_comes_under(scene):
    """Character explorer: chains are intended; the Explorer itself lies face down again."""
    table = scene().column(0, "Explorer B?").column(1, "King C, Storm C?")
    events = table.place("A", "queen", 0)
    assert table.lies(1) == "king C, storm C, explorer B!"
    assert table.state.columns[1].closed
    assert not table.state.columns[0].closed
    assert tags(events)[:5] == ["card_placed", "card_turned_up", "explorer_moved", "card_turned_up", "column_closed"]


def test_explorer_can_be_turned_up_again_in_a_later_turn(scene):
    """Character explorer: it still counts as face down, moves on, and everybody knows its name all the time."""
    table = scene().column(0, "Explorer B?")
    table.place("A", "king", 0)
    assert table.table.columns[1].slots[0].character == "explorer"
    assert not table.table.columns[1].slots[0].face_up
    table.place("B", "queen", 1)
    assert table.lies(1) == "queen B?"
    assert table.lies(2) == "explorer B!"
    table.place("C", "storm", 2)
    assert table.lies(2) == "storm C?"
    # Back in the first column it lies under the King, which it turns up.
    assert table.lies(0) == "king A, explorer B!"


def test_explorer_skips_closed_columns(scene):
    """Characters explorer, storm: Storm-closed columns are skipped."""
    table = scene(seats=4).column(0, "Explorer B?").column(1, "Storm C, King C?", closed=True)
    table.column(2, "Storm D, King D?", closed=True)
    table.place("A", "queen", 0)
    assert table.lies(3) == "explorer B!"
    assert table.lies(1) == "storm C, king C?"


def test_explorer_stays_if_no_other_column_is_open(scene):
    """Characters explorer, storm: then it stays where it is, face up, and is no longer face down but known."""
    table = scene(seats=3).hold("B", "romeo").column(0, "Explorer B?")
    table.column(1, "", closed=True).column(2, "", closed=True)
    events = table.place("A", "queen", 0)
    assert table.lies(0) == "explorer B, queen A?"
    assert tags(events) == ["card_placed", "card_turned_up", "influence_drawn", "kabale_turn_begun"]
    table = scene(seats=3).column(0, "Explorer B!")
    table.column(1, "", closed=True).column(2, "", closed=True)
    table.place("A", "queen", 0)
    assert table.lies(0) == "explorer B, queen A?"
    assert not table.state.columns[0].slots[0].moved


def test_each_explorer_moves_once_per_turn(scene):
    """Character explorer: turned up again in the same turn it stays, face up, and the chain ends."""
    table = scene(seats=3).column(2, "", closed=True)
    table.column(0, "Explorer B?").column(1, "Explorer C?")
    events = table.place("A", "explorer", 0)
    # B's goes to column 1 and turns up C's, which goes under A's in column 0; that one follows B's and turns it up.
    assert tags(events)[:8] == [
        "card_placed",
        *["card_turned_up", "explorer_moved"] * 3,
        "card_turned_up",
    ]
    assert table.lies(0) == "explorer C!"
    assert table.lies(1) == "explorer B, explorer A!"
    assert table.asked == ("B", "place_card")


def test_chain_ends_when_the_card_above_is_face_up(scene):
    """Character explorer: coming to an empty column or under a face-up card it turns up nothing."""
    table = scene().column(0, "Explorer B?").column(1, "Assassin C")
    table.place("A", "queen", 0)
    assert table.lies(1) == "assassin C, explorer B!"


@pytest.mark.parametrize("placed", ["assassin", "traitor", "disguise", "king"])
def test_the_card_placed_this_turn_can_be_turned_up(scene, placed):
    """Character explorer: after a full circle it is resolved like any other."""
    table = scene(seats=2).hold("A", placed, "giant").column(0, "Explorer A?").column(1, "Explorer B?")
    table.place("A", placed, 0)
    if placed == "assassin":
        assert table.lies(0) == "assassin A"
        assert table.player("B").discard_pile == ["explorer"]
    else:
        assert table.lies(0) == f"{placed} A, explorer B!"
    assert (
        table.asked
        == {
            "assassin": ("B", "place_card"),
            "king": ("B", "place_card"),
            "traitor": ("A", "swap_goals"),
            "disguise": ("A", "tuck_card"),
        }[placed]
    )
    assert table.lies(1) == "explorer A!"


# --- Storm ---


def test_storm_closes_its_column(scene):
    """Character storm: no more placements; the card that turned it up stays, face down, until scoring."""
    table = scene().column(0, "King B, Storm C?")
    events = table.place("A", "queen", 0)
    assert table.lies(0) == "king B, storm C, queen A?"
    assert tags(events)[1:3] == ["card_turned_up", "column_closed"]
    assert [column.closed for column in table.table.columns] == [True, False, False]
    assert table.table.columns[0].fulfilled
    table.hold("B", "witch")
    assert {move.column for move in table.moves("B")} == {1, 2}


def test_storm_counts_as_fulfilled_even_after_a_swap(scene):
    """Characters storm, traitor: the closing does not move with the goals, which can still be swapped."""
    table = scene(seats=2).goals("music_2", "trade_5").column(0, "Storm B, King A?", closed=True)
    table.column(1, "Traitor B?")
    table.place("A", "queen", 1)
    assert table.asked == ("B", "swap_goals")
    table.swap("B", 0, 1)
    # Column 0 is closed and fulfilled with the 5, column 1 has two cards for the 2: the round is over.
    assert table.state.round == 2
    assert [column.goal for column in table.table.last_round.columns] == ["trade_5", "music_2"]


# --- Traitor ---


def test_traitor_lets_its_owner_swap_two_goals(scene):
    """Character traitor; rulings D2, Q17: any two different goals on the table, or not; the owner decides."""
    table = scene(seats=3).hold("B", "romeo").column(0, "King C, Traitor C?").column(1, "Queen B?")
    goals = [column.goal for column in table.state.columns]
    events = table.place("A", "storm", 0)
    assert tags(events) == ["card_placed", "card_turned_up", "ability_offered"]
    assert table.asked == ("C", "swap_goals")
    assert table.moves("C") == [*(SwapGoals(columns=pair) for pair in ((0, 1), (0, 2), (1, 2))), DeclineSwap()]
    assert table.moves("A") == table.moves("B") == []
    pending = table.table.pending
    assert (pending.seat, pending.column, pending.slot) == (2, 0, 1)
    assert table.table.turn == 0
    events = table.swap("C", 1, 2)
    assert tags(events) == ["goals_swapped", "influence_drawn", "kabale_turn_begun"]
    assert [column.goal for column in table.state.columns] == [goals[0], goals[2], goals[1]]
    assert table.lies(0) == "king C, traitor C, storm A?"
    assert table.lies(1) == "queen B?"
    assert table.asked == ("B", "place_card")
    assert table.table.pending is None
    assert len(table.player("A").hand) == 3
    assert table.player("C").hand == []


def test_traitor_may_be_left_unused(scene):
    """Character traitor; ruling Q17: declining changes nothing and the turn goes on."""
    table = scene(seats=3).hold("B", "romeo").column(0, "Traitor A?")
    goals = [column.goal for column in table.state.columns]
    table.place("A", "storm", 0)
    assert table.asked == ("A", "swap_goals")
    events = table.swap("A")
    assert tags(events) == ["swap_declined", "influence_drawn", "kabale_turn_begun"]
    assert [column.goal for column in table.state.columns] == goals
    assert table.asked == ("B", "place_card")


def test_traitor_of_the_own_column(scene):
    """Character traitor; ruling D2: the option demands the Traitor's own column and one other."""
    table = scene(seats=4, traitor_swap="own_column").column(2, "Traitor B?")
    table.place("A", "storm", 2)
    assert table.moves("B") == [*(SwapGoals(columns=pair) for pair in ((0, 2), (1, 2), (2, 3))), DeclineSwap()]
    assert table.refused("B", SwapGoals(columns=(0, 1))) == "not-the-traitors-column"
    table.swap("B", 2, 3)
    assert [column.goal for column in table.state.columns] == ["music_5", "alchemy_5", "agriculture_5", "fencing_5"]


def test_traitor_of_the_own_column_is_where_it_was_turned_up(scene):
    """Characters traitor, explorer; ruling D2: in a chain that is not the column where the card was placed."""
    table = scene(seats=3, traitor_swap="own_column").column(0, "Explorer A?").column(1, "Traitor B?")
    table.place("A", "storm", 0)
    assert table.asked == ("B", "swap_goals")
    assert table.moves("B") == [SwapGoals(columns=(0, 1)), SwapGoals(columns=(1, 2)), DeclineSwap()]


def test_traitor_acts_each_time_it_is_turned_up_and_only_then(scene):
    """Character traitor: once for each time; face up it does nothing any more."""
    table = scene(seats=3).column(0, "Traitor B?")
    table.place("A", "king", 0)
    table.swap("B", 0, 1)
    table.place("B", "king", 0)
    assert table.asked == ("C", "place_card")


@pytest.mark.parametrize(("columns", "ends"), [((0, 1), True), ((0, 2), False), ((), False)])
def test_traitor_can_end_a_round_or_prolong_it(scene, columns, ends):
    """Character traitor; section 7: fulfilment goes by the goals after the swap."""
    table = scene(seats=3).goals("music_5", "trade_2", "religion_3")
    table.column(0, "King A, Traitor B?").column(1, "Queen A, Storm B, Wizard C, Witch C, Fencer C")
    table.column(2, "Queen B, Juliet B, King C")
    # Column 0 has 3 cards for the 5.
    table.place("A", "dragon", 0)
    assert table.state.round == 1
    table.swap("B", *columns)
    assert (table.state.round == 2) == ends


# --- Disguise ---


def test_disguise_lets_its_owner_tuck_a_card(scene):
    """Character disguise; rulings Q10, Q17: one hand card shares its slot, hidden, and adds nothing to the column."""
    table = scene(seats=3).hold("B", "king", "witch").column(0, "Queen C, Disguise B?")
    events = table.place("A", "storm", 0)
    assert tags(events) == ["card_placed", "card_turned_up", "ability_offered"]
    assert table.asked == ("B", "tuck_card")
    assert table.moves("B") == [TuckCard(card="king"), TuckCard(card="witch"), DeclineTuck()]
    pending = table.table.pending
    assert (pending.seat, pending.column, pending.slot) == (1, 0, 1)
    events = table.tuck("B", "king")
    assert tags(events) == ["card_tucked", "influence_drawn", "influence_drawn", "kabale_turn_begun"]
    assert table.lies(0) == "queen C, disguise B with king, storm A?"
    assert len(table.table.columns[0].slots) == 3
    assert [slot.tucked for slot in table.table.columns[0].slots] == [False, True, False]
    assert not table.table.columns[0].fulfilled
    assert table.asked == ("B", "place_card")
    tucked = events[0]
    assert (tucked.public.seat, tucked.public.column, tucked.public.slot) == (1, 0, 1)
    assert tucked.public.you is None
    assert {seat: event.you.card for seat, event in tucked.private.items()} == {1: "king"}


def test_disguise_may_stay_empty(scene):
    """Character disguise; ruling Q17: then nobody but the seat on turn draws."""
    table = scene(seats=3).hold("B", "king").column(0, "Disguise B?")
    table.place("A", "storm", 0)
    events = table.tuck("B")
    assert tags(events) == ["tuck_declined", "influence_drawn", "kabale_turn_begun"]
    assert table.lies(0) == "disguise B, storm A?"
    assert table.player("B").hand == ["king"]


def test_seat_on_turn_draws_before_the_one_who_tucked(scene):
    """Character disguise; section 5 step 4: first the active player, then the owner of the Disguise; up to 3 each."""
    table = scene(seats=3).hold("A", "giant").hold("C", "king", "queen").column(0, "Disguise C?")
    table.place("A", "storm", 0)
    events = table.tuck("C", "king")
    drawn = [event.public for event in events if event.public.__struct_config__.tag == "influence_drawn"]
    assert [(event.seat, event.count) for event in drawn[:2]] == [(0, 2), (2, 2)]
    assert len(table.player("C").hand) == 3


def test_disguise_of_the_seat_on_turn(scene):
    """Character disguise: the owner chooses from what is left in its hand and refills only at the end, once."""
    table = scene(seats=3).hold("A", "king", "queen", "storm").column(0, "Disguise A?")
    table.place("A", "storm", 0)
    assert table.player("A").hand == ["king", "queen"]
    assert table.moves("A") == [TuckCard(card="king"), TuckCard(card="queen"), DeclineTuck()]
    events = table.tuck("A", "queen")
    assert len(table.player("A").hand) == 3
    drawn = [event.public for event in events if event.public.__struct_config__.tag == "influence_drawn"]
    assert [(event.seat, event.count) for event in drawn if event.seat == 0] == [(0, 2)]


def test_disguise_with_an_empty_hand_asks_nothing(scene):
    """Character disguise: with an empty hand nothing is asked; with a single card, it is."""
    table = scene(seats=3).column(0, "Disguise B?").hold("C", "king")
    events = table.place("A", "storm", 0)
    assert "ability_offered" not in tags(events)
    assert table.asked == ("B", "place_card")
    table = scene(seats=3).column(0, "Disguise A?").hold("C", "king")
    assert "ability_offered" not in tags(table.place("A", "storm", 0))
    table = scene(seats=3).column(0, "Disguise B?").hold("B", "king")
    table.place("A", "storm", 0)
    assert table.moves("B") == [TuckCard(card="king"), DeclineTuck()]


@pytest.mark.parametrize("tucked", ["storm", "explorer", "traitor", "assassin"])
def test_tucked_cards_do_not_act(scene, tucked):
    """Character disguise; ruling Q9: they may be tucked, but only their number will count."""
    table = scene(seats=3).hold("B", tucked).column(0, "Disguise B?")
    table.place("A", "king", 0)
    events = table.tuck("B", tucked)
    assert set(tags(events)) <= {"card_tucked", "influence_drawn", "kabale_turn_begun"}
    table.place("B", "queen", 0)
    assert table.lies(0) == f"disguise B with {tucked}, king A, queen B?"
    assert not table.state.columns[0].closed


def test_tucked_card_is_discarded_with_the_disguise(scene):
    """Character disguise; section 7: both go to their owner's discard pile."""
    table = scene(seats=2, match_round=2).goals("music_1", "trade_1").column(0, "Disguise B with king, Queen A")
    table.hold("B", "storm")
    table.place("A", "giant", 1)
    assert table.player("B").discard_pile == ["disguise", "king"]
    assert table.player("A").discard_pile == ["giant", "queen"]


@pytest.mark.parametrize("card", ["traitor", "disguise"])
def test_a_chain_ends_with_a_decision(scene, card):
    """Section 6: at most one decision of an owner per turn, as the last link of a chain; then the turn goes on."""
    table = scene(seats=3).hold("B", "king").column(0, "Explorer A?").column(1, f"{card} B?")
    events = table.place("A", "queen", 0)
    assert tags(events) == [
        "card_placed",
        "card_turned_up",
        "explorer_moved",
        "card_turned_up",
        "ability_offered",
    ]
    assert table.deciding == "B"
    offered = events[-1].public
    assert (offered.seat, offered.column, offered.slot) == (1, 1, 0)
