"""Where the store is: what ``REDIS_URL`` may say.

One server, by the forms of the client library (``redis://``, ``rediss://``, ``unix://``); a primary that Sentinels know
(``redis+sentinel://``); or a cluster (``redis+cluster://``). The two latter are written as the library of the rate
limits has them, and with ``rediss+`` they are spoken to over TLS.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import SplitResult, unquote, urlsplit

Kind = Literal["server", "sentinel", "cluster"]
Node = tuple[str, int]
"""A host and a port."""

FORMS: Final = (
    "redis://user:password@host:6379/0, rediss://… (TLS), unix:///path, "
    "redis+sentinel://host:26379,host:26379/service/0 or redis+cluster://host:6379,host:6379; both also with rediss+"
)

_SERVER: Final = ("redis", "rediss", "unix")
_SEVERAL: Final[dict[str, Kind]] = {
    "redis+sentinel": "sentinel",
    "rediss+sentinel": "sentinel",
    "redis+cluster": "cluster",
    "rediss+cluster": "cluster",
}
_USUAL_PORT: Final[dict[Kind, int]] = {"sentinel": 26379, "cluster": 6379}


class BadAddress(ValueError):
    """It says nothing that could be a store. The message shows no part of it: there may be a password in it."""


@dataclass(frozen=True)
class StoreAddress:
    """A store's address, taken apart.

    Attributes:
        kind: what is there.
        url: the whole of it.
        tls: whether it is spoken to over TLS.
        nodes: the Sentinels, or some nodes of the cluster; nothing for one server.
        username: of the store's user.
        password: of the store's user.
        service: what the Sentinels call the primary.
        database: the number of the database.
    """

    kind: Kind
    url: str = field(repr=False)
    tls: bool
    nodes: tuple[Node, ...] = ()
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    service: str = ""
    database: int = 0

    @property
    def name(self) -> str:
        """What it may be called in a log: hosts or a path, never a password."""
        if self.kind != "server":
            hosts = ", ".join(f"{host}:{port}" for host, port in self.nodes)
            return f"{self.service} of the Sentinels {hosts}" if self.kind == "sentinel" else f"the cluster of {hosts}"
        parts = urlsplit(self.url)
        return parts.hostname or parts.path


def parse_address(url: str) -> StoreAddress:
    """Take an address apart.

    Raises:
        BadAddress: it is none.
    """
    try:
        parts = urlsplit(url)
        if parts.scheme in _SERVER:
            return _server(url, parts)
        if parts.scheme in _SEVERAL:
            return _several(url, parts, _SEVERAL[parts.scheme])
    except BadAddress:
        raise
    except ValueError:
        pass  # its words repeat what was said
    raise BadAddress(f"this is no address of a store. It must be of one of the forms {FORMS}")


def _server(url: str, parts: SplitResult) -> StoreAddress:
    if parts.scheme == "unix":
        if not parts.path:
            raise BadAddress("there is no path")
    elif not parts.hostname or parts.port == 0:
        raise BadAddress("there is no host")
    elif "," in parts.netloc.rpartition("@")[2]:
        raise BadAddress("several hosts are for redis+sentinel:// and redis+cluster://")
    return StoreAddress("server", url, tls=parts.scheme == "rediss")


def _several(url: str, parts: SplitResult, kind: Kind) -> StoreAddress:
    credentials, _, hosts = parts.netloc.rpartition("@")
    username, colon, password = credentials.partition(":")
    if credentials and not colon:
        # As the client library has it for one server: a name alone is a user without a password.
        raise BadAddress("what stands before @ must be user:password or :password")
    service, _, database = parts.path.strip("/").partition("/")
    if parts.query or parts.fragment:
        raise BadAddress("nothing may follow ? or #")
    if kind == "cluster" and (service or database):
        raise BadAddress("a cluster has no databases, so no path")
    if kind == "sentinel" and not service:
        raise BadAddress("the name that the Sentinels call the primary by is missing: redis+sentinel://host/name")
    return StoreAddress(
        kind,
        url,
        tls=parts.scheme.startswith("rediss"),
        nodes=tuple(_node(host, _USUAL_PORT[kind]) for host in hosts.split(",")),
        username=unquote(username) or None,
        password=unquote(password) or None,
        service=unquote(service),
        database=_database(database),
    )


def _database(text: str) -> int:
    if text and not (text.isascii() and text.isdigit()):
        raise BadAddress("the database is no number")
    return int(text or 0)


def _node(text: str, usual_port: int) -> Node:
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.port == 0:
        raise BadAddress("there is an empty host")
    return parts.hostname, parts.port or usual_port
