"""Players."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response, current_app

from service.api import caller
from service.api.answers import json_answer, never_stored
from service.api.contract import Blueprint, refuses
from service.identity import Player, Tokens
from service.problems import Problem
from service.schemas.players import GuestAnswer, NewPlayer, PlayerAnswer, RenewToken

blueprint = Blueprint("players", __name__, url_prefix="/v1/players", description="Who plays")


@blueprint.route("", methods=["POST"])
@refuses("guests-disabled", store=False, body=True)
@blueprint.arguments(NewPlayer)
@blueprint.response(201, GuestAnswer)
@blueprint.doc(operationId="createPlayer", security=[])
def create_player(body: dict[str, Any]) -> Response:
    """Become a guest.

    Nothing is stored: a guest is nothing but the token, so keep it.
    """
    return _with_token(*_guests().new_guest(body["name"]))


@blueprint.route("/me/tokens", methods=["POST"])
@refuses("guests-disabled", store=False, body=True)
@blueprint.arguments(RenewToken)
@blueprint.response(201, GuestAnswer)
@blueprint.doc(operationId="renewToken", security=[{"token": []}])
def renew_token(_body: dict[str, Any]) -> Response:
    """Get a fresh token before yours ends.

    It speaks for the same player. Nothing is stored, and the token that you have stays good until its own end.
    """
    return _with_token(*_guests().renewed(caller.player()))


@blueprint.route("/me", methods=["GET"])
@refuses(store=False)
@blueprint.response(200, PlayerAnswer)
@blueprint.doc(operationId="getMe", security=[{"token": []}])
def get_me() -> Response:
    """Tell who your token speaks for.

    For a client that has kept a token and wants to know whether it is still good, and for how long.
    """
    return never_stored(json_answer(PlayerAnswer().dump(_told(caller.player()))))


def _guests() -> Tokens:
    """What makes tokens.

    Raises:
        Problem: ``guests-disabled``: somebody else does.
    """
    guests: Tokens | None = current_app.extensions["turncoat"].guests
    if guests is None:
        raise Problem("guests-disabled")
    return guests


def _with_token(token: str, player: Player) -> Response:
    return never_stored(json_answer(GuestAnswer().dump({**_told(player), "token": token}), 201))


def _told(player: Player) -> dict[str, Any]:
    return {
        "player": player.id,
        "name": player.name,
        "expires_at": datetime.fromtimestamp(player.expires_at, UTC),
    }
