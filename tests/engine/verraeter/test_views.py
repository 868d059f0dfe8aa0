"""Section 6: what everybody sees, what one seat sees and what nobody sees."""

import msgspec
import pytest

from engine.randomness import Randomness
from engine.verraeter import VERRAETER
from engine.verraeter.moves import DeclareConflict, DeclineBuild, DraftAction, PlaySupplies
from engine.verraeter.state import Gains


def as_sent(view):
    return msgspec.to_builtins(view)


def test_table_shows_all_that_lies_open(scene):
    """Facts 1, 11: landscapes, buildings, reserves, allegiances, scores with reasons, holders, numbers of cards."""
    table = scene(seats=3, start=1, match_round=4).farm(1, 2).post(2, 9).discard(8, 2, 6).land("rose", 4)
    table.state.strategist_seat = 2
    table.state.players[0].gains = Gains(landscapes=7, traitor=1, strategist=4, trading_posts=0)
    table.state.players[1].drawn = 2
    landscapes = [
        {"type": kind, "house": house, "building": None}
        for kind in ("wasteland", "meadow", "river", "forest", "village", "city")
        for house in ("eagle", "rose")
    ]
    landscapes[4]["house"] = "rose"
    landscapes[2]["building"] = {"owner": 1, "side": "farm"}
    landscapes[9]["building"] = {"owner": 2, "side": "trading_post"}
    assert as_sent(table.table) == {
        "round": 4,
        "rounds": 9,
        "phase": "declare_conflict",
        "start_seat": 1,
        "strategist_seat": 2,
        "conflict": None,
        "landscapes": landscapes,
        "seats": [
            {
                "seat": seat,
                "house": house,
                "score": score,
                "gains": gains,
                "hand_size": 3,
                "drawn": drawn,
                "reserve": reserve,
                "has_chosen": False,
                "action": None,
                "played": None,
            }
            for seat, house, score, gains, drawn, reserve in (
                (0, "eagle", 12, {"landscapes": 7, "traitor": 1, "strategist": 4, "trading_posts": 0}, 0, 3),
                (1, "eagle", 0, {"landscapes": 0, "traitor": 0, "strategist": 0, "trading_posts": 0}, 2, 2),
                (2, "rose", 0, {"landscapes": 0, "traitor": 0, "strategist": 0, "trading_posts": 0}, 0, 2),
            )
        ],
        "draw_pile_size": 23 - 9 - 3,
        "discard_pile": [2, 6, 8],
        "middle_size": 0,
        "last_conflict": None,
    }


def test_hand_shows_what_one_seat_knows(scene):
    """Fact 19; ruling Q27: the own hand, the action cards offered in this round and the one kept."""
    table = scene(seats=3).hold([2, 6], [3, 8], [4])
    assert as_sent(table.hand(1)) == {"seat": 1, "hand": [3, 8], "offered": [], "kept": None}
    table.draft("farmer", "builder", "traitor")
    table.state.middle = ["diplomat_2", "diplomat_5", "strategist"]
    assert as_sent(table.hand(2)) == {
        "seat": 2,
        "hand": [4],
        "offered": ["diplomat_5", "strategist", "traitor"],
        "kept": "traitor",
    }


def test_who_has_chosen_is_seen_and_what_is_not(scene):
    """Fact 19: during the draft and while supplies are played, chosen cards lie face down."""
    table = scene()
    table.play(0, DeclareConflict(border=4))
    sizes = []
    for seat in range(4):
        assert [shown.has_chosen for shown in table.table.seats] == [other < seat for other in range(4)]
        assert [shown.action for shown in table.table.seats] == [None] * 4
        kept = table.hand(seat).offered[0]
        table.play(seat, DraftAction(action=kept))
        assert table.hand(seat).kept == kept
        sizes.append(table.table.middle_size)
    assert sizes == [1, 1, 1, 2]
    for seat in range(3):
        table.play(seat, PlaySupplies(cards=()))
        assert [shown.has_chosen for shown in table.table.seats] == [True] * 4
        assert [shown.action for shown in table.table.seats] == [None] * 4


