"""Players."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response, current_app

from service.api import caller
from service.api.answers import json_answer, never_stored
from service.api.contract import Blueprint, refuses
from service.identity import Player
from service.schemas.players import GuestAnswer, NewPlayer, PlayerAnswer

blueprint = Blueprint("players", __name__, url_prefix="/v1/players", description="Who plays")


@blueprint.route("", methods=["POST"])
@refuses(store=False, body=True)
@blueprint.arguments(NewPlayer)
@blueprint.response(201, GuestAnswer)
@blueprint.doc(operationId="createPlayer", security=[])
def create_player(body: dict[str, Any]) -> Response:
    """Become a guest.

    Nothing is stored: a guest is nothing but the token, so keep it.
    """
    token, player = current_app.extensions["turncoat"].tokens.new_guest(body["name"])
    return never_stored(json_answer(GuestAnswer().dump({**_told(player), "token": token}), 201))


@blueprint.route("/me", methods=["GET"])
@refuses(store=False)
@blueprint.response(200, PlayerAnswer)
@blueprint.doc(operationId="getMe", security=[{"token": []}])
def get_me() -> Response:
    """Tell who your token speaks for."""
    return never_stored(json_answer(PlayerAnswer().dump(_told(caller.player()))))


def _told(player: Player) -> dict[str, Any]:
    return {
        "player": player.id,
        "name": player.name,
        "expires_at": datetime.fromtimestamp(player.expires_at, UTC),
    }
