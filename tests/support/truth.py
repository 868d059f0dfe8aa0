"""What really lies in the store: the tests' own look behind the service, and a way to lay the cards out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from redis import Redis

from engine.catalogue import GAMES
from engine.game import AnyGame
from service.match import LoggedEvent, LoggedMove, Match
from service.store import keys
from service.store.packing import unpacked
from support.clients import Client


class Truth:
    """The records behind the answers. The version of a record is never touched, so every write still fits."""

    def __init__(self, url: str) -> None:
        self.redis = Redis.from_url(url)

    def matches(self) -> list[str]:
        """The ids of all matches."""
        records = self.redis.scan_iter(match=keys.record("*"), count=1000)
        return [key.decode().split("{")[1].split("}")[0] for key in records]

    def stored(self, match: str, field: str) -> bytes:
        """A part of a record as the service reads it; empty if there is none."""
        return unpacked(self.redis.hget(keys.record(match), field) or b"")

    def match(self, match: str) -> Match:
        return msgspec.msgpack.decode(self.stored(match, "match"), type=Match)

    def game(self, match: str) -> AnyGame:
        return GAMES[self.match(match).game]

    def state(self, match: str) -> Any:
        return self.game(match).load(self.stored(match, "state"))

    def events(self, match: str) -> list[Any]:
        logged = LoggedEvent[self.game(match).event_type]
        entries = self.redis.lrange(keys.events(match), 0, -1)
        return [msgspec.msgpack.decode(unpacked(entry), type=logged).event for entry in entries]

    def moves(self, match: str) -> list[LoggedMove]:
        entries = self.redis.lrange(keys.moves(match), 0, -1)
        return [msgspec.msgpack.decode(unpacked(entry), type=LoggedMove) for entry in entries]

    def moves_of(self, game: str, match: str) -> list[LoggedMove]:
        """The moves of a match of any game, each of its game's own type."""
        logged = self.moves(match)
        return [
            msgspec.structs.replace(made, move=msgspec.convert(made.move, GAMES[game].move_type)) for made in logged
        ]

    def lay_out(self, match: str, arrange: Callable[[Any], None]) -> None:
        """Rearrange the cards of a running match; who is waited for follows."""
        game, state = self.game(match), self.state(match)
        arrange(state)
        record = self.match(match)
        record.waiting_on = list(game.deciding(state))
        self.overwrite(match, match=msgspec.msgpack.encode(record), state=game.dump(state))

    def overwrite(self, match: str, /, **fields: bytes) -> None:
        """Put other bytes into a record. They are another history, and so have another stamp."""
        self.redis.hset(keys.record(match), mapping={**fields, "stamp": os.urandom(8)})

    def all_keys(self) -> set[bytes]:
        """Every key in the store; some may expire at any time, so compare with ``<=``.

        But for the one that a running service writes without being asked.
        """
        return set(self.redis.keys()) - {keys.SWEEPER.encode()}

    def keys_of(self, match: str) -> list[bytes]:
        return sorted(self.redis.scan_iter(match=f"*{match}*"))

    def lifetimes(self, match: str) -> dict[bytes, int]:
        """Milliseconds that the keys of a match have left; -1 for a key without an end."""
        return {key: self.redis.pttl(key) for key in self.keys_of(match)}

    def everything(self, match: str) -> list[Any]:
        """All that is stored of a match."""
        pipeline = self.redis.pipeline(transaction=False)
        pipeline.hgetall(keys.record(match))
        pipeline.lrange(keys.events(match), 0, -1).lrange(keys.moves(match), 0, -1)
        return pipeline.execute()

    def copy(self, match: str) -> dict[str, bytes | None]:
        """A match as it lies in the store, to be put back later."""
        names = [keys.record(match), keys.events(match), keys.moves(match)]
        pipeline = self.redis.pipeline(transaction=False)
        for name in names:
            pipeline.dump(name)
        return dict(zip(names, pipeline.execute(), strict=True))

    def put_back(self, copy: dict[str, bytes | None]) -> None:
        """Make a match what it was when it was copied, with some time left to live."""
        pipeline = self.redis.pipeline()
        for name, value in copy.items():
            pipeline.delete(name)
            if value is not None:
                pipeline.restore(name, 600_000, value)
        pipeline.execute()

    @contextmanager
    def unchanged(self, match: str, *viewers: Client) -> Iterator[None]:
        """Whatever happens inside leaves no trace: not in the store, not in anybody's card or view."""
        before, all_keys = self._traces(match, viewers), self.all_keys()
        yield
        assert self._traces(match, viewers) == before
        assert self.all_keys() <= all_keys, "there are new keys"

    def _traces(self, match: str, viewers: tuple[Client, ...]) -> Any:
        shown = [
            (answer.status, answer.headers.get("ETag"), None if answer.code else answer.raw)
            for viewer in viewers
            for answer in (viewer.call("getMatch", match=match), viewer.call("getView", match=match))
        ]
        return self.everything(match), shown
