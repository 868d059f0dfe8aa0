"""What every game offers, and the words that all games share.

A :class:`Game` holds no state of its own. It deals a state, says which seats owe a decision and what they may
answer, plays one move at a time and shows each seat what that seat may know. A view of a state is
:meth:`Game.table` and, for a seat, :meth:`Game.hand`; both are built field by field from nothing. No full state
is ever copied and then blanked, so a new secret in a state shows up nowhere by itself.

States, moves, options, tables, hands and events are structs of msgspec. What comes in or is stored refuses
unknown fields; what only goes out does not, so that a new field breaks no client. None of them can be part of a cycle,
so the collector of cycles need not know them (``gc=False``), and they are made a third faster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from engine.randomness import Stream

Seat: TypeAlias = int
"""A place at the table, 0, 1, …, clockwise."""

StateT = TypeVar("StateT", bound="State")
MoveT = TypeVar("MoveT", bound="Move")
OptionsT = TypeVar("OptionsT", bound="Options")
TableT = TypeVar("TableT", bound=msgspec.Struct)
HandT = TypeVar("HandT", bound="Hand")
EventT = TypeVar("EventT", bound="PublicEvent")


class IllegalMove(Exception):
    """A move that the rules do not allow now. The state is as it was.

    Attributes:
        reason: a stable code, one per rule, such as ``must-follow-suit``. It depends on nothing that the seat
            which sent the move may not know.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def let_through(
    check: Callable[[StateT, Seat, MoveT], None], state: StateT, seat: Seat, candidates: Iterable[MoveT]
) -> list[MoveT]:
    """The candidates that a game's check of legality lets pass, in their order: so one place knows what is legal.

    The plain way to list moves, for games with few candidates. With many, most of a move's time goes into refusing
    them: then the list is better made directly, and held to the check by the tests of all games.
    """
    moves: list[MoveT] = []
    for move in candidates:
        try:
            check(state, seat, move)
        except IllegalMove:
            continue
        moves.append(move)
    return moves


