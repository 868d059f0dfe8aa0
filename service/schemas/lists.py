"""Lists of matches: what they are asked for, and a page of them."""

from __future__ import annotations

from typing import get_args

from marshmallow import fields, validate

from engine.catalogue import GAMES
from service.match import Status
from service.schemas.fields import AnswerSchema, QueryFlag, QueryNumber, RequestSchema
from service.schemas.matches import MatchCard


class _ListQuery(RequestSchema):
    """What all lists can be asked for."""

    status = fields.String(
        validate=validate.OneOf(get_args(Status)), metadata={"description": "Only matches with this status."}
    )
    limit = QueryNumber(1, 100, load_default=20, metadata={"description": "How many matches at most."})
    cursor = fields.String(
        metadata={
            "description": "The `next_cursor` of the page before, with the same filters.",
            "pattern": "^[A-Za-z0-9_-]{1,128}$",  # what is none is a `bad-cursor`
        }
    )


class LobbyQuery(_ListQuery):
    """Which public matches to list."""

    game = fields.String(validate=validate.OneOf(list(GAMES)), metadata={"description": "Only matches of this game."})
    has_open_seat = QueryFlag(metadata={"description": "Only matches that can be joined now, or only the others."})


class MyMatchesQuery(_ListQuery):
    """Which of the caller's own matches to list."""

    waiting_on_me = QueryFlag(
        metadata={"description": "Only matches that wait for a decision of yours, or only the others."}
    )


class MatchListAnswer(AnswerSchema):
    """A page of a list of matches."""

    items = fields.List(fields.Nested(MatchCard), required=True)
    next_cursor = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Where the list goes on, also after a page that is short or empty; null at its end."},
    )
