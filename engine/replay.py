"""A finished match, told in full, and the proof that it went as it is told.

A replay holds the seed that the match was committed to, so whoever has it can repeat every shuffle and every move:
:func:`verify` does. ``docs/randomness.md`` says what that proves and what it does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import GenericAlias
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from engine.game import AnyGame, BadOptions, Event, IllegalMove, Result, Seat
from engine.randomness import SEED_BYTES, VERSION, Randomness, commitment

Moment: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"format": "date-time"})]
"""A time as it is told (RFC 3339)."""

Digits: TypeAlias = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]
"""32 bytes as they are told, in hexadecimal digits."""


class ReplaySeat(msgspec.Struct, frozen=True, kw_only=True):
    """Who played.

    Attributes:
        name: what others saw; null for a stand-in that played from the beginning.
        entropy: what this player added to the match's randomness.
    """

    seat: Seat
    name: str | None
    entropy: str


class BadReplay(Exception):
    """A replay that does not tell what happened.

    Attributes:
        place: a JSON pointer to the first thing that is not as it must be.
    """

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"{place}: {why}")
        self.place = place


def _opened(name: str, closed: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """A type that comes in, as it goes out again: every field is there, and others may join them."""
    return msgspec.defstruct(
        name,
        [(entry.name, entry.type, msgspec.field(name=entry.encode_name)) for entry in msgspec.structs.fields(closed)],
        namespace={"__doc__": closed.__doc__},
        frozen=True,
        kw_only=True,
    )


class ReplayTypes:
    """The types of one game's replay: ``replay``, and in it ``options`` and the entries ``move`` and ``event``."""

    def __init__(self, game: AnyGame) -> None:
        name = type(game).__name__
        self.options = _opened(f"{name}MatchOptions", game.options_type)
        self.move = msgspec.defstruct(
            f"{name}ReplayMove",
            [("number", int), ("at", Moment), ("seat", int), ("move", game.move_type), ("stand_in", bool)],
            namespace={"__doc__": _MOVE_DOC},
            frozen=True,
            kw_only=True,
        )
        self.event = msgspec.defstruct(
            f"{name}ReplayEvent",
            [
                ("number", int),
                ("at", Moment),
                ("public", game.event_type),
                ("private", GenericAlias(dict, (str, game.event_type))),
            ],
            namespace={"__doc__": _EVENT_DOC},
            frozen=True,
            kw_only=True,
        )
        self.replay = msgspec.defstruct(
            f"{name}Replay",
            [
                ("match", str),
                ("rules_version", int),
                ("randomness_version", int),
                ("options", self.options),
                ("seats", list[ReplaySeat]),
                ("seed", Digits),
                ("commitment", Digits),
                ("moves", GenericAlias(list, (self.move,))),
                ("events", GenericAlias(list, (self.event,))),
                ("result", Result),
            ],
            namespace={"__doc__": _REPLAY_DOC},
            tag_field="game",
            tag=game.id,
            frozen=True,
            kw_only=True,
        )


_MOVE_DOC: Final = """A move of the match.

Attributes:
    number: counts the moves, from 1; names the move's own random stream.
    at: when it was played (RFC 3339).
    stand_in: whether a stand-in made it, for a player who had left or let the time run out.
"""

_EVENT_DOC: Final = """An event of the match, for all its readers.

Attributes:
    number: its place in the log, from 1.
    at: when it happened (RFC 3339).
    public: what everybody read.
    private: what seats that learned more read instead, by seat.
"""

_REPLAY_DOC: Final = """A finished match, told in full.

Attributes:
    match: the id of the match.
    rules_version: the version of the game's rules that it was played under.
    randomness_version: the version of the shuffling algorithm.
    seed: 64 hexadecimal digits; secret until the end.
    commitment: what the match showed of the seed from its creation on.
    moves: all moves, in order.
    events: the whole log, secrets included.
"""


