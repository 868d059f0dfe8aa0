"""States with a secret more in every part of them, as if somebody had added fields and thought of no view."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from engine.game import AnyGame

SECRET = "MARKER-that-nobody-may-see"
FIELD = "plan"


@cache
def richer(part: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The type with one field more."""
    config = part.__struct_config__
    return msgspec.defstruct(
        part.__name__, [(FIELD, str, SECRET)], bases=(part,), frozen=config.frozen, kw_only=True, module=part.__module__
    )


def enriched(value: Any) -> Any:
    """A copy in which every struct has a secret more."""
    if isinstance(value, msgspec.Struct):
        fields = {name: enriched(getattr(value, name)) for name in value.__struct_fields__}
        return richer(type(value))(**fields)
    if isinstance(value, list | tuple):
        return type(value)(map(enriched, value))
    if isinstance(value, dict):
        return {key: enriched(inner) for key, inner in value.items()}
    return value


def without_the_secrets(value: Any) -> Any:
    """Plain values as they would have been."""
    if isinstance(value, dict):
        return {key: without_the_secrets(inner) for key, inner in value.items() if key != FIELD}
    if isinstance(value, list | tuple):
        return list(map(without_the_secrets, value))
    return value


def enrich(patch: pytest.MonkeyPatch, game: AnyGame) -> list[int]:
    """Let the states of a game have the secrets whenever the service works with them; gives how often it did so far.

    They are stored without, so that they can be read back.
    """
    load, loaded = type(game).load, [0]

    def load_richer(self: AnyGame, stored: bytes) -> Any:
        loaded[0] += 1
        return enriched(load(self, stored))

    def dump_poorer(_: AnyGame, state: Any) -> bytes:
        return msgspec.msgpack.encode(without_the_secrets(msgspec.to_builtins(state)))

    patch.setattr(type(game), "load", load_richer)
    patch.setattr(type(game), "dump", dump_poorer)
    return loaded
