"""What settings may say: how each kind of value is read out of the environment, and how it is shown to a person."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

from environs import Env, EnvError, validate

from service.quotas import quotas
from service.store_address import BadAddress, parse_address

PREFIX = "TURNCOAT_"
STORE_URL = "REDIS_URL"
"""The one setting without the prefix: hosting platforms set it under this name."""

Read: TypeAlias = Callable[[str, Any], Any]
"""Reads a setting from the environment, by the name of its variable; the other argument is its default."""

_T = TypeVar("_T")
_SHORTEST_SECRET = 32

_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?")
_WITH_USUAL_PORT = re.compile(r"http://.*:80|https://.*:443")
"""Browsers leave it out, so such an origin would never be met."""


class BadSetting(Exception):
    """A setting has a value that it cannot have. The message names the setting and shows no secret."""


@dataclass(frozen=True)
class TokenKey:
    """A key that signs tokens; ``id`` travels in the token, so that keys can be replaced one by one."""

    id: str
    secret: str = field(repr=False)


def variable(setting: str) -> str:
    """The environment variable of a setting, by the name of its attribute."""
    return STORE_URL if setting == "redis_url" else PREFIX + setting.upper()


# --- how they are read ---


def whole(least: int, most: int | None = None) -> Read:
    """A whole number."""
    return lambda name, default: _valid(name, lambda env: env.int(name, default, validate=validate.Range(least, most)))


def number(least: float, most: float | None = None) -> Read:
    """A number."""
    return lambda name, default: _valid(
        name, lambda env: env.float(name, default, validate=validate.Range(least, most))
    )


def one_of(*values: str) -> Read:
    """One of a few words."""
    return lambda name, default: _valid(name, lambda env: env.str(name, default, validate=validate.OneOf(values)))


def switch(name: str, default: Any) -> Any:
    """``on`` or ``off``, or what else people write for it."""
    return _valid(name, lambda env: env.bool(name, default))


def text(name: str, default: Any) -> Any:
    """Any text."""
    return os.environ.get(name, default)


def optional(name: str, default: Any) -> Any:
    """Any text; an empty one is as good as none."""
    return os.environ.get(name) or default


def folder(name: str, default: Any) -> Any:
    """The path of a folder, which may be made later."""
    return Path(os.environ[name]) if name in os.environ else default


def file(name: str, default: Any) -> Any:
    """The path of a file that is there."""
    path = os.environ.get(name, "")
    if path and not Path(path).is_file():
        raise BadSetting(f"{name}: there is no file {path!r}")
    return Path(path) if path else default


def rate(name: str, default: Any) -> Any:
    """A rate limit, tried out if it is not the one that we chose."""
    chosen = os.environ.get(name, default)
    if chosen != default:
        try:
            quotas(name, chosen)
        except ValueError:
            raise BadSetting(
                f"{name}: {chosen!r} is not of the form 20/minute or 20/minute;100/hour, "
                "each for another time of at most 31 days"
            ) from None
    return chosen


def parsed(parse: Callable[[str, str], Any]) -> Read:
    """What a function makes of a text, which is empty if nothing is set, and of where it comes from."""
    return lambda name, _: parse(os.environ.get(name, ""), name)


def _valid(name: str, read: Callable[[Env], _T]) -> _T:
    try:
        return read(Env())
    except EnvError as error:
        reasons = getattr(error, "error_messages", None) or [str(error)]
        raise BadSetting(f"{name}: {' '.join(reasons)}") from error


# --- how they are shown ---


def plainly(value: Any) -> str:
    """As one would set it; nothing for what is not set."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(value) if isinstance(value, tuple) else str(value)


def not_shown(_: object) -> str:
    """That there is something."""
    return "(not shown)"


def name_of_store(url: str) -> str:
    """What it may be called."""
    return f"{parse_address(url).name} (the address is not shown)"


def ids_of_keys(keys: tuple[TokenKey, ...]) -> str:
    """What travels in tokens anyway."""
    return f"{', '.join(key.id for key in keys)} (the secrets are not shown)"


# --- what is more than a number or a text ---


def parse_store_url(url: str, name: str) -> str | None:
    """The address of a store, tried out; ``None`` if nothing is said.

    Args:
        url: the address.
        name: where it comes from, for the message.

    Raises:
        BadSetting: it is no address. The message shows nothing of it.
    """
    try:
        return parse_address(url).url if url else None
    except BadAddress as error:
        raise BadSetting(f"{name}: {error}") from None


def parse_origins(text: str, name: str) -> tuple[str, ...]:
    """Parse origins separated by commas.

    Args:
        text: the origins.
        name: where they come from, for the message.

    Raises:
        BadSetting: one is not an origin as browsers send it; a pattern is none.
    """
    origins = tuple(origin.strip().lower() for origin in text.split(",") if origin.strip())
    for origin in origins:
        if not _ORIGIN.fullmatch(origin) or _WITH_USUAL_PORT.fullmatch(origin):
            raise BadSetting(
                f"{name}: {origin!r} is not of the form https://name or https://name:port, without the usual port, "
                "path or wildcard"
            )
    return origins


def parse_token_keys(text: str, name: str) -> tuple[TokenKey, ...]:
    """Parse ``id:secret,id:secret``.

    Args:
        text: the pairs.
        name: where they come from, for the message.

    Raises:
        BadSetting: with what is wrong, without showing a secret.
    """
    keys = []
    for place, pair in enumerate(filter(None, text.split(",")), start=1):
        key_id, colon, secret = pair.strip().partition(":")
        if not colon or not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", key_id):
            raise BadSetting(f"{name}: key {place} is not of the form id:secret")
        if len(secret) < _SHORTEST_SECRET:
            raise BadSetting(f"{name}: the secret of key {key_id} is shorter than {_SHORTEST_SECRET} characters")
        keys.append(TokenKey(key_id, secret))
    if len({key.id for key in keys}) != len(keys):
        raise BadSetting(f"{name}: two keys have the same id")
    return tuple(keys)


def parse_id_secret(text: str, name: str) -> str | None:
    """The secret for ids; ``None`` if there is none.

    Args:
        text: the secret.
        name: where it comes from, for the message.

    Raises:
        BadSetting: it is too short to be one. The message does not show it.
    """
    secret = text.strip()
    if secret and len(secret) < _SHORTEST_SECRET:
        raise BadSetting(f"{name}: the secret is shorter than {_SHORTEST_SECRET} characters")
    return secret or None


def parse_key_set(text: str, name: str) -> str | None:
    """Where a key set is; ``None`` if nothing is said.

    Whoever could replace the keys on their way could make tokens, so an address is one of ``https``; on this machine
    ``http`` will do.

    Args:
        text: an address, or the path of a file.
        name: where it comes from, for the message.

    Raises:
        BadSetting: it is an address of another kind.
    """
    if "://" in text:
        try:
            parts = urlsplit(text)
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            raise BadSetting(f"{name}: this is no address") from None
        safe = parts.scheme == "https" or (parts.scheme == "http" and _is_this_machine(host))
        if not host or "@" in parts.netloc or not safe:
            raise BadSetting(
                f"{name}: an address must begin with https:// and a host; http:// is for this machine only"
            )
    return text or None


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
