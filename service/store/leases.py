"""How many streams somebody has open, counted over all workers.

A counter would be wrong for ever after the first worker that was killed. A lease ends by itself: whoever holds a stream
renews it while the stream lives.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets

from redis import Redis

from service.store import keys
from service.store.connection import StoreFull, StoreUnavailable, failures_told
from service.store.scripts import Script, read_script


class Lease:
    """The right to one stream; made by :meth:`Leases.take`."""

    def __init__(self, leases: Leases, key: str) -> None:
        self.key = key
        self.id = secrets.token_urlsafe(9)
        self._leases = leases

    def renew(self) -> bool:
        """Keep it; false if it had ended and others have taken its place.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        return self._leases.keep(self)

    def release(self) -> None:
        """Give it back. If the store cannot be told, it ends by itself."""
        with contextlib.suppress(StoreUnavailable):
            self._leases.drop(self)


class Leases:
    """The leases of streams.

    Args:
        client: of the store.
        most: how many streams of one match somebody may have at once.
        lifetime: seconds after which a lease ends unless it is renewed.
    """

    def __init__(self, client: Redis, most: int, lifetime: float) -> None:
        self._client = client
        self._most = most
        self._lifetime = lifetime
        self._take = Script(client, read_script("take_lease"))

    def take(self, match: str, who: str) -> Lease | None:
        """A lease for one more stream of a match; ``None`` if there are as many as there may be.

        Args:
            match: its id.
            who: a player or an address, by whatever name tells them apart.

        Raises:
            StoreUnavailable: the store does not answer.
        """
        lease = Lease(self, keys.streams(match, hashlib.sha256(who.encode()).hexdigest()[:32]))
        return lease if self.keep(lease) else None

    def keep(self, lease: Lease) -> bool:
        """Take or renew a lease. A store that is full counts nobody, and lets everybody through."""
        arguments: list[str | int] = [lease.id, self._most, int(self._lifetime * 1000)]
        with contextlib.suppress(StoreFull), failures_told():
            return bool(self._take(keys=[lease.key], args=arguments))
        return True

    def drop(self, lease: Lease) -> None:
        """Give a lease back."""
        with failures_told():
            self._client.zrem(lease.key, lease.id)
