"""Section 5: the last round, the early end, trading posts and the ranking."""

import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.events import PointsScored, RoundEnded, VerraeterEnded
from engine.verraeter.moves import DeclineBuild, PlaceBuilding

LAST_ROUND = {3: 9, 4: 8}
# With three or four seats: Eagle has 5 more, nobody builds, seat 2 is the Farmer.
QUIET = ["diplomat_5", "strategist", "farmer", "diplomat_2"]
# The same with a Builder, seat 1.
BUILDING = ["diplomat_5", "builder", "farmer", "strategist"]


@pytest.fixture
def last_stand(scene):
    """The Rose owns but position 5, a river, and will lose it to the Eagle."""

    def lay_out(seats=4, actions=BUILDING, match_round=6, **options):
        table = scene(seats=seats, match_round=match_round, **options).land("eagle", *range(12)).land("rose", 5)
        return table.draft(*actions[:seats])

    return lay_out


# --- how long a match lasts ---


@pytest.mark.parametrize(("seats", "rounds"), [(3, 9), (4, 8)])
def test_number_of_rounds(scene, seats, rounds):
    """Fact 39: nine rounds with three players, eight with four."""
    table = scene(seats=seats, match_round=rounds - 1).draft(*QUIET[:seats])
    assert table.table.rounds == rounds
    table.fight()
    assert (table.state.round, table.state.phase, table.result) == (rounds, "declare_conflict", None)
    table.draft(*QUIET[:seats], border=0).fight()
    assert (table.state.round, table.state.phase) == (rounds, "over")
    assert table.result.ending == "last_round"
    assert VERRAETER.deciding(table.state) == ()
    assert [table.moves(seat) for seat in range(seats)] == [[]] * seats


@pytest.mark.parametrize(("seats", "times"), [(3, 3), (4, 2)])
def test_everyone_is_start_player_equally_often(match, seats, times):
    """Fact 39: the start player card goes to the left neighbour after every round."""
    full_length = 0
    for number in range(10):
        game = match(number, seats)
        starts = [game.state.start_seat]
        for _, _, events in game:
            starts += [event.public.start_seat for event in events if type(event.public) is RoundEnded]
        assert starts == [(starts[0] + step) % seats for step in range(len(starts))]
        if game.state.ending == "last_round":
            full_length += 1
            assert [starts.count(seat) for seat in range(seats)] == [times] * seats
    assert full_length >= 5


def test_last_round_is_played_to_its_end(scene):
    """Facts 38, 39: the Strategist is paid, the Farmer and the farms draw, then the final scoring."""
    table = scene(match_round=8).hold([3], [4], [], [5]).farm(0, 0).post(2, 2).draft(*QUIET, border=8)
    table.fight([3], [], [], [5])
    assert table.fought == (10 + 5 + 3, 10 + 5 + 2, "eagle")
    assert table.story()[-8:] == [
        "points_scored",
        "landscape_turned",
        "points_scored",
        "strategy_card_taken",
        "supplies_drawn",
        "supplies_drawn",
        "points_scored",
        "verraeter_ended",
    ]
    assert table.scores == [6, 2, 6 + 3, 0]
    assert table.state.discard_pile == [3, 5]
    ended = table.events(VerraeterEnded)[0]
    assert (ended.ending, ended.scores) == ("last_round", [6, 2, 9, 0])
    assert table.events(RoundEnded) == []


def test_last_round_is_cleared_away(scene):
    """Fact 38: phase 12 is a part of the last round too: action cards and Conflict card leave the table."""
    table = scene(match_round=8).draft(*BUILDING)
    table.fight([3])
    table.play(1, DeclineBuild())
    open_cards = table.table
    assert open_cards.phase == "over"
    assert (open_cards.conflict, open_cards.middle_size) == (None, 0)
    assert [(seat.action, seat.played, seat.has_chosen) for seat in open_cards.seats] == [(None, None, False)] * 4
    assert [(table.hand(seat).offered, table.hand(seat).kept) for seat in range(4)] == [([], None)] * 4


# --- the early end ---


@pytest.mark.parametrize("seats", [3, 4])
def test_early_end_after_the_round(last_stand, seats):
    """Fact 40; ruling Q9: the running round is finished, with Builder, Strategist, Farmer and farms."""
    table = last_stand(seats, early_end="after_round").farm(0, 0)
    table.hold(*[[2], [3], [4], [5]][:seats])
    table.fight([2])
    assert (table.state.phase, table.result) == ("build", None)
    assert VERRAETER.deciding(table.state) == (1,)
    assert {land.house for land in table.state.landscapes} == {"eagle"}
    table.play(1, DeclineBuild())
    assert (table.state.phase, table.state.round) == ("over", 6)
    assert table.result.ending == "house_without_land"
    assert table.hand_sizes == [1, 1, 4, 1][:seats]
    assert table.state.discard_pile == [2]
    assert [player.gains.strategist for player in table.state.players] == [0, 0, 0, 2][:seats]


