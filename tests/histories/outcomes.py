"""What came of the matches, from the store itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import msgspec
from histories.recorded import Outcome
from redis import Redis
from support.clients import Client

from engine.catalogue import GAMES
from engine.game import AnyGame
from service.match import LoggedEvent, LoggedMove, Match
from service.store import keys
from service.store.packing import unpacked


def read_outcomes(redis: Redis, creators: Collection[str], readers: Sequence[Client]) -> dict[str, Outcome]:
    """All matches that these players have made.

    Args:
        readers: who may be shown the replays.
    """
    matches = [key.decode().split("{")[1].split("}")[0] for key in redis.scan_iter(match=keys.record("*"), count=1000)]
    outcomes = [read_outcome(redis, match) for match in matches]
    return {
        outcome.record.match: replace(outcome, replay=_replay(outcome, readers))
        for outcome in outcomes
        if outcome.record.creator in creators
    }


def read_outcome(redis: Redis, match: str) -> Outcome:
    """One match, all of it as it is at the same moment."""
    with redis.pipeline(transaction=True) as together:
        together.hmget(keys.record(match), ["match", "state", "version"])
        together.lrange(keys.events(match), 0, -1)
        together.lrange(keys.moves(match), 0, -1)
        (record, state, version), events, moves = together.execute()
    stored = msgspec.msgpack.decode(unpacked(record), type=Match)
    game = GAMES[stored.game]
    return Outcome(
        game=game,
        record=stored,
        state=unpacked(state),
        events=[msgspec.msgpack.decode(unpacked(entry), type=LoggedEvent[game.event_type]) for entry in events],
        moves=[_move(game, entry) for entry in moves],
        version=int(version),
    )


def _move(game: AnyGame, entry: bytes) -> LoggedMove:
    logged = msgspec.msgpack.decode(unpacked(entry), type=LoggedMove)
    return msgspec.structs.replace(logged, move=msgspec.convert(logged.move, game.move_type))


def _replay(outcome: Outcome, readers: Sequence[Client]) -> bytes | None:
    if outcome.record.status != "finished":
        return None
    for reader in readers:
        answer = reader.call("getReplay", match=outcome.record.match)
        if answer.status == 200:
            return answer.raw
    return None