def events_of(types: ReplayTypes, log: Iterable[tuple[str, Event[Any]]]) -> list[Any]:
    """The ``events`` of a replay, from a log of times and events."""
    return [
        types.event(
            number=number,
            at=at,
            public=event.public,
            private={str(seat): private for seat, private in sorted(event.private.items())},
        )
        for number, (at, event) in enumerate(log, start=1)
    ]


def read(text: bytes, games: Mapping[str, AnyGame]) -> tuple[AnyGame, Any]:
    """Read a replay.

    Raises:
        BadReplay: it is none, or one of a game that is not among ``games``.
    """
    try:
        game = games[msgspec.json.decode(text, type=_Tag).game]
        return game, msgspec.json.decode(text, type=ReplayTypes(game).replay)
    except KeyError as error:
        raise BadReplay("/game", f"there is no game {error}") from error
    except msgspec.DecodeError as error:
        raise BadReplay("", str(error)) from error


class _Tag(msgspec.Struct):
    game: str


def verify(game: AnyGame, replay: Any) -> None:
    """Repeat the whole match, every shuffle and every move, and compare.

    Raises:
        BadReplay: something is not as it must be; names the first such thing.
    """
    seed = _committed_seed(replay)
    for field, ours in {"rules_version": game.rules_version, "randomness_version": VERSION}.items():
        if getattr(replay, field) != ours:
            raise BadReplay(f"/{field}", f"this is version {ours}")
    entropies = [seat.entropy.encode() for seat in replay.seats]
    randomness = Randomness(replay.match, seed, entropies)
    told = enumerate(replay.events)
    options = _possible_options(game, replay)
    state, log = game.deal(len(replay.seats), options, randomness.deal())
    _compare(log, told)
    for place, entry in enumerate(replay.moves):
        here = f"/moves/{place}"
        if entry.number != place + 1:
            raise BadReplay(f"{here}/number", f"the moves are numbered through; this is number {place + 1}")
        if not 0 <= entry.seat < len(replay.seats):
            raise BadReplay(f"{here}/seat", "there is no such seat")
        try:
            log = game.play(state, entry.seat, entry.move, randomness.move(entry.number))
        except IllegalMove as error:
            raise BadReplay(here, f"this move was not legal ({error.reason})") from error
        _compare(log, told)
    for place, _ in told:
        raise BadReplay(f"/events/{place}", "there are more events than the moves brought about")
    if game.result(state) != replay.result:
        raise BadReplay("/result", "the match did not end like this")


def _committed_seed(replay: Any) -> bytes:
    try:
        seed = bytes.fromhex(replay.seed)
    except ValueError as error:
        raise BadReplay("/seed", "not hexadecimal digits") from error
    if len(seed) != SEED_BYTES:
        raise BadReplay("/seed", f"not {SEED_BYTES} bytes")
    if commitment(replay.match, seed) != replay.commitment:
        raise BadReplay("/commitment", "the match was not committed to this seed")
    return seed


def _possible_options(game: AnyGame, replay: Any) -> Any:
    try:
        options = msgspec.convert(msgspec.to_builtins(replay.options), game.options_type)
        game.check_options(options, len(replay.seats))
    except BadOptions as error:
        raise BadReplay("/options", error.reason) from error
    return options


def _compare(log: Sequence[Event[Any]], told: Iterator[tuple[int, Any]]) -> None:
    """Compare what happened with what the replay tells next."""
    for event in log:
        place, entry = next(told, (-1, None))
        if entry is None:
            raise BadReplay("/events", "an event is missing at the end")
        here = f"/events/{place}"
        if entry.number != place + 1:
            raise BadReplay(f"{here}/number", f"the events are numbered through; this is number {place + 1}")
        if entry.public != event.public:
            raise BadReplay(f"{here}/public", "this did not happen")
        if entry.private != {str(seat): private for seat, private in event.private.items()}:
            raise BadReplay(f"{here}/private", "this is not what these seats were told")
