"""The way to Redis or Valkey, and the two ways in which it can fail."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeAlias, TypeVar

from hiredis import pack_command
from redis import Redis
from redis.client import Pipeline
from redis.connection import AbstractConnection, ConnectionPool
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import OutOfMemoryError, ReadOnlyError, RedisError
from redis.exceptions import TimeoutError as StoreTimeout

from service.settings import Settings
from service.store import keys
from service.store.cluster import ClusterClient
from service.store.pools import Access, NotConnected, node_pool, primary_pool, server_pool
from service.store.scripts import EVALSHA
from service.store.trips import Trips
from service.store_address import parse_address
from service.telemetry.observer import NOBODY, Observer

Answer = TypeVar("Answer")

Client: TypeAlias = Redis
"""What the store is asked through."""


class StoreUnavailable(Exception):
    """The store did not answer, or not in time. Whether a write took place is unknown."""


class StoreFull(Exception):
    """The store has no memory left and wrote nothing."""


class _ServerClient(Redis):
    """The library's client, which drops its connections when they lead to a server that takes no writes any more.

    Behind the same name there may be another primary by now, and a Sentinel knows where it is.
    """

    trips = Trips(NOBODY)

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry out one command."""
        # As the library does it, without what it counts, and its closures for retries, of which there are none here.
        pool = self.connection_pool
        with self.trips.begun(args), _leaving_replicas(pool):
            connection = pool.get_connection()
            try:
                if args[0] == EVALSHA:  # of which nothing has to be split or converted first
                    connection.send_packed_command([pack_command(args)])
                else:
                    connection.send_command(*args)
                return self.parse_response(connection, args[0], **options)  # type: ignore[no-untyped-call]
            except (StoreConnectionError, StoreTimeout, OSError):
                connection.disconnect()
                raise
            finally:
                pool.release(connection)

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:  # noqa: FBT001, FBT002
        """Several commands in one trip."""
        pipeline = _Pipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        pipeline.trips = self.trips
        return pipeline


class _Pipeline(Pipeline):
    trips: Trips

    def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 (the library's)
        """Carry out all commands."""
        if not self.command_stack:
            return []
        with self.trips.begun(self.command_stack[0][0]), _leaving_replicas(self.connection_pool):
            return super().execute(raise_on_error)


class _leaving_replicas:  # noqa: N801 (it is used like a function)
    """A class and no generator, as it is entered on every trip."""

    __slots__ = ("_pool",)

    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, ReadOnlyError):
            self._pool.disconnect(inuse_connections=False)


def access(settings: Settings) -> Access:
    """How to reach the store, by the settings."""
    return Access(
        ca=settings.store_ca,
        certificate=settings.store_certificate,
        key=settings.store_key,
        sentinel_user=settings.sentinel_user,
        sentinel_password=settings.sentinel_password,
    )


def connect(
    url: str, timeout: float, connections: int, access: Access | None = None, observer: Observer = NOBODY
) -> Redis:
    """A client for the store at ``url``. It connects when it is first used.

    Nothing is repeated here once it has been sent: a script whose answer was lost may have run, and running it again
    blindly could tell the writer that somebody else was faster. Who may repeat what is decided by the callers. Only
    what the nodes of a cluster say they have not done is sent again, to whom they name.

    Args:
        url: see :mod:`service.store_address`.
        timeout: seconds to wait for a connection, an answer, or a free connection of the pool.
        connections: how many connections to hold at most; in a cluster, to each node.
        access: certificates, and what the Sentinels ask for.
        observer: is told of every trip.

    Raises:
        BadAddress: the URL is none of a store.
    """
    address, access = parse_address(url), access or Access()
    options = {"max_connections": connections, "timeout": timeout}
    if address.kind == "cluster":
        cluster = ClusterClient(address.nodes, lambda node: node_pool(address, access, node, **options), timeout)
        cluster.trips = Trips(observer)
        return cluster
    make_pool = primary_pool if address.kind == "sentinel" else server_pool
    client = _ServerClient(connection_pool=make_pool(address, access, **options))
    client.trips = Trips(observer)
    return client


def subscriber(client: Redis, silence: float) -> AbstractConnection:
    """A connection of its own to the same store, to listen with; not of the pool, and not connected yet.

    Args:
        client: of the store.
        silence: seconds after which it gives up reading.
    """
    own = {"socket_timeout": silence, "protocol": 2, "maint_notifications_config": None, "decode_responses": False}
    if isinstance(client, ClusterClient):
        return client.listening_connection(own)
    pool = client.connection_pool
    connection: AbstractConnection = pool.connection_class(**{**pool.connection_kwargs, **own})
    return connection


class failures_told:  # noqa: N801 (it is used like a function)
    """Turn what the client raises into :class:`StoreUnavailable` or :class:`StoreFull`."""

    __slots__ = ()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OutOfMemoryError):
            raise StoreFull from error
        if isinstance(error, RedisError | OSError):
            raise StoreUnavailable from error


def asked(ask: Callable[[], Answer]) -> Answer:
    """Ask, and once more if the connection broke: one of the pool may have died with the store's restart.

    Reading twice does no harm; what writes is never repeated here.
    """
    with failures_told():
        try:
            return ask()
        except NotConnected:
            raise  # the pool has tried more than once
        except StoreConnectionError:
            return ask()


def check_writable(client: Redis) -> None:
    """Write something, as a read-only replica would answer a ping but take no move.

    Raises:
        StoreUnavailable: the store does not answer or takes no writes.
        StoreFull: it has no memory left.
    """
    with failures_told():
        client.set(keys.READINESS, 1, ex=10)
