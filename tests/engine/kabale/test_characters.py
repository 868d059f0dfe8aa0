"""Each of the 25 characters at scoring: by itself, and against those that change what the others are worth."""

import pytest

# What a card is worth alone at a trade goal, under Musketeers (no abilities), and what knocks it out.
ALONE = {
    "king": 20, "queen": 16, "juliet": 14, "prince": 14, "explorer": 13, "hermit": 12, "dragon": 11, "musketeers": 11,
    "traitor": 10, "assassin": 9.5, "storm": 9, "alchemist": 8, "fencer": 8, "landlord": 8, "merchant": 12,
    "cardinal": 8, "troubadour": 8, "wizard": 7, "romeo": 5, "beggar": 4, "giant": 2, "squire": 2, "witch": None,
    "disguise": 0, "double": None,
}  # fmt: skip
PRINTED = ALONE | {"merchant": 8, "witch": 1}
WIZARD_KNOCKS_OUT = {
    *("king", "queen", "juliet", "prince", "explorer", "hermit", "dragon", "traitor", "merchant"),
}
WITCH_KNOCKS_OUT = {
    *("storm", "alchemist", "fencer", "landlord", "cardinal", "troubadour", "wizard", "romeo", "beggar", "giant"),
    *("squire", "disguise"),
}
# What a Double of another owner is worth above the card.
DOUBLED = ALONE | {"hermit": 11, "dragon": 9, "giant": 5, "musketeers": None}

ALL = sorted(ALONE)


def test_there_are_25():
    """Section 2: nobody is missing here."""
    assert len(ALONE) == 25


@pytest.mark.parametrize("card", ALL)
def test_alone(score, card):
    """Section 8: what each character is worth with nobody beside it, at a trade goal."""
    column = score(f"{card} A")
    assert column.values == [ALONE[card]]
    assert column.winner == (None if ALONE[card] is None else "A")


@pytest.mark.parametrize("card", ALL)
def test_with_musketeers(score, card):
    """Section 8 step 1; ruling Q1: with Musketeers of anybody, on either side, only the printed number counts."""
    for cards, place in ((f"{card} A, Musketeers B", 0), (f"Musketeers B, {card} A", 1)):
        column = score(cards)
        assert column.values[place] == PRINTED[card]
        assert column.steps == ["musketeers_cancel"]
        assert column.knocked_out == {}
    for category in ("alchemy", "fencing", "agriculture", "religion", "music"):
        assert score(f"{card} A, Musketeers B", category).values[0] == PRINTED[card]


@pytest.mark.parametrize("card", ALL)
def test_with_a_wizard(score, card):
    """Section 8 step 2: what is worth 10 or more is out, the rest is not; on either side, own or not."""
    for owner in "AB":
        if owner == "A" and card == "wizard":
            continue
        for cards, place in ((f"{card} A, Wizard {owner}", 0), (f"Wizard {owner}, {card} A", 1)):
            column = score(cards)
            if card == "musketeers":
                assert column.knocked_out == {}
            elif card == "witch":
                assert column.knocked_out == {0: "witch", 1: "witch"}
            else:
                assert column.knocked_out == ({place: "wizard"} if card in WIZARD_KNOCKS_OUT else {})
            assert ("wizard_knocks_out" in column.steps) == (card not in ("wizard", "musketeers"))


@pytest.mark.parametrize("card", ALL)
@pytest.mark.parametrize("spared", [False, True])
def test_with_a_witch(score, card, spared):
    """Section 8 step 3; ruling D3: what is worth 9 or less is out, with the Witch herself unless she is spared."""
    for owner in "AB":
        if owner == "A" and card == "witch":
            continue
        for cards, place in ((f"{card} A, Witch {owner}", 0), (f"Witch {owner}, {card} A", 1)):
            column = score(cards, witch_spares_witches=spared)
            out = {place: "witch"} if card in WITCH_KNOCKS_OUT or (card == "double" and place == 0) else {}
            if card not in ("witch", "musketeers") and not spared:
                out[1 - place] = "witch"
            assert column.knocked_out == out
            assert ("witch_knocks_out" in column.steps) == (card not in ("witch", "musketeers"))


