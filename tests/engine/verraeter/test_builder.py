"""Phase 7: the Builder."""

import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.moves import DeclineBuild, MoveBuilding, PlaceBuilding, TurnBuilding


@pytest.fixture
def builders_turn(scene):
    """Seat 0 of the Eagle owns the Builder after a draw; the test lays out the landscapes and buildings."""

    def lay_out(arrange=lambda table: table, seats=3):
        table = arrange(scene(seats=seats))
        if seats == 3:
            table.draft("builder", "farmer", "strategist").fight()
        else:
            table.draft("builder", "farmer", "traitor", "strategist").fight()
        assert table.state.phase == "build"
        assert VERRAETER.deciding(table.state) == (0,)
        return table

    return lay_out


def shown(table, position):
    """The building under a landscape: owner and side."""
    building = table.state.landscapes[position].building
    return building and (building.owner, building.side)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("side", ["farm", "trading_post"])
def test_place(builders_turn, side, seats):
    """Fact 29: a building from the reserve, the side free, under a landscape of the current house."""
    table = builders_turn(lambda table: table.farm(0, 0), seats)
    table.play(0, PlaceBuilding(landscape=2, side=side))
    assert shown(table, 2) == (0, side)
    assert table.state.players[0].reserve == 1
    assert shown(table, 0) == (0, "farm")


def test_place_is_listed_for_own_and_free_landscapes(builders_turn):
    """Facts 29, 31: exactly the free landscapes of the Eagle, both sides each."""
    table = builders_turn(lambda table: table.farm(0, 0).farm(1, 2).post(2, 6))
    assert table.moves(0, PlaceBuilding) == [
        PlaceBuilding(landscape=position, side=side) for position in (4, 8, 10) for side in ("farm", "trading_post")
    ]
    assert table.refused(0, PlaceBuilding(landscape=3, side="farm")) == "foreign-house"
    assert table.refused(0, PlaceBuilding(landscape=0, side="farm")) == "landscape-occupied"


def test_current_house_counts(scene):
    """Fact 29: the house after the reveal and the side after the fight."""
    table = scene().farm(1, 1).draft("traitor", "builder", "diplomat_5", "diplomat_2")
    table.fight([5], [3], [], [])
    assert (table.allegiances, table.fought) == ("RRER", (5 + 5, 5 + 5 + 3 + 2, "rose"))
    assert table.state.phase == "build"
    places = {move.landscape for move in table.moves(1, PlaceBuilding)}
    assert places == {3, 4, 5, 7, 9, 11}


def test_move_keeps_the_side(builders_turn):
    """Facts 29, 31: a laid building goes to a free landscape of the current house and keeps its side."""
    table = builders_turn(lambda table: table.post(0, 0).farm(0, 2).farm(1, 6))
    targets = (4, 8, 10)
    assert table.moves(0, MoveBuilding) == [MoveBuilding(origin=origin, to=to) for origin in (0, 2) for to in targets]
    table.play(0, MoveBuilding(origin=0, to=8))
    assert (shown(table, 0), shown(table, 8), shown(table, 2)) == (None, (0, "trading_post"), (0, "farm"))
    assert table.state.players[0].reserve == 1


def test_moved_farm_stays_a_farm(builders_turn):
    """Fact 29: the side is kept both ways."""
    table = builders_turn(lambda table: table.farm(0, 0))
    table.play(0, MoveBuilding(origin=0, to=2))
    assert (shown(table, 0), shown(table, 2)) == (None, (0, "farm"))


@pytest.mark.parametrize("to", [1, 3, 11])
def test_move_only_to_the_own_house(builders_turn, to):
    """Fact 29; ruling Q8: the target belongs to the own house."""
    table = builders_turn(lambda table: table.farm(0, 0))
    assert table.refused(0, MoveBuilding(origin=0, to=to)) == "foreign-house"


