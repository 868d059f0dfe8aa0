"""The way into a private match for whoever knows no more than its code."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app

from service.api import caller
from service.api.contract import Blueprint, refuses
from service.api.headers import references
from service.api.matches import done_answer
from service.api.once import REPLAYED, once
from service.schemas.matches import JoinByCode, MatchCard

blueprint = Blueprint("join", __name__, url_prefix="/v1/join", description="Private matches")


@blueprint.route("", methods=["POST"])
@refuses("wrong-join-code", "unreadable-match", "seat-taken", "too-many-matches", body=True, repeatable=True)
@blueprint.arguments(JoinByCode)
@blueprint.response(201, MatchCard, headers=references(REPLAYED))
@blueprint.alt_response(
    200, schema=MatchCard, headers=references(REPLAYED), success=True, description="You have joined before"
)
@blueprint.doc(operationId="joinByCode", security=[{"token": []}])
def join_by_code(body: dict[str, Any]) -> Response:
    """Join a private match by its code.

    The code is on the cards that its players see, and is dead once the match has started.
    """
    player = caller.player()
    matches = current_app.extensions["turncoat"].matches
    done = matches.join_by_code(
        body["join_code"], player, body.get("seat"), body["entropy"], once("joinByCode", player)
    )
    return done_answer(done, player)
