"""Section 7: reveals, wins and the order of checks."""

import pytest

from engine.inside_job import INSIDE_JOB

LIMITS = {3: 6, 4: 5, 5: 4}
NEEDED = {3: 9, 4: 7, 5: 6}
AGENTS = {3: "agent agent insider", 4: "agent agent insider agent", 5: "agent agent insider agent agent"}
FAILING = {3: "r1 r3 r2", 4: "r1 r3 r2 g4", 5: "r1 r3 r2 g4 g6"}  # not even; seat 1 wins
INSIDERS = {3: "r1 r3 r4", 4: "r1 r3 r4 g4", 5: "r1 r3 r4 g4 g6"}  # not even; seat 2 wins
EVEN = {3: "r2 r6 r4", 4: "r2 r6 r4 g4", 5: "r2 r6 r4 g4 g6"}  # seat 1 wins
INSIDERS_EVEN = {3: "r2 r4 r6", 4: "r2 r4 r6 g4", 5: "r2 r4 r6 g4 g6"}  # seat 2 wins


def with_tokens(seats, seat, tokens):
    return [tokens if other == seat else 1 for other in range(seats)]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_reveal_at_the_limit(scene, seats):
    """Section 7 'reveal'; Section 3 'table': with the limit, the start token counted, not one before."""
    limit = LIMITS[seats]
    table = scene(AGENTS[seats]).tokens(*with_tokens(seats, 1, limit - 2)).trick("all_even_blue", FAILING[seats])
    assert (table.held[1], table.revealed) == (limit - 1, [])
    table = scene(AGENTS[seats]).tokens(*with_tokens(seats, 1, limit - 1)).trick("all_even_blue", FAILING[seats])
    assert (table.held[1], table.revealed, table.ending) == (limit, [1], None)
    assert [(event.seat, event.role, event.cause) for event in table.told("role_turned_up")] == [(1, "agent", "intel")]
    assert [seat.role for seat in table.table.seats] == [None, "agent", *[None] * (seats - 2)]


def test_beyond_the_limit(scene):
    """Section 7 'reveal': wagers may lift somebody over it."""
    table = scene(AGENTS[4]).tokens(2, 4, 2, 2).trick("all_odd_blue", "r1 b3 r2* r4*")
    assert (table.held, table.last.winner) == ([2, 4, 1, 4], 3)
    table = scene(AGENTS[4]).tokens(2, 4, 2, 2).trick("all_odd_blue", "r1 b8 r2* r4*")
    assert (table.held, table.revealed) == ([2, 7, 1, 1], [1])


def test_revealed_agent_plays_on(scene):
    """Section 7 'reveal': takes tokens, follows suit; no second reveal."""
    table = scene(AGENTS[4]).tokens(1, 5, 1, 1).reveal(1).trick("all_even_blue", FAILING[4])
    assert (table.held, table.revealed, table.told("role_turned_up")) == ([1, 6, 1, 1], [1], [])
    assert (table.state.phase, INSIDE_JOB.deciding(table.state)) == ("choose_mission", (1,))


def test_only_the_winner_is_revealed(scene):
    """Section 7 check 2; Section 7 'reveal': who holds as much without winning is not."""
    table = scene(AGENTS[4]).tokens(5, 1, 1, 1).trick("all_even_blue", FAILING[4])
    assert (table.held, table.revealed) == ([5, 2, 1, 1], [])


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_insider_wins_with_intel(scene, seats):
    """Section 7 'insider'; Section 7 check 2: at once."""
    table = scene(AGENTS[seats]).tokens(*with_tokens(seats, 2, LIMITS[seats] - 1))
    table.trick("all_even_blue", INSIDERS[seats])
    assert (table.ending, table.won, table.revealed) == ("insider_collected_intel", [2], [2])
    assert INSIDE_JOB.deciding(table.state) == ()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_agents_win_with_missions(scene, seats):
    """Section 7 'agents'; Section 7 check 4: at once with the last one needed."""
    needed = NEEDED[seats]
    table = scene(AGENTS[seats]).succeeded(needed - 2).trick("all_even_blue", EVEN[seats])
    assert (len(table.state.succeeded), table.ending) == (needed - 1, None)
    table = scene(AGENTS[seats]).succeeded(needed - 1).trick("all_odd_blue", EVEN[seats])
    assert (len(table.state.succeeded), table.ending) == (needed - 1, None)
    table = scene(AGENTS[seats]).succeeded(needed - 1).trick("all_even_blue", EVEN[seats])
    assert (table.ending, table.won) == ("missions_accomplished", [seat for seat in range(seats) if seat != 2])


