"""An identity provider for the tests: keys, tokens, and the key set as it publishes it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from jwt.algorithms import get_default_algorithms

ISSUER = "https://id.example/realms/games"
AUDIENCE = "turncoat"

_CURVES = {"ES256": ec.SECP256R1, "ES384": ec.SECP384R1, "ES512": ec.SECP521R1, "ES256K": ec.SECP256K1}


def private_key(algorithm: str, which: int = 0) -> Any:
    """A key for an algorithm; another one for each number. Made once, as that takes its time."""
    return _made(algorithm, which)


@cache
def _made(algorithm: str, _which: int) -> Any:
    if algorithm == "RSA 1024":
        return rsa.generate_private_key(65537, 1024)
    if algorithm == "Ed448":
        return ed448.Ed448PrivateKey.generate()
    if algorithm == "EdDSA":
        return ed25519.Ed25519PrivateKey.generate()
    if algorithm in _CURVES:
        return ec.generate_private_key(_CURVES[algorithm]())
    return rsa.generate_private_key(65537, 2048)


def family(algorithm: str) -> str:
    """Algorithms of one family share a key."""
    return "RSA" if algorithm[:2] in ("RS", "PS") and algorithm != "RSA 1024" else algorithm


def published(algorithm: str, kid: str | None, which: int = 0, **more: Any) -> dict[str, Any]:
    """The public half of such a key, as it stands in a key set."""
    key = private_key(family(algorithm), which).public_key()
    name = {"RSA 1024": "RS256", "Ed448": "EdDSA"}.get(algorithm, algorithm)
    entry = get_default_algorithms()[name].to_jwk(key, as_dict=True)
    entry.pop("key_ops", None)
    return {**entry, "use": "sig", **({} if kid is None else {"kid": kid}), **more}


def key_set(*entries: dict[str, Any]) -> bytes:
    return json.dumps({"keys": list(entries)}).encode()


def claims(now: float, **others: Any) -> dict[str, Any]:
    """What a good token says; ``None`` leaves a claim out."""
    usual = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "f3a1c9d2-ada",
        "name": "Ada Lovelace",
        "iat": int(now),
        "exp": int(now) + 3600,
    }
    return {name: value for name, value in {**usual, **others}.items() if value is not None}


def issued(
    algorithm: str = "ES256", kid: str | None = "k1", which: int = 0, now: float | None = None, **others: Any
) -> str:
    """A token signed by such a key."""
    headers = {} if kid is None else {"kid": kid}
    payload = claims(time.time() if now is None else now, **others)
    return jwt.encode(payload, private_key(family(algorithm), which), algorithm, headers=headers)


class Provider:
    """Publishes a key set over HTTP, and counts how often it is asked."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked = 0
        self.status = 200
        self.body = key_set(published("ES256", "k1"))
        self.headers: dict[str, str] = {}


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            serving.asked += 1
            self.send_response(serving.status)
            for name, value in {"Content-Length": str(len(serving.body)), **serving.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(serving.body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        serving = Provider(f"http://127.0.0.1:{server.server_address[1]}/jwks.json")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield serving
        finally:
            server.shutdown()
            thread.join()
