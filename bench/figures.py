"""What was measured: medians with their spread, ratios, and budgets that are met or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles


@dataclass(frozen=True)
class Figure:
    """One thing, measured several times.

    Attributes:
        values: in the order of measuring.
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("nothing was measured")

    @property
    def median(self) -> float:
        """The middle of the values."""
        return median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """Between which two the middle half of the values lies; all of them, if there are fewer than four."""
        if len(self.values) < 4:
            return min(self.values), max(self.values)
        low, _, high = quantiles(self.values, n=4, method="inclusive")
        return low, high

    def over(self, other: Figure) -> Figure:
        """How many times the other: repeat by repeat, so that what disturbs both at once does not count.

        Raises:
            ValueError: they were not measured equally often.
        """
        return Figure(tuple(mine / theirs for mine, theirs in zip(self.values, other.values, strict=True)))


def shown(value: float) -> str:
    """A number with three digits that count."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def told(figure: Figure) -> str:
    """The median, and the spread if there is any to tell of."""
    if len(figure.values) == 1:
        return shown(figure.median)
    low, high = figure.spread
    return f"{shown(figure.median)} ({shown(low)} to {shown(high)})"


@dataclass(frozen=True)
class Budget:
    """What is required of a figure's median.

    Attributes:
        name: what is measured.
        least: the median must not be lower.
        most: the median must not be higher.
    """

    name: str
    figure: Figure
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        if (self.least is None) == (self.most is None):
            raise ValueError(f"{self.name}: a budget has one bound")

    @property
    def met(self) -> bool:
        """Whether the median keeps to it."""
        if self.least is not None:
            return self.figure.median >= self.least
        assert self.most is not None
        return self.figure.median <= self.most

    @property
    def required(self) -> str:
        """The bound, in words."""
        return f"at least {self.least:g}" if self.least is not None else f"at most {self.most:g}"


@dataclass(frozen=True)
class Table:
    """Some lines under a heading.

    Attributes:
        rows: what stands in each line, written out.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Part:
    """What one of the benchmarks has found.

    Attributes:
        notes: sentences that stand before the tables.
    """

    title: str
    notes: Sequence[str] = ()
    tables: Sequence[Table] = ()
    budgets: Sequence[Budget] = ()
