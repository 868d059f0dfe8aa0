"""The ceiling: what a Flask application can reach at most that makes the same trips to the store, and no more.

It is served by the launcher of the service, so by the same workers under the same configuration. No token is looked at,
no limit counted, nothing checked, decoded, logged or counted.
"""

from __future__ import annotations

import hashlib
import os
from typing import Final

from flask import Flask, Response, request
from redis import Redis

VERSION: Final = 8
"""Bytes at the beginning of a blob that change with every write."""

SWAP: Final = f"""
if string.sub(redis.call('GET', KEYS[1]), 1, {VERSION}) ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2])
return 1
"""
"""Compare and set: the least that keeps two writers apart."""

DIGEST: Final = hashlib.sha1(SWAP.encode(), usedforsecurity=False).hexdigest()


def create_app() -> Flask:
    """The WSGI application. The store is what the service has as its own; it must know the script."""
    client = Redis.from_url(os.environ["REDIS_URL"])
    app = Flask("bare", static_folder=None)

    @app.get("/blobs/<key>")
    def get(key: str) -> Response:
        return Response(client.get(key), content_type="application/json")

    @app.post("/blobs/<key>")
    def swap(key: str) -> Response:
        request.get_data()
        stored = client.get(key)
        assert isinstance(stored, bytes)
        version = stored[:VERSION]
        changed = f"{int(version) + 1:0{VERSION}}".encode() + stored[VERSION:]
        status = 200 if client.evalsha(DIGEST, 1, key, version, changed) else 409
        return Response(changed, status, content_type="application/json")

    return app
