"""Requests that a client may send again without harm: the header ``Idempotency-Key``."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Final

from flask import Response, request

from service.api.bodies import read_json
from service.identity import Player
from service.match import Once
from service.problems import Detail, FieldError, Problem

HEADER: Final = "Idempotency-Key"
REPLAYED: Final = "Idempotency-Replayed"

PARAMETER: Final[dict[str, Any]] = {
    "name": HEADER,
    "in": "header",
    "description": "Names this request, in 16 to 64 characters of your choice, so that it can be sent again without "
    "being carried out twice: the answer then has the first status, a body as of now, and Idempotency-Replayed: true.",
    "schema": {
        "type": "string",
        "minLength": 16,
        "maxLength": 66,
        "pattern": r'^("[!#-\[\]-~ ]{16,64}"|[!#-\[\]-~]{16,64})$',
    },
}

_KEY: Final = re.compile(r'"([!#-\[\]-~ ]{16,64})"|([!#-\[\]-~]{16,64})')


def key() -> str | None:
    """The key of this request, without the quotes that it may stand in.

    Raises:
        Problem: ``invalid``.
    """
    header = request.headers.get(HEADER)
    if header is None:
        return None
    found = _KEY.fullmatch(header)
    if found is None:
        raise Problem("invalid", errors=[FieldError(HEADER, Detail("key-not-usable"))])
    return found[1] or found[2]


def once(operation: str, player: Player) -> Once | None:
    """What this request is to be recognised by, if it has a key.

    Args:
        operation: the operationId; the same key means another request in another operation.
        player: whose request it is; keys of different players have nothing to do with each other.
    """
    chosen = key()
    if chosen is None:
        return None
    # The body has been read before, so it can be: the order of its fields makes no other request.
    body = json.dumps(read_json(request.get_data()), sort_keys=True)
    return Once(
        key=_digest(player.id, operation, chosen),
        fingerprint=_digest(request.path, body),
    )


def replayed(response: Response, *, repeated: bool) -> Response:
    """Mark the answer to a request that had been carried out before."""
    if repeated:
        response.headers[REPLAYED] = "true"
    return response


def _digest(*parts: str) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()[:16]
