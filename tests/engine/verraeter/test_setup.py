"""Section 2 of the rules: what lies on the table before the first round, and the first farms."""

from collections import Counter

import pytest

from engine.randomness import Randomness
from engine.verraeter import VERRAETER
from engine.verraeter.moves import DeclareConflict, PlaceFarm

TYPES = ["wasteland", "meadow", "river", "forest", "village", "city"]


def place_first_farms(state, random=None):
    """Let every seat lay its first farm on the first place allowed; who laid, in order."""
    order = []
    while state.phase == "place_farm":
        (seat,) = VERRAETER.deciding(state)
        VERRAETER.play(state, seat, VERRAETER.legal_moves(state, seat)[0], random)
        order.append(seat)
    return order


def test_box_holds_66_cards(dealt):
    """Fact 1: 12 landscapes, 23 supply cards, 6 actions, 12 buildings, 4 allegiances, 3 single cards, 6 overviews."""
    state, _ = dealt(4)
    supplies = len(state.draw_pile) + sum(len(player.supplies) for player in state.players)
    place_first_farms(state)
    strategist = state.strategist_seat
    border = VERRAETER.legal_moves(state, strategist)[0].border
    VERRAETER.play(state, strategist, DeclareConflict(border=border), Randomness("box", bytes(32)).move(1))
    actions = len(state.middle) + len(state.players[state.start_seat].offered)
    laid = sum(land.building is not None for land in state.landscapes)
    buildings = laid + sum(player.reserve for player in state.players)
    assert (len(state.landscapes), supplies, actions, buildings, len(state.players)) == (12, 23, 6, 12, 4)
    singles = [state.start_seat, state.strategist_seat, state.conflict]
    assert None not in singles
    overviews_without_effect = 6
    assert 12 + 23 + 6 + 12 + 4 + len(singles) + overviews_without_effect == 66


@pytest.mark.parametrize("seats", [3, 4])
def test_six_types_lie_twice_once_for_each_house(dealt, seats):
    """Facts 2, 13: each house starts with one landscape of every type, and a card keeps its side."""
    for number in range(20):
        state, _ = dealt(seats, number)
        circle = Counter((land.type, land.house) for land in state.landscapes)
        assert circle == Counter((kind, house) for kind in TYPES for house in ("eagle", "rose"))
        assert all(land.building is None for land in state.landscapes)


def test_circle_is_random(dealt):
    """Fact 13: every card can lie everywhere, and like sides may lie next to each other."""
    circles = [[(land.type, land.house) for land in dealt(4, number)[0].landscapes] for number in range(300)]
    for position in range(12):
        assert {circle[position] for circle in circles} == set(circles[0])
    assert any(circle[0][1] == circle[1][1] for circle in circles)
    assert any(circle[0][1] != circle[1][1] for circle in circles)


