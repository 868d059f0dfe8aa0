"""Section 8: what each special role does, by itself and beside others."""

import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.moves import ChooseMission, ChoosePartner, PlayCard

FAIL = "all_even_blue"


def won_by(table, seat):
    """A trick that fails its mission, led by seat 0 and won by this seat."""
    return table.won_by(seat)


# --- Bugged Agent ---


def test_bugged_agent_begins_with_a_token(dealt):
    """Section 8 'bugged_agent'; OQ3: 1 like all, face-up before the first mission."""
    state, _ = dealt(3, special_roles=("bugged_agent",))
    (bugged,) = (seat for seat, player in enumerate(state.players) if player.role == "bugged_agent")
    shown = INSIDE_JOB.table(state).seats
    assert (shown[bugged].role, shown[bugged].revealed, shown[bugged].tokens) == ("bugged_agent", True, 1)
    assert [seat.role for seat in shown if seat.seat != bugged] == [None, None]


def test_bugged_agent_may_not_wager(scene):
    """Section 8 'bugged_agent'; OQ2; Section 5 'who': although she holds a token."""
    table = scene("agent bugged_agent insider").hold("r9", "r2", "r3").mission(FAIL).play("r9")
    assert table.playable(1) == ["r2"]
    assert table.refused(1, PlayCard(card="red_2", wager=True)) == "revealed-may-not-wager"


@pytest.mark.parametrize("insider", ["insider", "prof_no"])
def test_bugged_agent_with_two_tokens(scene, insider):
    """Section 8 'bugged_agent'; Section 8 'insider wins'; Section 8 'prof_no'; Section 7 check 1: the insider wins."""
    table = won_by(scene(f"agent bugged_agent {insider} agent"), 1)
    assert (table.held[1], table.ending, table.won) == (2, "bugged_agent_loaded", [2])


def test_bugged_agent_without_tokens(scene):
    """Section 8 'bugged_agent': once Tim has stolen hers, a trick without wagers leaves her at 1, one with does not."""
    roles = "agent bugged_agent tim_shady insider"
    table = won_by(scene(roles).tokens(1, 1, 4, 1), 2)
    assert (table.held, table.revealed, table.ending) == ([1, 0, 6, 1], [1, 2], None)
    won_by(table, 1)
    assert (table.held[1], table.ending) == (1, None)
    table = scene(roles).tokens(1, 0, 5, 1).reveal(2).trick(FAIL, "r1 b13 r2 r3*", start=0)
    assert (table.held[1], table.ending) == (2, "bugged_agent_loaded")


def test_bugged_agent_is_checked_before_tim_steals(scene):
    """Section 8 'bugged_agent'; Section 8 'tim_shady'; Section 7 check 1: in one trick only one of them wins intel."""
    table = scene("agent bugged_agent tim_shady insider").tokens(1, 2, 4, 1)
    won_by(table, 2)
    assert (table.ending, table.held) == ("bugged_agent_loaded", [1, 2, 5, 1])
    assert table.told("intel_stolen") == []


# --- Risk Agent ---

RISK_ROLES = "agent risk_agent insider paranoid_agent"


def test_drawn_risk_mission_must_be_chosen(scene):
    """Section 8 'risk_agent': the only legal choice; the other one is discarded unseen."""
    table = scene(RISK_ROLES)
    table.state.drawn = ["ascending_red", "risk_two_wagered_green"]
    assert table.moves(0) == [ChooseMission(mission="risk_two_wagered_green")]
    assert table.refused(0, ChooseMission(mission="ascending_red")) == "must-choose-risk-mission"
    (event,) = table.choose("risk_two_wagered_green")
    assert event.public.you is None
    assert table.hand(0).discarded == ["ascending_red"]


def test_of_two_risk_missions_either(scene):
    """Section 8 'risk_agent'; OQ18: the start player chooses."""
    for chosen in ("risk_lowest_wins_yellow", "risk_two_wagered_green"):
        table = scene(RISK_ROLES)
        table.state.drawn = ["risk_lowest_wins_yellow", "risk_two_wagered_green"]
        assert table.moves(0) == [ChooseMission(mission=mission) for mission in table.state.drawn]
        table.choose(chosen)
        assert table.state.mission == chosen


