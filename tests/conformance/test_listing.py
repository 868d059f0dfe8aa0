"""The list of legal moves is what the rules let through: of all moves that there are, every other one is refused.

The games make the list directly and check a move by itself, for speed; so nothing but this holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from support.play import playthroughs, whole_matches

from engine.game import AnyGame, IllegalMove, Seat
from engine.randomness import Stream

STRIDE = 7
"""All moves are tried at every so manieth decision of a match; another number of moves than any round has."""


@cache
def all_moves(game: AnyGame) -> tuple[Any, ...]:
    """Every move that the contract lets in, from the definitions of the game's moves."""
    return tuple(_values(msgspec.inspect.type_info(game.move_type)))


def _values(info: Any) -> Iterator[Any]:
    match info:
        case msgspec.inspect.UnionType():
            for member in info.types:
                yield from _values(member)
        case msgspec.inspect.StructType():
            names = [field.name for field in info.fields]
            for values in product(*(list(_values(field.type)) for field in info.fields)):
                yield info.cls(**dict(zip(names, values, strict=True)))
        case msgspec.inspect.BoolType():
            yield from (False, True)
        case msgspec.inspect.LiteralType():
            yield from info.values
        case msgspec.inspect.IntType():
            yield from range(info.ge, info.le + 1)
        case msgspec.inspect.VarTupleType():
            items = list(_values(info.item_type))
            for length in range(info.min_length or 0, info.max_length + 1):
                yield from product(items, repeat=length)
        case _:
            raise NotImplementedError(f"moves with a field of {info}")


@whole_matches(8)
@given(data=st.data())
def test_every_move_that_is_not_listed_is_refused(game: AnyGame, data: st.DataObject):
    match = data.draw(playthroughs(game))
    first = data.draw(st.integers(0, STRIDE - 1))
    for number, _ in enumerate(match.steps()):
        if number % STRIDE != first:
            continue
        before = game.dump(match.state)
        for seat in game.deciding(match.state):
            listed = set(game.legal_moves(match.state, seat))
            assert listed <= set(all_moves(game))
            random = match.next_stream()
            accepted = [
                move
                for move in all_moves(game)
                if move not in listed and _accepts(game, match.state, seat, move, random)
            ]
            assert not accepted
        assert game.dump(match.state) == before


def _accepts(game: AnyGame, state: Any, seat: Seat, move: Any, random: Stream) -> bool:
    try:
        game.play(state, seat, move, random)
    except IllegalMove:
        return False
    return True
