"""The list of legal moves is what the rules let through: of all moves that there are, every other one is refused.

The games make the list directly and check a move by itself, for speed; so nothing but this holds the two together.
"""

from __future__ import annotations

import re
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


def all_moves(game: AnyGame, state: Any) -> frozenset[Any]:
    """Every move that the contract lets in, from the definitions of the game's moves.

    Of ids that are made anew for each match, those that are in its state.
    """
    ids = frozenset(_words(msgspec.to_builtins(state))) if _has_new_ids(game) else frozenset[str]()
    return _all_moves(game, ids)


@cache
def _all_moves(game: AnyGame, ids: frozenset[str]) -> frozenset[Any]:
    return frozenset(_values(msgspec.inspect.type_info(game.move_type), ids))


@cache
def _has_new_ids(game: AnyGame) -> bool:
    try:
        _all_moves(game, frozenset())
    except _NoIds:
        return True
    return False


class _NoIds(Exception):
    """A field is a string of which nobody has said which there are."""


def _words(told: Any) -> Iterator[str]:
    """All strings in what is made of dictionaries and lists."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        yield from _words(list(told.values()))
    elif isinstance(told, list | tuple):
        for part in told:
            yield from _words(part)


def _values(info: Any, words: frozenset[str]) -> Iterator[Any]:
    match info:
        case msgspec.inspect.UnionType():
            for member in info.types:
                yield from _values(member, words)
        case msgspec.inspect.StructType():
            names = [field.name for field in info.fields]
            for values in product(*(list(_values(field.type, words)) for field in info.fields)):
                yield info.cls(**dict(zip(names, values, strict=True)))
        case msgspec.inspect.BoolType():
            yield from (False, True)
        case msgspec.inspect.LiteralType():
            yield from info.values
        case msgspec.inspect.IntType():
            yield from range(info.ge, info.le + 1)
        case msgspec.inspect.VarTupleType():
            items = list(_values(info.item_type, words))
            for length in range(info.min_length or 0, info.max_length + 1):
                yield from product(items, repeat=length)
        case msgspec.inspect.StrType() if info.pattern:
            if not words:
                raise _NoIds
            yield from (word for word in words if re.fullmatch(info.pattern, word))
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
        everything = all_moves(game, match.state)
        for seat in game.deciding(match.state):
            listed = set(game.legal_moves(match.state, seat))
            assert listed <= everything
            random = match.next_stream()
            accepted = [move for move in everything - listed if _accepts(game, match.state, seat, move, random)]
            assert not accepted
        assert game.dump(match.state) == before


def _accepts(game: AnyGame, state: Any, seat: Seat, move: Any, random: Stream) -> bool:
    try:
        game.play(state, seat, move, random)
    except IllegalMove:
        return False
    return True
