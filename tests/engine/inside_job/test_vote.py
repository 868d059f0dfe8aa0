"""Section 9: the final vote."""

from itertools import permutations

import pytest

from engine.inside_job import INSIDE_JOB
from engine.inside_job.moves import CastVote

AGENTS = "agent agent insider agent"


def targets(table, seat):
    return [move.targets for move in table.moves(seat)]


def test_vote_only_if_no_side_has_won(scene):
    """Section 9 'when': after the last trick."""
    table = scene(AGENTS).last_trick().trick("all_even_blue", "r1 r3 r4 g4")
    assert (table.state.phase, table.won) == ("cast_vote", None)
    assert table.told("vote_opened")[0].voters == [0, 1, 2, 3]
    assert (table.table.mission, table.table.plays, table.table.last_trick.trick) == (None, [], 10)


def test_all_choose_at_the_same_time(scene):
    """Section 9 'simultaneously'; Section 9 'one vote each': nothing but who has voted is shown."""
    table = scene(AGENTS).voting()
    (event,) = table.do(2, CastVote(targets=(0,)))
    assert (event.public.seat, event.public.you) == (2, None)
    assert set(event.private) == {2}
    assert event.seen_by(2).you.targets == [0]
    assert INSIDE_JOB.deciding(table.state) == (0, 1, 3)
    assert [seat.owes_vote for seat in table.table.seats] == [True, True, False, True]
    assert [seat.votes for seat in table.table.seats] == [None] * 4
    assert [table.hand(seat).vote for seat in range(4)] == [None, None, [0], None]
    assert table.refused(2, CastVote(targets=(1,))) == "already-voted"
    assert table.refused(2, CastVote(targets=(0,))) == "already-voted"


def test_votes_are_shown_when_all_have_voted(scene):
    """Section 9 'afterwards': all votes and all roles become public."""
    table = scene(AGENTS).voting().vote(2, 0, 1, 2)
    assert table.told("votes_shown")[0].votes == [[2], [0], [1], [2]]
    assert [seat.votes for seat in table.table.seats] == [[2], [0], [1], [2]]
    assert [seat.role for seat in table.table.seats] == AGENTS.split()
    assert [seat.revealed for seat in table.table.seats] == [False] * 4
    assert [seat.owes_vote for seat in table.table.seats] == [False] * 4
    assert table.story()[-3:] == ["vote_cast", "votes_shown", "inside_job_ended"]
    assert table.told("inside_job_ended")[0].roles == AGENTS.split()


def test_roles_become_public_without_a_vote_too(scene):
    """Section 9 'afterwards': however the match ended; there are no votes then."""
    table = scene(AGENTS).tokens(1, 1, 4, 1).trick("all_even_blue", "r1 r3 r4 g4")
    assert [seat.role for seat in table.table.seats] == AGENTS.split()
    assert [seat.votes for seat in table.table.seats] == [None] * 4
    assert table.told("inside_job_ended")[0].winner == "insider"


def test_order_of_arrival_does_not_matter(scene):
    """Section 9 'simultaneously': the same end, the same last events and the same views."""
    votes = {0: (2,), 1: (0, 2), 2: (0,), 3: (1,)}
    ends = set()
    for order in permutations(votes):
        table = scene("agent paranoid_agent insider agent").voting()
        for seat in order:
            last = table.do(seat, CastVote(targets=votes[seat]))
        told = [INSIDE_JOB.dump(table.state), repr([event.public for event in last[1:]]), repr(table.table)]
        ends.add((*told, *(repr(table.hand(seat)) for seat in votes)))
        assert [event.seat for event in table.told("vote_cast")] == list(order)
    assert len(ends) == 1


def test_own_vote_does_not_hang_on_the_others(scene):
    """Section 9 'simultaneously': what is legal is the same before and after others have voted."""
    table = scene("agent paranoid_agent insider agent").voting()
    before = [table.moves(seat) for seat in range(4)]
    for seat in (3, 0, 2):
        assert table.moves(seat) == before[seat]
        table.do(seat, table.moves(seat)[0])
        assert table.moves(1) == before[1]


