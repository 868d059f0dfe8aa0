"""Who calls: the bearer token of a request."""

from __future__ import annotations

from flask import Request, current_app, g
from flask.ctx import _AppCtxGlobals

from service.identity import BadToken, Player, Tokens
from service.issuer import IssuedTokens
from service.key_set import KeySetUnavailable
from service.problems import Problem


def identify(asked: Request, context: _AppCtxGlobals) -> None:
    """Check the token, if there is one, before anything else is looked at.

    A token that was sent is checked everywhere: whoever sends a bad one is told so, and is never taken for a
    spectator.

    Raises:
        Problem: ``unauthenticated``; ``issuer-unavailable`` if nobody can tell now whether the token is good.
    """
    context.player = None
    header = asked.environ.get("HTTP_AUTHORIZATION")
    if header is None:
        return
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer":
        raise Problem("unauthenticated")
    tokens: Tokens | IssuedTokens = current_app.extensions["turncoat"].tokens
    try:
        context.player = tokens.player(token.strip())
    except BadToken as error:
        raise Problem("unauthenticated") from error
    except KeySetUnavailable as error:
        raise Problem("issuer-unavailable") from error


def viewer() -> str | None:
    """The id of the player who looks; ``None`` for somebody without a token."""
    player: Player | None = g.player
    return None if player is None else player.id


def player() -> Player:
    """Who acts.

    Raises:
        Problem: ``unauthenticated``: there is no token.
    """
    if g.player is None:
        raise Problem("unauthenticated")
    acting: Player = g.player
    return acting
