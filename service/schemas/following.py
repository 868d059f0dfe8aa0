"""What a client that follows a match sends along: headers."""

from __future__ import annotations

from marshmallow import fields

from service.schemas.fields import RequestSchema

LONGEST_WAIT = 60


class Waiting(RequestSchema):
    """The headers of a request that may wait for something new."""

    prefer = fields.String(
        data_key="Prefer",
        metadata={
            "description": f"`wait=25`, with 1 to {LONGEST_WAIT} seconds: wait that long for something that you do not "
            "have yet, and answer as soon as there is. Other preferences are ignored.",
        },
    )


class FollowingEvents(Waiting):
    """The headers of a request for events."""

    last_event = fields.String(
        data_key="Last-Event-ID",
        metadata={
            "description": "The `id` that came last on a stream that broke off; it counts more than `after`.",
            "pattern": "^(0|[1-9][0-9]{0,9})$",
        },
    )
