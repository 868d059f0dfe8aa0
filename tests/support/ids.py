"""All ids that a game's types carry, from their definitions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
from msgspec import inspect

from engine.game import AnyGame


def ids_of(game: AnyGame) -> set[str]:
    """Every id that something of this game may carry on the wire: its components, views, events, moves and results."""
    types = [type(game.components), game.table_type, game.hand_type, game.event_type, game.move_type]
    carried = {id_ for type_ in [*types, *game.vocabulary.values()] for id_ in ids_in(type_)}
    return carried | {game.id, *game.kinds, *game.endings, *game.reasons, *tags_of(game.event_type, game.move_type)}


def tags_of(*unions: Any) -> set[str]:
    """What the members of unions are told apart by."""
    return {str(member.__struct_config__.tag) for union in unions for member in get_args(union)}


def ids_in(type_: Any) -> set[str]:
    """The texts that values of this type are chosen from, at any depth."""
    return set(_texts(inspect.type_info(type_), set()))


def _texts(info: inspect.Type, seen: set[type[msgspec.Struct]]) -> Iterator[str]:
    match info:
        case inspect.LiteralType():
            yield from (value for value in info.values if isinstance(value, str))
        case inspect.StructType():
            if info.cls not in seen:
                seen.add(info.cls)
                for field in info.fields:
                    yield from _texts(field.type, seen)
        case inspect.UnionType():
            for member in info.types:
                yield from _texts(member, seen)
        case inspect.TupleType():
            for item in info.item_types:
                yield from _texts(item, seen)
        case inspect.ListType() | inspect.VarTupleType():
            yield from _texts(info.item_type, seen)
        case inspect.IntType() | inspect.FloatType() | inspect.BoolType() | inspect.NoneType():
            pass
        case _:
            raise NotImplementedError(f"a type with {info}, which may carry ids that nobody has named")
