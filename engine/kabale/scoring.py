"""The score of a player and the end of a match (rules, section 9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from engine.game import Result, SeatResult
from engine.kabale.components import CATEGORIES, GOALS, SIX, VALUES, Category, Goal
from engine.kabale.options import KabaleOptions
from engine.kabale.state import KabaleState

Ending: TypeAlias = Literal["last_round"]
Reason: TypeAlias = Literal["most_points", "fewer_points"]

_ENDING: Final[Ending] = "last_round"


def score(goals: Sequence[Goal], options: KabaleOptions) -> int:
    """What goal cards are worth at the end of the match; all six symbols together count double (ruling D1)."""
    total = sum(map(VALUES.__getitem__, goals))
    if len(goals) < SIX or len({GOALS[goal].category for goal in goals}) < len(CATEGORIES):
        return total
    best: dict[Category, int] = {}
    for goal in goals:
        card = GOALS[goal]
        best[card.category] = max(card.value, best.get(card.category, 0))
    surplus = len(goals) - SIX
    if options.set_scoring == "all_goals":
        return 2 * total - surplus
    return max(total, 2 * sum(best.values()) - surplus)


def scores(state: KabaleState) -> list[int]:
    """Of all seats, in seat order."""
    return [score(player.goals, state.options) for player in state.players]


def result(state: KabaleState) -> Result | None:
    """The final ranking: most points win, level seats share their rank (ruling Q19). ``None`` before the end."""
    if state.phase != "over":
        return None
    totals = scores(state)
    best = max(totals)
    return Result(
        ending=_ENDING,
        seats=[
            SeatResult(
                seat=seat,
                won=own == best,
                reason=_reason(won=own == best),
                rank=1 + sum(other > own for other in totals),
                score=own,
            )
            for seat, own in enumerate(totals)
        ],
    )


def _reason(*, won: bool) -> Reason:
    return "most_points" if won else "fewer_points"