def test_normal_missions_with_risky_conditions_are_free(scene):
    """Section 8 'risk_agent': it is the card that binds, not its condition."""
    table = scene(RISK_ROLES)
    table.state.drawn = ["ascending_red", "two_wagered_green"]
    assert len(table.moves(0)) == 2


@pytest.mark.parametrize("seat", [0, 1, 3])
def test_any_standard_agent_revealed(scene, seat):
    """Section 8 'risk_agent'; OQ1: by default the first Agent, Risk or Paranoid Agent revealed through intel."""
    tokens = [4 if other == seat else 1 for other in range(4)]
    table = won_by(scene(RISK_ROLES).tokens(*tokens), seat)
    assert (table.ending, table.revealed, table.won) == ("agents_revealed", [seat], [0, 1, 3])


@pytest.mark.parametrize("role", ["sleeper_agent", "decoy", "tim_shady"])
@pytest.mark.parametrize("risk_reveal", ["any", "risk_agent_only", "all"])
def test_other_reveals_do_not_count(scene, role, risk_reveal):
    """Section 8 'risk_agent'; Section 8 'sleeper_agent'; OQ1: neither the Sleeper's nor a neutral role's."""
    table = won_by(scene(f"agent risk_agent insider {role}", risk_reveal=risk_reveal).tokens(1, 1, 1, 4), 3)
    assert (table.revealed, table.ending) == ([3], None)


def test_bugged_agent_does_not_count(scene):
    """OQ1: she is not revealed through intel, and not needed when all must be."""
    table = won_by(scene("agent risk_agent insider bugged_agent").tokens(1, 1, 1, 0), 3)
    assert (table.revealed, table.ending) == ([3], None)
    table = scene("agent risk_agent insider bugged_agent", risk_reveal="all").reveal(1).tokens(4, 1, 1, 1)
    assert won_by(table, 0).ending == "agents_revealed"


@pytest.mark.parametrize(("seat", "ending"), [(0, None), (1, "agents_revealed"), (3, None)])
def test_risk_agent_only(scene, seat, ending):
    """OQ1: option risk_reveal."""
    tokens = [4 if other == seat else 1 for other in range(4)]
    table = won_by(scene(RISK_ROLES, risk_reveal="risk_agent_only").tokens(*tokens), seat)
    assert (table.ending, table.revealed) == (ending, [seat])


@pytest.mark.parametrize("last", [0, 1, 3])
def test_all_of_them(scene, last):
    """OQ1: option risk_reveal; agents, Paranoid and Risk Agent in play."""
    tokens = [4 if other == last else 1 for other in range(4)]
    others = [seat for seat in (0, 1, 3) if seat != last]
    table = won_by(scene(RISK_ROLES, risk_reveal="all").tokens(*tokens).reveal(others[0]), last)
    assert (table.ending, len(table.revealed)) == (None, 2)
    table = won_by(scene(RISK_ROLES, risk_reveal="all").tokens(*tokens).reveal(*others), last)
    assert (table.ending, table.won) == ("agents_revealed", [0, 1, 3])


def test_all_does_not_wait_for_sleeper_and_neutrals(scene):
    """OQ1; Section 8 'sleeper_agent': they never count, so they need not be revealed."""
    table = scene("agent risk_agent insider sleeper_agent decoy", risk_reveal="all").reveal(1).tokens(3, 1, 1, 1, 1)
    table.trick(FAIL, "r13 r1 r2 r3 r4")
    assert (table.ending, table.won) == ("agents_revealed", [0, 1, 3])


def test_reveal_without_risk_agent(scene):
    """Section 8 'risk_agent'; Section 7 check 2: the clause is hers alone."""
    for risk_reveal in ("any", "risk_agent_only", "all"):
        table = scene("agent agent insider paranoid_agent", risk_reveal=risk_reveal).reveal(1, 3).tokens(4, 1, 1, 1)
        assert won_by(table, 0).ending is None