@pytest.mark.parametrize("to", [0, 2, 4])
def test_move_only_to_a_free_landscape(builders_turn, to):
    """Fact 31; ruling Q24: nor to where it lies, nor to another building, own or foreign."""
    table = builders_turn(lambda table: table.farm(0, 0, 2).farm(1, 4))
    assert table.refused(0, MoveBuilding(origin=0, to=to)) == "landscape-occupied"


def test_move_from_an_enemy_landscape(builders_turn):
    """Ruling Q8: a building may be moved away from an enemy landscape."""
    table = builders_turn(lambda table: table.farm(0, 3))
    table.play(0, MoveBuilding(origin=3, to=2))
    assert (shown(table, 3), shown(table, 2)) == (None, (0, "farm"))


@pytest.mark.parametrize("side", ["farm", "trading_post"])
def test_turn(builders_turn, side):
    """Fact 29: from farm to trading post or back; it stays where it lies."""
    table = builders_turn(lambda table: (table.farm if side == "farm" else table.post)(0, 6))
    other = {"farm": "trading_post", "trading_post": "farm"}[side]
    assert table.moves(0, TurnBuilding) == [TurnBuilding(landscape=6)]
    table.play(0, TurnBuilding(landscape=6))
    assert shown(table, 6) == (0, other)
    assert table.state.players[0].reserve == 2


@pytest.mark.parametrize("side", ["farm", "trading_post"])
def test_turn_under_an_enemy_landscape(builders_turn, side):
    """Ruling Q7: allowed."""
    table = builders_turn(lambda table: (table.farm if side == "farm" else table.post)(0, 7))
    table.play(0, TurnBuilding(landscape=7))
    assert shown(table, 7) == (0, {"farm": "trading_post", "trading_post": "farm"}[side])


def test_only_one_of_the_three(builders_turn):
    """Fact 29: after one of them the Builder's decision is over."""
    table = builders_turn(lambda table: table.farm(0, 0))
    table.play(0, TurnBuilding(landscape=0))
    assert (table.state.phase, table.state.round) == ("declare_conflict", 2)
    assert table.refused(0, TurnBuilding(landscape=0)) == "not-your-turn"


def test_only_own_buildings(builders_turn):
    """Fact 29: neither turned nor moved are buildings of others, nor what is not there."""
    table = builders_turn(lambda table: table.farm(0, 0).farm(2, 2).farm(1, 3))
    for position in (2, 3, 4):
        assert table.refused(0, TurnBuilding(landscape=position)) == "no-own-building"
        assert table.refused(0, MoveBuilding(origin=position, to=6)) == "no-own-building"


@pytest.mark.parametrize(
    ("farms", "posts"), [((), ()), ((0,), ()), ((0, 2), ()), ((), (0,)), ((), (0, 2)), ((0,), (2,))]
)
def test_limits_when_placing(builders_turn, farms, posts):
    """Fact 30: three buildings of which two are trading posts at most; 0+2 and every smaller mix is possible."""
    table = builders_turn(lambda table: table.farm(0, *farms).post(0, *posts))
    sides = {move.side for move in table.moves(0, PlaceBuilding)}
    assert sides == ({"farm", "trading_post"} if len(posts) < 2 else {"farm"})
    if len(posts) == 2:
        assert table.refused(0, PlaceBuilding(landscape=8, side="trading_post")) == "too-many-trading-posts"


@pytest.mark.parametrize(
    ("farms", "posts", "turned"),
    [((0, 2, 4), (), {0, 2, 4}), ((0, 2), (4,), {0, 2, 4}), ((0,), (2, 4), {2, 4}), ((), (2, 4), {2, 4})],
)
def test_limits_when_turning(builders_turn, farms, posts, turned):
    """Fact 30: 3+0, 2+1 and 1+2 are possible, a third trading post is not."""
    table = builders_turn(lambda table: table.farm(0, *farms).post(0, *posts))
    assert {move.landscape for move in table.moves(0, TurnBuilding)} == turned
    for position in set(farms) - turned:
        assert table.refused(0, TurnBuilding(landscape=position)) == "too-many-trading-posts"


