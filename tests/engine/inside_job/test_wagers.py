"""Section 5: intel tokens as wagers."""

import pytest

from engine.inside_job.moves import PlayCard

FOUR = "agent agent insider agent"


def test_who_may_wager(scene):
    """Section 5 'who': with a token, not as start player, not revealed."""
    table = scene(FOUR).hold("r9", "r2", "r3", "r4").tokens(3, 1, 0, 4).reveal(3).mission("all_even_blue")
    assert table.playable(0) == ["r9"]
    assert table.refused(0, PlayCard(card="red_9", wager=True)) == "start-player-may-not-wager"
    assert table.play("r9").playable(1) == ["r2", "r2*"]
    assert table.play("r2").playable(2) == ["r3"]
    assert table.refused(2, PlayCard(card="red_3", wager=True)) == "no-token-to-wager"
    assert table.play("r3").playable(3) == ["r4"]
    assert table.refused(3, PlayCard(card="red_4", wager=True)) == "revealed-may-not-wager"


def test_insider_and_prof_no_wager_like_all(scene):
    """Section 5 'who'; Section 8 'prof_no'; OQ4: any unrevealed role."""
    for roles in ("agent insider agent", "agent prof_no agent", "agent tim_shady insider", "agent decoy insider"):
        table = scene(roles).hold("r9", "r2", "r3").mission("all_even_blue").play("r9")
        assert table.playable(1) == ["r2", "r2*"]


def test_without_the_rule_nobody_wagers(scene):
    """Section 5 'who': a match without wagers keeps everything else."""
    table = scene(FOUR, wagers=False).hold("r9", "r2", "r3", "r4").mission("all_even_blue").play("r9")
    assert table.playable(1) == ["r2"]
    assert table.refused(1, PlayCard(card="red_2", wager=True)) == "no-wagers-in-this-match"
    assert table.play("r2 r3 r4").held == [2, 1, 1, 1]


def test_several_players_may_wager_one_token_each(scene):
    """Section 5 'how many'; Section 5 'winner's prize': in public; the winner takes all of them and one more."""
    table = scene(FOUR).tokens(1, 4, 3, 2).trick("all_odd_blue", "r9 r2* r3* r4*")
    assert [play.wager for play in table.last.plays] == [False, True, True, True]
    assert (table.last.winner, table.last.intel) == (3, 4)
    assert (table.held, table.state.supply) == ([1, 3, 2, 5], 3)
    assert [event.wager for event in table.told("trick_card_played")] == [False, True, True, True]


def test_token_leaves_its_owner_at_once(scene):
    """Section 5 'owner's count': while the trick is played it belongs to nobody."""
    table = scene(FOUR).hold("r9", "r2", "r3", "r4").mission("all_odd_blue").play("r9 r2*")
    assert (table.held, table.state.supply, table.table.seats[1].tokens) == ([1, 0, 1, 1], 10, 0)


def test_wagered_card_counts_as_trump(scene):
    """Section 5 'effect': for the winner and the mission; the rank stays."""
    table = scene(FOUR).trick("some_trump_blue", "r13 r2* r12 r11")
    assert (table.last.winner, table.last.succeeded) == (1, True)
    table = scene(FOUR).trick("one_suit_blue", "b13 r2* b12 g3*")
    assert (table.last.winner, table.last.succeeded) == (0, True)
    table = scene(FOUR).trick("all_below_7_blue", "r1 r9* r2 r3")
    assert (table.last.winner, table.last.succeeded) == (1, False)


def test_trump_may_be_wagered_on_too(scene):
    """Section 5 'already trump': it raises the pot, and the card stays what it was."""
    table = scene(FOUR).trick("all_odd_blue", "b5 b2* b3 b4")
    assert (table.last.winner, table.held, table.state.supply) == (0, [3, 0, 1, 1], 9)


def test_winner_gets_the_own_wager_back(scene):
    """Section 5 'winner's prize': one from the supply and every wagered token, the own one too."""
    table = scene(FOUR).tokens(1, 1, 2, 3).trick("all_odd_blue", "r5 r2* r3* r4")
    assert (table.last.winner, table.last.intel, table.held) == (2, 3, [1, 0, 4, 3])


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("r5 g5* r4 y5*", 3),  # two wagered cards of the same rank: the later
        ("r5 y5* g5* r4", 2),
        ("r5 g9* y5* r4", 1),  # the higher rank, though wagered first
    ],
)
def test_of_equal_ranks_the_later_wager_wins(scene, cards, winner):
    """Section 5 'equal highest rank': who wagered last."""
    assert scene(FOUR).trick("all_odd_blue", cards).last.winner == winner


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("r5 b9 g9* r4", 2),  # wagered after the printed trump
        ("r5 g9* b9 r4", 1),  # and before it
        ("r5 g9* y9* b9", 2),
        ("r5 g9* b9* r4", 2),  # a printed trump with a wager is a wagered card
        ("r5 b9* g9* r4", 2),
        ("b9 g9* b2 r4", 1),
    ],
)
def test_wagered_card_beats_the_printed_trump_of_its_rank(scene, cards, winner):
    """Section 5 'printed against wagered'; OQ16: whatever the order."""
    assert scene(FOUR).trick("all_odd_blue", cards).last.winner == winner


def test_no_wager_after_playing(scene):
    """Section 5 'not after playing': nor can one be taken back."""
    table = scene(FOUR).hold("r9", "r2 r8", "r3", "r4").mission("all_odd_blue").play("r9 r2")
    for wager in (True, False):
        assert table.refused(1, PlayCard(card="red_2", wager=wager)) == "not-your-turn"
    table.play("r3*")
    assert table.refused(2, PlayCard(card="red_3", wager=False)) == "not-your-turn"


def test_a_wager_can_keep_from_the_limit(scene):
    """Section 5 'owner's count'; Section 7 'reveal': tokens on cards do not count as held."""
    table = scene(FOUR).tokens(1, 4, 1, 1).trick("all_odd_blue", "r9 r2* r3 b4")
    assert (table.held, table.revealed) == ([1, 3, 1, 3], [])
    table = scene(FOUR).tokens(1, 4, 1, 3).trick("all_odd_blue", "r9 r2* r3 b4")
    assert (table.held, table.revealed) == ([1, 3, 1, 5], [3])
    table = scene(FOUR).tokens(1, 4, 1, 3).trick("all_odd_blue", "r9 r5* r3 b4")
    assert (table.held, table.revealed) == ([1, 5, 1, 3], [1])
