"""Ask the service on this machine whether it is alive: ``python -m service.probe``, the health check of the image.

It asks as often as every few seconds, so it imports no more than it needs: reading all settings takes longer than the
question. Whether the store is there is another question, which a new container would not answer any better.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException

_PATIENCE = 3.0
_ANYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # nothing listens there


def is_alive(environment: Mapping[str, str]) -> bool:
    """Whether ``/healthz`` answers with 200 where these settings have the service listen."""
    host = environment.get("TURNCOAT_HOST", "127.0.0.1")
    port = environment.get("TURNCOAT_PORT", "8080")
    try:
        with closing(HTTPConnection(_ANYWHERE.get(host, host), int(port), timeout=_PATIENCE)) as connection:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
    except (OSError, HTTPException, ValueError):
        return False


if __name__ == "__main__":
    sys.exit(not is_alive(os.environ))
