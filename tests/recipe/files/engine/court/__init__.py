"""Court, for 3 or 4 players: who has done more favours to the side that they are secretly on?

Read :mod:`~engine.court.rules` first: the course of a match in the order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from engine.court.components import COMPONENTS, Side
from engine.court.events import CourtEvent
from engine.court.legality import REFUSALS, deciding, legal_moves
from engine.court.moves import KINDS, CourtMove, DecisionKind
from engine.court.options import CourtOptions
from engine.court.resample import resample
from engine.court.rules import RULES_VERSION, deal, play
from engine.court.scoring import Ending, Reason, result
from engine.court.stand_in import stand_in
from engine.court.state import CourtState, Phase
from engine.court.view import CourtHand, CourtTable, hand, table
from engine.game import Event, Game, Result, Seat
from engine.randomness import Stream


class Court(Game[CourtState, CourtMove, CourtOptions, CourtTable, CourtHand, CourtEvent]):
    """The game as :class:`engine.game.Game` wants it; the promises are stated there."""

    id = "court"
    rules_version = RULES_VERSION
    seats = range(3, 5)
    kinds = KINDS
    refusals = REFUSALS
    endings = get_args(Ending)
    reasons = get_args(Reason)
    state_type = CourtState
    move_type = CourtMove
    options_type = CourtOptions
    table_type = CourtTable
    hand_type = CourtHand
    event_type = CourtEvent
    vocabulary = {"CourtSide": Side, "CourtDecisionKind": DecisionKind, "CourtPhase": Phase}
    components = COMPONENTS

    def deal(self, seats: int, options: CourtOptions, random: Stream) -> tuple[CourtState, list[Event[CourtEvent]]]:
        return deal(seats, options, random)

    def deciding(self, state: CourtState) -> tuple[Seat, ...]:
        return deciding(state)

    def kind(self, state: CourtState, seat: Seat) -> str:
        return state.phase()

    def legal_moves(self, state: CourtState, seat: Seat) -> list[CourtMove]:
        return legal_moves(state, seat)

    def play(self, state: CourtState, seat: Seat, move: CourtMove, random: Stream) -> list[Event[CourtEvent]]:
        return play(state, seat, move)

    def table(self, state: CourtState) -> CourtTable:
        return table(state)

    def hand(self, state: CourtState, seat: Seat) -> CourtHand:
        return hand(state, seat)

    def result(self, state: CourtState) -> Result | None:
        return result(state)

    def resample(
        self, state: CourtState, seen: Sequence[CourtEvent], viewer: Seat | None, random: Stream
    ) -> CourtState:
        return resample(state, viewer, random)

    def stand_in(
        self, table: CourtTable, hand: CourtHand, legal_moves: Sequence[CourtMove], random: Stream
    ) -> CourtMove:
        return stand_in(legal_moves, random)


COURT = Court()
