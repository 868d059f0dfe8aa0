"""Kabale und Hiebe (Hans im Glück 2006, Lutz Stepponat), for 2 to 6 players.

Read :mod:`~engine.kabale.rules` first: the course of a match in the order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from engine.game import Event, Game, Result, Seat
from engine.kabale.column_scoring import DecidedBy, KnockedOutBy, ScoringStep
from engine.kabale.components import COMPONENTS, MOST_SEATS, Category, Character, Goal, Timing
from engine.kabale.events import KabaleEvent
from engine.kabale.legality import REFUSALS, deciding_seat, legal_moves
from engine.kabale.moves import KINDS, AbilityKind, DecisionKind, KabaleMove
from engine.kabale.options import KabaleOptions
from engine.kabale.resample import resample
from engine.kabale.rules import RULES_VERSION, deal, play
from engine.kabale.scoring import Ending, Reason, result
from engine.kabale.stand_in import stand_in
from engine.kabale.state import KabaleState, Phase, RoundEnding
from engine.kabale.view import KabaleHand, KabaleTable, hand, table
from engine.randomness import Stream


class Kabale(Game[KabaleState, KabaleMove, KabaleOptions, KabaleTable, KabaleHand, KabaleEvent]):
    """The game as :class:`engine.game.Game` wants it; the promises are stated there."""

    id = "kabale"
    rules_version = RULES_VERSION
    seats = range(2, MOST_SEATS + 1)
    kinds = KINDS
    refusals = REFUSALS
    endings = get_args(Ending)
    reasons = get_args(Reason)
    state_type = KabaleState
    move_type = KabaleMove
    options_type = KabaleOptions
    table_type = KabaleTable
    hand_type = KabaleHand
    event_type = KabaleEvent
    vocabulary = {
        "KabaleCategory": Category,
        "KabaleGoalId": Goal,
        "KabaleCharacterId": Character,
        "KabaleTiming": Timing,
        "KabaleDecisionKind": DecisionKind,
        "KabaleAbilityKind": AbilityKind,
        "KabalePhase": Phase,
        "KabaleRoundEnding": RoundEnding,
        "KabaleScoringStep": ScoringStep,
        "KabaleDecidedBy": DecidedBy,
        "KabaleKnockedOutBy": KnockedOutBy,
    }
    components = COMPONENTS

    def deal(self, seats: int, options: KabaleOptions, random: Stream) -> tuple[KabaleState, list[Event[KabaleEvent]]]:
        return deal(seats, options, random)

    def deciding(self, state: KabaleState) -> tuple[Seat, ...]:
        seat = deciding_seat(state)
        return () if seat is None else (seat,)

    def kind(self, state: KabaleState, seat: Seat) -> str:
        return state.phase

    def legal_moves(self, state: KabaleState, seat: Seat) -> list[KabaleMove]:
        return legal_moves(state, seat)

    def play(self, state: KabaleState, seat: Seat, move: KabaleMove, random: Stream) -> list[Event[KabaleEvent]]:
        return play(state, seat, move, random)

    def table(self, state: KabaleState) -> KabaleTable:
        return table(state)

    def hand(self, state: KabaleState, seat: Seat) -> KabaleHand:
        return hand(state, seat)

    def result(self, state: KabaleState) -> Result | None:
        return result(state)

    def resample(
        self,
        state: KabaleState,
        seen: Sequence[KabaleEvent],
        viewer: Seat | None,
        random: Stream,
    ) -> KabaleState:
        return resample(state, seen, viewer, random)

    def stand_in(
        self,
        table: KabaleTable,
        hand: KabaleHand,
        legal_moves: Sequence[KabaleMove],
        random: Stream,
    ) -> KabaleMove:
        return stand_in(table, hand, legal_moves, random)


KABALE = Kabale()
