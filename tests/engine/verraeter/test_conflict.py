"""Phase 1: the holder of the Strategy card names the conflict."""

import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.moves import DeclareConflict


def test_conflict_lies_between_neighbours_of_different_houses(scene):
    """Fact 18: exactly the borders between an Eagle and a Rose can be named."""
    table = scene().land("eagle", *range(12)).land("rose", 3, 4, 8)
    assert table.moves(0) == [DeclareConflict(border=border) for border in (2, 4, 7, 8)]
    assert table.refused(0, DeclareConflict(border=3)) == "no-enmity"
    assert table.refused(0, DeclareConflict(border=0)) == "no-enmity"


def test_circle_is_closed(scene):
    """Fact 18: position 11 touches position 0."""
    table = scene().land("eagle", *range(12)).land("rose", 11)
    assert table.moves(0) == [DeclareConflict(border=10), DeclareConflict(border=11)]
    table.play(0, DeclareConflict(border=11))
    conflict = table.table.conflict
    assert (conflict.border, conflict.eagle, conflict.rose) == (11, 0, 15)


def test_closed_circle_also_joins_like_houses(scene):
    """Fact 18: border 11 is no conflict when positions 11 and 0 show the same house."""
    table = scene().land("rose", 0)
    assert table.refused(0, DeclareConflict(border=11)) == "no-enmity"


@pytest.mark.parametrize("position", range(12))
def test_a_conflict_exists_while_both_houses_own_land(scene, position):
    """Ruling Q29: one landscape of the other house is enough for two borders."""
    table = scene().land("rose", *range(12)).land("eagle", position)
    assert {move.border for move in table.moves(0)} == {(position - 1) % 12, position}


def test_declaring_is_mandatory(scene):
    """Fact 18: every answer to the decision is a conflict."""
    table = scene()
    assert table.moves(0) == [DeclareConflict(border=border) for border in range(12)]


def test_no_other_limit(scene):
    """Fact 18: own buildings do not matter, and the same pair may be fought over again."""
    table = scene(seats=3).farm(0, 4).farm(1, 5)
    table.whole_round(4, ["builder", "farmer", "strategist"], [[], [], []])
    table.play(0, table.moves(0)[-1])
    assert table.fought == (5, 5, None)
    assert DeclareConflict(border=4) in table.moves(2)


@pytest.mark.parametrize("holder", [0, 1, 2, 3])
def test_holder_of_the_strategy_card_declares(scene, holder):
    """Facts 18, 32: the holder of the Strategy card and nobody else, whoever is start player."""
    table = scene(start=1)
    table.state.strategist_seat = holder
    assert VERRAETER.deciding(table.state) == (holder,)
    for seat in {0, 1, 2, 3} - {holder}:
        assert table.refused(seat, DeclareConflict(border=4)) == "not-your-turn"
    table.play(holder, DeclareConflict(border=4))
    assert table.state.conflict == 4
    assert VERRAETER.deciding(table.state) == (1,)
