"""Random play of any game, in the engine alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, assume, settings
from hypothesis import strategies as st

from engine.game import AnyGame, BadOptions, Event, Options, Seat, State
from engine.randomness import Randomness, Stream


def whole_matches(examples: int) -> settings:
    """Hypothesis' settings for examples that are whole matches: few of them, and no attempt to shrink one.

    The same ones every time, so that a change is judged by what it changed; `make secrecy` tries new ones.
    """
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )


LONGEST_MATCH = 2_000
"""Moves after which a match counts as endless."""


class Playthrough:
    """A match that is played at random, move by move.

    Attributes:
        state: as it is now.
        log: what happened so far.
        moves: what was played so far, as (seat, move).
    """

    def __init__(self, game: AnyGame, seats: int, options: Options, seed: bytes) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.randomness = Randomness("conformance", seed)
        self.moves: list[tuple[Seat, Any]] = []
        self.state: State
        self.log: list[Event[Any]]
        self.state, self.log = game.deal(seats, options, self.randomness.deal())
        self._chance = Stream(b"players" + seed)

    def steps(self) -> Iterator[State]:
        """Every state of the match, the first and the last one too; plays a move between two."""
        yield self.state
        while deciding := self.game.deciding(self.state):
            seat = self._chance.choice(deciding)
            self.play(seat, self._chance.choice(self.game.legal_moves(self.state, seat)))
            yield self.state

    def play(self, seat: Seat, move: Any) -> list[Event[Any]]:
        """Play one move."""
        assert len(self.moves) < LONGEST_MATCH, "an endless match"
        events = self.game.play(self.state, seat, move, self.next_stream())
        self.moves.append((seat, move))
        self.log += events
        return events

    def next_stream(self) -> Stream:
        """What the next move will find where chance decides."""
        return self.randomness.move(len(self.moves) + 1)

    def copy(self) -> State:
        """The state, independent of the match."""
        return self.game.load(self.game.dump(self.state))

    def seen_by(self, viewer: Seat | None) -> list[Any]:
        """The log as a viewer reads it."""
        return [event.seen_by(viewer) for event in self.log]

    def viewers(self) -> list[Seat | None]:
        """Everybody who looks on: all seats, and a spectator."""
        return [*range(self.seats), None]


@st.composite
def playthroughs(draw: st.DrawFn, game: AnyGame) -> Playthrough:
    """A match of this game that is about to begin, with any number of seats and any options."""
    seats = draw(st.sampled_from(list(game.seats)))
    options = draw(st.just(game.options_type()) | options_of(game.options_type))
    try:
        game.check_options(options, seats)
    except BadOptions:
        assume(False)
    return Playthrough(game, seats, options, draw(st.binary(min_size=32, max_size=32)))


def options_of(options_type: type[Options]) -> st.SearchStrategy[Any]:
    """Every value of an options type, from its definition."""
    return _values(msgspec.inspect.type_info(options_type))


def _values(info: Any) -> st.SearchStrategy[Any]:
    match info:
        case msgspec.inspect.StructType():
            fields = {field.name: _values(field.type) for field in info.fields}
            return st.builds(info.cls, **fields)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.NoneType():
            return st.none()
        case msgspec.inspect.LiteralType():
            return st.sampled_from(info.values)
        case msgspec.inspect.IntType():
            return st.integers(info.ge, info.le)
        case msgspec.inspect.VarTupleType() | msgspec.inspect.ListType():
            sequence = tuple if isinstance(info, msgspec.inspect.VarTupleType) else list
            items = st.lists(_values(info.item_type), min_size=info.min_length or 0, max_size=info.max_length or 8)
            return items.map(sequence)
        case msgspec.inspect.UnionType():
            return st.one_of([_values(member) for member in info.types])
        case _:
            raise NotImplementedError(f"options with a field of {info}")
