"""Victory points and the end of a match (rules, phase 6 and section 5)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.game import Event, Result, Seat, SeatResult, openly
from engine.verraeter.components import COMPONENTS
from engine.verraeter.events import PointSource, PointsScored, VerraeterEnded, VerraeterEvent
from engine.verraeter.state import VerraeterState, posts_of

Reason: TypeAlias = Literal["most_points", "fewer_points"]


def score(state: VerraeterState, seat: Seat, source: PointSource, points: int) -> Event[VerraeterEvent]:
    """Give a seat victory points, and tell everybody what for."""
    gains = state.players[seat].gains
    setattr(gains, source, getattr(gains, source) + points)
    return openly(PointsScored(seat=seat, source=source, points=points, score=gains.total()))


def a_house_has_no_land(state: VerraeterState) -> bool:
    """Whether one house owns every landscape, which ends the match early."""
    return len({land.house for land in state.landscapes}) == 1


def final_scoring(state: VerraeterState) -> list[Event[VerraeterEvent]]:
    """Pay the trading posts and close the match; ``state.ending`` says why it ends.

    Every post pays one point per card in its owner's hand, at most three; all of a seat's posts use the same hand.
    """
    assert state.ending is not None
    log: list[Event[VerraeterEvent]] = []
    for seat, player in enumerate(state.players):
        posts = posts_of(state, seat)
        if state.options.trading_posts_need_own_house:
            posts = [land for land in posts if land.house == player.house]
        points = len(posts) * min(len(player.supplies), COMPONENTS.trading_post_max_points)
        if points:
            log.append(score(state, seat, "trading_posts", points))
    state.phase = "over"
    scores = [player.gains.total() for player in state.players]
    log.append(openly(VerraeterEnded(ending=state.ending, scores=scores)))
    return log


def result(state: VerraeterState) -> Result | None:
    """The final ranking: most points win, level seats share their rank. ``None`` before the end."""
    if state.phase != "over" or state.ending is None:
        return None
    scores = [player.gains.total() for player in state.players]
    best = max(scores)
    return Result(
        ending=state.ending,
        seats=[
            SeatResult(
                seat=seat,
                won=own == best,
                reason=_reason(won=own == best),
                rank=1 + sum(other > own for other in scores),
                score=own,
            )
            for seat, own in enumerate(scores)
        ],
    )


def _reason(*, won: bool) -> Reason:
    return "most_points" if won else "fewer_points"
