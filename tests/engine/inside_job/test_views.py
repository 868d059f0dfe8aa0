"""Section 10: what everybody sees, what one seat sees and what nobody sees."""

import msgspec
import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.moves import CastVote


def as_sent(view):
    return msgspec.to_builtins(view)


def mission(name, condition, trump, risk=False):
    return {"mission": name, "condition": condition, "trump": trump, "risk": risk}


def test_table_shows_all_that_lies_open(scene):
    """Section 10; OQ24: roles in play, the running and the last trick, successes, tokens, sizes."""
    table = scene("agent risk_agent insider accomplice").partner(2).tokens(1, 2, 2, 0).reveal(0)
    table.trick("risk_two_wagered_green", "b1 r3* y5* b4", start=0)
    table.choose("last_wins_green")
    table.hold("b9", "b8 r1", "r2 g13", "b7").play("r2 b7")
    assert as_sent(table.table) == {
        "phase": "play_card",
        "special_roles": ["accomplice", "risk_agent"],
        "trick": 2,
        "tricks": 10,
        "start_seat": 2,
        "seat_to_play": 0,
        "mission": mission("last_wins_green", "last_wins", "green"),
        "led_suit": "red",
        "plays": [
            {"seat": 2, "card": "red_2", "wager": False},
            {"seat": 3, "card": "blue_7", "wager": False},
        ],
        "last_trick": {
            "trick": 1,
            "mission": mission("risk_two_wagered_green", "two_wagered", "green", risk=True),
            "plays": [
                {"seat": 0, "card": "blue_1", "wager": False},
                {"seat": 1, "card": "red_3", "wager": True},
                {"seat": 2, "card": "yellow_5", "wager": True},
                {"seat": 3, "card": "blue_4", "wager": False},
            ],
            "winner": 2,
            "succeeded": True,
            "intel": 3,
        },
        "succeeded": ["risk_two_wagered_green"],
        "failed": [],
        "missions_needed": 7,
        "intel_limit": 5,
        "supply": 8,
        "mission_deck_size": 2,
        "undealt_size": 52 - 6,
        "partner": 2,
        "seats": [
            {
                "seat": seat,
                "revealed": role is not None,
                "role": role,
                "tokens": tokens,
                "hand_size": size,
                "owes_vote": False,
                "votes": None,
            }
            for seat, role, tokens, size in (
                (0, "agent", 1, 1),
                (1, None, 1, 2),
                (2, None, 4, 1),
                (3, "accomplice", 0, 0),
            )
        ],
    }


def test_table_before_the_first_trick(scene):
    """Section 10: nothing has been played yet."""
    table = scene("agent insider accomplice")
    table.state.phase = "choose_partner"
    table.state.trick = 0
    shown = as_sent(table.table)
    assert [shown[name] for name in ("seat_to_play", "mission", "led_suit", "last_trick", "partner")] == [None] * 5
    assert (shown["trick"], shown["plays"], shown["succeeded"], shown["failed"]) == (0, [], [], [])


def test_hand_shows_what_one_seat_knows(scene):
    """Section 10: hand, role, the missions drawn and discarded, the partner's role, the own vote."""
    table = scene("prof_no agent accomplice").hold("r2 b6", "r3 y1", "g8").partner(1)
    assert as_sent(table.hand(0)) == {
        "seat": 0,
        "role": "prof_no",
        "hand": ["blue_6", "red_2"],
        "drawn": ["all_even_blue", "ascending_red"],
        "discarded": [],
        "partner_role": None,
        "vote": None,
    }
    table.choose("ascending_red")
    assert (table.hand(0).drawn, table.hand(0).discarded) == ([], ["all_even_blue"])
    assert as_sent(table.hand(2)) == {
        "seat": 2,
        "role": "accomplice",
        "hand": ["green_8"],
        "drawn": [],
        "discarded": [],
        "partner_role": "agent",
        "vote": None,
    }
    table = scene("prof_no agent agent").voting()
    table.do(1, CastVote(targets=(0,)))
    assert [table.hand(seat).vote for seat in range(3)] == [None, [0], None]


def test_discarded_missions_stay_with_who_discarded_them(scene):
    """Section 10: the own only, in the order of the own tricks."""
    table = scene("agent agent insider")
    table.state.players[1].discarded = ["some_trump_red", "all_odd_red"]
    assert [table.hand(seat).discarded for seat in range(3)] == [[], ["some_trump_red", "all_odd_red"], []]