# --- Sleeper Agent ---


def test_sleeper_unrevealed(scene):
    """Section 8 'sleeper_agent': she wins with the agents."""
    table = scene("sleeper_agent agent insider agent").succeeded(6).trick("all_odd_blue", "r1 r3 r5 r7")
    assert (table.won, table.reasons[0]) == ([0, 1, 3], "hidden_sleeper_won")
    table = won_by(scene("sleeper_agent agent insider agent").tokens(1, 1, 4, 1), 2)
    assert (table.won, table.reasons[0]) == ([2], "hidden_sleeper_lost")


def test_sleeper_revealed(scene):
    """Section 8 'sleeper_agent': from then on she wins with the insider."""
    table = won_by(scene("sleeper_agent agent insider agent").tokens(4, 1, 4, 1), 0)
    assert (table.revealed, table.ending) == ([0], None)
    won_by(table, 2)
    assert (table.won, table.reasons[0]) == ([0, 2], "revealed_sleeper_won")


def test_sleeper_revealed_in_the_deciding_trick(scene):
    """Section 8 'sleeper_agent'; OQ14: she has changed sides already."""
    table = scene("agent sleeper_agent insider agent").tokens(1, 4, 1, 1).succeeded(6)
    table.trick("all_odd_blue", "r1 r13 r5 r7")
    assert (table.ending, table.revealed, table.won) == ("missions_accomplished", [1], [0, 3])
    assert table.reasons[1] == "revealed_sleeper_lost"


# --- Prof. No ---


def test_prof_no_takes_tokens_like_all(scene):
    """Section 8 'prof_no'; OQ4: they are no goal for him, but do not betray him."""
    table = won_by(scene("agent agent prof_no agent"), 2)
    assert (table.held, table.revealed, table.ending) == ([1, 1, 2, 1], [], None)


def test_prof_no_revealed(scene):
    """Section 8 'prof_no'; OQ4; OQ5; Section 7 check 2: the agents win at once."""
    table = won_by(scene("agent agent prof_no agent").tokens(1, 1, 4, 1), 2)
    assert (table.ending, table.won, table.reasons[2]) == ("prof_no_revealed", [0, 1, 3], "prof_no_lost")


def test_prof_no_hidden_when_the_missions_are_done(scene):
    """Section 8 'prof_no'; OQ6: the agents win, he loses."""
    table = scene("agent agent prof_no agent").succeeded(6).trick("all_odd_blue", "r1 r3 r5 r7")
    assert (table.ending, table.won, table.revealed) == ("missions_accomplished", [0, 1, 3], [])


def test_prof_no_with_all_others_revealed(scene):
    """Section 8 'prof_no'; OQ22; Section 7 check 3: he wins at once; Bugged Agent and Accomplice count as revealed."""
    table = scene("agent bugged_agent prof_no agent accomplice").partner(2).reveal(0).tokens(1, 0, 1, 3, 0)
    table.trick(FAIL, "r1 r2 r3 r13 r4")
    assert (table.ending, table.won) == ("all_others_revealed", [2, 4])
    table = scene("agent bugged_agent prof_no agent accomplice").partner(2).tokens(1, 0, 1, 3, 0)
    table.trick(FAIL, "r1 r2 r3 r13 r4")
    assert table.ending is None


def test_others_of_prof_no_are_all_roles(scene):
    """Section 8 'prof_no': whatever their role."""
    table = won_by(scene("sleeper_agent agent prof_no tim_shady").reveal(0, 1).tokens(1, 1, 1, 4), 3)
    assert (table.ending, table.won) == ("all_others_revealed", [0, 2])
    assert table.reasons == ["revealed_sleeper_won", "agents_lost", "prof_no_won", "right_neighbour_won"]


# --- Decoy ---


def test_decoy_without_a_vote(scene):
    """Section 8 'decoy': the match ends before it, he loses whoever wins."""
    table = won_by(scene("agent decoy insider agent").tokens(1, 1, 4, 1), 2)
    assert (table.won, table.reasons[1]) == ([2], "decoy_not_voted_out")
    table = scene("agent decoy insider agent").succeeded(6).trick("all_odd_blue", "r1 r3 r5 r7")
    assert (table.won, table.reasons[1]) == ([0, 3], "decoy_not_voted_out")


