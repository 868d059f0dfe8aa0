"""Medians, spreads, ratios, and budgets that are met or not."""

from __future__ import annotations

import pytest

from bench.figures import Budget, Figure, Part, Table, shown, told
from bench.report import budget_table, page


def test_the_median_and_the_middle_half():
    figure = Figure((9.0, 1.0, 3.0, 5.0, 7.0))
    assert figure.median == 5
    assert figure.spread == (3, 7)
    assert Figure((4.0, 1.0)).spread == (1, 4)


def test_nothing_measured_is_no_figure():
    with pytest.raises(ValueError, match="nothing was measured"):
        Figure(())


def test_a_ratio_is_taken_repeat_by_repeat():
    """In the second repeat something else took half of the machine from both; the ratio does not change by that."""
    assert Figure((80.0, 40.0, 88.0)).over(Figure((100.0, 50.0, 110.0))).values == (0.8, 0.8, 0.8)
    with pytest.raises(ValueError, match="shorter"):
        Figure((1.0, 2.0)).over(Figure((1.0,)))


@pytest.mark.parametrize(
    ("bounds", "value", "met"),
    [
        ({"least": 0.65}, 0.65, True),
        ({"least": 0.65}, 0.649, False),
        ({"most": 4}, 4.0, True),
        ({"most": 4}, 4.01, False),
    ],
)
def test_a_budget_is_met_up_to_its_bound(bounds, value, met):
    """By the median alone: the other values lie on both of its sides."""
    assert Budget("view", Figure((value, value - 1, value + 1)), **bounds).met is met


@pytest.mark.parametrize("bounds", [{}, {"least": 1, "most": 2}], ids=["none", "two"])
def test_a_budget_has_one_bound(bounds):
    with pytest.raises(ValueError, match="one bound"):
        Budget("view", Figure((1.0,)), **bounds)


def test_numbers_are_written_with_the_digits_that_count():
    assert [shown(value) for value in (0.123, 1.5, 12.34, 123.4, 12345.6)] == ["0.12", "1.50", "12.3", "123", "12,346"]
    assert told(Figure((1.0,))) == "1.00"
    assert told(Figure((1.0, 3.0, 2.0))) == "2.00 (1.00 to 3.00)"


def test_the_page_tells_what_is_missed_before_all_else():
    missed = Budget("act", Figure((0.5,)), least=0.6)
    kept = Budget("p99", Figure((3.0,)), most=4)
    assert budget_table([missed, kept]).rows == [
        ["act", "at least 0.6", "0.50", "**no**"],
        ["p99", "at most 4", "3.00", "yes"],
    ]
    part = Part("Ceiling", ["A note."], [Table(("one", "two"), [["1", "2"]])], [missed, kept])
    lines = page([part], "make bench", 60).splitlines()
    assert lines.index("| act | at least 0.6 | 0.50 | **no** |") < lines.index("## Ceiling") < lines.index("A note.")
    assert lines[-3:] == ["| one | two |", "|---|---:|", "| 1 | 2 |"]
