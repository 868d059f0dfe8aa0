"""Matches as the benchmarks need them: played at random up to some move, copied, stored, and with what is played next.

They are played by the service's own code and stored through it, so they look in the store as any others do.
"""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from engine.catalogue import GAMES
from engine.game import Seat
from engine.randomness import Stream
from service import change as happen
from service.app import Kept
from service.change import Change
from service.identity import Player, Tokens
from service.match import Match, Seated, new_id

SEATS: Final = 4
"""As many as each of the games can be played by."""


@dataclass(frozen=True)
class Guest:
    """Somebody who plays."""

    player: Player
    token: str


def crowd(tokens: Tokens, size: int) -> list[Guest]:
    """So many guests."""
    return [Guest(player, token) for token, player in (tokens.new_guest(f"Player {number}") for number in range(size))]


class Course:
    """A match that is played at random, beside the store.

    Args:
        game_id: of the catalogue.
        players: in seat order.
        seed: of what the players choose.
    """

    def __init__(self, game_id: str, players: Sequence[Guest], seed: int, change: Change | None = None) -> None:
        self.players = players
        self._chance = Stream(f"bench {game_id} {seed}".encode())
        self.change = change or _dealt(game_id, players, seed)

    @property
    def is_over(self) -> bool:
        """Whether nothing more is to be played."""
        return self.change.match.is_over

    def move(self) -> tuple[Seat, int, Any]:
        """Play one move; gives the seat, the decision and the move."""
        change = self.change
        assert change.state is not None
        seat = self._chance.choice(change.match.waiting_on)
        decision = change.match.answered[seat] + 1
        move = self._chance.choice(change.game.legal_moves(change.state, seat))
        happen.play(change, seat, move)
        return seat, decision, move

    def copy(self, players: Sequence[Guest], seed: int, *, log: bool) -> Course:
        """Another match, of other players, in the same position.

        Args:
            log: whether it has the same events and moves behind it, or none of them.
        """
        before = self.change
        match = msgspec.msgpack.decode(msgspec.msgpack.encode(before.match), type=Match)
        match.match = new_id()
        match.creator = players[0].player.id
        match.seats = [Seated(player=guest.player.id, name=guest.player.name) for guest in players]
        assert before.state is not None
        state = before.game.load(before.game.dump(before.state))
        change = Change(before.game, match, state, time.time())
        if log:
            change.events, change.moves = list(before.events), list(before.moves)
        return Course(match.game, players, seed, change)

    def store(self, kept: Kept) -> str:
        """Put it into the store as it is, as a new match; gives its id. What is played later is not stored."""
        stored = kept.archive.write(None, self.change)
        assert stored, "there is a match of this id"
        return self.change.match.match

    def requests(self, most: int, *, to_the_end: bool = True) -> Iterator[bytes]:
        """The next moves, as they are sent. They are played here only for that, so the match must be stored before.

        Args:
            most: how many at most.
            to_the_end: whether the one that ends the match is among them.
        """
        for _ in range(most):
            if self.is_over:
                return
            seat, decision, move = self.move()
            if self.is_over and not to_the_end:
                return
            body = msgspec.json.encode({"decision": decision, "move": move})
            yield http("POST", f"/v1/matches/{self.change.match.match}/moves", self.players[seat].token, body)


def _dealt(game_id: str, players: Sequence[Guest], seed: int) -> Change:
    """A match that has just begun; every run has the same ones, as far as the game goes."""
    now, game = time.time(), GAMES[game_id]
    secret = hashlib.sha256(f"{game_id} {seed}".encode()).digest()
    match = Match(
        match=base64.urlsafe_b64encode(secret[:16]).rstrip(b"=").decode(),
        game=game.id,
        rules_version=game.rules_version,
        name=None,
        options=msgspec.to_builtins(game.options_type()),
        visibility="public",
        seats=[Seated(player=guest.player.id, name=guest.player.name) for guest in players],
        capacity=len(players),
        creator=players[0].player.id,
        seed=secret,
        status="open",
        created_at=int(now),
        expires_at=int(now),
        indexed_at=int(now),
    )
    change = Change(game, match, None, now)
    happen.start(change)
    return change


def whole_length(game_id: str, players: Sequence[Guest], seed: int) -> int:
    """How many moves a match takes."""
    course = Course(game_id, players, seed)
    while not course.is_over:
        course.move()
    return course.change.match.moves


def halfway(game_id: str, players: Sequence[Guest], seed: int, part: float = 0.5) -> Course:
    """A match of which about that part is played: of as many moves as another one took."""
    course = Course(game_id, players, seed)
    for _ in range(int(part * whole_length(game_id, players, seed))):
        course.move()
        if course.is_over:
            return halfway(game_id, players, seed + 1_000, part)
    return course


def http(method: str, path: str, token: str, body: bytes = b"", **headers: str) -> bytes:
    """A request as it goes over the wire, with the headers that a usual client sends."""
    usual = {"Host": "127.0.0.1", "User_Agent": "bench", "Accept": "application/json"}
    sent = {**usual, "Authorization": f"Bearer {token}", **headers}
    if body:
        sent |= {"Content_Type": "application/json", "Content_Length": f"{len(body)}"}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in sent.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body
