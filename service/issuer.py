"""Tokens of an external issuer: an identity provider signs them, the service only checks them.

Whoever configures one has players already; there are no guests then. A player's name comes with the token. The id that
the issuer gives somebody is any text; ours is made from it, and has the same form as that of a guest.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import jwt

from service.identity import BadToken, Player
from service.key_set import ALGORITHMS, KeySet
from service.names import LONGEST_PLAYER_NAME, made_fit

LEEWAY: Final = 60.0
"""Seconds that the issuer's clock may be ahead of ours."""

_LONGEST_TOKEN: Final = 8192
"""Providers put much into their tokens; gunicorn takes no longer header."""

_REMEMBERED_TOKENS: Final = 4096
_LONGEST_SUBJECT: Final = 1024
_NAMELESS: Final = "Player"
_LATEST: Final = 253_402_300_799
"""The end of the year 9999, after which there are no dates."""


class IssuedTokens:
    """Checks the tokens of one issuer.

    Args:
        issuer: what its tokens say in ``iss``.
        audience: what they must say in ``aud``: that they are meant for this service.
        keys: with which it signs.
        clock: the time, in seconds since 1970.
    """

    def __init__(self, issuer: str, audience: str, keys: KeySet, clock: Callable[[], float]) -> None:
        self._issuer = issuer
        self._audience = audience
        self._keys = keys
        self._clock = clock
        # As with our own tokens: checking a signature costs as much as a whole bare request.
        self._remembered = lru_cache(maxsize=_REMEMBERED_TOKENS)(self._checked)

    def player(self, token: str) -> Player:
        """Who a token speaks for.

        Raises:
            BadToken: it is not the issuer's, not for us, not good yet or no longer.
            KeySetUnavailable: that cannot be told now.
        """
        if len(token) > _LONGEST_TOKEN:
            raise BadToken
        player = self._remembered(token, self._keys.version())
        if player.expires_at <= self._clock():
            raise BadToken
        return player

    def _checked(self, token: str, _version: int) -> Player:
        """Check a token; what comes of it holds for one version of the key set."""
        try:
            header = jwt.get_unverified_header(token)
            algorithm, key_id = header["alg"], header.get("kid")
            if algorithm not in ALGORITHMS or not isinstance(key_id, str | None):
                raise BadToken
            key = self._keys.find(key_id)
            if key is None or algorithm not in key.algorithms:
                raise BadToken
            claims = jwt.decode(
                token,
                key.public,
                algorithms=[algorithm],
                issuer=self._issuer,
                audience=self._audience,
                # Times are checked against our own clock: the end on every use, the beginning here.
                options={"require": ["sub", "exp"], "verify_exp": False, "verify_nbf": False, "verify_iat": False},
            )
            self._check_begun(claims)
            return self._player(claims)
        except (jwt.PyJWTError, KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise BadToken from error

    def _check_begun(self, claims: Mapping[str, Any]) -> None:
        for claim in ("nbf", "iat"):
            if claim in claims and _time(claims[claim]) > self._clock() + LEEWAY:
                raise BadToken

    def _player(self, claims: Mapping[str, Any]) -> Player:
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT:
            raise BadToken
        return Player(player_id(self._issuer, subject), _name(claims), int(min(_time(claims["exp"]), _LATEST)))


def player_id(issuer: str, subject: str) -> str:
    """Our id of whom an issuer calls ``subject``: opaque, and always the same.

    It has 132 bits of a hash, so no two players have the same one, also of different issuers.
    """
    digest = hashlib.sha256(json.dumps([issuer, subject]).encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()[:22]


def _name(claims: Mapping[str, Any]) -> str:
    """What others see: the first that can be seen of what the token has."""
    for claim in ("name", "preferred_username"):
        given = claims.get(claim)
        if isinstance(given, str) and (name := made_fit(given, LONGEST_PLAYER_NAME)):
            return name
    return _NAMELESS


def _time(value: Any) -> float:
    """A time in a claim: a number, and no truth value.

    Raises:
        BadToken: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadToken
    return value