@pytest.mark.parametrize(("position", "base"), [(0, 0), (2, 3), (4, 5), (6, 7), (8, 10), (10, 15)], ids=TYPES)
def test_base_defence(scene, position, base):
    """Fact 3: wasteland 0, meadow 3, river 5, forest 7, village 10, city 15, the same on both sides."""
    table = scene()
    assert table.state.landscapes[position].type == TYPES[position // 2]
    table.play(0, DeclareConflict(border=position))
    assert (table.table.conflict.eagle, table.table.conflict.rose) == (base, base)


@pytest.mark.parametrize(
    ("seats", "draw_pile"),
    [(3, {2: 5, 3: 2, 4: 2, 5: 2, 6: 2, 8: 1}), (4, {2: 5, 3: 1, 4: 1, 5: 1, 6: 2, 8: 1})],
)
def test_supply_cards(dealt, seats, draw_pile):
    """Facts 8, 14; ruling Q30: 5x2 5x3 5x4 5x5 2x6 1x8, of which everybody gets 3, 4, 5; there is no 1 and no 7."""
    state, _ = dealt(seats)
    assert [player.supplies for player in state.players] == [[3, 4, 5]] * seats
    assert Counter(state.draw_pile) == draw_pile
    assert state.discard_pile == []
    everything = Counter(state.draw_pile) + Counter([3, 4, 5] * seats)
    assert everything == {2: 5, 3: 5, 4: 5, 5: 5, 6: 2, 8: 1}
    assert sum(everything.elements()) == 90


def test_draw_pile_is_shuffled(dealt):
    """Fact 8: every supply card may be the next one."""
    piles = [dealt(4, number)[0].draw_pile for number in range(200)]
    for place in (0, -1):
        assert {pile[place] for pile in piles} == {2, 3, 4, 5, 6, 8}


@pytest.mark.parametrize("seats", [3, 4])
def test_every_seat_may_be_the_start_player(dealt, seats):
    """Fact 12: chance names the start player."""
    starts = Counter(dealt(seats, number)[0].start_seat for number in range(120))
    assert set(starts) == set(range(seats))
    assert min(starts.values()) > 120 / seats / 2


@pytest.mark.parametrize(("seats", "letters"), [(3, "ERE"), (4, "ERER")])
def test_allegiances_alternate_from_the_start_player(dealt, seats, letters):
    """Fact 12: the start player is Eagle, then Rose and Eagle by turns; of three players the second is alone."""
    seen = set()
    for number in range(40):
        state, _ = dealt(seats, number)
        clockwise = [state.players[(state.start_seat + step) % seats].house for step in range(seats)]
        assert "".join(house[0].upper() for house in clockwise) == letters
        seen.add(state.start_seat)
    assert seen == set(range(seats))


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize(("first_strategist", "steps"), [("start_player", 0), ("left_of_start_player", 1)])
def test_first_strategist(dealt, seats, first_strategist, steps):
    """Fact 15; ruling Q1: the start player chooses the first conflict; by option the left neighbour does."""
    starts = set()
    for number in range(25):
        state, _ = dealt(seats, number, first_strategist=first_strategist)
        place_first_farms(state)
        chooser = (state.start_seat + steps) % seats
        assert state.strategist_seat == chooser
        assert VERRAETER.deciding(state) == (chooser,)
        assert VERRAETER.kind(state, chooser) == "declare_conflict"
        starts.add(state.start_seat)
    assert starts == set(range(seats))


def test_start_player_chooses_the_first_conflict_by_default(dealt):
    """Ruling Q1: without the option it is the start player."""
    for number in range(10):
        state, _ = dealt(4, number)
        assert state.strategist_seat == state.start_seat


@pytest.mark.parametrize("seats", [3, 4])
def test_first_farms_go_under_free_landscapes_of_the_own_house(dealt, seats):
    """Facts 11, 16, 17: in turn, everybody lays one of three buildings, farm side up, on own and free land."""
    for number in range(10):
        state, _ = dealt(seats, number)
        order = []
        while state.phase == "place_farm":
            (seat,) = VERRAETER.deciding(state)
            player = state.players[seat]
            assert player.reserve == 3
            places = [
                position
                for position, land in enumerate(state.landscapes)
                if land.house == player.house and land.building is None
            ]
            assert VERRAETER.legal_moves(state, seat) == [PlaceFarm(landscape=position) for position in places]
            assert len(places) >= 5
            VERRAETER.play(state, seat, PlaceFarm(landscape=places[-1]), None)
            laid = state.landscapes[places[-1]].building
            assert (laid.owner, laid.side, player.reserve) == (seat, "farm", 2)
            order.append(seat)
        assert order == [(state.start_seat + step) % seats for step in range(seats)]
        assert sum(land.building is not None for land in state.landscapes) == seats
        assert (state.round, state.phase) == (1, "declare_conflict")


@pytest.mark.parametrize("seats", [3, 4])
def test_nobody_has_points_in_the_first_round(dealt, seats):
    """Fact 38: the match begins with scores of 0 in round 1, and the set-up's start player is its start player."""
    state, _ = dealt(seats, 3)
    start = state.start_seat
    place_first_farms(state)
    assert [player.gains.total() for player in state.players] == [0] * seats
    assert (state.round, state.start_seat) == (1, start)
    assert VERRAETER.result(state) is None


def test_numbers_of_players():
    """Fact 1: Verräter is for 3 or 4 players."""
    assert list(VERRAETER.seats) == [3, 4]