def test_last_mission_with_an_agents_reveal(scene):
    """Section 7 check 2; Section 7 check 4: a plain reveal does not end the match, the missions do."""
    table = scene(AGENTS[4]).tokens(1, 4, 1, 1).succeeded(6).trick("all_even_blue", EVEN[4])
    assert (table.revealed, table.ending, table.won) == ([1], "missions_accomplished", [0, 1, 3])


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_both_goals_in_one_trick(scene, seats):
    """Section 7 'both': the insider wins."""
    table = scene(AGENTS[seats]).tokens(*with_tokens(seats, 2, LIMITS[seats] - 1)).succeeded(NEEDED[seats] - 1)
    table.trick("all_even_blue", INSIDERS_EVEN[seats])
    assert (table.ending, table.won) == ("insider_collected_intel", [2])


def test_bugged_agent_comes_first(scene):
    """Section 7 check 1: before a reveal, before the missions."""
    table = scene("agent bugged_agent insider agent").succeeded(6).trick("all_even_blue", EVEN[4])
    assert (table.ending, table.won) == ("bugged_agent_loaded", [2])
    table = scene("agent bugged_agent insider agent").tokens(1, 2, 4, 1).trick("all_even_blue", INSIDERS[4])
    assert (table.ending, table.revealed) == ("bugged_agent_loaded", [1])


def test_prof_no_alone_is_hidden(scene):
    """Section 7 check 3; Section 8 'prof_no': all others revealed, before the missions are counted."""
    table = scene("agent agent prof_no agent").reveal(0, 3).tokens(1, 4, 1, 1).succeeded(6)
    table.trick("all_even_blue", EVEN[4])
    assert (table.revealed, table.ending, table.won) == ([0, 1, 3], "all_others_revealed", [2])


def test_reveal_that_ends_the_match_comes_before_prof_nos_win(scene):
    """Section 7 check 2; Section 7 check 3; OQ1: the agents' reveal with the Risk Agent."""
    table = scene("risk_agent agent prof_no agent").reveal(0, 3).tokens(1, 4, 1, 1).trick("all_odd_blue", EVEN[4])
    assert (table.ending, table.won) == ("agents_revealed", [0, 1, 3])


def test_insider_gains_nothing_by_being_the_only_one_hidden(scene):
    """Section 7 check 3: it is Prof. No's rule alone."""
    table = scene(AGENTS[4]).reveal(0, 3).tokens(1, 4, 1, 1).trick("all_odd_blue", EVEN[4])
    assert (table.revealed, table.ending, table.state.phase) == ([0, 1, 3], None, "choose_mission")


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_vote_after_the_last_trick(scene, seats):
    """Section 7 check 5: not before."""
    table = scene(AGENTS[seats]).last_trick()
    table.state.trick -= 1
    table.trick("all_even_blue", FAILING[seats])
    assert table.state.phase == "choose_mission"
    table.trick("all_even_blue", FAILING[seats], start=0)
    assert (table.state.phase, INSIDE_JOB.deciding(table.state)) == ("cast_vote", tuple(range(seats)))
    assert table.story()[-1] == "vote_opened"


def test_missions_of_the_last_trick_count(scene):
    """Section 7 check 4; Section 7 check 5: no vote is held then."""
    table = scene(AGENTS[4]).last_trick().succeeded(6).trick("all_even_blue", EVEN[4])
    assert (table.ending, "vote_opened" in table.story()) == ("missions_accomplished", False)
    table = scene(AGENTS[4]).last_trick().tokens(1, 1, 4, 1).trick("all_even_blue", INSIDERS[4])
    assert (table.ending, "vote_opened" in table.story()) == ("insider_collected_intel", False)


def test_next_trick_otherwise(scene):
    """Section 7 check 6: with the next number and two new missions."""
    table = scene(AGENTS[4]).trick("all_even_blue", FAILING[4])
    assert (table.state.trick, table.state.phase, len(table.state.drawn)) == (2, "choose_mission", 2)
    assert table.story()[-2:] == ["trick_completed", "missions_drawn"]


def test_own_numbers(scene):
    """Section 7 'reveal'; Section 7 'agents': a match may need other numbers."""
    table = scene(AGENTS[4], intel_limit=2).trick("all_even_blue", FAILING[4])
    assert (table.revealed, table.table.intel_limit) == ([1], 2)
    table = scene(AGENTS[4], intel_limit=6).tokens(1, 4, 1, 1).trick("all_even_blue", FAILING[4])
    assert table.revealed == []
    table = scene(AGENTS[4], missions_needed=1).trick("all_even_blue", EVEN[4])
    assert (table.ending, table.table.missions_needed) == ("missions_accomplished", 1)
    table = scene(AGENTS[4], missions_needed=8).succeeded(6).trick("all_even_blue", EVEN[4])
    assert table.ending is None
