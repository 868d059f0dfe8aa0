"""Errors, as RFC 9457 has them."""

from __future__ import annotations

from marshmallow import fields

from service.schemas.fields import AnswerSchema


class FieldErrorAnswer(AnswerSchema):
    """A field that is wrong."""

    pointer = fields.String(
        required=True,
        metadata={
            "description": "JSON pointer into the body; for a query parameter, ? and its name; for a header, its name."
        },
    )
    detail = fields.String(required=True, metadata={"description": "What is wrong with it, in the language asked for."})


class ProblemAnswer(AnswerSchema):
    """A refused or failed request."""

    type = fields.String(required=True, metadata={"format": "uri-reference"})
    title = fields.String(
        required=True,
        metadata={"description": "What all problems with this code have in common, in the language asked for."},
    )
    status = fields.Integer(required=True, metadata={"minimum": 400, "maximum": 599})
    code = fields.String(required=True, metadata={"description": "Stable; decide by it."})
    detail = fields.String(
        metadata={
            "description": "What is wrong with this request, or what the rule with this reason demands, "
            "in the language asked for."
        }
    )
    reason = fields.String(metadata={"description": "For illegal-move and bad-options: the code of the rule."})
    errors = fields.List(fields.Nested(FieldErrorAnswer), metadata={"description": "The fields that are wrong."})
    instance = fields.String(
        required=True,
        metadata={"format": "uri-reference", "description": "Names this request, as X-Request-Id does."},
    )
