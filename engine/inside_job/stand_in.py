"""What a stand-in does for a seat whose player is gone (ruling OQ23).

Its card never depends on its role: it follows suit whenever it can, lays no wager and helps the mission, whoever it
plays for. So nobody can tell by it whether it stands in for an agent or for the insider. Wherever it has a choice
among about equal moves it leaves it to chance, so that what it does tells little of its hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.inside_job.components import CARDS, MISSIONS
from engine.inside_job.ids import Condition
from engine.inside_job.missions import lay, succeeds
from engine.inside_job.moves import CastVote, InsideJobMove, PlayCard
from engine.inside_job.state import Play
from engine.inside_job.view import InsideJobHand, InsideJobTable
from engine.randomness import Stream

_TELL_BEFORE_THE_END: Final[frozenset[Condition]] = frozenset(
    (
        "ascending",
        "descending",
        "all_odd",
        "all_even",
        "one_suit",
        "first_wins",
        "all_below_7",
        "all_above_6",
        "no_trump",
        "first_highest",
        "spread_at_most_6",
    )
)
"""Conditions that no further card mends once the cards so far break them."""


def stand_in(
    table: InsideJobTable,
    hand: InsideJobHand,
    legal_moves: Sequence[InsideJobMove],
    random: Stream,
) -> InsideJobMove:
    """A sensible one of the legal moves."""
    cards = [move for move in legal_moves if isinstance(move, PlayCard) and not move.wager]
    if cards:
        return random.choice(_helpful(table, hand, _following(table, cards)))
    votes = [move for move in legal_moves if isinstance(move, CastVote)]
    if votes:
        return random.choice(_suspicious(table, votes))
    return random.choice(legal_moves)


def _following(table: InsideJobTable, moves: Sequence[PlayCard]) -> Sequence[PlayCard]:
    """Those that follow suit, if any do."""
    return [move for move in moves if CARDS[move.card].suit == table.led_suit] or moves


def _helpful(table: InsideJobTable, hand: InsideJobHand, moves: Sequence[PlayCard]) -> Sequence[PlayCard]:
    """Those after which the mission succeeds, or still may as far as can be told, if any do."""
    assert table.mission is not None
    is_last = len(table.plays) == len(table.seats) - 1
    if not is_last and table.mission.condition not in _TELL_BEFORE_THE_END:
        return moves
    mission = table.mission.mission
    plays = [Play(seat=play.seat, card=play.card, wager=play.wager) for play in table.plays]
    return [
        move
        for move in moves
        if succeeds(
            mission,
            lay([*plays, Play(seat=hand.seat, card=move.card, wager=False)], MISSIONS[mission].trump),
        )
    ] or moves


def _suspicious(table: InsideJobTable, votes: Sequence[CastVote]) -> Sequence[CastVote]:
    """Those against the seats with the most intel; two votes, where they are allowed, rather than one."""
    suspicions = [sum(1 + table.seats[target].tokens for target in vote.targets) for vote in votes]
    most = max(suspicions)
    return [vote for vote, suspicion in zip(votes, suspicions, strict=True) if suspicion == most]
