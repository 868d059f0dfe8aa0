"""Section 4: one trick, step by step."""

import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.moves import ChooseMission, PlayCard

AGENTS = "agent agent insider"


# --- 1: the mission ---


def test_start_player_draws_two_missions_and_chooses(scene):
    """Section 4.1: the other one is discarded unseen and gone for good."""
    table = scene(AGENTS)
    assert INSIDE_JOB.deciding(table.state) == (0,)
    assert table.moves(0) == [ChooseMission(mission="all_even_blue"), ChooseMission(mission="ascending_red")]
    (event,) = table.choose("ascending_red")
    assert (event.public.mission, event.public.you) == ("ascending_red", None)
    assert event.seen_by(0).you.discarded == "all_even_blue"
    assert (event.seen_by(1), event.seen_by(None)) == (event.public, event.public)
    assert table.table.mission.mission == "ascending_red"
    assert (table.hand(0).drawn, table.hand(0).discarded) == ([], ["all_even_blue"])
    assert "all_even_blue" not in table.state.mission_deck + table.state.succeeded + table.state.failed
    assert (table.state.phase, INSIDE_JOB.deciding(table.state)) == ("play_card", (0,))


def test_missions_are_drawn_unseen(scene):
    """Section 4.1: who draws sees them, nobody else does."""
    table = scene(AGENTS).trick("all_even_blue", "b2 b4 b6")
    drawn = table.log[-1]
    assert drawn.public.__struct_config__.tag == "missions_drawn"
    assert (drawn.public.seat, drawn.public.you) == (2, None)
    assert set(drawn.private) == {2}
    assert drawn.seen_by(2).you.missions == table.hand(2).drawn == ["last_wins_green", "last_wins_yellow"]
    assert table.hand(0).drawn == table.hand(1).drawn == []
    assert table.table.mission_deck_size == 2


def test_insider_chooses_missions_too(scene):
    """Section 4.1: the insider may be start player."""
    table = scene("agent insider agent", start=1)
    assert INSIDE_JOB.deciding(table.state) == (1,)
    assert len(table.moves(1)) == 2
    table.choose("all_even_blue")
    assert table.state.mission == "all_even_blue"


def test_two_equal_missions_are_one_move(scene):
    """Section 4.1: and it is asked for all the same; the other copy is discarded."""
    table = scene(AGENTS)
    table.state.drawn = ["no_trump_red", "no_trump_red"]
    assert table.moves(0) == [ChooseMission(mission="no_trump_red")]
    table.choose("no_trump_red")
    assert table.hand(0).discarded == ["no_trump_red"]


# --- 2 and 3: lead and follow ---


def test_any_card_may_be_led(scene):
    """Section 4.2: trump too; a wager never."""
    table = scene(AGENTS).hold("b2 r3 g4 y5", "b1", "b3").mission("all_even_blue")
    assert table.playable(0) == ["b2", "r3", "g4", "y5"]
    assert table.table.led_suit is None
    table.play("r3")
    assert table.table.led_suit == "red"


def test_agents_follow_suit(scene):
    """Section 4.3; Section 8 'follow suit': whoever has the led suit must play it."""
    table = scene(AGENTS, wagers=False).hold("r9", "b2 r3 r12 y5", "r1").mission("all_even_blue").play("r9")
    assert table.playable(1) == ["r3", "r12"]
    assert table.refused(1, PlayCard(card="blue_2", wager=False)) == "must-follow-suit"


def test_without_the_led_suit_any_card(scene):
    """Section 4.3: trump is allowed, never compulsory."""
    table = scene(AGENTS, wagers=False).hold("r9", "b2 g3 y5", "r1").mission("all_even_blue").play("r9")
    assert table.playable(1) == ["b2", "g3", "y5"]


@pytest.mark.parametrize("role", ["insider", "prof_no"])
def test_insider_side_may_play_anything(scene, role):
    """Section 4.3; Section 8 'follow suit': the insider, or Prof. No in his place, may also follow."""
    table = scene(f"agent {role} agent", wagers=False).hold("r9", "b2 r3 r12 y5", "r1").mission("all_even_blue")
    assert table.play("r9").playable(1) == ["b2", "r3", "r12", "y5"]


ROLES = ["agent", "bugged_agent", "paranoid_agent", "risk_agent", "sleeper_agent", "decoy", "accomplice", "tim_shady"]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("revealed", [False, True])
def test_every_other_role_follows_suit(scene, role, revealed):
    """Section 4.3; Section 8 'follow suit': revealed or not, agent, neutral or with a secret of their own."""
    table = scene(f"agent {role} insider agent").hold("r9", "b2 r3 y5", "r1", "r2").partner(0)
    if revealed:
        table.reveal(1)
    table.mission("all_even_blue").play("r9")
    assert {move.card for move in table.moves(1)} == {"red_3"}
    assert table.refused(1, PlayCard(card="blue_2", wager=False)) == "must-follow-suit"


