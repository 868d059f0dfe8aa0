"""Whether a store is fit to keep matches, and why it cannot be reached: what an operator is told at the start."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator
from typing import Any, Final

from redis import Redis
from redis.exceptions import AuthenticationError, BusyLoadingError, NoPermissionError, RedisError, ResponseError
from redis.exceptions import TimeoutError as StoreTimeout
from redis.sentinel import MasterNotFoundError

from service.store.cluster import ClusterClient

_OLDEST: Final = (7, 0)
_LOST: Final = "what was acknowledged"


class Unfit(Exception):
    """The store must not be used as it is set up, or lets nobody in. The message shows no secret."""


class Refused(Unfit):
    """The store lets nobody in, as it is asked: nothing can be read in it either. The message shows no secret."""


class NotThere(Exception):
    """The store does not answer (yet). The message says why, and shows no secret."""


def examine(client: Redis, replicas: int) -> list[str]:
    """Look at a store: at one server, at the primary, or at all primaries of a cluster.

    Args:
        client: of the store.
        replicas: how many replicas are to confirm a move.

    Returns:
        what an operator should know.

    Raises:
        Unfit: it must not be used.
        NotThere: it does not answer.
    """
    warnings: list[str] = []
    try:
        for name, server in _servers(client):
            _examine_server(name, server, replicas, warnings, in_cluster=isinstance(client, ClusterClient))
        if isinstance(client, ClusterClient) and (uncovered := client.slots.uncovered()):
            warnings.append(f"{uncovered} slots of the cluster have no node; matches in them are out of reach")
    except (RedisError, OSError) as error:
        _explain(error)
    return warnings


def describe(client: Redis) -> str:
    """What a store is, in a few words; nothing where it does not tell.

    Args:
        client: of a store that has just been looked at.
    """
    try:
        facts: list[dict[str, Any]] = [server.info() for _, server in _servers(client)]
    except (RedisError, OSError):
        return ""
    kinds = sorted({_kind(server) for server in facts})
    words = [" and ".join(kinds)]
    if isinstance(client, ClusterClient):
        words[0] = f"{len(facts)} primar{'ies' if len(facts) > 1 else 'y'} of {words[0]}"
    logged = [bool(server.get("aof_enabled")) for server in facts]
    words.append(f"appendonly {'on' if all(logged) else 'partly off' if any(logged) else 'off'}")
    if replicas := sum(int(server.get("connected_slaves", 0)) for server in facts):
        words.append(f"{replicas} replica{'s' if replicas > 1 else ''}")
    return ", ".join(words)


def _kind(server: dict[str, Any]) -> str:
    if "valkey_version" in server:
        return f"Valkey {server['valkey_version']}"
    return f"Redis {server.get('redis_version', 'of an unknown version')}"


def _servers(client: Redis) -> Iterator[tuple[str, Redis]]:
    if isinstance(client, ClusterClient):
        for host, port in client.slots.primaries():
            yield f"the store's node {host}:{port}", client.slots.client((host, port))
    else:
        yield "the store", client


def _examine_server(name: str, server: Redis, replicas: int, warnings: list[str], *, in_cluster: bool) -> None:
    try:
        facts: dict[str, Any] = server.info()
    except NoPermissionError:
        warnings.append(
            f"{name} does not let this user ask for INFO, so nobody has looked whether it is fit to keep matches"
        )
        return
    version = str(facts.get("redis_version", ""))
    if (known := re.match(r"(\d+)\.(\d+)", version)) and (int(known[1]), int(known[2])) < _OLDEST:
        raise Unfit(f"{name} is of version {version}. Redis 7.0 or later is needed, or Valkey")
    if bool(facts.get("cluster_enabled")) and not in_cluster:
        raise Refused(f"{name} is a node of a cluster. Write its address as redis+cluster://host:port,host:port")
    policy = facts.get("maxmemory_policy")
    if facts.get("maxmemory") and policy != "noeviction":
        raise Unfit(
            f"{name} has the maxmemory-policy {policy}, by which it throws matches away when its memory is full. "
            "Set its maxmemory-policy to noeviction"
        )
    if facts.get("role") == "slave":
        warnings.append(f"{name} is a replica, which takes no writes: nothing can be played on it")
    elif facts.get("connected_slaves", 0) < replicas:
        warnings.append(
            f"{name} has {facts.get('connected_slaves', 0)} replicas; {replicas} are to confirm each move, "
            "so all moves will fail"
        )
    if not facts.get("aof_enabled"):
        warnings.append(_without_log(name, server))


def _without_log(name: str, server: Redis) -> str:
    """What becomes of matches without an append-only file."""
    try:
        snapshots = server.config_get("save").get("save")
    except ResponseError:
        snapshots = None  # managed stores forbid CONFIG
    if snapshots == "":
        return f"{name} writes nothing to disk (appendonly is off, save is empty): when it ends, all matches are lost"
    last = "since its last snapshot" if snapshots else "since its last snapshot, if it makes any,"
    return f"{name} has appendonly off: when it ends, {_LOST} {last} is lost. Set appendonly to yes"


def _explain(error: BaseException) -> None:
    """Say in an operator's words why a store does not answer.

    The library's own words are not taken: they may repeat an address with a password.

    Raises:
        Refused: it will not do so either when asked again.
        NotThere: it may yet.
    """
    for cause in _causes(error):
        if isinstance(cause, AuthenticationError):
            raise Refused("the store refuses the user or the password") from None
        if isinstance(cause, ssl.SSLCertVerificationError):
            raise Refused(f"the store's certificate is not trusted: {cause.verify_message}") from None
        if isinstance(cause, ssl.SSLError):
            raise Refused(f"there is no TLS with the store: {cause.reason or 'it ended the connection'}") from None
    if any("cluster support disabled" in str(cause) for cause in _causes(error)):
        raise Refused("the store is no cluster. Write its address as redis://host:port") from None
    raise NotThere(next(filter(None, map(_reason, _causes(error))), type(error).__name__)) from None


def _reason(cause: BaseException) -> str | None:
    if isinstance(cause, socket.gaierror):
        return "its host is unknown"
    if isinstance(cause, ConnectionRefusedError):
        return "nobody listens there"
    if isinstance(cause, FileNotFoundError):
        return "there is no such socket"
    if isinstance(cause, MasterNotFoundError):
        return "no Sentinel names a primary of that name"
    if isinstance(cause, BusyLoadingError):
        return "it is still reading its data"
    if isinstance(cause, TimeoutError | StoreTimeout):
        return "it does not answer in time"
    if isinstance(cause, NoPermissionError):
        return "it does not let this user do what is needed"
    return (cause.strerror or None) if isinstance(cause, OSError) else None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it arose from."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
