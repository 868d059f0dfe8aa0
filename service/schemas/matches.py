"""Matches: what creates and joins them, their cards, and moves.

What depends on the game is a union of one schema per game, made here from the catalogue.
"""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import Schema, fields, validate

from engine.catalogue import GAMES
from engine.game import AnyGame
from service.match import Status, Visibility
from service.replays import REPLAY_TYPES
from service.schemas.engine import EngineType, NamedUnion, UnionAnswer, UnionRequest
from service.schemas.fields import AnswerSchema, FullMatch, RequestSchema, Whole, display_name, tag
from service.views import VIEW_TYPES

LONGEST_MATCH_NAME = 60

MOVES: Final = [NamedUnion(f"{type(game).__name__}Move", get_args(game.move_type)) for game in GAMES.values()]
"""The moves of each game."""

ANY_MOVE: Final = NamedUnion("Move", tuple(member for moves in MOVES for member in moves.members))
"""The moves of all games; a move's ``type`` belongs to one game only."""

VIEW: Final = NamedUnion("View", tuple(types.view for types in VIEW_TYPES.values()))
"""What is seen of a match, by game."""

EVENTS: Final = [NamedUnion(f"{type(game).__name__}Event", get_args(game.event_type)) for game in GAMES.values()]
"""The events of each game."""

REPLAY: Final = NamedUnion("Replay", tuple(types.replay for types in REPLAY_TYPES.values()))
"""A finished match, told in full, by game."""


class _NewMatch(RequestSchema):
    """What a match needs to begin."""

    visibility = fields.String(
        required=True,
        validate=validate.OneOf(get_args(Visibility)),
        metadata={"description": "public: anybody may find, watch and join it."},
    )
    name = display_name(LONGEST_MATCH_NAME, metadata={"description": "What the lobby shows."})


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
        validate=FullMatch(r"^[A-Za-z0-9_-]{0,64}$", error="Use up to 64 letters, digits, - and _."),
        metadata={"description": "Mixed into the match's randomness, so that nobody else has chosen it alone."},
    )


class StartMatch(RequestSchema):
    """How to start a match; an empty object will do."""


class NewMove(RequestSchema):
    """An answer to a decision."""

    decision = Whole(1, 2**31 - 1, required=True, metadata={"description": "The id of the decision, from the view."})
    move = EngineType(ANY_MOVE, required=True)


class SeatAnswer(AnswerSchema):
    """A seat at the table."""

    seat = fields.Integer(required=True)
    name = fields.String(
        required=True, allow_none=True, metadata={"description": "Who sits there; null if nobody does."}
    )


class _Card(AnswerSchema):
    """Who plays what since when."""

    match = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)
    status = fields.String(required=True, validate=validate.OneOf(get_args(Status)))
    visibility = fields.String(required=True, validate=validate.OneOf(get_args(Visibility)))
    rules_version = fields.Integer(required=True)
    seats = fields.List(fields.Nested(SeatAnswer), required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "Your seat; null if you have none."})
    waiting_on = fields.List(
        fields.Integer(), required=True, metadata={"description": "The seats that owe a decision."}
    )
    commitment = fields.String(
        required=True,
        metadata={
            "description": "SHA-256 of the match's id and seed: all shuffles were settled before anybody joined."
        },
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
