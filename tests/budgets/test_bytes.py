"""How much is stored of a match, and sent of it: the worst of whole random matches with all seats taken.

Whatever a player may make longer is as long as may be: names, entropy, and repeats remembered for everybody.
"""

from __future__ import annotations

import random
import string
from functools import cache
from typing import NamedTuple

import msgspec
import pytest
from support.clients import Client, play_on, seated
from support.play import Playthrough
from support.truth import Truth

from engine.catalogue import GAMES
from engine.game import AnyGame
from engine.randomness import Stream
from service.change import Position
from service.match import REPEATS_PER_PLAYER, LoggedEvent, LoggedMove, Match, Once, Seated
from service.schemas.matches import LONGEST_MATCH_NAME
from service.store import keys
from service.store.packing import packed
from service.views import view

KIB = 1024
WITHOUT_LOG, WITH_LOG = 4 * KIB, 64 * KIB
LARGEST_VIEW = {"verraeter": 4_400, "kabale": 12_000, "inside_job": 3_400}
"""Bytes of JSON; a quarter more than the worst that was met."""

_MATCHES = 6
_NOW = 1_800_000_000


class Worst(NamedTuple):
    """The most bytes that were met, each by itself."""

    without_log: int
    with_log: int
    view: int


@cache
def worst(game_id: str) -> Worst:
    game = GAMES[game_id]
    found = [_of_a_match(game, bytes([number]) * 32) for number in range(_MATCHES)]
    return Worst(*map(max, zip(*found, strict=True)))


def _of_a_match(game: AnyGame, seed: bytes) -> Worst:
    seats = max(game.seats)
    played = Playthrough(game, seats, game.options_type(), seed)
    match = _longest_record(game, seats, Stream(seed))
    without_log = largest_view = 0
    for state in played.steps():
        match.waiting_on = list(game.deciding(state))
        if not match.waiting_on:
            break
        match.moves = len(played.moves)
        without_log = max(without_log, len(packed(msgspec.msgpack.encode(match))) + len(packed(game.dump(state))))
        views = [view(Position(game, match, state), player) for player in (None, *match.players())]
        largest_view = max(largest_view, *(len(msgspec.json.encode(one)) for one in views))
    events = [LoggedEvent(_NOW + number, event) for number, event in enumerate(played.log)]
    moves = [LoggedMove(_NOW + number, seat, move) for number, (seat, move) in enumerate(played.moves)]
    log = sum(len(packed(msgspec.msgpack.encode(entry))) for entry in [*events, *moves])
    return Worst(without_log, without_log + log, largest_view)


def _longest_record(game: AnyGame, seats: int, chance: Stream) -> Match:
    """A record in which everything is as long as players can make it, and looks like chance."""

    def text(length: int) -> str:
        return "".join(chance.choice(string.ascii_letters + string.digits) for _ in range(length))

    def digest() -> bytes:
        return bytes(chance.below(256) for _ in range(16))

    match = Match(
        match=text(22),
        game=game.id,
        rules_version=game.rules_version,
        name="Ω" * LONGEST_MATCH_NAME,
        options=msgspec.to_builtins(game.options_type()),
        visibility="private",
        join_code=text(8),
        seats=[Seated(player=text(22), name=text(30), entropy=text(64)) for _ in range(seats)],
        capacity=seats,
        creator=text(22),
        created_with=digest(),
        seed=digest() + digest(),
        status="playing",
        created_at=_NOW,
        started_at=_NOW + 1000,
        expires_at=_NOW + 2_000_000,
        answered=[100] * seats,
        move_seconds=86_400,
        deadline=_NOW + 100_000,
        indexed_at=_NOW,
    )
    for player in match.players() * REPEATS_PER_PLAYER:
        match.remember(player, Once(digest(), digest()), 200)
    return match


@pytest.mark.parametrize("game", GAMES)
def test_a_running_match_takes_no_more_room_than_this(game: str):
    assert worst(game).without_log <= WITHOUT_LOG
    assert worst(game).with_log <= WITH_LOG


@pytest.mark.parametrize("game", GAMES)
def test_a_view_is_no_longer_than_this(game: str):
    assert worst(game).view <= LARGEST_VIEW[game]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_measured_is_what_is_stored(game: str, visitor: Client, truth: Truth):
    """The records of a match that is played through the service are packed like this."""
    match, players = seated(visitor, game, 3)
    play_on(match, players, random.Random(1), moves=10)
    record = truth.redis.hgetall(keys.record(match))
    assert len(record[b"state"]) == len(packed(truth.stored(match, "state"))) < len(truth.stored(match, "state")) / 2
    assert len(record[b"match"]) == len(packed(truth.stored(match, "match"))) < len(truth.stored(match, "match"))
    assert all(entry.startswith(b"\xc1") for entry in truth.redis.lrange(keys.events(match), 0, -1))
