"""Whose turn it is to do what one of many processes has to do now and then."""

from __future__ import annotations

import secrets

from redis import Redis

from service.store.connection import failures_told


class Turns:
    """Turns at one task. A turn ends by itself, so nobody has to be told when a process dies.

    That two have a turn at once can happen, when one takes longer than it has: whatever is done must allow for it.

    Args:
        client: the store.
        task: its key.
        seconds: how long a turn lasts.
    """

    def __init__(self, client: Redis, task: str, seconds: float) -> None:
        self._client = client
        self._task = task
        self._milliseconds = max(1, int(seconds * 1000))
        self._name = secrets.token_urlsafe(9)

    def take(self) -> bool:
        """Take the turn; false if somebody has it, be it this process since a moment ago.

        Raises:
            StoreUnavailable: the store does not answer.
            StoreFull: it has no memory left.
        """
        with failures_told():
            return bool(self._client.set(self._task, self._name, nx=True, px=self._milliseconds))
