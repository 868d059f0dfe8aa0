"""A finished match, told in full, so that anybody can repeat and check it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from engine import randomness
from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.replay import ReplaySeat, ReplayTypes, events_of
from service.change import Position
from service.match import LoggedEvent, LoggedMove
from service.times import rfc3339

REPLAY_TYPES: Final = {id_: ReplayTypes(game) for id_, game in GAMES.items()}


def replay(position: Position, events: Sequence[bytes], moves: Sequence[bytes]) -> msgspec.Struct:
    """The replay of a finished match.

    Args:
        events: the log as stored, oldest first.
        moves: the moves as stored, in order.

    Raises:
        msgspec.DecodeError: the logs are damaged.
    """
    game, match = position.game, position.match
    types = REPLAY_TYPES[game.id]
    told: Any = types.replay(
        match=match.match,
        rules_version=match.rules_version,
        randomness_version=randomness.VERSION,
        options=msgspec.convert(match.options, types.options),
        seats=[
            ReplaySeat(seat=seat, name=seated.name, entropy=seated.entropy)
            for seat, seated in enumerate(match.seats)
            if seated
        ],
        seed=match.seed.hex(),
        commitment=match.commitment,
        moves=[
            types.move(number=number, at=rfc3339(entry.at), seat=entry.seat, move=entry.move, stand_in=entry.stand_in)
            for number, entry in enumerate(_moves(game, moves), start=1)
        ],
        events=events_of(types, ((rfc3339(entry.at), entry.event) for entry in _events(game, events))),
        result=game.result(position.started_state()),
    )
    replay: msgspec.Struct = told
    return replay


def _moves(game: AnyGame, stored: Sequence[bytes]) -> list[LoggedMove]:
    entries = [msgspec.msgpack.decode(entry, type=LoggedMove) for entry in stored]
    return [msgspec.structs.replace(entry, move=msgspec.convert(entry.move, game.move_type)) for entry in entries]


def _events(game: AnyGame, stored: Sequence[bytes]) -> list[LoggedEvent[Any]]:
    decoder = msgspec.msgpack.Decoder(LoggedEvent[game.event_type])  # type: ignore[name-defined]  # known at run time
    return [decoder.decode(entry) for entry in stored]
