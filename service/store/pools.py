"""Pools of connections: to one server, and to whichever server Sentinels call the primary."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty
from typing import Any, Final, cast

from redis import BlockingConnectionPool
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection, Connection, SSLConnection
from redis.exceptions import AuthenticationError, NoPermissionError, RedisError
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.retry import Retry
from redis.sentinel import (
    Sentinel,
    SentinelConnectionPoolProxy,
    SentinelManagedConnection,
    SentinelManagedSSLConnection,
)

from service.store_address import Node, StoreAddress

_FIRST_PAUSE: Final = 0.05
_TRIES: Final = 4
_LOOK_EVERY: Final = 1.0
_FRESH: Final = 0.05
"""Seconds after its last use for which a connection is taken to be as it was."""
_SENTINEL_PATIENCE: Final = 0.5
"""Seconds for a Sentinel to answer, at most: the next one may know as much."""


class NotConnected(StoreConnectionError):
    """There was no connection to be had, so nothing has been sent: whatever it was may be tried again."""


@dataclass(frozen=True)
class Access:
    """How to reach a store, beside its address.

    Attributes:
        ca: file with the certificates that sign the store's; ``None`` for those that the system trusts.
        certificate: file with our own certificate.
        key: file with its key.
        sentinel_user: the user at the Sentinels.
        sentinel_password: the password there.
    """

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    sentinel_user: str | None = None
    sentinel_password: str | None = field(default=None, repr=False)

    @property
    def tls(self) -> dict[str, Any]:
        """What a connection over TLS is made with."""
        files = {"ssl_ca_certs": self.ca, "ssl_certfile": self.certificate, "ssl_keyfile": self.key}
        return {name: str(file) for name, file in files.items() if file is not None}


class PatientPool(BlockingConnectionPool):
    """A pool that tries to connect a few times, with growing pauses, for as long as one may wait for a connection.

    A server that starts again within a moment is then no failure to anybody. What was refused for good, such as a
    wrong password, is not tried again.

    Args:
        tries: how often to try at most.
        options: see the library's pool.
    """

    def __init__(self, *, tries: int = _TRIES, **options: Any) -> None:
        self._tries = tries
        super().__init__(**options)  # type: ignore[no-untyped-call]

    def get_connection(self, command_name: Any = None, *keys: Any, **options: Any) -> Connection:  # noqa: ARG002
        """A connection that is ready to be used.

        Raises:
            NotConnected: there is none.
        """
        connection = self._fresh()
        if connection is not None:
            return connection
        until = time.monotonic() + (self.timeout or 0)
        pause = _FIRST_PAUSE
        for left in reversed(range(self._tries)):
            try:
                return cast("Connection", super().get_connection())  # type: ignore[no-untyped-call]
            except AuthenticationError:
                raise
            except StoreConnectionError as error:
                if not left or time.monotonic() + pause >= until:
                    raise NotConnected(*error.args) from error
            time.sleep(pause)
            pause *= 2
        raise NotConnected  # not reached

    def _fresh(self) -> Connection | None:
        """A connection that was in use a moment ago, so that nobody has to look whether its other end is still there.

        Looking costs as much as half a trip.
        """
        try:
            connection = self.pool.get_nowait()
        except Empty:
            return None
        if connection is None or not connection.is_connected or time.monotonic() > connection.fresh_until:
            self.pool.put_nowait(connection)
            return None
        return cast("Connection", connection)

    def release(self, connection: Any) -> None:
        """Take a connection back."""
        connection.fresh_until = time.monotonic() + _FRESH
        if connection.pid == self.pid and not connection.should_reconnect():
            self.pool.put_nowait(connection)
        else:
            super().release(connection)  # type: ignore[no-untyped-call]


class _PrimaryPool(PatientPool):
    """Connections to the primary that Sentinels name.

    Each connection asks them when it connects: when the old primary dies its connections break, and are made anew to
    where the primary is now. One that lives on takes writes for some seconds after another has been chosen, which are
    lost when it becomes a replica; so every second one of those who want a connection asks too. The library's own pool
    for this does not wait for a free connection.
    """

    def __init__(self, sentinels: Sentinel, service: str, **options: Any) -> None:
        super().__init__(**options)
        self._proxy = SentinelConnectionPoolProxy(
            connection_pool=self,
            is_master=True,
            check_connection=False,
            service_name=service,
            sentinel_manager=sentinels,
        )
        self.connection_kwargs["connection_pool"] = self._proxy
        self._look_again = 0.0

    def get_connection(self, command_name: Any = None, *keys: Any, **options: Any) -> Connection:
        """A connection to the primary; see :class:`PatientPool`."""
        if time.monotonic() >= self._look_again:
            self._look_again = time.monotonic() + _LOOK_EVERY
            self._look()
        return super().get_connection(command_name, *keys, **options)

    def _look(self) -> None:
        """Give up all connections if they lead to where the primary was."""
        before = self._proxy.master_address
        with contextlib.suppress(RedisError):  # who connects will say so
            if self._proxy.get_master_address() != before and before is not None:
                self.update_active_connections_for_reconnect()


def server_pool(address: StoreAddress, access: Access, **options: Any) -> PatientPool:
    """A pool for one server."""
    return PatientPool.from_url(address.url, **_options(options), **(access.tls if address.tls else {}))


def primary_pool(address: StoreAddress, access: Access, **options: Any) -> PatientPool:
    """A pool for the primary that Sentinels name."""
    options = _options(options)
    tls = access.tls if address.tls else {}
    timeout = min(options["socket_timeout"], _SENTINEL_PATIENCE)
    sentinels = Sentinel(
        address.nodes,
        sentinel_kwargs={
            "username": access.sentinel_user,
            "password": access.sentinel_password,
            "socket_timeout": timeout,
            "socket_connect_timeout": timeout,
            "retry": Retry(NoBackoff(), 0),
            **({"ssl": True, **tls} if address.tls else {}),
        },
    )
    return _PrimaryPool(
        sentinels,
        address.service,
        connection_class=SentinelManagedSSLConnection if address.tls else SentinelManagedConnection,
        redis_connect_func=_must_be_primary,
        username=address.username,
        password=address.password,
        db=address.database,
        **options,
        **tls,
    )


def node_pool(address: StoreAddress, access: Access, node: Node, **options: Any) -> PatientPool:
    """A pool for one node of a cluster. It tries once: whoever asks may ask another node."""
    return PatientPool(
        tries=1,
        host=node[0],
        port=node[1],
        connection_class=SSLConnection if address.tls else Connection,
        username=address.username,
        password=address.password,
        **_options(options),
        **(access.tls if address.tls else {}),
    )


def _options(options: dict[str, Any]) -> dict[str, Any]:
    """Nothing is retried by the library: a script whose answer was lost may have run."""
    timeout = options["timeout"]
    return {
        **options,
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
    }


def _must_be_primary(connection: AbstractConnection) -> None:
    """Greet a server that a Sentinel called the primary, and believe only the server itself.

    One that was isolated for a while may name a server that has meanwhile become a replica.
    """
    connection.on_connect()
    connection.send_command("ROLE")
    try:
        role: Any = connection.read_response()
    except NoPermissionError:
        return  # it will tell when something is written
    if role[0] not in (b"master", "master"):
        raise StoreConnectionError("what the Sentinels call the primary is a replica")
