"""Who sees what (section 13)."""

import msgspec
import pytest

from engine.kabale import KABALE
from engine.kabale.view import KabaleOwnCard, KabaleSlot


def test_table_shows_what_lies_open(scene):
    """Section 13; ruling Q15: sizes of hands and piles, columns with their closing, owners, face-up cards."""
    table = scene(seats=3, match_round=2).hold("A", "witch").hold("B", "beggar", "giant").discard("C", "hermit")
    table.column(0, "King A, Storm B, Queen C?", closed=True).column(1, "Disguise A with wizard, Explorer B!")
    seen = table.table
    assert (seen.round, seen.rounds, seen.phase, seen.turn, seen.pending) == (2, 6, "place_card", 0, None)
    assert (seen.goal_stack_size, seen.lost_goals, seen.last_round) == (12, [], None)
    assert [(column.goal, column.closed, column.fulfilled) for column in seen.columns] == [
        ("music_5", True, True),
        ("alchemy_5", False, False),
        ("fencing_5", False, False),
    ]
    assert seen.columns[0].slots == [
        KabaleSlot(owner=0, face_up=True, character="king", tucked=False),
        KabaleSlot(owner=1, face_up=True, character="storm", tucked=False),
        KabaleSlot(owner=2, face_up=False, character=None, tucked=False),
    ]
    assert seen.columns[1].slots == [
        KabaleSlot(owner=0, face_up=True, character="disguise", tucked=True),
        KabaleSlot(owner=1, face_up=False, character="explorer", tucked=False),
    ]
    assert [(seat.seat, seat.hand_size, seat.draw_pile_size, seat.discard_pile_size) for seat in seen.seats] == [
        (0, 1, 21, 0),
        (1, 2, 21, 0),
        (2, 0, 23, 1),
    ]


def test_own_hand(scene):
    """Section 13; rulings Q14, Q15: own hand, face-down and tucked cards, discard pile, what is left to draw."""
    table = scene(seats=3).hold("A", "witch", "beggar").discard("A", "hermit", "fencer")
    table.column(0, "King A, Storm B, Queen A?").column(1, "Disguise A with wizard, Explorer A!")
    hand = table.hand("A")
    assert hand.seat == 0
    assert hand.hand == ["beggar", "witch"]
    assert hand.face_down == [
        KabaleOwnCard(column=0, slot=2, character="queen"),
        KabaleOwnCard(column=1, slot=1, character="explorer"),
    ]
    assert hand.tucked == [KabaleOwnCard(column=1, slot=0, character="wizard")]
    assert hand.discard_pile == ["fencer", "hermit"]
    gone = {"witch", "beggar", "hermit", "fencer", "king", "queen", "disguise", "wizard", "explorer"}
    assert hand.undrawn == sorted({card.id for card in KABALE.components.influence} - gone)


def test_order_of_the_draw_pile_is_nobodys(scene):
    """Section 13; ruling Q15: neither table nor hands tell it."""
    table = scene(seats=2).hold("A", "witch")
    before = [msgspec.json.encode([table.table, table.hand("A"), table.hand("B")])]
    for player in table.state.players:
        player.draw_pile = player.draw_pile[::-1]
    table.state.goal_stack, table.state.unused_goals = table.state.unused_goals[:10], table.state.goal_stack[:14]
    before.append(msgspec.json.encode([table.table, table.hand("A"), table.hand("B")]))
    assert before[0] == before[1]


@pytest.mark.parametrize("card", ["king", "witch", "explorer", "double", "disguise"])
def test_a_hidden_card_looks_like_any_other(scene, card):
    """Section 13: same fields, same values for everybody but the owner."""
    table = scene(seats=3).column(0, f"{card} B?").column(1, "Queen C?")
    assert msgspec.json.encode(table.table.columns[0].slots[0]) == (
        b'{"owner":1,"face_up":false,"character":null,"tucked":false}'
    )
    assert card.encode() not in msgspec.json.encode([table.table, table.hand("C").face_down, table.hand("C").hand])
    assert [own.character for own in table.hand("B").face_down] == [card]


def test_a_tucked_card_is_hidden_until_its_column_is_scored(scene):
    """Section 13; ruling Q14: only its owner sees it; that there is one, everybody does."""
    table = scene(seats=2).goals("music_5", "trade_1").hold("B", "wizard").column(0, "Disguise B?")
    table.place("A", "squire", 0)
    for tucked in (None, "wizard"):
        if tucked:
            table.tuck("B", tucked)
        assert b"wizard" not in msgspec.json.encode(table.table)
        assert table.hand("A").tucked == []
    assert [own.character for own in table.hand("B").tucked] == ["wizard"]
    assert table.table.columns[0].slots[0].tucked
    table.state.columns[0].closed = True
    table.place("B", "king", 1)
    assert table.table.last_round.columns[0].cards[0].tucked == "wizard"