class BadOptions(Exception):
    """Options that no match can be played with, for the number of seats asked for.

    Attributes:
        reason: a stable code.
        field: the option that is wrong.
    """

    def __init__(self, reason: str, field: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field


class UnreadableState(Exception):
    """A stored state that this version of the rules cannot read."""


class State(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """Everything there is to know about a running match, secrets included. Games add their fields."""

    rules_version: int


class Options(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What may be chosen when a match is created. Every option has a default."""


class Move(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="type", kw_only=True):
    """An answer to a decision. Its ``type`` is unique over all games."""


class Hand(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one seat alone knows. Games add their fields."""

    seat: Seat


class Learned(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one reader alone learns from an event. Events that tell somebody more have a type of their own for it."""


class PublicEvent(msgspec.Struct, frozen=True, gc=False, tag_field="type", kw_only=True):
    """One thing that happened, as somebody reads it. Its ``type`` is unique over all games.

    ``you`` is what this reader alone learns from it. Events that tell nobody more than the others leave it null.
    """

    you: Learned | None = None


class Event(msgspec.Struct, Generic[EventT], frozen=True, gc=False, forbid_unknown_fields=True):
    """One thing that happened, for all its readers.

    Attributes:
        public: what everybody reads; its ``you`` is null.
        private: for each seat that learns more, the event as this seat reads it: ``public`` with ``you`` filled.
    """

    public: EventT
    private: dict[Seat, EventT] = {}

    def seen_by(self, viewer: Seat | None) -> EventT:
        """The event as a seat, or a spectator (``None``), reads it."""
        if viewer is None:
            return self.public
        return self.private.get(viewer, self.public)


def openly(event: EventT) -> Event[EventT]:
    """An event that everybody reads alike."""
    return Event(event)


def secretly(event: EventT, secrets: Mapping[Seat, Learned]) -> Event[EventT]:
    """An event that tells some seats more: ``secrets`` is what each of them reads in ``you``."""
    private: dict[Seat, EventT] = {}
    for seat, you in secrets.items():
        private[seat] = replace(event, you=you)
    return Event(event, private)


class SeatResult(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How a match ended for one seat.

    Attributes:
        won: whether this seat is a winner.
        reason: the rule by which it won or lost, a stable code of the game.
        rank: 1 for the best; seats level with each other share a rank. Null in games without a ranking.
        score: final points. Null in games without points.
    """

    seat: Seat
    won: bool
    reason: str
    rank: int | None = None
    score: int | None = None


class Result(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How a match ended.

    Attributes:
        ending: why it ended, a stable code of the game.
        seats: one entry per seat, in seat order.
    """

    ending: str
    seats: list[SeatResult]


class Game(ABC, Generic[StateT, MoveT, OptionsT, TableT, HandT, EventT]):
    """One game: its types and its rules.

    The types are class attributes, so that storage and the contract take them from here and repeat nothing.
    ``move_type`` and ``event_type`` are tagged unions; ``kinds`` names the kinds of decision.
    """

    id: ClassVar[str]
    """The game's id, also the name of its package."""
    rules_version: ClassVar[int]
    """Raised whenever states of older versions would be read wrongly."""
    seats: ClassVar[range]
    """The numbers of players that it can be played with."""
    kinds: ClassVar[tuple[str, ...]]
    """The kinds of decision that it asks for, in order of play."""
    refusals: ClassVar[tuple[str, ...]]
    """Every reason that an :class:`IllegalMove` of this game can give."""
    endings: ClassVar[tuple[str, ...]]
    """Every way in which a match of it can end, as :attr:`Result.ending` says."""
    reasons: ClassVar[tuple[str, ...]]
    """Every reason for which a seat of it wins or loses, as :attr:`SeatResult.reason` says."""

    state_type: type[StateT]
    move_type: Any
    options_type: type[OptionsT]
    table_type: type[TableT]
    hand_type: type[HandT]
    event_type: Any
    vocabulary: ClassVar[Mapping[str, Any]]
    """The sets of ids that its types are made of (``Literal`` types), by the names that clients know them by."""
    components: msgspec.Struct
    """What is printed on the cards, for clients: tables of ids and numbers, never text."""

    def check_options(self, options: OptionsT, seats: int) -> None:
        """Refuse options that do not fit each other or the number of seats.

        Raises:
            BadOptions: they do not fit.
        """

    @abstractmethod
    def deal(self, seats: int, options: OptionsT, random: Stream) -> tuple[StateT, list[Event[EventT]]]:
        """Set a match up: its first state, and the events that tell of it."""

    @abstractmethod
    def deciding(self, state: StateT) -> tuple[Seat, ...]:
        """The seats that owe a decision now, ascending; several where the rules say so, none after the end."""

    @abstractmethod
    def kind(self, state: StateT, seat: Seat) -> str:
        """The kind of decision that a deciding seat owes, one of :attr:`kinds`."""

    @abstractmethod
    def legal_moves(self, state: StateT, seat: Seat) -> list[MoveT]:
        """Every legal move, complete, in a fixed order that tells nothing; empty unless the seat is deciding."""

    @abstractmethod
    def play(self, state: StateT, seat: Seat, move: MoveT, random: Stream) -> list[Event[EventT]]:
        """Play one move of a deciding seat and everything that follows from it; changes ``state`` in place.

        Raises:
            IllegalMove: the move is not legal; the state is as it was, byte for byte.
        """

    @abstractmethod
    def table(self, state: StateT) -> TableT:
        """What lies open for everybody. It takes no seat, so it cannot favour one."""

    @abstractmethod
    def hand(self, state: StateT, seat: Seat) -> HandT:
        """What this seat alone knows."""

    @abstractmethod
    def result(self, state: StateT) -> Result | None:
        """``None`` while the match runs, then who won and why."""

    @abstractmethod
    def resample(self, state: StateT, seen: Sequence[EventT], viewer: Seat | None, random: Stream) -> StateT:
        """Another state that this viewer (``None``: a spectator) cannot tell apart from ``state``.

        Args:
            state: the true one; it is not changed.
            seen: all events so far as the viewer read them, so that what it was shown and what others proved by
                their play still holds in the new state.
            viewer: a seat, or ``None`` for a spectator.
            random: chooses among all states that fit.
        """

    @abstractmethod
    def stand_in(self, table: TableT, hand: HandT, legal_moves: Sequence[MoveT], random: Stream) -> MoveT:
        """A sensible move for a seat whose player is gone, from what that seat may know and nothing else."""

    def dump(self, state: StateT) -> bytes:
        """The state as stored (MessagePack)."""
        return msgspec.msgpack.encode(state)

    def load(self, stored: bytes) -> StateT:
        """A stored state.

        Raises:
            UnreadableState: it was written under other rules, or is damaged.
        """
        try:
            state = self._decoder.decode(stored)
        except msgspec.DecodeError as error:
            raise UnreadableState(f"{self.id}: {error}") from error
        if state.rules_version != self.rules_version:
            raise UnreadableState(f"{self.id}: rules version {state.rules_version}, not {self.rules_version}")
        return state

    @cached_property
    def _decoder(self) -> msgspec.msgpack.Decoder[StateT]:
        return msgspec.msgpack.Decoder(self.state_type)


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any, Any]