def test_revealed_decoy_cannot_be_voted_for(scene):
    """Section 8 'decoy': so he loses."""
    table = won_by(scene("agent decoy insider agent").tokens(1, 4, 1, 1), 1)
    assert (table.revealed, table.ending) == ([1], None)
    table.voting()
    assert all(1 not in move.targets for seat in range(4) for move in table.moves(seat))


def test_decoy_wins_alone(scene):
    """Section 8 'decoy'; OQ10; Section 8 order 1: his Accomplice loses, and Tim although the right neighbour lost."""
    table = scene("agent decoy insider accomplice tim_shady").partner(1).voting()
    table.vote(1, 0, 1, None, 1)
    assert (table.ending, table.won) == ("decoy_voted_out", [1])
    assert table.reasons == ["decoy_won", "decoy_voted_out", "decoy_won", "decoy_won", "decoy_won"]
    assert table.told("inside_job_ended")[0].winner == "decoy"


# --- Accomplice ---


def test_accomplice_points_at_a_partner(scene):
    """Section 8 'accomplice'; OQ7: any other player, openly; the partner's role is seen by him alone."""
    table = scene("agent bugged_agent insider accomplice")
    table.state.phase = "choose_partner"
    assert INSIDE_JOB.deciding(table.state) == (3,)
    assert table.moves(3) == [ChoosePartner(seat=seat) for seat in (0, 1, 2)]
    assert table.refused(3, ChoosePartner(seat=3)) == "own-seat"
    assert table.refused(3, ChoosePartner(seat=4)) == "no-such-seat"
    assert table.hand(3).partner_role is None
    chosen, _ = table.choose_partner(3, 2)
    assert (chosen.public.seat, chosen.public.partner, chosen.public.you) == (3, 2, None)
    assert set(chosen.private) == {3}
    assert chosen.seen_by(3).you.role == "insider"
    assert table.table.partner == 2
    assert [table.hand(seat).partner_role for seat in range(4)] == [None, None, None, "insider"]
    assert [seat.role for seat in table.table.seats] == [None, "bugged_agent", None, "accomplice"]


def test_partner_may_be_revealed_already(scene):
    """Section 8 'accomplice': the Bugged Agent."""
    table = scene("agent bugged_agent insider accomplice")
    table.choose_partner(3, 1)
    assert table.hand(3).partner_role == "bugged_agent"


def test_accomplice_wins_a_trick(scene):
    """Section 8 'accomplice'; OQ8: nothing leaves the supply, and the wagers go there."""
    table = scene("agent insider agent accomplice").partner(0).tokens(1, 2, 1, 0)
    table.trick("all_odd_blue", "r1 r2* r3* b13", start=0)
    assert (table.last.winner, table.last.intel) == (3, 0)
    assert (table.held, table.state.supply) == ([1, 1, 0, 0], 12)
    (event,) = table.told("trick_completed")
    assert (event.intel, event.supply) == (0, 12)
    assert table.state.start_seat == 3
    assert INSIDE_JOB.deciding(table.state) == (3,)


def test_accomplice_plays_like_anybody(scene):
    """Section 8 'accomplice'; Section 8 'follow suit': leads, chooses missions, follows suit, wagers nothing."""
    table = scene("agent insider agent accomplice", start=3).partner(0)
    assert len(table.moves(3)) == 2
    table.choose("all_even_blue")
    table.hold("r1", "r2", "r3", "r4 g5")
    assert table.playable(3) == ["r4", "g5"]
    table.play("r4 r1 r2 r3")
    table = scene("agent insider agent accomplice").partner(0).hold("r1", "r2", "r3", "r4 g5").mission(FAIL)
    assert table.play("r1 r2 r3").playable(3) == ["r4"]
    assert table.refused(3, PlayCard(card="red_4", wager=True)) == "revealed-may-not-wager"