@pytest.mark.parametrize("card", ALL)
def test_below_a_double(score, card):
    """Section 8 step 5: a Double has the value of the card below it, and of none of the cards above it."""
    assert score(f"Double B, {card} A").values[0] == DOUBLED[card]
    if card != "double":
        assert score(f"{card} A, Double B").values[1] is None


@pytest.mark.parametrize("card", ALL)
@pytest.mark.parametrize("spared", [False, True])
def test_under_a_disguise(score, card, spared):
    """Section 8 step 0; rulings Q8, Q9: a Disguise is what is tucked under it, in whatever company."""
    if card == "disguise":
        return
    companies = [
        *("King B, {} A", "{} A, King B", "Wizard B, {} A, Queen C", "Witch B, {} A, Storm C", "{} A, Musketeers C"),
        *("Double B, {} A, Storm C", "{} A, Romeo B", "Dragon B, {} A, Dragon C", "Beggar B, {} A, King C"),
        *("Hermit B, {} A, Giant C", "Wizard B, Wizard C, {} A", "Witch B, Witch C, {} A", "{} A, Storm B, Witch C"),
    ]
    if card not in ("squire", "prince"):
        companies += ["Squire A, Prince B, {} A", "Prince A, Squire A, {} A"]
    for company in companies:
        for category in ("music", "trade"):
            plain = score(company.format(card), category, witch_spares_witches=spared)
            disguised = score(company.format("X").replace("X A", f"Disguise A with {card}"), category,
                              witch_spares_witches=spared)  # fmt: skip
            assert disguised.outcome == plain.outcome
            assert disguised.values == plain.values
            assert disguised.knocked_out == plain.knocked_out
            assert disguised.decided_by == plain.decided_by
            assert disguised.steps == ["disguise_becomes_card", *plain.steps]


# --- those without an ability at scoring ---


@pytest.mark.parametrize(
    ("card", "value"),
    [("king", 20), ("queen", 16), ("juliet", 14), ("explorer", 13), ("traitor", 10), ("assassin", 9.5), ("storm", 9)],
)
def test_plain_values(score, card, value):
    """Characters king, queen, juliet, explorer, traitor, assassin, storm: nothing but their number counts."""
    for category in ("music", "alchemy", "fencing", "agriculture", "trade", "religion"):
        column = score(f"{card} A, Squire B", category)
        assert column.outcome == ({"A": value, "B": 2}, "A")
        assert column.steps == []


@pytest.mark.parametrize("card", ["explorer", "traitor", "assassin", "storm", "disguise"])
def test_turned_up_only_at_scoring(scene, card):
    """Characters explorer, traitor, assassin, storm, disguise; section 6: no such ability works at scoring."""
    table = scene(seats=2).goals("music_1", "trade_1").column(0, f"{card} B?")
    table.hold("B", "king")
    table.place("A", "squire", 1)
    assert "card_turned_up" not in table.story()
    assert not {"column_closed", "explorer_moved", "card_killed", "ability_offered"} & set(table.story())
    (scored, _) = table.table.last_round.columns
    assert [(entry.owner, entry.character) for entry in scored.cards] == [(1, card)]


# --- specialists ---


@pytest.mark.parametrize(
    ("card", "own"),
    [
        ("alchemist", "alchemy"),
        ("fencer", "fencing"),
        ("landlord", "agriculture"),
        ("merchant", "trade"),
        ("cardinal", "religion"),
        ("troubadour", "music"),
    ],
)
def test_specialists(score, card, own):
    """Characters alchemist, fencer, landlord, merchant, cardinal, troubadour; rulings Q1, Q3: 12 at home, else 8."""
    for category in ("music", "alchemy", "fencing", "agriculture", "trade", "religion"):
        at_home = category == own
        assert score(f"{card} A, Squire B", category).values == [12 if at_home else 8, 2]
        assert score(f"{card} A, Wizard B", category).values == [None if at_home else 8, 7]
        assert score(f"{card} A, Witch B", category).values == [12 if at_home else None, None]
        assert score(f"{card} A, Musketeers B", category).values == [8, 11]
        assert score(f"Double B, {card} A", category).values == [12 if at_home else 8] * 2
        assert score(f"Disguise A with {card}, Squire B", category).values == [12 if at_home else 8, 2]


