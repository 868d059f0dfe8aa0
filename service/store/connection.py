"""The way to Redis or Valkey, and the two ways in which it can fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias, TypeVar

from redis import BlockingConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.connection import AbstractConnection
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import OutOfMemoryError, RedisError
from redis.retry import Retry

from service.store import keys

Answer = TypeVar("Answer")

Client: TypeAlias = Redis
"""What the store is asked through."""


class StoreUnavailable(Exception):
    """The store did not answer, or not in time. Whether a write took place is unknown."""


class StoreFull(Exception):
    """The store has no memory left and wrote nothing."""


def connect(url: str, timeout: float, connections: int) -> Redis:
    """A client for the store at ``url``. It connects when it is first used.

    Nothing is retried here: a script whose answer was lost may have run, and running it again blindly could tell
    the writer that somebody else was faster. Who may repeat what is decided by the callers.

    Args:
        url: ``redis://``, ``rediss://`` or ``unix://``.
        timeout: seconds to wait for a connection, an answer, or a free connection of the pool.
        connections: how many connections to hold at most.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=connections,
        timeout=timeout,
        socket_timeout=timeout,
        socket_connect_timeout=timeout,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis(connection_pool=pool)


def subscriber(client: Redis, silence: float) -> AbstractConnection:
    """A connection of its own to the same store, to listen with; not of the pool, and not connected yet.

    Args:
        client: of the store.
        silence: seconds after which it gives up reading.
    """
    pool = client.connection_pool
    own = {"socket_timeout": silence, "protocol": 2, "maint_notifications_config": None, "decode_responses": False}
    connection: AbstractConnection = pool.connection_class(**{**pool.connection_kwargs, **own})
    return connection


@contextmanager
def failures_told() -> Iterator[None]:
    """Turn what the client raises into :class:`StoreUnavailable` or :class:`StoreFull`."""
    try:
        yield
    except OutOfMemoryError as error:
        raise StoreFull from error
    except (RedisError, OSError) as error:
        raise StoreUnavailable from error


def asked(ask: Callable[[], Answer]) -> Answer:
    """Ask, and once more if the connection broke: one of the pool may have died with the store's restart.

    Reading twice does no harm; what writes is never repeated here.
    """
    with failures_told():
        try:
            return ask()
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
