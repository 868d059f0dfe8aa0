"""The marker game, for 2 to 4 players: no fun, but everything that is hidden in it can be recognised anywhere.

Each of its cards, roles, plots and ballot papers is a mark: a text that exists once in the world. A mark that turns
up where it should not is a leak, and the mark says whose. Otherwise this is a game like those of the catalogue, which
it never joins; the tests put it there for themselves.

Read :mod:`~support.marker_game.rules` first: the course of a match in the order of play.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Event, Game, Result, Seat
from engine.randomness import Stream
from support.marker_game.components import COMPONENTS
from support.marker_game.events import MarkerGameEvent
from support.marker_game.legality import REFUSALS, deciding, legal_moves
from support.marker_game.moves import KINDS, MarkerGameMove
from support.marker_game.options import MarkerGameOptions, check_options
from support.marker_game.resample import resample
from support.marker_game.rules import RULES_VERSION, deal, play
from support.marker_game.scoring import result
from support.marker_game.stand_in import stand_in
from support.marker_game.state import MarkerGameState
from support.marker_game.view import MarkerGameHand, MarkerGameTable, hand, table


class MarkerGame(
    Game[MarkerGameState, MarkerGameMove, MarkerGameOptions, MarkerGameTable, MarkerGameHand, MarkerGameEvent]
):
    """The game as :class:`engine.game.Game` wants it; the promises are stated there."""

    id = "marker_game"
    rules_version = RULES_VERSION
    seats = range(2, 5)
    kinds = KINDS
    refusals = REFUSALS
    endings = ("all_rounds",)
    reasons = ("least_exposed", "more_exposed")
    state_type = MarkerGameState
    move_type = MarkerGameMove
    options_type = MarkerGameOptions
    table_type = MarkerGameTable
    hand_type = MarkerGameHand
    event_type = MarkerGameEvent
    vocabulary = {}
    components = COMPONENTS

    def check_options(self, options: MarkerGameOptions, seats: int) -> None:
        check_options(options, seats)

    def deal(
        self, seats: int, options: MarkerGameOptions, random: Stream
    ) -> tuple[MarkerGameState, list[Event[MarkerGameEvent]]]:
        return deal(seats, options, random)

    def deciding(self, state: MarkerGameState) -> tuple[Seat, ...]:
        return deciding(state)

    def kind(self, state: MarkerGameState, seat: Seat) -> str:
        return state.phase

    def legal_moves(self, state: MarkerGameState, seat: Seat) -> list[MarkerGameMove]:
        return legal_moves(state, seat)

    def play(
        self, state: MarkerGameState, seat: Seat, move: MarkerGameMove, random: Stream
    ) -> list[Event[MarkerGameEvent]]:
        return play(state, seat, move, random)

    def table(self, state: MarkerGameState) -> MarkerGameTable:
        return table(state)

    def hand(self, state: MarkerGameState, seat: Seat) -> MarkerGameHand:
        return hand(state, seat)

    def result(self, state: MarkerGameState) -> Result | None:
        return result(state)

    def resample(
        self,
        state: MarkerGameState,
        seen: Sequence[MarkerGameEvent],
        viewer: Seat | None,
        random: Stream,
    ) -> MarkerGameState:
        return resample(state, seen, viewer, random)

    def stand_in(
        self,
        table: MarkerGameTable,
        hand: MarkerGameHand,
        legal_moves: Sequence[MarkerGameMove],
        random: Stream,
    ) -> MarkerGameMove:
        return stand_in(table, hand, legal_moves, random)


MARKER_GAME = MarkerGame()
