"""Fields that take a value as it is or not at all, and the two kinds of schema."""

from __future__ import annotations

import re
from typing import Any

import marshmallow
from marshmallow import fields, validate

from service.names import FIT
from service.problems import Detail


class RequestSchema(marshmallow.Schema):
    """Something that comes in. Fields that it does not know are refused."""


class AnswerSchema(marshmallow.Schema):
    """Something that goes out. It may gain fields, so clients skip those that they do not know."""

    class Meta:
        """marshmallow's settings: unknown fields are allowed, fields keep their order."""

        unknown = marshmallow.EXCLUDE


class Whole(fields.Integer):
    """An integer from a JSON number without a fraction: no string, no truth value, no ``1.7``."""

    def __init__(self, minimum: int, maximum: int | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("validate", validate.Range(min=minimum, max=maximum))
        super().__init__(strict=True, **kwargs)


class QueryNumber(fields.Integer):
    """A whole number in a query: digits as one would write them, no sign, no blank, no leading zero."""

    def __init__(self, minimum: int, maximum: int, **kwargs: Any) -> None:
        super().__init__(validate=validate.Range(min=minimum, max=maximum), **kwargs)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or re.fullmatch(r"0|[1-9][0-9]{0,9}", value) is None:
            raise self.make_error("invalid", input=value)
        return super()._deserialize(value, attr, data, **kwargs)


class QueryFlag(fields.Boolean):
    """A truth value in a query: ``true`` or ``false``, nothing else that may pass for one."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise self.make_error("invalid", input=value)
        return bool(value == "true")


class Flag(fields.Boolean):
    """A truth value from ``true`` or ``false``: no string, no number."""

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class FullMatch(validate.Regexp):
    """The whole value matches. The pattern means the same in Python and in ECMA-262, where contracts are read.

    Args:
        otherwise: what is said of a value that does not.
    """

    def __init__(self, pattern: str, otherwise: Detail) -> None:
        super().__init__(pattern)
        self._otherwise = otherwise

    def __call__(self, value: str) -> str:  # type: ignore[override]
        """Return the value if it matches.

        Raises:
            ValidationError: it does not.
        """
        if re.fullmatch(str(self.regex.pattern), value) is None:
            raise marshmallow.ValidationError([self._otherwise])
        return value


def tag(value: str) -> fields.String:
    """The field that tells the members of a union apart: in each, always there and always the same."""
    return fields.String(required=True, validate=validate.Equal(value))


def display_name(longest: int, **kwargs: Any) -> fields.String:
    """A name that others will see: something visible, nothing that breaks or turns a line."""
    return fields.String(
        validate=[
            validate.Length(min=1, max=longest),
            FullMatch(
                FIT,
                Detail("visible-on-one-line"),
            ),
        ],
        **kwargs,
    )
