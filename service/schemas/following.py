"""What a client that looks again, or goes on looking, sends along: headers."""

from __future__ import annotations

from marshmallow import fields, validate

from service.schemas.fields import RequestSchema

LONGEST_WAIT = 60
LONGEST_HEADER = 8000
"""Characters; as many as the server reads, nearly."""


def _header(name: str, description: str, **more: str) -> fields.String:
    return fields.String(
        data_key=name, validate=validate.Length(max=LONGEST_HEADER), metadata={"description": description, **more}
    )


class Language(RequestSchema):
    """The header of a request whose answer has words in it."""

    accept_language = _header("Accept-Language", "The languages that you like: en, de or nl.")


class Conditional(RequestSchema):
    """The header of a request that need not be answered in full."""

    if_none_match = _header(
        "If-None-Match", "The `ETag` of the answer that you have: if it is still the same, you receive 304 and no body."
    )


class _Preferring(RequestSchema):
    prefer = _header(
        "Prefer",
        f"`wait=25`, with 1 to {LONGEST_WAIT} seconds: wait that long for something that you do not "
        "have yet, and answer as soon as there is. Other preferences are ignored.",
    )


class Waiting(Conditional, _Preferring):
    """The headers of a request that may wait for something new."""


class FollowingEvents(_Preferring):
    """The headers of a request for events."""

    last_event = _header(
        "Last-Event-ID",
        "The `id` that came last on a stream that broke off; it counts more than `after`.",
        pattern="^(0|[1-9][0-9]{0,9})$",
    )