def test_a_card_killed_face_down_stays_hidden_to_the_end(scene):
    """Section 13: its owner alone sees it, in the discard pile; even when the match is over."""
    table = scene(seats=2, match_round=6).goals("music_1", "trade_1").hold("B", "giant")
    table.column(0, "Assassin B?").hold("A", "witch")
    table.place("A", "witch", 0)
    table.hold("B", "king")
    assert table.hand("A").discard_pile == ["witch"]
    assert b"witch" not in msgspec.json.encode([table.table, table.hand("B").discard_pile])
    table.place("B", "king", 1)
    assert table.state.phase == "over"
    assert b"witch" not in msgspec.json.encode([table.table, table.hand("B").discard_pile])
    assert "witch" in table.hand("A").discard_pile
    for event in table.log:
        if event.public.__struct_config__.tag not in ("influence_drawn", "card_placed"):
            assert b"witch" not in msgspec.json.encode(event.seen_by(1))
            assert b"witch" not in msgspec.json.encode(event.seen_by(None))


def test_scoring_shows_everything_of_the_columns(scene):
    """Section 13: every card of the columns, tucked ones included, with the steps, totals and winner."""
    table = scene(seats=3, match_round=2).goals("music_1", "trade_1", "religion_1")
    table.column(0, "Assassin A, Wizard B, King C, Disguise A with beggar").column(1, "Double C?")
    table.hold("B", "squire")
    table.place("A", "storm", 2)
    last = table.table.last_round
    assert (last.round, last.ended_by, last.ending) == (2, 0, "all_columns_fulfilled")
    assert msgspec.json.decode(msgspec.json.encode(last.columns)) == [
        {
            "goal": "music_1",
            "cards": [
                {"owner": 0, "character": "assassin", "tucked": None, "knocked_out_by": None, "value": 9.5},
                {"owner": 1, "character": "wizard", "tucked": None, "knocked_out_by": None, "value": 7},
                {"owner": 2, "character": "king", "tucked": None, "knocked_out_by": "wizard", "value": None},
                {"owner": 0, "character": "disguise", "tucked": "beggar", "knocked_out_by": None, "value": 4},
            ],
            "steps": ["disguise_becomes_card", "wizard_knocks_out", "lowest_wins"],
            "totals": [13.5, 7, None],
            "winner": 1,
            "decided_by": "lowest_total",
        },
        {
            "goal": "trade_1",
            "cards": [{"owner": 2, "character": "double", "tucked": None, "knocked_out_by": None, "value": None}],
            "steps": [],
            "totals": [None, None, None],
            "winner": None,
            "decided_by": "nobody",
        },
        {
            "goal": "religion_1",
            "cards": [{"owner": 0, "character": "storm", "tucked": None, "knocked_out_by": None, "value": 9}],
            "steps": [],
            "totals": [9, None, None],
            "winner": 0,
            "decided_by": "highest_total",
        },
    ]


def test_whether_somebody_is_asked_is_public(scene):
    """Section 14: it depends on the size of the hand and on face-up cards, never on which cards are held."""
    for card in ("king", "storm", "witch"):
        table = scene(seats=3).hold("B", card).column(0, "Disguise B?")
        table.place("A", "queen", 0)
        assert table.asked == ("B", "tuck_card")
    for closed in (False, True):
        table = scene(seats=2).column(0, "Traitor B?").column(1, "", closed=closed)
        table.place("A", "queen", 0)
        assert table.asked == ("B", "swap_goals")


def test_unknown_fields(scene):
    """States and moves refuse them; what goes out does not."""
    table = scene(seats=2)
    state = msgspec.to_builtins(table.state)
    for spoiled in (
        {**state, "secret": 1},
        {**state, "players": [{**state["players"][0], "secret": 1}, state["players"][1]]},
        {**state, "columns": [{**state["columns"][0], "secret": 1}, state["columns"][1]]},
        {**state, "phase": "waiting"},
        {**state, "goal_stack": ["music_6"]},
    ):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(spoiled, KABALE.state_type)
    for shown, kind in ((table.table, KABALE.table_type), (table.hand("A"), KABALE.hand_type)):
        assert msgspec.convert({**msgspec.to_builtins(shown), "new": 1}, kind) == shown
