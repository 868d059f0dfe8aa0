"""The keys of an external issuer: read from where it publishes them (a JSON Web Key Set, RFC 7517), and remembered.

The set is read again when it is old, so that keys that were withdrawn are forgotten, and when a token names a key that
is not in it, so that new keys are known at once. Tokens are made by anybody, so the second happens at a bounded rate.
While the set cannot be read, the keys that are known go on working.
"""

from __future__ import annotations

import http.client
import json
import logging
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from jwt.exceptions import PyJWTError

from service.settings import BadSetting, variable

Read = Callable[[], bytes]

OLD: Final = 300.0
"""Seconds after which the set is read again by the first one who needs a key of it. All others go on meanwhile."""

APART: Final = 10.0
"""Seconds that lie between two attempts at reading the set, at least."""

_PATIENCE: Final = 10.0
"""Seconds to wait for somebody who is reading the set."""

_SHORTEST_RSA_KEY: Final = 2048

_CURVES: Final = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}
_RSA: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")
_EDWARDS: Final = ("Ed25519", "Ed448")

ALGORITHMS: Final = frozenset([*_RSA, *_CURVES.values(), "EdDSA"])
"""Those that are accepted: with all of them, who can check a token cannot make one."""

_TIMEOUT: Final = 3.0
_LARGEST: Final = 1024 * 1024

_log = logging.getLogger("turncoat")


class KeySetUnavailable(Exception):
    """The key is not known, and the set cannot be read now: whether a token is good cannot be told."""


@dataclass(frozen=True)
class Key:
    """A key of the issuer's. Two are equal if they are published alike.

    Attributes:
        id: its name in the set and in the tokens that it signed.
        published: how it is written in the set.
        public: with which tokens are checked.
        algorithms: for which it is good.
    """

    id: str | None
    published: str
    public: Any = field(compare=False, repr=False)
    algorithms: tuple[str, ...] = field(compare=False)


class KeySet:
    """The keys that an issuer publishes now, as far as we know.

    Args:
        read: gives the set as it is published; may raise ``OSError``.
        clock: a time that only goes forward, in seconds.
    """

    def __init__(self, read: Read, clock: Callable[[], float] = time.monotonic) -> None:
        self._read = read
        self._clock = clock
        self._reading = threading.Lock()
        self._keys: dict[str | None, Key] = {}
        self._read_at = self._tried_at = -float("inf")
        self._failing = False
        self._version = 0

    def version(self) -> int:
        """Changes with the keys. Whatever was found out with a key holds only as long as this does."""
        self._refresh()
        return self._version

    def find(self, key_id: str | None) -> Key | None:
        """A key by its name; for a token that names none, the only key that there is.

        Returns:
            ``None`` if the issuer has no such key.

        Raises:
            KeySetUnavailable: it may have one.
        """
        self._refresh()
        if key := self._known(key_id):
            return key
        if not self._reading.acquire(timeout=_PATIENCE):
            raise KeySetUnavailable
        try:
            self._read_again()
        finally:
            self._reading.release()
        if (key := self._known(key_id)) is None and self._failing:
            raise KeySetUnavailable
        return key

    def _known(self, key_id: str | None) -> Key | None:
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id)

    def _refresh(self) -> None:
        """Read the set again if it is old and nobody else is at it."""
        if self._clock() - self._read_at >= OLD and self._reading.acquire(blocking=False):
            try:
                self._read_again()
            finally:
                self._reading.release()

    def _read_again(self) -> None:
        """Read the set, unless somebody has tried to a moment ago. Only who holds the lock may do this."""
        if self._clock() - self._tried_at < APART:
            return
        try:
            read = keys_of(self._read())
        except (OSError, ValueError) as error:
            self._failing = True
            # No words of the error: they may repeat an address with a password in it.
            _log.warning("the issuer's key set cannot be read: %s", type(error).__name__)
        else:
            keys = {key.id: key for key in read}
            if keys != self._keys:
                self._keys = keys
                self._version += 1
            self._failing = False
            self._read_at = self._clock()
        finally:
            self._tried_at = self._clock()


def keys_of(published: bytes) -> list[Key]:
    """The keys in a set that can be used to check tokens; all others are passed over.

    Raises:
        ValueError: there is no such key, or it is no key set at all.
    """
    try:
        entries = json.loads(published)["keys"]
        keys = [key for entry in entries if (key := _key(entry)) is not None]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError("this is no key set") from error
    if not keys:
        raise ValueError("there is no key in the key set that could check a token")
    return keys


def _key(entry: Mapping[str, Any]) -> Key | None:
    """One key of a set, if it is for signatures of a kind that we accept."""
    try:
        if entry.get("use", "sig") != "sig" or "verify" not in entry.get("key_ops", ["verify"]):
            return None
        public, possible = _public(entry)
    except (PyJWTError, AttributeError, TypeError, ValueError, KeyError, OverflowError):
        return None
    name = entry.get("kid")
    algorithms = tuple(algorithm for algorithm in possible if entry.get("alg", algorithm) == algorithm)
    if not algorithms or not isinstance(name, str | None):
        return None
    return Key(name, json.dumps(entry, sort_keys=True), public, algorithms)


def _public(entry: Mapping[str, Any]) -> tuple[Any, Iterable[str]]:
    """What checks signatures, and by which algorithms."""
    kind, curve = entry["kty"], entry.get("crv")
    if kind == "RSA":
        key = RSAAlgorithm.from_jwk(dict(entry))
        return key, _RSA if key.key_size >= _SHORTEST_RSA_KEY else ()
    if kind == "EC" and curve in _CURVES:
        return ECAlgorithm.from_jwk(dict(entry)), (_CURVES[curve],)
    if kind == "OKP" and curve in _EDWARDS:
        return OKPAlgorithm.from_jwk(dict(entry)), ("EdDSA",)
    return None, ()


def key_set(location: str) -> KeySet:
    """The key set that is published at an address, or that lies in a file.

    A provider may be down while we start. A file has to be there.

    Raises:
        BadSetting: it is not, or there is no key in it that could be used.
    """
    read = reading(location)
    if "://" not in location:
        try:
            keys_of(read())
        except (OSError, ValueError) as error:
            raise BadSetting(f"{variable('key_set')}: {location} holds no key set that can be used") from error
    return KeySet(read)


def reading(location: str) -> Read:
    """How to read the set that is published at an address, or that lies in a file."""
    if "://" not in location:
        return Path(location).read_bytes
    handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
    if urlsplit(location).scheme == "http":  # on this machine, where no proxy leads
        handlers.append(urllib.request.ProxyHandler({}))
    opener = urllib.request.build_opener(*handlers)
    request = urllib.request.Request(location, headers={"Accept": "application/json", "User-Agent": "turncoat"})  # noqa: S310  # the settings take no other scheme

    def read() -> bytes:
        try:
            with opener.open(request, timeout=_TIMEOUT) as answer:
                published: bytes = answer.read(_LARGEST + 1)
        except http.client.HTTPException as error:
            raise OSError("no proper answer") from error
        if len(published) > _LARGEST:
            raise OSError("the answer is too long")
        return published

    return read


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key set is where it was said to be: who can redirect could replace it."""

    def redirect_request(self, *_: Any) -> None:
        """Take the redirection for the answer, which is an error."""
