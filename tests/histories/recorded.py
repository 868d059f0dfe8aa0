"""What clients asked for, what they were told and what came of it: the material that the checker judges."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.game import AnyGame, Seat
from service.match import LoggedEvent, LoggedMove, Match

JOINS = ("joinMatch", "joinByCode")
CARDS = ("getMatch", "createMatch", "startMatch", *JOINS)
VIEWS = ("getView", "playMove")


@dataclass(frozen=True, kw_only=True)
class Call:
    """A request and its answer. Times are seconds on one clock for all clients.

    Attributes:
        number: tells it from all others.
        player: the id of who asked; ``None`` for a spectator without a token.
        match: what it was about; ``None`` for a match that was yet to be made and is not known to be.
        key: its Idempotency-Key.
        ended: when the answer was there, or it was given up.
        status: ``None`` if there was no answer. 304 counts as the answer that it confirms, in ``answer``.
        replayed: the answer said that this had been done before.
        waited: the answer said that it had waited for something new.
        query: what else was asked for.
    """

    number: int
    player: str | None
    operation: str
    match: str | None
    body: Any = None
    key: str | None = None
    query: str = ""
    began: float
    ended: float
    status: int | None
    answer: Any = None
    replayed: bool = False
    waited: bool = False

    @property
    def accepted(self) -> bool:
        return self.status is not None and self.status < 400

    @property
    def refused(self) -> bool:
        return self.status is not None and 400 <= self.status < 500

    @property
    def unknown(self) -> bool:
        """Whether it may or may not have been done."""
        return not self.accepted and not self.refused

    @property
    def code(self) -> str | None:
        return self.answer["code"] if self.refused and self.answer else None

    def __str__(self) -> str:
        asked = " ".join(
            str(part)
            for part in (
                self.operation,
                self.query,
                self.body and json.dumps(self.body),
                self.key and f"key {self.key}",
            )
            if part
        )
        told = "no answer" if self.status is None else f"{self.status} {self.code or ''}".strip()
        who = (self.player or "spectator")[:8]
        return f"#{self.number} [{self.began:.4f}..{self.ended:.4f}] {who}: {asked} -> {told}{' again' * self.replayed}"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What lies in the store of a match in the end.

    Attributes:
        record: who played what.
        state: the game's own state; empty if it never started.
        replay: what the service tells of a finished match.
        version: how often it was written, if that was read.
    """

    game: AnyGame
    record: Match
    state: bytes
    events: list[LoggedEvent[Any]]
    moves: list[LoggedMove]
    replay: bytes | None = None
    version: int = 0

    def seat_of(self, player: str) -> Seat | None:
        return next((seat for seat, seated in enumerate(self.record.seats) if seated and seated.player == player), None)


@dataclass
class History:
    """A whole history.

    Attributes:
        names: of the players, by id; no two have the same.
        outcomes: by match; all matches that these players have made.
    """

    names: dict[str, str] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    outcomes: dict[str, Outcome] = field(default_factory=dict)

    @property
    def end(self) -> float:
        """A time after all answers; by then the outcomes were read."""
        return max((call.ended for call in self.calls), default=0.0) + 1

    def about(self, match: str, *operations: str) -> Iterator[Call]:
        """The calls about a match, of these operations."""
        return (call for call in self.calls if call.match == match and call.operation in operations)


@dataclass(frozen=True)
class Span:
    """When something may have taken effect: not before ``lo``; and by ``hi`` it had, if it ever did."""

    lo: float
    hi: float = math.inf


@dataclass(frozen=True)
class Finding:
    """Something that no service may do.

    Attributes:
        kind: what, in one word, for tests.
    """

    kind: str
    match: str | None
    what: str
    calls: tuple[Call, ...] = ()

    def __str__(self) -> str:
        return "\n    ".join([f"{self.kind} in match {self.match}: {self.what}", *map(str, self.calls)])