def test_chosen_actions_are_seen_from_the_reveal_on(scene):
    """Fact 21: while the Builder decides they lie open; then they go back."""
    table = scene().draft("builder", "traitor", "farmer", "strategist")
    table.fight()
    assert [seat.action for seat in table.table.seats] == ["builder", "traitor", "farmer", "strategist"]
    assert table.table.middle_size == 2
    table.play(0, DeclineBuild())
    assert [seat.action for seat in table.table.seats] == [None] * 4
    assert [seat.has_chosen for seat in table.table.seats] == [False] * 4
    assert table.table.middle_size == 0
    assert table.table.last_conflict.actions == ["builder", "traitor", "farmer", "strategist"]


def test_what_a_seat_knows_of_the_draft_lasts_till_the_round_ends(scene):
    """Fact 19: the offered and the kept cards are forgotten with phase 12."""
    table = scene(seats=3).draft("builder", "traitor", "farmer")
    offered = table.hand(1).offered
    table.fight()
    assert (table.hand(1).offered, table.hand(1).kept) == (offered, "traitor")
    table.play(0, DeclineBuild())
    assert (table.hand(1).offered, table.hand(1).kept) == ([], None)


def test_numbers_of_cards_are_seen(scene):
    """Fact 36; ruling Q27: the size of every hand, of the draw pile and how many cards each has drawn."""
    table = scene().hold([2, 2], [3], [], [4, 5, 8]).draft("diplomat_2", "builder", "farmer", "strategist")
    assert [seat.hand_size for seat in table.table.seats] == [2, 1, 0, 3]
    assert table.table.draw_pile_size == 17
    table.fight([2], [3])
    assert [seat.hand_size for seat in table.table.seats] == [2, 0, 0, 3]
    assert [seat.drawn for seat in table.table.seats] == [1, 0, 0, 0]
    assert table.table.draw_pile_size == 16
    assert [seat.played for seat in table.table.seats] == [[2], [3], [], []]


def test_no_view_shows_the_draw_pile_or_foreign_hands(scene):
    """Ruling Q27: neither the order of the draw pile nor a hand changes anything that others are shown."""
    one, other = scene(seats=3).hold([2, 3], [4], [5]), scene(seats=3).hold([6, 8], [4], [5])
    other.state.draw_pile.reverse()
    assert one.table == other.table
    assert [one.hand(seat) for seat in (1, 2)] == [other.hand(seat) for seat in (1, 2)]
    assert one.hand(0) != other.hand(0)


def test_no_view_shows_the_middle_or_foreign_choices(scene):
    """Fact 19; ruling Q25: who kept what and what lies in the middle shows to nobody else before the reveal."""
    one = scene().draft("builder", "traitor", "farmer", "strategist")
    other = scene().draft("diplomat_2", "strategist", "farmer", "traitor")
    other.state.players[2].offered = one.state.players[2].offered
    assert one.table == other.table
    assert one.hand(2) == other.hand(2)


# --- running totals ---


def test_running_totals_before_the_reveal(scene):
    """Fact 24: base defence and the supply cards so far, by the house of their players; no Diplomat yet."""
    table = scene().hold([3, 4], [5, 8], [2], [6]).draft("diplomat_5", "traitor", "diplomat_2", "builder", border=5)
    totals = []
    for seat, cards in enumerate([(3, 4), (5, 8), (2,)]):
        conflict = table.table.conflict
        totals.append((conflict.border, conflict.eagle, conflict.rose))
        table.play(seat, PlaySupplies(cards=cards))
    conflict = table.table.conflict
    totals.append((conflict.border, conflict.eagle, conflict.rose))
    assert totals == [(5, 7, 5), (5, 14, 5), (5, 14, 18), (5, 16, 18)]


def test_running_totals_after_the_reveal(scene):
    """Facts 21, 24: as fought, with the Diplomats and the Traitor's change, and also after the landscape was turned."""
    table = scene().hold([3, 4], [5, 8], [2], [6]).draft("diplomat_5", "traitor", "diplomat_2", "builder", border=5)
    table.fight([3, 4], [5, 8], [2], [6])
    assert table.state.landscapes[5].house == "eagle"
    conflict = table.table.conflict
    assert (conflict.border, conflict.eagle, conflict.rose) == (5, 7 + 7 + 13 + 2 + 5 + 2, 5 + 6)
    table.play(3, DeclineBuild())
    assert table.table.conflict is None


