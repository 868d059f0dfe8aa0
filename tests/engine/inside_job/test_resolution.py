"""Section 8: who has won, and the order in which that is resolved when roles hang on each other."""

import pytest

from engine.inside_job import INSIDE_JOB

FAIL = "all_even_blue"


def test_plain_sides(scene):
    """Section 8 order 2: agents of all kinds, revealed or not, with the agents; the insider against them."""
    roles = "agent paranoid_agent insider risk_agent bugged_agent"
    table = scene(roles).reveal(0).succeeded(5).trick("all_odd_blue", "r13 r3 r5 r7 r1")
    assert (table.ending, table.won) == ("missions_accomplished", [0, 1, 3, 4])
    assert table.reasons == ["agents_won", "agents_won", "insider_lost", "agents_won", "agents_won"]
    table = scene(roles).tokens(1, 1, 3, 1, 1).trick(FAIL, "r1 r3 r5 r2 r4")
    assert table.won == [2]
    assert table.reasons == ["agents_lost", "agents_lost", "insider_won", "agents_lost", "agents_lost"]


def test_tim_beside_the_accomplice(scene):
    """Section 8 order 3: the Accomplice by the partner first, then Tim by the Accomplice."""
    roles = "agent insider accomplice tim_shady agent"
    for partner, won in ((0, [1, 3]), (1, [1, 2]), (4, [1, 3])):
        table = scene(roles).partner(partner).tokens(1, 3, 0, 1, 1).trick(FAIL, "r1 r13 r2 r3 r4")
        assert table.won == won


def test_accomplice_of_tim(scene):
    """Section 8 order 3: Tim by the right neighbour first, then the Accomplice by Tim."""
    for roles, won in (
        ("agent insider tim_shady accomplice agent", [1]),
        ("insider agent tim_shady accomplice agent", [0, 2, 3]),
        ("accomplice insider agent agent tim_shady", [0, 1, 4]),
    ):
        table = scene(roles).partner(roles.split().index("tim_shady"))
        insider = roles.split().index("insider")
        table.tokens(*(3 if seat == insider else player.tokens for seat, player in enumerate(table.state.players)))
        table.won_by(insider)
        assert (table.ending, table.won) == ("insider_collected_intel", won)


@pytest.mark.parametrize(("tim", "accomplice"), [(3, 2), (0, 4)])
def test_circle(scene, tim, accomplice):
    """Section 8 order 4; OQ11: Tim's right neighbour is the Accomplice, whose partner is Tim: both lose."""
    roles = ["agent", "insider", "agent", "agent", "agent"]
    roles[tim], roles[accomplice] = "tim_shady", "accomplice"
    for agents_win in (True, False):
        table = scene(" ".join(roles)).partner(tim)
        if agents_win:
            table.succeeded(5).trick("all_odd_blue", "r1 r3 r5 r7 r9")
        else:
            table.tokens(*(3 if role == "insider" else 0 if role == "accomplice" else 1 for role in roles))
            table.trick(FAIL, "r1 r13 r2 r3 r4")
        others = [seat for seat, role in enumerate(roles) if role in (("agent",) if agents_win else ("insider",))]
        assert table.won == others
        for seat in (tim, accomplice):
            assert table.reasons[seat] == "tim_shady_and_accomplice_in_a_circle"


def test_decoy_next_to_tim(scene):
    """Section 8 order 2; Section 8 order 3: the Decoy loses without a vote, so Tim on the left of him wins."""
    table = scene("agent insider decoy tim_shady agent").tokens(1, 3, 1, 1, 1).won_by(1)
    assert (table.won, table.reasons[2]) == ([1, 3], "decoy_not_voted_out")


def test_there_is_no_ranking(scene):
    """Section 8 order 2: each seat has won or not."""
    table = scene("agent agent insider").tokens(1, 1, 5).won_by(2)
    result = INSIDE_JOB.result(table.state)
    assert [(seat.seat, seat.rank, seat.score) for seat in result.seats] == [(seat, None, None) for seat in range(3)]
    assert result.ending == "insider_collected_intel"
