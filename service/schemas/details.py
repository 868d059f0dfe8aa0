"""What the libraries say of wrong values, as details of our own, which can be said in every language.

marshmallow and msgspec speak English and know no other language, but what they say has fixed shapes. These are taken
from marshmallow itself where it has them as templates. What is not recognised is said to be not allowed: less helpful,
but never in a language that nobody asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import Formatter
from typing import Any, Final, TypeAlias

import msgspec
from marshmallow import Schema, fields, validate

from service.problems import NOT_VALID, Detail

Shapes: TypeAlias = tuple[tuple[re.Pattern[str], str], ...]
"""What a library says, as patterns, each with the key of the detail that it means. Groups become its parameters."""


def _template(template: str) -> re.Pattern[str]:
    """A pattern for what is made from a template of marshmallow's; its parameters keep their names."""
    parts = Formatter().parse(template)
    return re.compile("".join(re.escape(text) + (f"(?P<{name}>.*)" if name else "") for text, name, *_ in parts))


_FIELD: Final = fields.Field.default_error_messages
_SCHEMA: Final = Schema._default_error_messages  # noqa: SLF001 (the templates have no other name)
_RANGE: Final = validate.Range(min=0, max=0)

MARSHMALLOW: Final[Shapes] = tuple(
    (_template(str(template)), key)
    for template, key in [
        (_FIELD["required"], "required"),
        (_FIELD["null"], "null"),
        (_SCHEMA["unknown"], "unknown-name"),
        (_SCHEMA["type"], "object"),
        (fields.Nested.default_error_messages["type"], "object"),
        (fields.String.default_error_messages["invalid"], "text"),
        (fields.Integer.default_error_messages["invalid"], "whole-number"),
        (fields.Number.default_error_messages["too_large"], "whole-number"),
        (fields.Boolean.default_error_messages["invalid"], "true-or-false"),
        (fields.List.default_error_messages["invalid"], "list"),
        (_RANGE.message_all, "between"),
        (_RANGE.message_min, "at-least"),
        (_RANGE.message_max, "at-most"),
        (validate.Length.message_all, "length-between"),
        (validate.Length.message_min, "length-at-least"),
        (validate.Length.message_max, "length-at-most"),
        (validate.Length.message_equal, "length"),
        (validate.OneOf.default_message, "one-of"),
    ]
)

MSGSPEC: Final[Shapes] = tuple(
    (re.compile(pattern, re.DOTALL), key)
    for pattern, key in [
        (r"Object missing required field `.*`", "required"),
        (r"Object contains unknown field `.*`", "unknown-name"),
        (r"Expected `int(?: \| null)?`, got .*", "whole-number"),
        (r"Expected `bool(?: \| null)?`, got .*", "true-or-false"),
        (r"Expected `str(?: \| null)?`, got .*", "text"),
        (r"Expected `array(?: \| null)?`, got .*", "list"),
        (r"Expected `object(?: \| null)?`, got .*", "object"),
        (r"Expected `int` >= (?P<min>-?\d+)", "at-least"),
        (r"Expected `int` <= (?P<max>-?\d+)", "at-most"),
        (r"Expected `array` of length >= (?P<min>\d+)", "length-at-least"),
        (r"Expected `array` of length <= (?P<max>\d+)", "length-at-most"),
        (r"Expected `array` of length (?P<equal>\d+), got \d+", "length"),
        (r"Invalid (?:enum )?value .*", "no-such-choice"),
    ]
)


def of_marshmallow(message: Any) -> Detail:
    """What one of marshmallow's messages means; what is a detail already stays one."""
    return message if isinstance(message, Detail) else _meant(str(message), MARSHMALLOW)


def of_msgspec(error: msgspec.ValidationError) -> Any:
    """What msgspec found, in marshmallow's form: messages nested like the value.

    msgspec says ``… - at `$.cards[0]```.
    """
    message = re.fullmatch(r"(?P<text>.*?)(?: - at `\$(?P<path>(?:\.\w+|\[\d+\])*)`)?", str(error), re.DOTALL)
    assert message is not None  # the pattern takes every text
    steps = re.findall(r"\w+", message["path"] or "")
    if field := re.fullmatch(r"Object (?:contains unknown|missing required) field `(.*)`", message["text"], re.DOTALL):
        steps.append(field[1])  # which the path does not name, as nothing is there or nothing should be
    return _nested([_meant(message["text"], MSGSPEC)], steps)


def _nested(messages: Any, steps: Iterable[str]) -> Any:
    for step in reversed(list(steps)):
        messages = {step: messages}
    return messages


def _meant(message: str, shapes: Shapes) -> Detail:
    for pattern, key in shapes:
        if match := pattern.fullmatch(message):
            return Detail(key, **match.groupdict())
    return NOT_VALID