def test_no_conflict_outside_phases_1_to_8(scene):
    """Fact 18: the Conflict card marks a border from the declaration on."""
    table = scene(seats=3)
    assert table.table.conflict is None
    table.play(0, DeclareConflict(border=2))
    conflict = table.table.conflict
    assert (conflict.border, conflict.eagle, conflict.rose) == (2, 3, 3)


def test_conflict_of_an_end_at_once_stays_in_sight(scene):
    """Ruling Q9: phases 7 to 12 do not happen, so cards and totals stay on the table as they were fought."""
    table = scene(match_round=6, early_end="at_once").land("eagle", *range(12)).land("rose", 5)
    table.draft("diplomat_5", "builder", "farmer", "strategist").fight([3])
    shown = table.table
    assert shown.phase == "over"
    assert (shown.conflict.border, shown.conflict.eagle, shown.conflict.rose) == (4, 5 + 5 + 3, 5)
    assert [seat.action for seat in shown.seats] == ["diplomat_5", "builder", "farmer", "strategist"]
    assert [seat.played for seat in shown.seats] == [[3], [], [], []]
    assert shown.middle_size == 2


def test_last_conflict_tells_how_the_fight_went(scene):
    """Facts 24, 26: all of it was public, and it stays till the next fight is resolved."""
    table = scene(match_round=3).draft("builder", "traitor", "farmer", "diplomat_2", border=7)
    table.fight([5], [3, 4], [], [4])
    expected = {
        "round": 3,
        "border": 7,
        "houses": ["eagle", "eagle", "eagle", "rose"],
        "actions": ["builder", "traitor", "farmer", "diplomat_2"],
        "played": [[5], [3, 4], [], [4]],
        "eagle": 10 + 5 + 7,
        "rose": 7 + 4 + 2,
        "winner": "eagle",
    }
    assert as_sent(table.table.last_conflict) == expected
    table.play(0, DeclineBuild())
    assert as_sent(table.table.last_conflict) == expected
    table.draft("strategist", "farmer", "builder", "traitor", border=0).fight()
    last = table.table.last_conflict
    assert (last.round, last.border, last.eagle, last.rose, last.winner) == (4, 0, 0, 0, None)


def test_views_change_nothing(match):
    """Ruling Q27: looking is free, for the state is the same before and after; and what was seen does not change."""
    for seats in (3, 4):
        game = match(5, seats)
        for _ in game:
            before = VERRAETER.dump(game.state)
            seen = [VERRAETER.table(game.state), *(VERRAETER.hand(game.state, seat) for seat in range(seats))]
            copies = msgspec.msgpack.encode(seen)
            assert VERRAETER.dump(game.state) == before
            state = VERRAETER.load(before)
            if deciding := VERRAETER.deciding(state):
                (seat,) = deciding
                table = VERRAETER.table(state)
                told = msgspec.msgpack.encode(table)
                VERRAETER.play(state, seat, VERRAETER.legal_moves(state, seat)[-1], Randomness("x", bytes(32)).move(1))
                assert msgspec.msgpack.encode(table) == told
            assert msgspec.msgpack.encode(seen) == copies


@pytest.mark.parametrize("seats", [3, 4])
def test_every_kind_of_decision_is_shown_as_the_phase(match, seats):
    """Fact 38: the table names the decision that is due, or that the match is over."""
    game = match(3, seats)
    phases = set()
    for _ in game:
        phase = VERRAETER.table(game.state).phase
        phases.add(phase)
        for seat in VERRAETER.deciding(game.state):
            assert VERRAETER.kind(game.state, seat) == phase
    assert phases == {"place_farm", "declare_conflict", "draft_action", "play_supplies", "build", "over"}
    assert VERRAETER.kinds == ("place_farm", "declare_conflict", "draft_action", "play_supplies", "build")
