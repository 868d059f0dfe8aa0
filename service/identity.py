"""Who a request speaks for: bearer tokens.

A guest is nothing but a signed token, so making one stores nothing. Tokens are JSON Web Tokens signed with
HMAC-SHA-256 and one of the service's keys, named by its id, so that keys can be replaced one by one: put the new
key first, and drop the old one when the last token that it signed has expired.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import jwt

from service.settings import TokenKey

ALGORITHM: Final = "HS256"
_ISSUER: Final = "turncoat"
_LONGEST_TOKEN: Final = 2048
_REMEMBERED_TOKENS: Final = 4096


class BadToken(Exception):
    """A token that nobody of ours signed, or that has expired."""


@dataclass(frozen=True)
class Player:
    """Somebody who plays.

    Attributes:
        id: opaque; told to nobody but the player.
        name: what others see.
        expires_at: when the token ends, in seconds since 1970.
    """

    id: str
    name: str
    expires_at: int


class Tokens:
    """Signs and checks the tokens of guests.

    Args:
        keys: the first one signs, all are accepted.
        lifetime: seconds that a token is good for.
        clock: the time, in seconds since 1970.

    Raises:
        ValueError: there is no key.
    """

    def __init__(self, keys: Sequence[TokenKey], lifetime: int, clock: Callable[[], float]) -> None:
        if not keys:
            raise ValueError("no key to sign tokens with")
        self._signing = keys[0]
        self._secrets = {key.id: key.secret for key in keys}
        self._lifetime = lifetime
        self._clock = clock
        # Checking a signature costs as much as a whole bare request. A remembered token is still checked for its
        # end each time, and one that was refused is not remembered.
        self._remembered = lru_cache(maxsize=_REMEMBERED_TOKENS)(self._checked)

    def new_guest(self, name: str) -> tuple[str, Player]:
        """A token for somebody new, and who that is."""
        return self._signed(secrets.token_urlsafe(16), name)

    def renewed(self, player: Player) -> tuple[str, Player]:
        """A token that speaks for the same guest and lasts longer. The one before stays good until its own end."""
        return self._signed(player.id, player.name)

    def _signed(self, player_id: str, name: str) -> tuple[str, Player]:
        now = int(self._clock())
        player = Player(player_id, name, now + self._lifetime)
        claims = {"iss": _ISSUER, "sub": player.id, "name": name, "iat": now, "exp": player.expires_at}
        token = jwt.encode(claims, self._signing.secret, ALGORITHM, headers={"kid": self._signing.id})
        return token, player

    def player(self, token: str) -> Player:
        """Who a token speaks for.

        Raises:
            BadToken: it is not one of ours, or it has expired.
        """
        if len(token) > _LONGEST_TOKEN:
            raise BadToken
        player = self._remembered(token)
        if player.expires_at <= self._clock():
            raise BadToken
        return player

    def _checked(self, token: str) -> Player:
        try:
            secret = self._secrets[jwt.get_unverified_header(token)["kid"]]
            claims = jwt.decode(
                token,
                secret,
                algorithms=[ALGORITHM],
                issuer=_ISSUER,
                # The end is checked against our own clock, on every use.
                options={"require": ["sub", "name", "exp"], "verify_exp": False, "verify_iat": False},
            )
            return Player(str(claims["sub"]), str(claims["name"]), int(claims["exp"]))
        except (jwt.InvalidTokenError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise BadToken from error
