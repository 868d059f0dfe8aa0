"""The catalogue."""

from __future__ import annotations

from typing import Final

from marshmallow import Schema, fields

from engine.catalogue import GAMES
from engine.game import AnyGame
from service.schemas.engine import EngineType, UnionAnswer
from service.schemas.fields import AnswerSchema, tag


class GameOptionsAnswer(AnswerSchema):
    """What may be chosen when a match is created."""

    schema = fields.Dict(required=True, metadata={"description": "JSON Schema of the options."})
    defaults = fields.Dict(required=True, metadata={"description": "What holds where nothing is chosen."})


class GameAnswer(AnswerSchema):
    """A game of the catalogue."""

    game = fields.String(required=True)
    name = fields.String(required=True, metadata={"description": "In the language asked for."})
    seats = fields.List(
        fields.Integer(), required=True, metadata={"description": "The numbers of players it can be played with."}
    )
    rules_version = fields.Integer(required=True)
    options = fields.Nested(GameOptionsAnswer, required=True)


class GameListAnswer(AnswerSchema):
    """All games."""

    items = fields.List(fields.Nested(GameAnswer), required=True)


_NAMES: Final = (
    "Names by id, in the language asked for, ready to be shown: for all ids that components, views, moves, events and "
    "results of this game carry. An id has one name wherever it stands: a phase is called like the decision that is "
    "waited for. Endings and reasons are sentences."
)


def _details_of(game: AnyGame) -> type[Schema]:
    return GameAnswer.from_dict(
        {
            "game": tag(game.id),
            "components": EngineType(type(game.components), required=True),
            "names": fields.Dict(
                keys=fields.String(),
                values=fields.String(),
                required=True,
                metadata={"description": _NAMES},
            ),
        },
        name=f"{type(game).__name__}Game",
    )


class GameDetails(UnionAnswer):
    """A game with its components, by game."""

    tag = "game"
    branches = {id_: _details_of(game) for id_, game in GAMES.items()}
