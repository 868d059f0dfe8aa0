"""A match as the service keeps it: who plays what since when. What the game knows lies in the game's own state."""

from __future__ import annotations

import secrets
from typing import Any, Generic, Literal, NamedTuple, TypeAlias

import msgspec

from engine import randomness
from engine.game import Event, EventT, Seat
from engine.randomness import Randomness

Status: TypeAlias = Literal["open", "playing", "finished", "cancelled"]
Visibility: TypeAlias = Literal["public"]


class Seated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who has a seat.

    Attributes:
        player: their id, told to nobody.
        name: what others see.
        entropy: what they added to the match's randomness; shown after the end.
    """

    player: str
    name: str
    entropy: str = ""


class Match(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Who plays what since when. Times are seconds since 1970.

    Attributes:
        options: as the game's own options type encodes them.
        seats: in seat order; null where nobody sits.
        capacity: how many seats were offered; fewer may play if the match was started early.
        creator: the id of the player who made the match.
        seed: 32 secret bytes, from which all of the match's randomness follows.
        waiting_on: the seats that owe a decision.
        answered: how many decisions each seat has answered; empty before the start.
        moves: how many moves were played.
    """

    match: str
    game: str
    rules_version: int
    name: str | None
    options: dict[str, Any]
    visibility: Visibility
    seats: list[Seated | None]
    capacity: int
    creator: str
    seed: bytes
    status: Status
    created_at: int
    started_at: int | None = None
    finished_at: int | None = None
    expires_at: int
    waiting_on: list[Seat] = []
    answered: list[int] = []
    moves: int = 0

    @property
    def commitment(self) -> str:
        """What the match shows of its seed from the beginning."""
        return randomness.commitment(self.match, self.seed)

    def randomness(self) -> Randomness:
        """All of this match's randomness. Who sits where no longer changes once it is used."""
        return Randomness(self.match, self.seed, [seated.entropy.encode() if seated else b"" for seated in self.seats])

    def seat_of(self, player: str | None) -> Seat | None:
        """Where a player sits, if at all."""
        for seat, seated in enumerate(self.seats):
            if seated and seated.player == player:
                return seat
        return None

    def free_seats(self) -> list[Seat]:
        """Where nobody sits."""
        return [seat for seat, seated in enumerate(self.seats) if seated is None]


class Stored(NamedTuple):
    """A match as it lies in the store.

    Attributes:
        version: raised by one with every write.
        match: a :class:`Match`, encoded.
        state: the game's own state, encoded; empty before the start.
    """

    version: int
    match: bytes
    state: bytes


class LoggedEvent(msgspec.Struct, Generic[EventT], frozen=True, forbid_unknown_fields=True):
    """An entry of a match's log: what happened, secrets included, and when, in seconds since 1970."""

    at: int
    event: Event[EventT]


class LoggedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that was accepted; ``move`` is of the game's own move type."""

    at: int
    seat: Seat
    move: Any


def new_id() -> str:
    """An id that nobody can guess and that tells nothing: 128 random bits, 22 characters."""
    return secrets.token_urlsafe(16)


def new_seed() -> bytes:
    """A seed for a new match."""
    return secrets.token_bytes(randomness.SEED_BYTES)