def test_early_end_is_after_the_round_by_default(last_stand):
    """Ruling Q9: without the option the round is finished."""
    table = last_stand()
    table.fight()
    assert table.state.phase == "build"


@pytest.mark.parametrize("seats", [3, 4])
def test_early_end_at_once(last_stand, seats):
    """Fact 40; ruling Q9: by option phases 7 to 12 do not happen, and the hands of that moment count."""
    table = last_stand(seats, early_end="at_once").farm(0, 0).post(2, 2, 3).post(0, 4)
    table.hold(*[[2, 3], [3], [4, 4], [5]][:seats])
    table.fight([2])
    assert (table.state.phase, table.state.round) == ("over", 6)
    assert table.result.ending == "house_without_land"
    assert table.hand_sizes == [1, 1, 2, 1][:seats]
    assert [player.gains.strategist for player in table.state.players] == [0, 0, 0, 0][:seats]
    assert table.scores == [4 + 1, 0, 4 + 2 * 2, 0][:seats]
    assert VERRAETER.deciding(table.state) == ()


def test_diplomat_draws_before_an_end_at_once(last_stand):
    """Fact 10; ruling Q9: phase 5 comes before, so its card is drawn and pays."""
    table = last_stand(actions=["diplomat_2", "builder", "farmer", "strategist"], early_end="at_once").post(0, 0)
    table.fight([3, 4, 5])
    assert table.hand_sizes[0] == 1
    assert table.state.players[0].gains.trading_posts == 1


def test_rose_may_win_everything(scene):
    """Fact 40: either house may be the one without land."""
    table = scene(match_round=7, early_end="at_once").land("rose", *range(12)).land("eagle", 11)
    table.draft("builder", "diplomat_5", "farmer", "strategist", border=10).fight()
    assert (table.state.phase, table.result.ending) == ("over", "house_without_land")
    table = scene(match_round=7).land("rose", *range(12)).land("eagle", 11)
    table.draft("diplomat_2", "diplomat_5", "farmer", "strategist", border=10).fight()
    assert (table.state.phase, table.result.ending) == ("over", "house_without_land")


def test_two_landscapes_left_are_no_end(scene):
    """Fact 40: the match goes on while the loser still owns one landscape."""
    for early_end in ("after_round", "at_once"):
        table = scene(match_round=6, early_end=early_end).land("eagle", *range(12)).land("rose", 5, 8)
        table.draft(*QUIET).fight()
        assert [land.house for land in table.state.landscapes].count("rose") == 1
        assert (table.state.phase, table.state.round) == ("declare_conflict", 7)


def test_early_end_in_the_last_round(last_stand):
    """Fact 40: the match ends once, for the lack of land."""
    table = last_stand(actions=QUIET, match_round=8)
    table.fight()
    assert table.result.ending == "house_without_land"
    assert len(table.events(VerraeterEnded)) == 1


def test_earliest_end(scene):
    """Fact 40: six landscapes take six rounds."""
    table = scene()
    for border in (0, 2, 4, 6, 8):
        table.draft(*QUIET, border=border).fight()
        assert table.state.phase == "declare_conflict"
    assert table.state.round == 6
    table.draft(*QUIET, border=10).fight()
    assert (table.state.phase, table.state.round) == ("over", 6)


def test_builder_still_works_in_the_round_of_an_early_end(last_stand):
    """Ruling Q9: a trading post built in phase 7 of the last round pays."""
    table = last_stand(actions=["builder", "diplomat_2", "farmer", "traitor"])
    table.fight([5])
    table.play(0, PlaceBuilding(landscape=0, side="trading_post"))
    assert table.result.ending == "house_without_land"
    assert table.state.players[0].gains.trading_posts == 2


# --- trading posts ---


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(
    ("posts", "hand", "points"),
    [
        ((0,), [], 0),
        ((0,), [8], 1),
        ((0,), [2, 3], 2),
        ((0,), [2, 3, 4], 3),
        ((0,), [2, 3, 4, 5, 6], 3),
        ((0, 2), [], 0),
        ((0, 2), [8], 2),
        ((0, 2), [2, 3], 4),
        ((0, 2), [2, 3, 4], 6),
        ((0, 2), [2, 2, 2, 2, 2], 6),
        ((), [2, 3, 4], 0),
    ],
)
def test_trading_posts_share_the_hand(last_stand, seats, posts, hand, points):
    """Fact 41: one point per card in hand, at most three per post; six is the most; values do not matter."""
    table = last_stand(seats, early_end="at_once").post(0, *posts).farm(0, 4)
    table.hold(*[hand, [], [], []][:seats]).fight()
    assert table.state.players[0].gains.trading_posts == points
    paid = [event.points for event in table.events(PointsScored) if event.source == "trading_posts"]
    assert paid == ([points] if points else [])