def test_accomplice_and_partner(scene):
    """Section 8 'accomplice'; Section 8 order 3: he wins if and only if the partner wins, on either side."""
    roles = "agent insider sleeper_agent accomplice"
    for partner, won in ((0, []), (1, [3]), (2, [])):
        table = won_by(scene(roles).partner(partner).tokens(1, 4, 1, 0), 1)
        assert (table.ending, table.won) == ("insider_collected_intel", sorted([1, *won]))
        assert table.reasons[3] == ("partner_won" if won else "partner_lost")
    for partner, won in ((0, [3]), (1, []), (2, [3])):
        table = scene(roles).partner(partner).succeeded(6).trick("all_odd_blue", "r1 r3 r5 r7")
        assert table.won == sorted([0, 2, *won])


# --- Tim Shady ---


def test_tim_steals_from_the_right(scene):
    """Section 8 'tim_shady'; OQ13: one token, after the trick is paid out, when he is revealed."""
    table = won_by(scene("agent agent insider tim_shady").tokens(1, 1, 3, 4), 3)
    assert (table.held, table.revealed) == ([1, 1, 2, 6], [3])
    (event,) = table.told("intel_stolen")
    assert (event.seat, event.victim) == (3, 2)
    assert table.story()[-4:] == ["trick_completed", "role_turned_up", "intel_stolen", "missions_drawn"]
    won_by(table, 3)
    assert (table.held, len(table.told("intel_stolen"))) == ([1, 1, 2, 7], 1)


def test_right_neighbour_of_seat_0_is_the_last(scene):
    """Section 8 'tim_shady': the previous number, clockwise."""
    table = won_by(scene("tim_shady agent insider agent").tokens(4, 2, 2, 3), 0)
    assert table.held == [6, 2, 2, 2]


def test_tim_steals_nothing_from_nobody(scene):
    """Section 8 'tim_shady'; OQ12: a neighbour without tokens, as the Accomplice always is, loses none."""
    table = won_by(scene("agent agent insider tim_shady").tokens(1, 1, 0, 4), 3)
    assert (table.held, table.told("intel_stolen")) == ([1, 1, 0, 5], [])
    table = scene("agent insider accomplice tim_shady agent").partner(0).tokens(1, 1, 0, 3, 1)
    table.trick(FAIL, "r1 r2 r3 r13 r4")
    assert (table.held, table.revealed) == ([1, 1, 0, 4, 1], [2, 3])


def test_tim_steals_no_wagered_token(scene):
    """OQ13: what the neighbour wagered is in the pot already."""
    table = scene("agent agent insider tim_shady").tokens(1, 1, 1, 3).trick("all_odd_blue", "r1 r2 r3* b13", start=0)
    assert (table.held, table.revealed) == ([1, 1, 0, 5], [3])
    assert table.told("intel_stolen") == []


def test_stolen_token_does_not_hide_again(scene):
    """Section 8 'tim_shady'; OQ13: the neighbour's earlier reveal stays, nor is the insider's goal counted anew."""
    table = won_by(scene("agent agent agent tim_shady insider").tokens(1, 1, 4, 3, 1).reveal(2), 0)
    table.state.players[3].tokens = 3
    table.trick(FAIL, "r1 r2 r3 r13 r4", start=0)
    assert (table.held[2], table.held[3], table.revealed) == (3, 5, [2, 3])


def test_tim_wins_if_the_right_neighbour_loses(scene):
    """Section 8 'tim_shady'; Section 8 order 3: with either side, revealed or not."""
    table = won_by(scene("agent agent insider tim_shady").tokens(1, 1, 4, 1), 2)
    assert (table.won, table.reasons[3]) == ([2], "right_neighbour_won")
    table = won_by(scene("agent insider agent tim_shady").tokens(1, 4, 1, 1).reveal(3), 1)
    assert (table.won, table.reasons[3]) == ([1, 3], "right_neighbour_lost")
    table = scene("agent agent insider tim_shady").succeeded(6).trick("all_odd_blue", "r1 r3 r5 r7")
    assert table.won == [0, 1, 3]
