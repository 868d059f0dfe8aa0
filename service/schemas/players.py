"""Players."""

from __future__ import annotations

from marshmallow import fields

from service.names import LONGEST_PLAYER_NAME
from service.schemas.fields import AnswerSchema, RequestSchema, display_name


class NewPlayer(RequestSchema):
    """A guest to be."""

    name = display_name(
        LONGEST_PLAYER_NAME, required=True, metadata={"description": "What others see.", "examples": ["Ada"]}
    )


class RenewToken(RequestSchema):
    """A guest who stays; an empty object will do."""


class PlayerAnswer(AnswerSchema):
    """Who a token speaks for."""

    player = fields.String(required=True, metadata={"description": "Your id; nobody else is told."})
    name = fields.String(required=True)
    expires_at = fields.DateTime(required=True, metadata={"description": "When the token ends."})


class GuestAnswer(PlayerAnswer):
    """A guest with the token that is needed from now on. Keep it: it is not shown again."""

    token = fields.String(
        required=True, metadata={"description": "Send it with every request: Authorization: Bearer <token>."}
    )