def test_farms_pay_nothing_at_the_end(last_stand):
    """Fact 41: only trading posts do."""
    table = last_stand(early_end="at_once").farm(0, 0, 2).farm(1, 1)
    table.fight()
    assert [player.gains.trading_posts for player in table.state.players] == [0, 0, 0, 0]


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("start_of_set_up", [0, 1])
@pytest.mark.parametrize(("option", "points"), [(False, [6, 3]), (True, [3, 0])])
def test_trading_posts_under_enemy_land(scene, seats, start_of_set_up, option, points):
    """Ruling Q6: all own posts count; by option only those under a landscape of the owner's house at the end."""
    table = scene(
        seats=seats, start=start_of_set_up, match_round=LAST_ROUND[seats], trading_posts_need_own_house=option
    )
    first, second = start_of_set_up, start_of_set_up + 1
    table.post(first, 1, 2).post(second, 10)
    actions = ["builder"] * seats
    for seat, action in zip(table.in_turn(), ["farmer", "diplomat_5", "strategist", "diplomat_2"], strict=False):
        actions[seat] = action
    table.draft(*actions).fight()
    gains = [player.gains.trading_posts for player in table.state.players]
    assert [gains[first], gains[second]] == points


def test_house_at_the_end_counts_for_the_option(scene):
    """Ruling Q6: with the option, a Traitor's posts need landscapes of the new house, as they are turned now."""
    table = scene(match_round=8, trading_posts_need_own_house=True).post(0, 5, 0)
    table.draft("traitor", "strategist", "farmer", "diplomat_5").fight()
    assert table.fought[2] == "rose"
    assert table.state.players[0].gains.trading_posts == 3
    table = scene(match_round=8, trading_posts_need_own_house=True).post(0, 4, 0)
    table.draft("traitor", "strategist", "farmer", "diplomat_5").fight()
    assert table.state.landscapes[4].house == "rose"
    assert table.state.players[0].gains.trading_posts == 3


def test_posts_do_not_need_the_own_house_by_default(scene):
    """Ruling Q6: the default is that all count."""
    table = scene(match_round=8).post(0, 1, 3).draft("strategist", "diplomat_2", "farmer", "traitor", border=8)
    table.fight()
    assert table.state.players[0].gains.trading_posts == 6


def test_cards_drawn_in_the_last_round_count(scene):
    """Fact 41: the hand after phase 11 pays."""
    table = scene(seats=3, match_round=9).hold([], [], []).post(2, 0).farm(1, 1).post(1, 3)
    table.draft("diplomat_5", "strategist", "farmer").fight()
    assert [player.gains.trading_posts for player in table.state.players] == [0, 1, 3]


# --- the ranking ---


@pytest.fixture
def ranked(scene):
    """The result of a match in which the seats ended with these points."""

    def end(*points):
        table = scene(seats=len(points), match_round=LAST_ROUND[len(points)])
        table.draft(*["farmer", "traitor", "builder", "strategist"][: len(points)]).fight()
        for player, own in zip(table.state.players, points, strict=True):
            player.gains.landscapes = own
            if player.action == "strategist":
                player.gains.landscapes -= 2  # which phase 8 will add
        table.play(2, DeclineBuild())
        return table.result

    return end


@pytest.mark.parametrize(
    ("points", "ranks"),
    [
        ((9, 7, 8, 6), [1, 3, 2, 4]),
        ((9, 9, 8, 6), [1, 1, 3, 4]),
        ((6, 9, 9, 9), [4, 1, 1, 1]),
        ((5, 5, 5, 5), [1, 1, 1, 1]),
        ((9, 7, 7, 6), [1, 2, 2, 4]),
        ((1, 10, 3), [3, 1, 2]),
        ((4, 4, 3), [1, 1, 3]),
        ((0, 0, 0), [1, 1, 1]),
    ],
)
def test_most_points_win(ranked, points, ranks):
    """Fact 42; ruling Q28: most points win, level seats share the rank, those level on top share the win."""
    result = ranked(*points)
    assert result.ending == "last_round"
    assert [seat.seat for seat in result.seats] == list(range(len(points)))
    assert [seat.score for seat in result.seats] == list(points)
    assert [seat.rank for seat in result.seats] == ranks
    assert [seat.won for seat in result.seats] == [rank == 1 for rank in ranks]
    assert [seat.reason for seat in result.seats] == ["most_points" if rank == 1 else "fewer_points" for rank in ranks]


def test_no_result_before_the_end(scene, last_stand):
    """Fact 42: not in any phase, not even when the early end is certain."""
    assert scene().result is None
    assert scene().draft(*BUILDING).result is None
    table = last_stand()
    table.fight()
    assert (table.state.ending, table.result) == ("house_without_land", None)