# --- Hermit, Giant ---


def test_hermit(score):
    """Character hermit; rulings Q6, Q7: one less for every other card, above or below, of anybody; not below 0."""
    assert score("Hermit A").values == [12]
    assert score("Storm A, Hermit A, Queen B").values[1] == 10
    others = ["King A", "Queen A", "Juliet A", "Explorer A", "Traitor A", "Assassin B", "Storm B", "Fencer B"]
    others += ["Landlord B", "Cardinal B", "Squire C", "Giant C", "Romeo C", "Storm C"]
    for count in range(15):
        cards = ", ".join([*others[: count // 2], "Hermit C", *others[count // 2 : count]])
        assert score(cards).values[count // 2] == max(0, 12 - count)


def test_giant(score):
    """Character giant; ruling Q6: three more for every other card, above or below, of anybody."""
    assert score("Giant A").values == [2]
    others = ["King A", "Queen A", "Juliet A", "Explorer A", "Traitor A", "Assassin B", "Storm B", "Fencer B"]
    others += ["Landlord B", "Cardinal B", "Squire C", "Hermit C", "Romeo C", "Storm C"]
    for count in range(15):
        cards = ", ".join([*others[: count // 2], "Giant C", *others[count // 2 : count]])
        assert score(cards).values[count // 2] == 2 + 3 * count


def test_hermit_and_giant_count_only_what_is_left(score):
    """Characters hermit, giant; section 8 steps 2, 3 and 5: not the knocked out, but empty Disguises and Doubles."""
    assert score("Witch A, Hermit B, Storm C, King A").values == [None, 11, None, 20]
    assert score("Wizard A, Giant B, King C, Queen C").values == [7, 5, None, None]
    assert score("Giant A, Disguise B, Squire C, Double B").values == [11, 0, 2, None]
    assert score("Hermit A, Disguise B, Squire C, Double B").values == [9, 0, 2, None]
    assert score("Giant A, Disguise B with storm, Squire C").values == [8, 9, 2]


def test_hermit_and_giant_are_judged_by_their_printed_number(score):
    """Characters hermit, giant, wizard, witch; ruling Q3: 12 and 2, whatever they will be worth."""
    assert score("Wizard B, Hermit A, Storm A, Fencer A, Landlord A").knocked_out == {1: "wizard"}
    assert score("Wizard B, Giant A, Storm A, Fencer A, Landlord A").knocked_out == {}
    assert score("Witch B, Giant A, King A, Queen A, Juliet A").knocked_out == {0: "witch", 1: "witch"}
    assert score("Witch B, Hermit A, King A, Queen A, Juliet A, Explorer A").knocked_out == {0: "witch"}


# --- Dragon ---


def test_dragon_burns_opponents_only(score):
    """Character dragon; ruling Q5: two less for every card of the others, none of its owner's; not below 0."""
    column = score("King A, Dragon A, King B, Romeo C, Squire C, Disguise B, Witch A, Witch C")
    assert column.values == [20, 11, 18, 3, 0, 0, 1, 0]
    assert column.steps == ["witches_cancel_out", "dragon_reduces"]
    assert score("Dragon A, King A").values == [11, 20]


def test_dragons_add_up(score):
    """Character dragon; section 8 step 6: several of them add up and hit each other."""
    column = score("Dragon A, Dragon B, Dragon C, King A, Romeo B, Squire C")
    assert column.values == [7, 7, 7, 16, 1, 0]
    # Somebody without a Dragon suffers from all three.
    assert score("Dragon A, Dragon B, Dragon C, King D", seats=4).values == [7, 7, 7, 14]


def test_dragon_comes_after_doubles_and_counts(score):
    """Characters dragon, double, hermit, giant: a Double copies the undiminished value and is then reduced itself."""
    assert score("Double A, King B, Dragon A").values == [20, 18, 11]
    assert score("Double C, King B, Dragon A").values == [18, 18, 11]
    assert score("Double B, Dragon A").values == [9, 11]
    assert score("Hermit B, Giant C, Dragon A").values == [8, 6, 11]
    assert score("Dragon A, Double B").values == [11, None]


def test_dragon_can_be_knocked_out(score):
    """Characters dragon, wizard: it is worth 11."""
    assert score("Dragon A, Wizard B, Storm C").values == [None, 7, 9]
    assert score("Dragon A, Wizard B, Storm C, Wizard C").values == [11, 5, 7, 5]


# --- Musketeers ---


def test_musketeers(score):
    """Character musketeers: 11 themselves; no Beggar, no pair, no lovers, no counting, no knocking out."""
    assert score("Beggar A, Musketeers B, King C").outcome == ({"A": 4, "B": 11, "C": 20}, "C")
    assert score("Romeo A, Juliet A, Musketeers B").values == [5, 14, 11]
    assert score("Hermit A, Giant A, Musketeers B, Dragon B").values == [12, 2, 11, 11]
    assert score("Witch A, Storm B, Musketeers B, Wizard A").values == [1, 9, 11, 7]
    assert score("King A, Prince B, Squire B, Musketeers A").winner == "A"
    assert score("Musketeers A, Musketeers B, Queen C").outcome == ({"A": 11, "B": 11, "C": 16}, "C")


def test_musketeers_leave_a_double_without_a_value(score):
    """Characters musketeers, double: who has only a Double takes no part; it breaks no tie either."""
    column = score("Double A, King B, Musketeers C")
    assert column.outcome == ({"B": 20, "C": 11}, "B")
    assert score("Double A, Musketeers B, Dragon A").outcome == ({"A": 11, "B": 11}, "B")
    assert score("Double A, Musketeers B, Dragon A").decided_by == "nearest_card"


def test_musketeers_do_not_undress_a_disguise(score):
    """Characters musketeers, disguise; ruling Q8: the tucked card counts, with its printed number."""
    assert score("Musketeers A, Disguise B with king").outcome == ({"A": 11, "B": 20}, "B")
    assert score("Musketeers A, Disguise B with merchant").values == [11, 8]
    assert score("Musketeers A, Disguise B").values == [11, 0]
    assert score("Disguise B with musketeers, Wizard A, King C").outcome == ({"A": 7, "B": 11, "C": 20}, "C")


# --- Wizard and Witch ---


def test_number_of_wizards(score):
    """Character wizard; ruling Q2: an odd number works once, an even one not at all; disguised ones count."""
    column = score("King D, Wizard A, Wizard B, Wizard C", seats=4)
    assert column.knocked_out == {0: "wizard"}
    assert column.steps == ["wizard_knocks_out"]
    column = score("King D, Wizard A, Wizard B, Wizard C, Disguise D with wizard", seats=4)
    assert column.knocked_out == {}
    assert column.steps == ["disguise_becomes_card", "wizards_cancel_out"]
    assert score("King A, Wizard B, Disguise C with wizard").knocked_out == {}
    assert score("King A, Wizard A, Squire B").knocked_out == {0: "wizard"}


def test_number_of_witches(score):
    """Character witch; rulings Q2, D3: three of them knock each other out, two do nothing."""
    column = score("Storm D, Witch A, Witch B, Witch C", seats=4)
    assert column.knocked_out == dict.fromkeys(range(4), "witch")
    assert column.steps == ["witch_knocks_out"]
    column = score("Storm D, Witch A, Witch B, Witch C", seats=4, witch_spares_witches=True)
    assert column.knocked_out == {0: "witch"}
    assert column.outcome == ({"A": 1, "B": 1, "C": 1}, "A")
    column = score("Storm A, Witch B, Witch C")
    assert column.knocked_out == {}
    assert column.steps == ["witches_cancel_out"]


def test_wizard_works_before_the_witch(score):
    """Characters wizard, witch; section 8 steps 2 and 3: the Wizard, then the Witch on what remains."""
    column = score("King A, Wizard B, Witch C, Assassin A, Storm B")
    assert column.knocked_out == {0: "wizard", 1: "witch", 2: "witch", 4: "witch"}
    assert column.steps == ["wizard_knocks_out", "witch_knocks_out"]


def test_wizard_knocked_out_by_a_witch_has_worked(score):
    """Characters wizard, witch: though the Witch removes the Wizard, its victims stay out."""
    assert score("Wizard A, King B, Witch C").outcome == ({}, None)


def test_two_wizards_and_a_witch(score):
    """Characters wizard, witch; ruling Q2: the Wizards cancel out, the Witch removes them."""
    column = score("Wizard A, Wizard B, Witch C, King B")
    assert column.steps == ["wizards_cancel_out", "witch_knocks_out"]
    assert column.knocked_out == {0: "witch", 1: "witch", 2: "witch"}


def test_assassin_is_out_of_reach(score):
    """Character assassin; section 2: 9½ is neither 10 or more nor 9 or less."""
    assert score("Assassin A, Wizard B, Witch C").values == [9.5, None, None]
    assert score("Assassin A, Disguise B with assassin").outcome == ({"A": 9.5, "B": 9.5}, "A")


# --- Double ---


def test_double_in_the_witches_eyes(score):
    """Characters double, witch; ruling D3: above a Witch it is a 1 and no Witch, and never spared."""
    assert score("Double A, Witch B").knocked_out == {0: "witch", 1: "witch"}
    assert score("Double A, Witch B", witch_spares_witches=True).knocked_out == {0: "witch"}
    assert score("Double A, Witch B, Witch C", witch_spares_witches=True).knocked_out == {}
    assert score("Double A, Wizard B, King C").knocked_out == {2: "wizard"}


def test_double_above_what_a_step_removed(score):
    """Character double; ruling Q4: judged by the card below when the step begins, later by the next remaining one."""
    # The Wizard judges the Double as 20; both go.
    assert score("Double A, King B, Wizard C").knocked_out == {0: "wizard", 1: "wizard"}
    # Judged as 9.5 by the Wizard it stays; King out, and the Witch leaves both.
    assert score("Double A, Assassin B, King B, Wizard C, Witch C").knocked_out == {
        2: "wizard",
        3: "witch",
        4: "witch",
    }
    # Two Doubles are both what lies below them.
    assert score("Double A, Double B, Queen B, Wizard C").knocked_out == {0: "wizard", 1: "wizard", 2: "wizard"}
    # Above a Wizard it is a 7; when the Witch comes the next card below it is still the Wizard.
    assert score("Double A, Wizard B, King B, Witch C").knocked_out == {
        0: "witch",
        1: "witch",
        2: "wizard",
        3: "witch",
    }


def test_double_goes_with_the_card_it_is_judged_by(score):
    """Character double; ruling Q4: what removes the card below removes it; with none below it is untouched."""
    # The Witch removes the Storm and with it the Double, judged as a 9; the King farther down does not save it.
    assert score("Double A, Storm B, King C, Witch B").knocked_out == {0: "witch", 1: "witch", 3: "witch"}
    # The lowest Double has nothing below: untouched, and without a value.
    column = score("King A, Witch B, Double C")
    assert column.knocked_out == {1: "witch"}
    assert column.outcome == ({"A": 20}, "A")
    column = score("King A, Wizard B, Double C")
    assert column.values == [None, 7, None]
    # The Double above it passes nothing on either.
    column = score("King A, Wizard B, Double C, Double B")
    assert column.values == [None, 7, None, None]
    assert column.knocked_out == {0: "wizard"}


def test_double_after_the_steps(score):
    """Character double; rulings Q3, Q4: in every later step it goes by what is left below it then."""
    assert score("King A, Double A, Squire B, Wizard C").values == [None, 2, 2, 7]
    assert score("Double A, Wizard B, King B, Storm C").values == [7, 7, None, 9]
    assert score("Double A, Witch B, Witch C, King A").values == [1, 1, 1, 20]
    assert score("Double A, Double B").outcome == ({}, None)


def test_double_copies_the_value_only(score):
    """Character double: never an ability, not even half of a pair, a Beggar or a Juliet."""
    assert score("Double A, Beggar B, King C").outcome == ({"A": 4, "B": 4, "C": 20}, "B")
    assert score("Double A, King C").outcome == ({"A": 20, "C": 20}, "A")
    assert score("Prince A, Double A, Squire B").decided_by == "highest_total"
    assert score("Romeo A, Double A, Juliet B").values == [5, 14, 14]
    assert score("Double A, Dragon B").values == [9, 11]
    assert score("Double A, Giant B, King C").values == [8, 8, 20]
    assert score("Double A, Hermit B, King C").values == [10, 10, 20]
    assert score("Double B, Romeo A, Juliet A").values == [15, 15, 14]


# --- Romeo and Juliet ---


def test_romeo_needs_his_own_juliet(score):
    """Characters romeo, juliet: 15 if she is still there, wherever she lies; another's Juliet does not count."""
    assert score("Romeo A, Juliet A").values == [15, 14]
    assert score("Juliet A, Storm B, Romeo A").values == [14, 9, 15]
    assert score("Romeo A, Juliet B").values == [5, 14]
    assert score("Romeo A, Disguise A with juliet").values == [15, 14]
    assert score("Disguise A with romeo, Juliet A").values == [15, 14]


def test_romeo_is_judged_as_a_five(score):
    """Characters romeo, juliet, wizard, witch; ruling Q3: the Wizard takes Juliet only, the Witch Romeo."""
    assert score("Romeo A, Juliet A, Wizard B").values == [5, None, 7]
    assert score("Romeo A, Juliet A, Witch B").values == [None, 14, None]


# --- Beggar ---


def test_beggar_lets_the_lowest_win(score):
    """Character beggar; ruling Q13: one or more of them, the lowest total wins; with none left, the highest."""
    column = score("Beggar A, King A, Queen B, Juliet C")
    assert column.outcome == ({"A": 24, "B": 16, "C": 14}, "C")
    assert column.decided_by == "lowest_total"
    assert column.steps == ["lowest_wins"]
    assert score("Beggar A, Beggar B, King A, Queen B, Storm C").winner == "C"
    assert score("Beggar A, King B, Disguise C").outcome == ({"A": 4, "B": 20, "C": 0}, "C")
    assert score("Disguise A with beggar, King B").winner == "A"


def test_beggar_can_be_knocked_out(score):
    """Characters beggar, witch: without it the highest total wins again."""
    assert score("Beggar A, Witch B, King C, Queen A").outcome == ({"A": 16, "C": 20}, "C")


def test_beggar_ties_go_to_the_farthest(score):
    """Character beggar; section 8 step 7: of those tied, the one with the valued card farthest from the goal."""
    column = score("Storm A, Storm B, Beggar C, King C")
    assert (column.winner, column.decided_by) == ("B", "farthest_card")
    # A lone Double at the end has no value and breaks no tie.
    assert score("Storm A, Storm B, Beggar C, King C, Double A").winner == "B"
    # Who is not tied does not count, however far the card.
    assert score("Beggar C, Storm A, Storm B, King C").winner == "B"


# --- Prince and Squire ---


def test_prince_and_squire(score):
    """Characters prince, squire; ruling Q12: both of one owner, both left; totals and Beggar are ignored."""
    assert score("Prince A, King B, Queen B, Squire A").outcome == ({}, "A")
    assert score("Squire A, Beggar B, Prince A").winner == "A"
    assert score("Prince A, Squire B").outcome == ({"A": 14, "B": 2}, "A")
    assert score("Prince A, Squire B").decided_by == "highest_total"
    assert score("Squire A, Prince A, Dragon B").steps == ["pair_wins"]
    assert score("Prince A, Squire A, Wizard B").winner == "B"
    assert score("Prince A, Squire A, Witch B").outcome == ({"A": 14}, "A")
    assert score("Prince A, Squire A, Witch B").decided_by == "highest_total"
    assert score("Prince A, Squire A, King B, Wizard B, Wizard C").decided_by == "pair"
    assert score("Disguise A with prince, Squire A, King B").decided_by == "pair"
    assert score("Prince A, Disguise A with squire, King B").decided_by == "pair"
    assert score("Prince A, Double A, Squire B, King C").decided_by == "highest_total"


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("Prince A, Prince B, Squire B, Squire A", "A"),
        ("Squire B, Prince A, Squire A, Prince B", "B"),
        ("Squire C, Prince B, Prince A, Squire A, Squire B", "B"),
        ("Prince C, Squire A, Prince B, Squire B, Prince A", "A"),
    ],
)
def test_several_pairs(score, cards, winner):
    """Characters prince, squire; section 8 step 4: the pair card nearest the goal, no matter which of the two."""
    assert score(cards).winner == winner
    assert score(cards).decided_by == "pair"


# --- Disguise ---


def test_empty_disguise_is_a_plain_nought(score):
    """Character disguise; sections 6 and 8: worth 0 and nothing else, but a total it is."""
    assert score("Disguise A").outcome == ({"A": 0}, "A")
    assert score("Disguise A, Double B").outcome == ({"A": 0}, "A")
    assert score("Disguise A, Witch B, King C").knocked_out == {0: "witch", 1: "witch"}
    assert score("Disguise A, Witch B, King C").steps == ["witch_knocks_out"]
    assert score("Double B, Disguise A").outcome == ({"A": 0, "B": 0}, "B")


def test_disguised_double(score):
    """Characters disguise, double: it takes the value of the card below its slot."""
    assert score("Disguise A with double, King B").outcome == ({"A": 20, "B": 20}, "A")
    assert score("King B, Disguise A with double").outcome == ({"B": 20}, "B")


# --- ties and nobody ---


def test_ties_go_to_the_nearest_valued_card(score):
    """Section 8 step 7: of those tied, the one with the valued card nearest the goal."""
    column = score("Storm B, Hermit A, Fencer B, Merchant C, Romeo C")
    assert column.totals == {"A": 8, "B": 17, "C": 17}
    assert (column.winner, column.decided_by) == ("B", "nearest_card")
    # Knocked-out cards and others' cards do not count for ties.
    column = score("King C, Fencer A, Fencer C, Wizard B")
    assert (column.totals, column.winner) == ({"A": 8, "B": 7, "C": 8}, "A")


@pytest.mark.parametrize(
    "cards", ["", "Double A", "Double B, Double C", "King A, Wizard B, Witch C", "Witch A", "Storm A, Witch A"]
)
def test_nobody_takes_part(score, cards):
    """Ruling Q20; section 8 step 8: with no card, no value or everything knocked out the goal leaves the game."""
    column = score(cards)
    assert column.outcome == ({}, None)
    assert column.decided_by == "nobody"


def test_columns_are_independent(scene):
    """Section 8: each column is scored by itself, from left to right."""
    table = scene(seats=2, match_round=2).goals("music_1", "trade_1")
    table.column(0, "Romeo A, Prince B, Wizard A").column(1, "Juliet A, Squire B, King B")
    table.place("A", "storm", 1)
    columns = table.table.last_round.columns
    assert [[card.value for card in column.cards] for column in columns] == [[5, None, 7], [14, 2, 20, 9]]
    scored = [event.public for event in table.log if event.public.__struct_config__.tag == "column_scored"]
    assert [event.column for event in scored] == [0, 1]
    assert [event.scored for event in scored] == columns