def test_posts_of_others_do_not_limit(builders_turn):
    """Fact 30: the limits hold for each player."""
    table = builders_turn(lambda table: table.post(1, 1, 3).post(2, 5, 7).farm(0, 0))
    assert PlaceBuilding(landscape=2, side="trading_post") in table.moves(0)
    assert TurnBuilding(landscape=0) in table.moves(0)


def test_two_posts_may_still_be_moved(builders_turn):
    """Fact 30: moving changes no number of trading posts."""
    table = builders_turn(lambda table: table.post(0, 0, 2))
    assert MoveBuilding(origin=0, to=4) in table.moves(0)


def test_three_buildings_at_most(builders_turn):
    """Facts 11, 30: with an empty reserve nothing can be placed."""
    table = builders_turn(lambda table: table.farm(0, 0, 2, 4))
    assert table.state.players[0].reserve == 0
    assert table.moves(0, PlaceBuilding) == []
    assert table.refused(0, PlaceBuilding(landscape=8, side="farm")) == "reserve-empty"


@pytest.mark.parametrize("owner", [0, 1])
def test_one_building_per_landscape(builders_turn, owner):
    """Fact 31; ruling Q24: neither beside an own building nor beside another owner's."""
    table = builders_turn(lambda table: table.farm(owner, 2))
    for side in ("farm", "trading_post"):
        assert table.refused(0, PlaceBuilding(landscape=2, side=side)) == "landscape-occupied"


def test_turning_is_possible_without_target_and_reserve(builders_turn):
    """Ruling Q22: no free landscape of the own house: what is left is turning and doing nothing."""
    table = builders_turn(lambda table: table.land("rose", *range(12)).land("eagle", 4).farm(1, 4).farm(0, 1))
    assert table.moves(0) == [TurnBuilding(landscape=1), DeclineBuild()]
    assert table.refused(0, PlaceBuilding(landscape=1, side="farm")) == "foreign-house"


def test_doing_nothing_is_always_possible(builders_turn):
    """Fact 29; ruling Q22: the Builder may be left unused."""
    table = builders_turn(lambda table: table.farm(0, 0))
    before = [shown(table, position) for position in range(12)]
    assert table.moves(0)[-1] == DeclineBuild()
    table.play(0, DeclineBuild())
    assert [shown(table, position) for position in range(12)] == before
    assert table.state.round == 2


def test_no_building_goes_back_to_the_reserve(builders_turn):
    """Ruling Q23: place, move, turn and decline are all there is, and none of them fills the reserve."""
    table = builders_turn(lambda table: table.farm(0, 0).post(0, 3))
    assert {type(move) for move in table.moves(0)} == {PlaceBuilding, MoveBuilding, TurnBuilding, DeclineBuild}
    for move in table.moves(0):
        copy = VERRAETER.load(VERRAETER.dump(table.state))
        VERRAETER.play(copy, 0, move, table.random)
        assert copy.players[0].reserve == (0 if isinstance(move, PlaceBuilding) else 1)
        assert sum(land.building is not None for land in copy.landscapes) == 3 - copy.players[0].reserve


def test_only_the_owner_of_the_builder_builds(builders_turn):
    """Fact 29: nobody else may answer."""
    table = builders_turn(lambda table: table.farm(0, 0).farm(1, 1))
    for seat in (1, 2):
        assert table.refused(seat, DeclineBuild()) == "not-your-turn"
        assert table.moves(seat) == []


def test_nobody_builds_without_the_builder(scene):
    """Ruling Q15: phase 7 is skipped when nobody chose the Builder."""
    table = scene(seats=3).farm(0, 0).draft("farmer", "diplomat_5", "strategist")
    table.fight()
    assert (table.state.phase, table.state.round) == ("declare_conflict", 2)
