"""What a stand-in does for a seat whose player is gone (ruling OQ23)."""

from collections import Counter

import msgspec

from engine.inside_job import INSIDE_JOB
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, PlayCard
from engine.inside_job.roles import allowed_sets
from engine.randomness import Randomness


def stand_in(table, seat, number=0):
    stream = Randomness(f"stand-in-{number}", bytes(32)).stand_in(1)
    return INSIDE_JOB.stand_in(table.table, table.hand(seat), table.moves(seat), stream)


def choices(table, seat, count=60):
    return Counter(stand_in(table, seat, number) for number in range(count))


def cards(table, seat):
    return {move.card for move in choices(table, seat)}


def test_plays_whole_matches_legally(match):
    """OQ23: a legal move every time, and never a wager."""

    def chooser(state, seat, moves, choices):
        table, hand = INSIDE_JOB.table(state), INSIDE_JOB.hand(state, seat)
        move = INSIDE_JOB.stand_in(table, hand, moves, choices)
        assert move in moves
        assert not getattr(move, "wager", False)
        return move

    endings = Counter()
    for seats in (3, 4, 5):
        sets = allowed_sets(seats, wagers=True)
        for number in range(30):
            game = match(number, seats, chooser, special_roles=sets[number * 7 % len(sets)])
            endings[game.play_out().state.ending] += 1
    assert len(endings) > 5


def test_insider_side_follows_if_it_can(scene):
    """OQ23: so as not to be exposed; without the suit anything."""
    for role in ("insider", "prof_no"):
        table = scene(f"agent {role} agent").hold("r9", "b2 b4 r3 r12 y5", "r1").mission("last_wins_blue").play("r9")
        assert len(table.moves(1)) == 10
        assert cards(table, 1) == {"red_3", "red_12"}
        table = scene(f"agent {role} agent").hold("r9", "b2 g4", "r1").mission("last_wins_blue").play("r9")
        assert cards(table, 1) == {"blue_2", "green_4"}


def test_does_the_same_whatever_its_role(match):
    """OQ23; Section 10: with the same table, cards and chance an agent's stand-in does what the insider's does."""
    compared = 0
    for seats in (3, 4, 5):
        for number in range(25):
            game = match(number, seats)
            while deciding := INSIDE_JOB.deciding(game.state):
                seat = game.choices.choice(deciding)
                moves = []
                for role in ("agent", "insider"):
                    state = INSIDE_JOB.load(INSIDE_JOB.dump(game.state))
                    other = next(s for s, player in enumerate(state.players) if player.role == "insider")
                    state.players[other].role = "agent"
                    state.players[seat].role = role
                    moves.append(
                        INSIDE_JOB.stand_in(
                            INSIDE_JOB.table(game.state),
                            msgspec.structs.replace(INSIDE_JOB.hand(game.state, seat), role=role),
                            INSIDE_JOB.legal_moves(state, seat),
                            Randomness(f"{number}", bytes(32)).stand_in(game.number_of_moves),
                        )
                    )
                assert moves[0] == moves[1]
                compared += 1
                game.play(seat, game.choices.choice(INSIDE_JOB.legal_moves(game.state, seat)))
    assert compared > 1500


def test_helps_the_mission(scene):
    """OQ23: a card that breaks it is played only where no other is left; the last card makes it succeed if it can."""
    table = scene("agent agent agent insider").hold("r2", "r3 r4 r6", "r8", "r10 r12").mission("all_even_blue")
    assert cards(table.play("r2"), 1) == {"red_4", "red_6"}
    table = scene("agent agent agent").hold("r9", "r7", "r3 r8 r12").mission("last_wins_blue").play("r9 r7")
    assert cards(table, 2) == {"red_12"}
    table = scene("agent agent agent").hold("r9", "r7", "r3 r8").mission("last_wins_blue").play("r9 r7")
    assert cards(table, 2) == {"red_3", "red_8"}
    table = scene("agent agent agent").hold("r9", "r3 r12", "r7").mission("last_wins_blue").play("r9")
    assert cards(table, 1) == {"red_3", "red_12"}
    table = scene("agent agent agent").hold("r9", "r12 r13", "r7").mission("descending_blue").play("r9")
    assert cards(table, 1) == {"red_12", "red_13"}


def test_helps_the_first_card(scene):
    """OQ23: no card is beaten that has to win or to be the highest, for no later card mends that."""
    for mission in ("first_wins_blue", "first_highest_blue"):
        table = scene("agent agent agent").hold("r9", "r3 r4 r12", "r7").mission(mission).play("r9")
        assert cards(table, 1) == {"red_3", "red_4"}
    table = scene("agent agent agent").hold("r9", "b2 g4 y12", "r1").mission("first_wins_blue").play("r9")
    assert cards(table, 1) == {"green_4", "yellow_12"}
    table = scene("agent agent agent").hold("r9", "b2 g4 y12", "r1").mission("first_highest_blue").play("r9")
    assert cards(table, 1) == {"blue_2", "green_4"}


def test_leads_anything_that_may_still_succeed(scene):
    """OQ23: the first card too."""
    table = scene("agent agent agent").hold("r9 g2 b4", "r3", "r7").mission("all_even_blue")
    assert cards(table, 0) == {"green_2", "blue_4"}
    table = scene("agent agent agent").hold("r9 g2 b4", "r3", "r7").mission("ends_match_blue")
    assert cards(table, 0) == {"red_9", "green_2", "blue_4"}


def test_chooses_any_mission_and_any_partner(scene):
    """OQ23: by chance, of the legal ones."""
    table = scene("agent agent insider")
    assert set(choices(table, 0)) == set(table.moves(0))
    table.state.drawn = ["all_even_blue", "risk_two_wagered_green"]
    assert set(choices(table, 0)) == {ChooseMission(mission="risk_two_wagered_green")}
    table = scene("agent accomplice insider agent")
    table.state.phase = "choose_partner"
    assert set(choices(table, 1)) == {ChoosePartner(seat=seat) for seat in (0, 2, 3)}


def test_votes_for_the_richest(scene):
    """OQ23: whoever has the most intel of those that may be voted for, by chance among equals."""
    table = scene("agent agent insider agent agent").tokens(1, 4, 2, 3, 3).reveal(1).voting()
    assert set(choices(table, 0)) == {CastVote(targets=(3,)), CastVote(targets=(4,))}
    assert set(choices(table, 3)) == {CastVote(targets=(4,))}
    table = scene("agent paranoid_agent insider agent agent").tokens(1, 3, 0, 2, 3).voting()
    assert set(choices(table, 1)) == {CastVote(targets=(3, 4))}


def test_wagers_play_no_part(scene):
    """OQ23: others' wagers count, an own one is never laid."""
    table = scene("agent agent agent").tokens(5, 5, 4).hold("r9", "g2", "r3 r8").mission("one_suit_red").play("r9 g2*")
    assert all(not move.wager for move in choices(table, 2))
    assert PlayCard(card="red_3", wager=True) in table.moves(2)
