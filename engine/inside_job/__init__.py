"""Inside Job (KOSMOS 2022, Tanner Simmons), for 3 to 5 players.

Read :mod:`~engine.inside_job.rules` first: the course of a match in the order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from engine.game import Event, Game, Result, Seat
from engine.inside_job.components import COMPONENTS, SETUPS
from engine.inside_job.events import InsideJobEvent, TurnedUpBy
from engine.inside_job.ids import Allegiance, Card, Condition, Mission, Role, SpecialRole, Suit
from engine.inside_job.legality import REFUSALS, deciding, legal_moves
from engine.inside_job.moves import KINDS, DecisionKind, InsideJobMove
from engine.inside_job.options import InsideJobOptions, check_options
from engine.inside_job.resample import resample
from engine.inside_job.rules import RULES_VERSION, deal, play
from engine.inside_job.scoring import Reason, result
from engine.inside_job.stand_in import stand_in
from engine.inside_job.state import Ending, InsideJobState, Phase, Winner
from engine.inside_job.view import InsideJobHand, InsideJobTable, hand, table
from engine.randomness import Stream


class InsideJob(Game[InsideJobState, InsideJobMove, InsideJobOptions, InsideJobTable, InsideJobHand, InsideJobEvent]):
    """The game as :class:`engine.game.Game` wants it; the promises are stated there."""

    id = "inside_job"
    rules_version = RULES_VERSION
    seats = range(min(SETUPS), max(SETUPS) + 1)
    kinds = KINDS
    refusals = REFUSALS
    endings = get_args(Ending)
    reasons = get_args(Reason)
    state_type = InsideJobState
    move_type = InsideJobMove
    options_type = InsideJobOptions
    table_type = InsideJobTable
    hand_type = InsideJobHand
    event_type = InsideJobEvent
    vocabulary = {
        "InsideJobSuit": Suit,
        "InsideJobCardId": Card,
        "InsideJobRoleId": Role,
        "InsideJobSpecialRole": SpecialRole,
        "InsideJobConditionId": Condition,
        "InsideJobMissionId": Mission,
        "InsideJobAllegiance": Allegiance,
        "InsideJobDecisionKind": DecisionKind,
        "InsideJobPhase": Phase,
        "InsideJobEnding": Ending,
        "InsideJobWinner": Winner,
        "InsideJobTurnedUpBy": TurnedUpBy,
    }
    components = COMPONENTS

    def check_options(self, options: InsideJobOptions, seats: int) -> None:
        check_options(options, seats)

    def deal(
        self, seats: int, options: InsideJobOptions, random: Stream
    ) -> tuple[InsideJobState, list[Event[InsideJobEvent]]]:
        return deal(seats, options, random)

    def deciding(self, state: InsideJobState) -> tuple[Seat, ...]:
        return deciding(state)

    def kind(self, state: InsideJobState, seat: Seat) -> str:
        return state.phase

    def legal_moves(self, state: InsideJobState, seat: Seat) -> list[InsideJobMove]:
        return legal_moves(state, seat)

    def play(
        self, state: InsideJobState, seat: Seat, move: InsideJobMove, random: Stream
    ) -> list[Event[InsideJobEvent]]:
        return play(state, seat, move)

    def table(self, state: InsideJobState) -> InsideJobTable:
        return table(state)

    def hand(self, state: InsideJobState, seat: Seat) -> InsideJobHand:
        return hand(state, seat)

    def result(self, state: InsideJobState) -> Result | None:
        return result(state)

    def resample(
        self,
        state: InsideJobState,
        seen: Sequence[InsideJobEvent],
        viewer: Seat | None,
        random: Stream,
    ) -> InsideJobState:
        return resample(state, seen, viewer, random)

    def stand_in(
        self,
        table: InsideJobTable,
        hand: InsideJobHand,
        legal_moves: Sequence[InsideJobMove],
        random: Stream,
    ) -> InsideJobMove:
        return stand_in(table, hand, legal_moves, random)


INSIDE_JOB = InsideJob()
