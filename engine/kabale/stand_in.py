"""What a stand-in does for a seat whose player is gone.

It plays like a plain but attentive player, from the table and the own hand alone: it imagines the column after each
legal move, scores it by the rules as if the round were over (section 8), and takes one of the moves that help it most
for what the goal is worth to it. A card that it cannot see counts as an ordinary one. Among about equal moves it leaves
the choice to chance, so that what it does tells no more of its hand than a player's doing would.

The table does not show the match's options, so the stand-in goes by the defaults.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Seat
from engine.kabale.column_scoring import KabaleScoredColumn, score_column
from engine.kabale.components import DOUBLED, GOALS, Character, Goal
from engine.kabale.moves import KabaleMove, PlaceCard, SwapGoals, TuckCard
from engine.kabale.state import LaidCard, LaidColumn
from engine.kabale.view import KabaleHand, KabaleTable
from engine.randomness import Stream

_ORDINARY: Final[Character] = "storm"
"""What an unseen card is taken for: 9 points, nothing special at scoring."""

_COMFORTABLE: Final = 12
"""A lead of so much counts as a sure win, as much behind as a sure loss."""

_NEW_SYMBOL: Final = 3
"""What a symbol is worth that one has not yet, beyond the points of the goal."""

_THRIFT: Final = 0.03
"""What each point of a card's value is worth while it is kept in the hand."""

_ABOUT: Final = 0.25
"""Moves that are worth less than the best one by no more than this are about as good."""


def stand_in(table: KabaleTable, hand: KabaleHand, legal_moves: Sequence[KabaleMove], random: Stream) -> KabaleMove:
    """A sensible one of the legal moves."""
    outlook = _Outlook(table, hand)
    worths = [outlook.worth(move) for move in legal_moves]
    enough = max(worths) - _ABOUT
    return random.choice([move for move, worth in zip(legal_moves, worths, strict=True) if worth >= enough])


class _Outlook:
    """The columns as one seat sees them, and how it stands in them."""

    def __init__(self, table: KabaleTable, hand: KabaleHand) -> None:
        self.table = table
        self.seat = hand.seat
        own = {(card.column, card.slot): card.character for card in hand.face_down}
        tucked = {(card.column, card.slot): card.character for card in hand.tucked}
        self.columns: list[list[LaidCard]] = [
            [
                LaidCard(
                    owner=slot.owner,
                    character=slot.character or own.get((number, place), _ORDINARY),
                    tucked=tucked.get((number, place)) or (_ORDINARY if slot.tucked else None),
                )
                for place, slot in enumerate(column.slots)
            ]
            for number, column in enumerate(table.columns)
        ]
        self.goals = [column.goal for column in table.columns]
        symbols = {GOALS[goal].category for goal in table.seats[self.seat].goals}
        self.stakes = {
            goal: GOALS[goal].value + _NEW_SYMBOL * (GOALS[goal].category not in symbols) for goal in self.goals
        }
        self.now = [self.prospect(goal, cards) for goal, cards in zip(self.goals, self.columns, strict=True)]

    def prospect(self, goal: Goal, cards: list[LaidCard]) -> float:
        """What a column is worth to the seat as it would be scored now: from minus the stake to the stake."""
        scored = score_column(
            LaidColumn(goal=goal, cards=tuple(cards)), len(self.table.seats), witch_spares_witches=False
        )
        return self.stakes[goal] * _standing(scored, self.seat)

    def worth(self, move: KabaleMove) -> float:
        """By how much a move improves the seat's prospects."""
        match move:
            case PlaceCard():
                return self._worth_of_placing(move) - _THRIFT * _value(move.card)
            case SwapGoals(columns=(one, other)):
                swapped = self.prospect(self.goals[other], self.columns[one])
                swapped += self.prospect(self.goals[one], self.columns[other])
                return swapped - self.now[one] - self.now[other]
            case TuckCard() if self.table.pending:
                column, slot = self.table.pending.column, self.table.pending.slot
                cards = list(self.columns[column])
                cards[slot] = LaidCard(owner=self.seat, character="disguise", tucked=move.card)
                return self.prospect(self.goals[column], cards) - self.now[column] - _THRIFT * _value(move.card)
            case _:
                return 0.0

    def _worth_of_placing(self, move: PlaceCard) -> float:
        cards = self.columns[move.column]
        column = self.table.columns[move.column]
        if cards and not column.slots[-1].face_up:
            if cards[-1].character == "assassin":
                return -_THRIFT * _value(move.card)
            if cards[-1].character == "explorer":
                cards = cards[:-1]
        placed = [*cards, LaidCard(owner=self.seat, character=move.card)]
        return self.prospect(self.goals[move.column], placed) - self.now[move.column]


def _value(card: Character) -> float:
    """The printed value; a Double is taken for an ordinary card."""
    return (DOUBLED[card] or DOUBLED[_ORDINARY] or 0) / 2


def _standing(scored: KabaleScoredColumn, seat: Seat) -> float:
    """How well a seat does in a scored column: 1 is a sure win, -1 a sure loss, 0 about even."""
    if scored.decided_by == "pair":
        return 1.0 if scored.winner == seat else -1.0
    own = scored.totals[seat]
    others = [total for other, total in enumerate(scored.totals) if other != seat and total is not None]
    if own is None:
        return -1.0 if others else 0.0
    if not others:
        return 1.0
    lead = min(others) - own if "lowest_wins" in scored.steps else own - max(others)
    return max(-1.0, min(1.0, lead / _COMFORTABLE))
