"""Options at random, from the definition of their type."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.game import AnyGame, BadOptions, Options
from engine.randomness import Stream


def any_options(game: AnyGame, seats: int, random: Stream) -> Options:
    """The defaults, or options that fit the number of seats."""
    if random.below(3) == 0:
        return game.options_type()
    for _ in range(200):
        options = _some_changed(game.options_type, random)
        try:
            game.check_options(options, seats)
        except BadOptions:
            continue
        return options
    return game.options_type()


def _some_changed(kind: type[Options], random: Stream) -> Options:
    """Each option is left alone half of the time."""
    info: Any = msgspec.inspect.type_info(kind)
    return kind(**{field.name: _value(field.type, random) for field in info.fields if random.below(2)})


def _value(info: Any, random: Stream) -> Any:
    match info:
        case msgspec.inspect.StructType():
            return info.cls(**{field.name: _value(field.type, random) for field in info.fields})
        case msgspec.inspect.BoolType():
            return bool(random.below(2))
        case msgspec.inspect.NoneType():
            return None
        case msgspec.inspect.LiteralType():
            return random.choice(info.values)
        case msgspec.inspect.IntType():
            return info.ge + random.below(info.le - info.ge + 1)
        case msgspec.inspect.VarTupleType():
            fewest, most = info.min_length or 0, info.max_length or 8
            length = fewest + random.below(min(most, fewest + 8) - fewest + 1)
            return tuple(_value(info.item_type, random) for _ in range(length))
        case msgspec.inspect.UnionType():
            return _value(random.choice(info.types), random)
        case _:
            raise NotImplementedError(f"options with a field of {info}")