def both_looks(scene, change, roles="agent insider agent agent"):
    """The views of a state before and after a change: the table, then each hand."""
    seen = []
    for changed in (False, True):
        table = scene(roles).hold("r9 b1", "r2 b2", "r3 g3", "r4").partner(None).mission("all_even_blue").play("r9")
        if changed:
            change(table.state)
        seen.append([table.table, *(table.hand(seat) for seat in range(4))])
    return seen


def swap_hands(state):
    state.players[2].hand, state.players[3].hand = ["red_4", "green_3"], ["red_3"]


def swap_roles(state):
    state.players[1].role, state.players[2].role = state.players[2].role, state.players[1].role


def reorder_deck(state):
    state.mission_deck.reverse()


def change_undealt(state):
    state.undealt.reverse()


def change_discarded(state):
    state.players[0].discarded = ["some_trump_red"]


@pytest.mark.parametrize(
    ("change", "hands"),
    [
        (swap_hands, {2, 3}),
        (swap_roles, {1, 2}),
        (reorder_deck, set()),
        (change_undealt, set()),
        (change_discarded, {0}),
    ],
)
def test_secrets_show_to_their_owners_alone(scene, change, hands):
    """Section 10: hands, roles, discarded missions; undealt cards and the order of the deck to nobody."""
    (table, *before), (same_table, *after) = both_looks(scene, change)
    assert table == same_table
    assert {seat for seat in range(4) if before[seat] != after[seat]} == hands


def test_drawn_missions_show_to_the_start_player_alone(scene):
    """Section 10: while they are being chosen from."""
    one, other = scene("agent insider agent"), scene("agent insider agent")
    other.state.drawn = ["last_wins_green", "second_wins_red"]
    assert one.table == other.table
    assert [one.hand(seat) == other.hand(seat) for seat in range(3)] == [False, True, True]


def test_votes_show_to_their_owners_alone(scene):
    """Section 10: until all have voted; and one vote looks like two."""
    tables = []
    for targets in ((0,), (2,), (0, 2)):
        table = scene("agent paranoid_agent insider agent").voting()
        table.do(1, CastVote(targets=targets))
        tables.append(table)
    assert tables[0].table == tables[1].table == tables[2].table
    for seat in (0, 2, 3):
        assert tables[0].hand(seat) == tables[1].hand(seat) == tables[2].hand(seat)


def test_after_the_end_roles_and_votes_are_open_and_hands_are_not(scene):
    """Section 10: hands, undealt cards and discarded missions show in the replay alone."""
    table = scene("agent paranoid_agent insider agent").hold("r1 r2", "g1", "y1", "b1 b2").voting()
    table.vote(2, (0, 2), 3, 1)
    shown = as_sent(table.table)
    assert [seat["role"] for seat in shown["seats"]] == ["agent", "paranoid_agent", "insider", "agent"]
    assert [seat["votes"] for seat in shown["seats"]] == [[2], [0, 2], [3], [1]]
    assert shown["phase"] == "over"
    text = msgspec.json.encode(table.table).decode()
    assert not any(f'"{card}"' in text for card in ("red_1", "green_1", "yellow_1", "blue_2"))
    assert table.hand(1).hand == ["green_1"]


def test_a_hidden_role_has_the_same_fields_whatever_it_is(dealt):
    """Section 10: nothing but the face-up cards differs."""
    for number in range(5):
        state, _ = dealt(5, number, special_roles=("bugged_agent", "decoy", "paranoid_agent", "prof_no"))
        shown = as_sent(INSIDE_JOB.table(state))["seats"]
        hidden = [{**seat, "seat": None} for seat in shown if not seat["revealed"]]
        assert hidden == [hidden[0]] * 4


def test_views_change_nothing(match):
    """Section 10: looking leaves the state as it is, and what was seen does not change when the match goes on."""
    for seats in (3, 4, 5):
        game = match(5, seats, special_roles=("accomplice",))
        seen, copies = [], []
        for _ in game:
            before = INSIDE_JOB.dump(game.state)
            views = [INSIDE_JOB.table(game.state), *(INSIDE_JOB.hand(game.state, seat) for seat in range(seats))]
            assert INSIDE_JOB.dump(game.state) == before
            seen.append(views)
            copies.append(msgspec.msgpack.encode(views))
        assert [msgspec.msgpack.encode(views) for views in seen] == copies
