"""Numbers that all workers count together, for the rate limits."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Any, Final, cast

from limits.storage import RedisStorage
from redis import Redis
from redis.exceptions import TimeoutError as StoreTimeoutError

from service.store import keys
from service.store.connection import StoreUnavailable, connect, failures_told
from service.store.pools import Access
from service.store.scripts import Script
from service.telemetry.observer import NOBODY, Observer

_CONNECTIONS: Final = 16


class StoreSlow(Exception):
    """There was no answer in time: from the store, or because this process had too much to do to look for it.

    Nobody can tell which, and whoever sends enough at once can bring the latter about.
    """


class _Storage(RedisStorage):
    """The library's counters over our own client, whatever store it leads to."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        super().__init__("redis://", connection_pool=client.connection_pool, key_prefix=keys.COUNTERS)
        self.lua_incr_expire = cast("Any", Script(client, bytes(self.SCRIPT_INCR_EXPIRE).decode()))

    def get_connection(self, readonly: bool = False) -> Any:  # noqa: ARG002, FBT001, FBT002 (the library's)
        """Who carries commands out."""
        return self._client


class SharedCounters:
    """Counters in the store, one trip each. They have connections of their own, so that nothing else waits for them.

    Args:
        url: the store's.
        timeout: seconds to wait for a connection, and for an answer.
        access: see :func:`connect`.
        observer: the same.
    """

    def __init__(self, url: str, timeout: float, access: Access | None = None, observer: Observer = NOBODY) -> None:
        self._timeout = timeout
        self._free = BoundedSemaphore(_CONNECTIONS)
        self._storage = _Storage(connect(url, timeout, _CONNECTIONS, access, observer))

    def incr(self, name: str, seconds: int) -> int:
        """Count one more, and tell how many that makes; the counter expires so many seconds after the first.

        Raises:
            StoreSlow: there was no answer in time.
            StoreUnavailable: the store is not there.
            StoreFull: it has no room for another counter.
        """
        if not self._free.acquire(timeout=self._timeout):
            raise StoreSlow
        try:
            with failures_told():
                return self._storage.incr(name, seconds)
        except StoreUnavailable as error:
            if isinstance(error.__cause__, StoreTimeoutError):
                raise StoreSlow from error
            raise
        finally:
            self._free.release()
