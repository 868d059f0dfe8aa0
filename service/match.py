"""A match as the service keeps it: who plays what since when. What the game knows lies in the game's own state."""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias

import msgspec

from engine import randomness
from engine.game import Event, EventT, Seat
from engine.randomness import Randomness

Status: TypeAlias = Literal["open", "playing", "finished", "cancelled"]
StartedStatus: TypeAlias = Literal["playing", "finished", "cancelled"]
Visibility: TypeAlias = Literal["public", "private"]

REPEATS_PER_PLAYER: Final = 4
"""How many requests with an Idempotency-Key are remembered for each player of a match."""
JOIN_CODE_CHARACTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
JOIN_CODE_LENGTH: Final = 8

_MOST_REPEATS: Final = 64
_MOST_LEAVERS: Final = 64


class Seated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Who has a seat.

    Attributes:
        player: their id, told to nobody; ``None`` where a stand-in plays.
        name: what others see; a player who has left is still named. ``None`` for a stand-in from the beginning.
        entropy: what they added to the match's randomness; shown after the end.
    """

    player: str | None
    name: str | None
    entropy: str = ""

    @property
    def stand_in(self) -> bool:
        """Whether a stand-in plays."""
        return self.player is None


class Once(NamedTuple):
    """A request that is to be carried out once, however often it is sent.

    Attributes:
        key: a digest of the player, the operation and the key that the client chose.
        fingerprint: a digest of what was asked for.
    """

    key: bytes
    fingerprint: bytes


class Repeat(msgspec.Struct, frozen=True, array_like=True):
    """What was answered to a request with an Idempotency-Key: not the answer, which is made afresh, but its status."""

    player: str
    key: bytes
    fingerprint: bytes
    status: int


class Match(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """Who plays what since when. Times are seconds since 1970.

    Attributes:
        join_code: lets its bearer join a private match while it is open; ``None`` for a public one.
        options: as the game's own options type encodes them.
        seats: in seat order; null where nobody sits.
        capacity: how many seats were offered; fewer may play if the match was started early.
        creator: the id of the player who made the match.
        created_with: the fingerprint of the request that made the match, if that had an Idempotency-Key.
        seed: 32 secret bytes, from which all of the match's randomness follows.
        waiting_on: the seats that owe a decision.
        answered: how many decisions each seat has answered; empty before the start.
        moves: how many moves were played.
        move_seconds: how long a decision may take, if there is a limit.
        deadline: when a stand-in makes the decisions that are still open.
        left: the ids of players who have left, latest last.
        repeats: requests with an Idempotency-Key that were carried out, latest last.
        indexed_at: when all of the match's entries in the indexes were last written.
    """

    match: str
    game: str
    rules_version: int
    name: str | None
    options: dict[str, Any]
    visibility: Visibility
    join_code: str | None = None
    seats: list[Seated | None]
    capacity: int
    creator: str
    created_with: bytes = b""
    seed: bytes
    status: Status
    created_at: int
    started_at: int | None = None
    finished_at: int | None = None
    expires_at: int
    waiting_on: list[Seat] = []
    answered: list[int] = []
    moves: int = 0
    move_seconds: int | None = None
    deadline: int | None = None
    left: list[str] = []
    repeats: list[Repeat] = []
    indexed_at: int = 0

    @property
    def commitment(self) -> str:
        """What the match shows of its seed from the beginning."""
        return randomness.commitment(self.match, self.seed)

    def randomness(self) -> Randomness:
        """All of this match's randomness. Who sits where no longer changes once it is used."""
        return Randomness(self.match, self.seed, [seated.entropy.encode() if seated else b"" for seated in self.seats])

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen in it any more."""
        return self.status in ("finished", "cancelled")

    def seat_of(self, player: str | None) -> Seat | None:
        """Where a player sits, if at all."""
        if player is None:
            return None
        for seat, seated in enumerate(self.seats):
            if seated and seated.player == player:
                return seat
        return None

    def players(self) -> list[str]:
        """The ids of those who play, in seat order; stand-ins have none."""
        return [seated.player for seated in self.seats if seated and seated.player is not None]

    def host(self) -> str | None:
        """The id of the player who may start the match: its creator or, when gone, who has the lowest seat."""
        players = self.players()
        return self.creator if self.creator in players else next(iter(players), None)

    def shown_to(self, player: str | None) -> bool:
        """Whether the match exists as far as this player, or somebody unknown, can tell."""
        return self.visibility == "public" or self.seat_of(player) is not None

    def overdue(self, now: int) -> bool:
        """Whether open decisions are to be made by stand-ins now."""
        return self.status == "playing" and self.deadline is not None and self.deadline <= now

    def free_seats(self) -> list[Seat]:
        """Where nobody sits."""
        return [seat for seat, seated in enumerate(self.seats) if seated is None]

    def note_leaver(self, player: str) -> None:
        """Note that a player has left, so that leaving once more is answered alike."""
        self.left = [*(gone for gone in self.left if gone != player), player][-_MOST_LEAVERS:]

    def remember(self, player: str, once: Once, status: int) -> None:
        """Note that a request was carried out; the oldest ones are forgotten."""
        theirs = [repeat for repeat in self.repeats if repeat.player == player]
        forgotten = theirs[: max(0, len(theirs) + 1 - REPEATS_PER_PLAYER)]
        kept = [repeat for repeat in self.repeats if repeat not in forgotten]
        self.repeats = [*kept, Repeat(player, once.key, once.fingerprint, status)][-_MOST_REPEATS:]

    def repeat_of(self, once: Once) -> Repeat | None:
        """The earlier request with the same key, if it is remembered."""
        return next((repeat for repeat in self.repeats if repeat.key == once.key), None)


class Stored(NamedTuple):
    """A match as it lies in the store.

    Attributes:
        version: raised by one with every write.
        match: a :class:`Match`, encoded.
        state: the game's own state, encoded; empty before the start.
        stamp: another one for each write, also where a failover has lost writes and others have their versions.
    """

    version: int
    match: bytes
    state: bytes
    stamp: bytes


class Whole(NamedTuple):
    """All that the store has of a match.

    Attributes:
        stored: the match itself.
        events: each a :class:`LoggedEvent`, encoded, oldest first.
        moves: each a :class:`LoggedMove`, encoded, in order.
    """

    stored: Stored
    events: list[bytes]
    moves: list[bytes]


class LoggedEvent(msgspec.Struct, Generic[EventT], frozen=True, forbid_unknown_fields=True):
    """An entry of a match's log: what happened, secrets included, and when, in seconds since 1970."""

    at: int
    event: Event[EventT]


class LoggedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move that was accepted.

    Attributes:
        move: of the game's own move type.
        stand_in: whether a stand-in made it.
    """

    at: int
    seat: Seat
    move: Any
    stand_in: bool = False


def new_id() -> str:
    """An id that nobody can guess and that tells nothing: 128 random bits, 22 characters."""
    return secrets.token_urlsafe(16)


def derived_id(secret: str, player: str, key: str) -> str:
    """The id of a match that a player creates with an Idempotency-Key: the same for each repeat, guessed by nobody."""
    digest = hmac.digest(secret.encode(), f"match\0{player}\0{key}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:16]).rstrip(b"=").decode()


def new_join_code() -> str:
    """A code that people can read out: 8 characters, none of which looks like another."""
    return "".join(secrets.choice(JOIN_CODE_CHARACTERS) for _ in range(JOIN_CODE_LENGTH))


def new_seed() -> bytes:
    """A seed for a new match."""
    return secrets.token_bytes(randomness.SEED_BYTES)