def test_everybody_votes_but_the_accomplice(scene):
    """Section 9 'voters'; Section 8 'accomplice'; Section 8 'bugged_agent'; OQ7: revealed players too."""
    table = scene("agent bugged_agent insider accomplice agent").reveal(4).partner(0).voting()
    assert INSIDE_JOB.deciding(table.state) == (0, 1, 2, 4)
    assert table.moves(3) == []
    assert table.refused(3, CastVote(targets=(0,))) == "not-your-turn"
    assert [seat.owes_vote for seat in table.table.seats] == [True, True, True, False, True]
    table.vote(2, 2, 0, None, 2)
    assert table.told("votes_shown")[0].votes == [[2], [2], [0], None, [2]]


def test_targets(scene):
    """Section 9 'targets': not oneself, not a revealed player."""
    table = scene("agent bugged_agent insider agent agent").reveal(3).voting()
    assert targets(table, 0) == [(2,), (4,)]
    assert targets(table, 1) == [(0,), (2,), (4,)]
    assert targets(table, 2) == [(0,), (4,)]
    assert table.refused(0, CastVote(targets=(0,))) == "own-seat"
    assert table.refused(0, CastVote(targets=(1,))) == "target-revealed"
    assert table.refused(0, CastVote(targets=(3,))) == "target-revealed"


def test_one_vote_each(scene):
    """Section 9 'one vote each'; Section 8 'paranoid_agent': two are for the Paranoid Agent alone."""
    for role in ("agent", "insider", "decoy", "tim_shady", "sleeper_agent", "risk_agent", "prof_no"):
        other = "agent" if role in ("insider", "prof_no") else "insider"
        table = scene(f"{role} agent {other} agent").voting()
        assert targets(table, 0) == [(1,), (2,), (3,)]
        assert table.refused(0, CastVote(targets=(1, 2))) == "one-vote-only"
        assert table.refused(0, CastVote(targets=(1, 1))) == "one-vote-only"


def test_insider_without_a_target_is_not_asked(scene):
    """Section 9 'one vote each'; OQ22: all others are revealed, all vote for the insider, the agents win."""
    table = scene(AGENTS).reveal(0, 1, 3).voting()
    assert INSIDE_JOB.deciding(table.state) == (0, 1, 3)
    assert [targets(table, seat) for seat in range(4)] == [[(2,)], [(2,)], [], [(2,)]]
    assert table.refused(2, CastVote(targets=(0,))) == "not-your-turn"
    table.vote(2, 2, None, 2)
    assert (table.ending, table.won) == ("insider_voted_out", [0, 1, 3])
    assert table.told("votes_shown")[0].votes == [[2], [2], None, [2]]


def test_insider_without_a_target_after_the_last_trick(scene):
    """Section 9 'one vote each'; OQ22: the vote is announced to those who have a target."""
    table = scene(AGENTS).reveal(0, 3).tokens(1, 4, 1, 1).last_trick().trick("all_even_blue", "r1 r3 r2 g4")
    assert table.told("vote_opened")[0].voters == [0, 1, 3]
    assert INSIDE_JOB.deciding(table.state) == (0, 1, 3)


# --- the result ---


@pytest.mark.parametrize(
    ("votes", "ending", "won"),
    [
        ((2, 2, 0, 0), "insider_voted_out", [0, 1, 3]),  # a tie with the insider
        ((2, 2, 0, 2), "insider_voted_out", [0, 1, 3]),
        ((1, 2, 3, 0), "insider_voted_out", [0, 1, 3]),  # everybody has one
        ((1, 0, 1, 1), "insider_escaped_vote", [2]),
        ((1, 0, 1, 0), "insider_escaped_vote", [2]),  # a tie without the insider
        ((2, 0, 1, 0), "insider_escaped_vote", [2]),  # the insider has fewer
    ],
)
def test_result(scene, votes, ending, won):
    """Section 9 result 1; Section 9 result 3; OQ21: the insider hit or tied helps the agents, all else does not."""
    table = scene(AGENTS).voting().vote(*votes)
    assert (table.ending, table.won) == (ending, won)


@pytest.mark.parametrize(
    ("votes", "ending", "won"),
    [
        ((1, 0, 1, 0), "vote_tied", [0, 1, 3]),
        ((2, 2, 0, 0), "insider_voted_out", [0, 1, 3]),
        ((1, 0, 1, 1), "insider_escaped_vote", [2]),
    ],
)
def test_every_tie_helps_if_so_chosen(scene, votes, ending, won):
    """Section 9 result 1; OQ21: option vote_tie."""
    table = scene(AGENTS, vote_tie="any").voting().vote(*votes)
    assert (table.ending, table.won) == (ending, won)