def test_printed_suits_count_for_the_obligation(scene):
    """Section 4.3; Section 5 'effect': a wagered card of another suit does not free, nor is trump a led suit."""
    table = scene("agent agent agent insider").hold("r9", "g2", "b2 r3", "r1").mission("all_even_blue").play("r9 g2*")
    assert table.playable(2) == ["r3", "r3*"]
    assert table.refused(2, PlayCard(card="blue_2", wager=True)) == "must-follow-suit"
    assert table.table.led_suit == "red"


def test_seats_play_clockwise(scene):
    """Section 4.3: one card each, from the start player."""
    table = scene("agent insider agent agent agent", start=3).mission("all_even_blue")
    table.hold("b1", "b2", "b3", "b4", "b5")
    for seat, short in ((3, "b4"), (4, "b5"), (0, "b1"), (1, "b2"), (2, "b3")):
        assert INSIDE_JOB.deciding(table.state) == (seat,)
        assert table.table.seat_to_play == seat
        table.play(short)
    assert [play.seat for play in table.last.plays] == [3, 4, 0, 1, 2]


def test_wager_is_decided_with_the_card(scene):
    """Section 4.4: each card with and without, where a wager is allowed; a forced card is asked for too."""
    table = scene(AGENTS).hold("r9", "r2 r3", "y1").mission("all_even_blue").play("r9")
    assert table.playable(1) == ["r2", "r2*", "r3", "r3*"]
    table.tokens(1, 1, 0).play("r2")
    assert table.playable(2) == ["y1"]
    assert INSIDE_JOB.deciding(table.state) == (2,)


# --- 5: the winner ---


@pytest.mark.parametrize(
    ("trump", "cards", "winner"),
    [
        ("blue", "r9 r12 b1", 2),  # a trump beats the led suit
        ("blue", "b3 b2 r13", 0),  # a trump that was led
        ("blue", "b3 b4 b13", 2),
        ("blue", "r9 r12 r3", 1),  # no trump: the led suit
        ("blue", "r9 g13 y13", 0),  # other suits never win
        ("green", "r9 g2 g13", 2),
        ("red", "r9 g13 r10", 2),
    ],
)
def test_winner(scene, trump, cards, winner):
    """Section 4.5: the highest trump; without any the highest card of the led suit."""
    assert scene(AGENTS).trick(f"ends_match_{trump}", cards).last.winner == winner


def test_mission_is_checked_on_the_complete_trick(scene):
    """Section 4.6; Section 4.8: a success goes to the agents' row, a failure out of the game; both stay public."""
    table = scene(AGENTS).trick("all_even_blue", "b2 b4 b6")
    assert (table.last.succeeded, table.table.succeeded, table.table.failed) == (True, ["all_even_blue"], [])
    table.trick("all_odd_red", "b1 b4 b5")
    assert (table.last.succeeded, table.table.succeeded) == (False, ["all_even_blue"])
    assert table.table.failed == ["all_odd_red"]
    assert [event.succeeded for event in table.told("trick_completed")] == [True, False]


@pytest.mark.parametrize("mission", ["all_even_blue", "all_odd_blue"])
def test_winner_takes_intel_whatever_the_mission(scene, mission):
    """Section 4.7: one token from the supply."""
    table = scene(AGENTS).trick(mission, "b2 b8 b6")
    assert (table.held, table.state.supply) == ([1, 2, 1], 10)
    (event,) = table.told("trick_completed")
    assert (event.winner, event.intel, event.supply) == (1, 1, 10)


def test_end_checks_come_last(scene):
    """Section 4.9: intel and the mission card are dealt with before the match ends."""
    table = scene(AGENTS).tokens(1, 1, 5).succeeded(8).trick("all_even_blue", "b2 b8 b10")
    assert table.story()[-3:] == ["trick_completed", "role_turned_up", "inside_job_ended"]
    assert (table.held, len(table.state.succeeded)) == ([1, 1, 6], 9)


def test_winner_leads_next(scene):
    """Section 4.10: the winner is the next start player and draws missions."""
    table = scene("agent agent insider agent", start=2).trick("all_odd_blue", "r2 r9 b1 r12")
    assert table.last.winner == 0
    assert (table.state.start_seat, table.state.trick, table.state.phase) == (0, 2, "choose_mission")
    assert INSIDE_JOB.deciding(table.state) == (0,)
    assert (table.table.mission, table.table.plays, table.table.led_suit) == (None, [], None)


def test_playing_goes_on_to_the_last_trick(match):
    """Section 4 'to the end': also when the agents can no longer reach their number; then cards are left in hand."""

    def no_success(state, _seat, moves, choices):
        if state.phase != "play_card":
            return choices.choice(moves)
        quiet = [move for move in moves if not move.wager]
        return choices.choice(quiet)

    votes = 0
    for seats, left in ((3, 2), (4, 2), (5, 1)):
        for number in range(10):
            tricks = {3: 11, 4: 10, 5: 9}[seats]
            game = match(number, seats, no_success, missions_needed=tricks, intel_limit=14)
            assert game.play_out().state.trick == tricks
            assert [len(player.hand) for player in game.state.players] == [left] * seats
            assert game.state.failed
            votes += game.state.players[0].vote is not None
    assert votes == 30
