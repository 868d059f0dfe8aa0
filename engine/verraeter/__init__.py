"""Verräter (Adlung-Spiele 1998, M.-A. Casasola Merkle), for 3 or 4 players.

Read :mod:`~engine.verraeter.rules` first: the course of a match in the order of play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from engine.game import Event, Game, Result, Seat
from engine.randomness import Stream
from engine.verraeter.components import COMPONENTS, ROUNDS, Action, House, LandscapeType, Side, Supply
from engine.verraeter.events import DrawSource, PointSource, VerraeterEvent
from engine.verraeter.legality import REFUSALS, deciding_seat, legal_moves
from engine.verraeter.moves import KINDS, DecisionKind, VerraeterMove
from engine.verraeter.options import VerraeterOptions
from engine.verraeter.resample import resample
from engine.verraeter.rules import RULES_VERSION, deal, play
from engine.verraeter.scoring import Reason, result
from engine.verraeter.stand_in import stand_in
from engine.verraeter.state import Ending, Phase, VerraeterState
from engine.verraeter.view import VerraeterHand, VerraeterTable, hand, table


class Verraeter(Game[VerraeterState, VerraeterMove, VerraeterOptions, VerraeterTable, VerraeterHand, VerraeterEvent]):
    """The game as :class:`engine.game.Game` wants it; the promises are stated there."""

    id = "verraeter"
    rules_version = RULES_VERSION
    seats = range(min(ROUNDS), max(ROUNDS) + 1)
    kinds = KINDS
    refusals = REFUSALS
    endings = get_args(Ending)
    reasons = get_args(Reason)
    state_type = VerraeterState
    move_type = VerraeterMove
    options_type = VerraeterOptions
    table_type = VerraeterTable
    hand_type = VerraeterHand
    event_type = VerraeterEvent
    vocabulary = {
        "VerraeterHouse": House,
        "VerraeterLandscapeType": LandscapeType,
        "VerraeterAction": Action,
        "VerraeterSide": Side,
        "VerraeterSupplyValue": Supply,
        "VerraeterDecisionKind": DecisionKind,
        "VerraeterPhase": Phase,
        "VerraeterEnding": Ending,
        "VerraeterDrawSource": DrawSource,
        "VerraeterPointSource": PointSource,
    }
    components = COMPONENTS

    def deal(
        self, seats: int, options: VerraeterOptions, random: Stream
    ) -> tuple[VerraeterState, list[Event[VerraeterEvent]]]:
        return deal(seats, options, random)

    def deciding(self, state: VerraeterState) -> tuple[Seat, ...]:
        seat = deciding_seat(state)
        return () if seat is None else (seat,)

    def kind(self, state: VerraeterState, seat: Seat) -> str:
        return state.phase

    def legal_moves(self, state: VerraeterState, seat: Seat) -> list[VerraeterMove]:
        return legal_moves(state, seat)

    def play(
        self, state: VerraeterState, seat: Seat, move: VerraeterMove, random: Stream
    ) -> list[Event[VerraeterEvent]]:
        return play(state, seat, move, random)

    def table(self, state: VerraeterState) -> VerraeterTable:
        return table(state)

    def hand(self, state: VerraeterState, seat: Seat) -> VerraeterHand:
        return hand(state, seat)

    def result(self, state: VerraeterState) -> Result | None:
        return result(state)

    def resample(
        self,
        state: VerraeterState,
        seen: Sequence[VerraeterEvent],
        viewer: Seat | None,
        random: Stream,
    ) -> VerraeterState:
        return resample(state, seen, viewer, random)

    def stand_in(
        self,
        table: VerraeterTable,
        hand: VerraeterHand,
        legal_moves: Sequence[VerraeterMove],
        random: Stream,
    ) -> VerraeterMove:
        return stand_in(table, hand, legal_moves, random)


VERRAETER = Verraeter()