@pytest.mark.parametrize("role", ["insider", "prof_no"])
def test_insider_side(scene, role):
    """Section 9 result 1; Section 9 result 3; Section 8 'insider wins'; Section 8 'prof_no': alike."""
    roles = f"agent agent {role} agent"
    table = scene(roles).voting().vote(2, 2, 0, 0)
    assert (table.ending, table.won) == ("insider_voted_out", [0, 1, 3])
    table = scene(roles).voting().vote(1, 0, 1, 1)
    assert (table.ending, table.won) == ("insider_escaped_vote", [2])


@pytest.mark.parametrize("vote_tie", ["with_insider", "any"])
@pytest.mark.parametrize(
    ("votes", "ending", "won"),
    [
        ((3, 3, 3, 0), "decoy_voted_out", [3]),
        ((3, 3, 0, 2), "decoy_voted_out", [3]),
        ((2, 3, 3, 2), "insider_voted_out", [0, 1]),  # tied with the insider
        ((3, 0, 0, 2), "insider_escaped_vote", [2]),  # fewer
    ],
)
def test_decoy(scene, votes, ending, won, vote_tie):
    """Section 9 result 2; Section 8 'decoy'; OQ9: he needs the most votes alone, and then he wins alone."""
    table = scene("agent agent insider decoy", vote_tie=vote_tie).voting().vote(*votes)
    assert (table.ending, table.won) == (ending, won)


@pytest.mark.parametrize(
    ("vote_tie", "ending", "won"), [("with_insider", "insider_escaped_vote", [2]), ("any", "vote_tied", [0, 1])]
)
def test_decoy_tied_with_an_agent(scene, vote_tie, ending, won):
    """Section 9 result 3; Section 8 'decoy'; OQ9; OQ21: no win for the Decoy."""
    table = scene("agent agent insider decoy", vote_tie=vote_tie).voting().vote(3, 3, 1, 1)
    assert (table.ending, table.won) == (ending, won)
    assert table.reasons[3] == "decoy_not_voted_out"


# --- the Paranoid Agent ---


def test_paranoid_agent_has_two_votes(scene):
    """Section 8 'paranoid_agent'; OQ15: one or two; unrevealed for different players, in ascending order."""
    table = scene("agent paranoid_agent insider agent").voting()
    assert targets(table, 1) == [(0,), (2,), (3,), (0, 2), (0, 3), (2, 3)]
    assert table.refused(1, CastVote(targets=(2, 2))) == "votes-must-differ"
    assert table.refused(1, CastVote(targets=(2, 0))) == "votes-not-ascending"
    assert table.refused(1, CastVote(targets=(0, 1))) == "own-seat"
    table.vote(3, (0, 2), 0, 0)
    assert table.ending == "insider_escaped_vote"
    table = scene("agent paranoid_agent insider agent").voting().vote(2, (0, 2), 0, 1)
    assert table.ending == "insider_voted_out"


def test_revealed_paranoid_agent_may_double(scene):
    """Section 8 'paranoid_agent'; OQ15: twice for the same player, which counts twice."""
    table = scene("agent paranoid_agent insider agent").reveal(1).voting()
    assert targets(table, 1) == [(0,), (2,), (3,), (0, 0), (0, 2), (0, 3), (2, 2), (2, 3), (3, 3)]
    table.vote(3, (2, 2), 0, 0)
    assert table.told("votes_shown")[0].votes[1] == [2, 2]
    assert table.ending == "insider_voted_out"


def test_paranoid_agent_with_one_target(scene):
    """Section 8 'paranoid_agent'; OQ15: one vote while unrevealed; revealed one or two, the same."""
    table = scene("agent paranoid_agent insider agent").reveal(0, 3).voting()
    assert targets(table, 1) == [(2,)]
    table = scene("agent paranoid_agent insider agent").reveal(0, 1, 3).voting()
    assert targets(table, 1) == [(2,), (2, 2)]
    assert table.refused(1, CastVote(targets=(0, 2))) == "target-revealed"


def test_ties_count_every_vote(scene):
    """Section 9 result 1; Section 8 'paranoid_agent': both votes of the Paranoid Agent count."""
    table = scene("agent paranoid_agent insider agent").voting().vote(3, (0, 3), 3, 2)
    assert table.ending == "insider_escaped_vote"
    table = scene("agent paranoid_agent insider agent").voting().vote(3, (2, 3), 0, 2)
    assert table.ending == "insider_voted_out"
