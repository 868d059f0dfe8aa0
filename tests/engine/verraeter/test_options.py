"""Section 11: the match options and their shapes."""

import msgspec
import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.options import VerraeterOptions

RECONSTRUCTED = [[3, 2, 1, 1], [5, 3, 2, 1], [6, 4, 3, 2], [8, 5, 3, 2], [9, 6, 4, 3], [11, 7, 5, 3]]
ROWS = [[10 * row + column for column in range(4)] for row in range(6)]


def as_sent(struct):
    return msgspec.json.decode(msgspec.json.encode(struct))


def test_defaults():
    """Facts 7, 15; rulings Q1, Q2, Q3, Q6, Q9: five options, each with its default."""
    assert as_sent(msgspec.convert({}, VerraeterOptions)) == {
        "first_strategist": "start_player",
        "traitor_point_in_draw": False,
        "trading_posts_need_own_house": False,
        "early_end": "after_round",
        "landscape_points": RECONSTRUCTED,
    }


@pytest.mark.parametrize(
    "options",
    [
        {"first_strategist": "left_of_start_player"},
        {"first_strategist": "start_player"},
        {"traitor_point_in_draw": True},
        {"trading_posts_need_own_house": True},
        {"early_end": "at_once"},
        {"early_end": "after_round"},
        {"landscape_points": ROWS},
        {"landscape_points": [[99, 0, 99, 0]] * 6},
    ],
)
def test_accepted(options):
    """Rulings Q1, Q2, Q3, Q6, Q9: every value that an option can have; points need not fall or rise."""
    (name,) = options
    assert as_sent(msgspec.convert(options, VerraeterOptions))[name] == options[name]


@pytest.mark.parametrize(
    "options",
    [
        {"first_strategist": "right_of_start_player"},
        {"first_strategist": None},
        {"traitor_point_in_draw": 1},
        {"traitor_point_in_draw": "true"},
        {"trading_posts_need_own_house": 0},
        {"early_end": "never"},
        {"landscape_points": ROWS[:5]},
        {"landscape_points": [*ROWS, [1, 1, 1, 1]]},
        {"landscape_points": [*ROWS[:5], [1, 2, 3]]},
        {"landscape_points": [*ROWS[:5], [1, 2, 3, 4, 5]]},
        {"landscape_points": [*ROWS[:5], [1, 2, 3, -1]]},
        {"landscape_points": [*ROWS[:5], [1, 2, 3, 100]]},
        {"landscape_points": [*ROWS[:5], [1, 2, 3, 4.0]]},
        {"landscape_points": [*ROWS[:5], [1, 2, 3, True]]},
        {"landscape_points": [*ROWS[:5], [1, 2, 3, "4"]]},
        {"mercenary": True},
    ],
)
def test_refused(options):
    """Rulings Q1, Q2, Q3, Q6, Q9: anything else is no option of this game."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, VerraeterOptions)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(msgspec.json.encode(options), type=VerraeterOptions)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("row", range(6))
def test_own_points(scene, seats, row):
    """Ruling Q2: the numbers of the match are paid, for every number of winners."""
    for winners in range(1, seats + 1):
        table = scene(seats=seats, landscape_points=tuple(tuple(numbers) for numbers in ROWS))
        table.houses("EEEE"[:winners] + "RRRR"[winners:seats])
        actions = ["diplomat_5", "farmer", "builder", "strategist"][:seats]
        table.draft(*actions, border=2 * row).fight()
        assert table.scores == [10 * row + winners - 1] * winners + [0] * (seats - winners)


def test_points_of_zero(scene):
    """Ruling Q2: a number may be 0; the landscape is turned all the same."""
    table = scene(landscape_points=((0, 0, 0, 0),) * 6).draft("diplomat_5", "farmer", "builder", "strategist")
    table.fight()
    assert table.scores == [0, 0, 0, 0]
    assert table.state.landscapes[5].house == "eagle"


@pytest.mark.parametrize("seats", [3, 4])
def test_options_do_not_change_the_shuffles(dealt, seats):
    """Ruling Q1: only the holder of the Strategy card differs."""
    plain, _ = dealt(seats, 2)
    other, _ = dealt(seats, 2, first_strategist="left_of_start_player")
    assert other.strategist_seat == (plain.strategist_seat + 1) % seats
    other.strategist_seat, other.options = plain.strategist_seat, plain.options
    assert VERRAETER.dump(other) == VERRAETER.dump(plain)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("first_strategist", ["start_player", "left_of_start_player"])
@pytest.mark.parametrize("early_end", ["after_round", "at_once"])
@pytest.mark.parametrize("flag", [False, True])
def test_any_options_go_together(match, seats, first_strategist, early_end, flag):
    """Rulings Q1, Q3, Q6, Q9: a match is played to the end under every combination, and keeps its options."""
    options = {
        "first_strategist": first_strategist,
        "early_end": early_end,
        "traitor_point_in_draw": flag,
        "trading_posts_need_own_house": not flag,
    }
    VERRAETER.check_options(VerraeterOptions(**options), seats)
    game = match(9, seats, **options).play_out()
    assert game.state.phase == "over"
    assert game.state.options == VerraeterOptions(**options)


def test_catalogue_says_that_the_points_are_reconstructed():
    """Fact 7; ruling Q2: never to be presented as the printed ones."""
    assert VERRAETER.components.landscape_points_source == "reconstructed"
    shown = as_sent(VERRAETER.components)
    assert [card["points"] for card in shown["landscapes"]] == RECONSTRUCTED


def test_components_for_clients():
    """Facts 1, 3, 8, 9, 14, 22, 30, 34, 36, 39, 41: the catalogue's numbers are those of the rules."""
    shown = as_sent(VERRAETER.components)
    bases = {card["id"]: card["base"] for card in shown["landscapes"]}
    assert bases == {"wasteland": 0, "meadow": 3, "river": 5, "forest": 7, "village": 10, "city": 15}
    assert {card["value"]: card["count"] for card in shown["supplies"]} == {2: 5, 3: 5, 4: 5, 5: 5, 6: 2, 8: 1}
    actions = {card["id"]: (card["strength"], card["points"], card["draws"]) for card in shown["actions"]}
    assert actions == {
        "traitor": (0, 1, 0),
        "diplomat_2": (2, 0, 1),
        "diplomat_5": (5, 0, 0),
        "builder": (0, 0, 0),
        "strategist": (0, 2, 0),
        "farmer": (0, 0, 3),
    }
    assert {length["seats"]: length["rounds"] for length in shown["lengths"]} == {3: 9, 4: 8}
    assert (shown["houses"], shown["building_sides"]) == (["eagle", "rose"], ["farm", "trading_post"])
    assert (shown["start_hand"], shown["hand_limit"], shown["max_draws_per_round"]) == ([3, 4, 5], 5, 3)
    assert (shown["buildings_per_player"], shown["max_trading_posts"], shown["trading_post_max_points"]) == (3, 2, 3)
