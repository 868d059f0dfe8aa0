"""Matches: what creates and joins them, their cards, and moves.

What depends on the game is a union of one schema per game, made here from the catalogue.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, get_args

import msgspec
from marshmallow import Schema, fields, validate

from engine.catalogue import GAMES
from engine.game import AnyGame
from service.event_log import LOG_TYPES
from service.match import JOIN_CODE_CHARACTERS, JOIN_CODE_LENGTH, Status, Visibility
from service.problems import Detail
from service.replays import REPLAY_TYPES
from service.schemas.engine import EngineType, NamedUnion, UnionAnswer, UnionRequest
from service.schemas.fields import AnswerSchema, Flag, FullMatch, QueryNumber, RequestSchema, Whole, display_name, tag
from service.views import VIEW_TYPES

LONGEST_MATCH_NAME = 60
LONGEST_MOVE = 14 * 24 * 60 * 60
"""Seconds; much less than a running match is kept."""

MOVES: Final = [NamedUnion(f"{type(game).__name__}Move", get_args(game.move_type)) for game in GAMES.values()]
"""The moves of each game."""

ANY_MOVE: Final = NamedUnion("Move", tuple(member for moves in MOVES for member in moves.members))
"""The moves of all games; a move's ``type`` belongs to one game only."""

VIEW: Final = NamedUnion("View", tuple(types.view for types in VIEW_TYPES.values()))
"""What is seen of a match, by game."""

EVENTS: Final = [NamedUnion(f"{type(game).__name__}Event", get_args(game.event_type)) for game in GAMES.values()]
"""The events of each game."""

EVENT_LOG: Final = NamedUnion("EventPage", tuple(types.page for types in LOG_TYPES.values()))
"""What has happened in a match, by game."""

REPLAY: Final = NamedUnion("Replay", tuple(types.replay for types in REPLAY_TYPES.values()))
"""A finished match, told in full, by game."""


class _NewMatch(RequestSchema):
    """What a match needs to begin."""

    visibility = fields.String(
        required=True,
        validate=validate.OneOf(get_args(Visibility)),
        metadata={"description": "public: anybody may find, watch and join it; private: only with its join code."},
    )
    name = display_name(LONGEST_MATCH_NAME, metadata={"description": "What the lobby shows."})
    move_seconds = Whole(
        1,
        LONGEST_MOVE,
        metadata={"description": "How long a decision may take; then a stand-in makes it. Without it, for ever."},
    )


def _new_match_of(game: AnyGame) -> type[Schema]:
    return _NewMatch.from_dict(
        {
            "game": tag(game.id),
            "seats": Whole(
                min(game.seats), max(game.seats), required=True, metadata={"description": "How many may play."}
            ),
            "options": EngineType(game.options_type, load_default=game.options_type),
        },
        name=f"New{type(game).__name__}Match",
    )


class NewMatch(UnionRequest):
    """A match to be created, by game."""

    tag = "game"
    branches = {id_: _new_match_of(game) for id_, game in GAMES.items()}


class NewPlayerInMatch(RequestSchema):
    """How to join a match; an empty object will do."""

    seat = Whole(0, 15, metadata={"description": "The seat to take; else the first free one."})
    entropy = fields.String(
        load_default="",
        validate=FullMatch(r"^[A-Za-z0-9_-]{0,64}$", Detail("up-to-64-plain-characters")),
        metadata={"description": "Mixed into the match's randomness, so that nobody else has chosen it alone."},
    )


class JoinByCode(NewPlayerInMatch):
    """How to join a private match."""

    join_code = fields.String(
        required=True,
        validate=[
            validate.Length(equal=JOIN_CODE_LENGTH),
            FullMatch(f"^[{JOIN_CODE_CHARACTERS}]*$", Detail("join-code-characters", characters=JOIN_CODE_CHARACTERS)),
        ],
        metadata={"description": "As its players see it on the card.", "examples": ["Q7XK2MPA"]},
    )


class StartMatch(RequestSchema):
    """How to start a match; an empty object will do."""

    stand_ins = Flag(
        load_default=False,
        metadata={"description": "Let stand-ins take the free seats; else they are left out.", "default": False},
    )


class AfterEvent(RequestSchema):
    """Which part of a log to read."""

    after = QueryNumber(
        0, 2**31 - 1, load_default=0, metadata={"description": "The number of the last event you know."}
    )
    limit = QueryNumber(1, 100, load_default=20, metadata={"description": "How many events at most."})


_MOVE: Final = EngineType(ANY_MOVE, required=True)
_MOST_DECISIONS: Final = 2**31 - 1


class NewMove(RequestSchema):
    """An answer to a decision."""

    decision = Whole(
        1, _MOST_DECISIONS, required=True, metadata={"description": "The id of the decision, from the view."}
    )
    move = _MOVE

    def load(self, data: Any, **how: Any) -> Any:
        """Load a move: what is right at once, and what is not by the fields, which tell what is wrong with it."""
        if type(data) is dict and data.keys() == {"decision", "move"}:
            decision = data["decision"]
            if type(decision) is int and 1 <= decision <= _MOST_DECISIONS:
                with suppress(msgspec.ValidationError):
                    return {"decision": decision, "move": _MOVE.read(data["move"])}
        return super().load(data, **how)


class SeatAnswer(AnswerSchema):
    """A seat at the table."""

    seat = fields.Integer(required=True)
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Who sits there, or sat there before leaving; null if nobody ever did."},
    )
    stand_in = fields.Boolean(required=True, metadata={"description": "Whether a stand-in plays."})


class _Card(AnswerSchema):
    """Who plays what since when."""

    match = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    status = fields.String(required=True, validate=validate.OneOf(get_args(Status)))
    visibility = fields.String(required=True, validate=validate.OneOf(get_args(Visibility)))
    join_code = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Lets others join your private match while it is open; else null."},
    )
    rules_version = fields.Integer(required=True)
    seats = fields.List(fields.Nested(SeatAnswer), required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "Your seat; null if you have none."})
    waiting_on = fields.List(
        fields.Integer(), required=True, metadata={"description": "The seats that owe a decision."}
    )
    commitment = fields.String(
        required=True,
        metadata={
            "pattern": "^[0-9a-f]{64}$",
            "description": "SHA-256 of the match's id and seed: all shuffles were settled before anybody joined.",
        },
    )
    move_seconds = fields.Integer(
        required=True, allow_none=True, metadata={"description": "How long a decision may take; null: for ever."}
    )
    deadline = fields.DateTime(
        required=True,
        allow_none=True,
        metadata={"description": "When stand-ins make the decisions that are open; null if there is no such time."},
    )
    created_at = fields.DateTime(required=True)
    started_at = fields.DateTime(required=True, allow_none=True)
    finished_at = fields.DateTime(required=True, allow_none=True)
    expires_at = fields.DateTime(
        required=True, metadata={"description": "When the match is forgotten, unless somebody moves before."}
    )


def _card_of(game: AnyGame) -> type[Schema]:
    return _Card.from_dict(
        {
            "game": tag(game.id),
            "options": EngineType(REPLAY_TYPES[game.id].options, required=True),
        },
        name=f"{type(game).__name__}Match",
    )


class MatchCard(UnionAnswer):
    """A match's card, by game."""

    tag = "game"
    branches = {id_: _card_of(game) for id_, game in GAMES.items()}
