"""The catalogue."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from flask import Response

from engine.catalogue import GAMES
from engine.game import AnyGame
from service import texts
from service.api.answers import json_answer
from service.api.contract import Blueprint, refuses
from service.api.headers import references
from service.api.language import asked_language, speaking
from service.problems import Problem
from service.schemas.engine import standalone
from service.schemas.following import Language
from service.schemas.games import GameDetails, GameListAnswer

blueprint = Blueprint("games", __name__, url_prefix="/v1/games", description="What can be played")


_OPTIONS: Final = {game.id: standalone(game.options_type) for game in GAMES.values()}


@blueprint.route("", methods=["GET"])
@refuses(store=False)
@blueprint.arguments(Language, location="headers")
@blueprint.response(200, GameListAnswer, headers=references("Content-Language"))
@blueprint.doc(operationId="listGames", security=[{}, {"token": []}])
def list_games(_headers: dict[str, Any]) -> Response:
    """List the games.

    Each with the options that a match of it may be created with.
    """
    language = asked_language()
    return _answer(GameListAnswer().dump({"items": [_told(game, language) for game in GAMES.values()]}), language)


@blueprint.route("/<game>", methods=["GET"])
@refuses("no-such-game", store=False)
@blueprint.arguments(Language, location="headers")
@blueprint.response(200, GameDetails, headers=references("Content-Language"))
@blueprint.doc(operationId="getGame", security=[{}, {"token": []}])
def get_game(_headers: dict[str, Any], game: str) -> Response:
    """Show a game with its components.

    Views, events and results carry ids and numbers only; here the ids get names.
    """
    if game not in GAMES:
        raise Problem("no-such-game")
    language = asked_language()
    details = {
        **_told(GAMES[game], language),
        "components": GAMES[game].components,
        "names": texts.names(game, language),
    }
    return _answer(GameDetails().dump(details), language)


def _told(game: AnyGame, language: str) -> dict[str, Any]:
    return {
        "game": game.id,
        "name": texts.names(game.id, language)[game.id],
        "seats": list(game.seats),
        "rules_version": game.rules_version,
        "options": {
            "schema": _OPTIONS[game.id],
            "defaults": msgspec.to_builtins(game.options_type()),
        },
    }


def _answer(body: Any, language: str) -> Response:
    answer = json_answer(body)
    answer.headers["Cache-Control"] = "public, max-age=300"
    return speaking(answer, language)
