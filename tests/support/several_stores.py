"""Stores of several servers: a primary that Sentinels watch over, and a cluster. Real processes on loopback.

They are the embedded Valkey, or the program that ``TEST_STORE_SERVER`` names. What they do when a server dies takes
them about a second here.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import RedisError
from redis.retry import Retry

from support.store import eventually, store_program

PRIMARY = "main"
"""What the Sentinels call the primary."""


def free_ports(count: int) -> list[int]:
    """Ports that nobody uses at the moment."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


_PATIENT = Retry(NoBackoff(), 2, supported_errors=(StoreConnectionError,))
"""In a failover, servers close the connections of everybody, also of who only looks."""


class StoreNode:
    """One server with a port.

    Args:
        options: of the server, each with what it is set to; ``port`` among them.
        client: how the tests connect to it.
        program: what is started; the tests' usual store if not given. That one may know no TLS.
    """

    def __init__(
        self, options: Mapping[str, Any], client: Mapping[str, Any] | None = None, program: str | None = None
    ) -> None:
        self._program = program or store_program()
        self.folder = Path(tempfile.mkdtemp(prefix="turncoat-node-"))
        self.port = int(options.get("tls-port") or options["port"])
        self.redis = Redis("127.0.0.1", self.port, **{"socket_timeout": 5, "retry": _PATIENT, **(client or {})})
        self._process: subprocess.Popen[bytes] | None = None
        self.settings = self.folder / "settings.conf"
        self.configure(options)

    def configure(self, options: Mapping[str, Any]) -> None:
        """Write what the server is started with."""
        usual = {"dir": self.folder, "bind": "127.0.0.1", "logfile": self.folder / "log"}
        lines = [
            f"{name} {value}"
            for name, values in {**usual, **options}.items()
            for value in ([values] if isinstance(values, str) or not isinstance(values, Sequence) else values)
        ]
        self.settings.write_text("\n".join(lines) + "\n")

    def start(self, *arguments: str) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen([self._program, str(self.settings), *arguments], stdout=subprocess.DEVNULL)
        eventually(lambda: self._has_ended() or answers(self.redis), f"a server on port {self.port}")
        assert not self._has_ended(), f"the server has ended: {(self.folder / 'log').read_text()}"

    def _has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    def close(self) -> None:
        self.kill()
        self.redis.close()
        shutil.rmtree(self.folder)


def answers(redis: Redis) -> bool:
    """Whether a server takes commands."""
    try:
        return bool(redis.ping())
    except (RedisError, OSError):
        return False


DURABLE = {
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": '""',
    "maxmemory-policy": "noeviction",
    "repl-diskless-sync-delay": 0,
}


def _listening(port: int, options: Mapping[str, Any]) -> dict[str, Any]:
    return {"port": 0, "tls-port": port} if "tls-cert-file" in options else {"port": port}


class WatchedStore:
    """A primary with a replica, and Sentinels over them.

    Args:
        sentinels: how many.
        options: of both servers, beside the usual ones.
        client: how the tests connect to all.
        scheme: of the URL.
        user: what stands before the hosts in the URL.
        watching: what the Sentinels' configuration has beside the usual.
        watcher: the Sentinels' own password.
        program: what is started, see :class:`StoreNode`; with options for TLS, everybody speaks it.
    """

    def __init__(
        self,
        sentinels: int = 1,
        *,
        options: Mapping[str, Any] | None = None,
        client: Mapping[str, Any] | None = None,
        scheme: str = "redis+sentinel",
        user: str = "",
        watching: Iterable[str] = (),
        watcher: str | None = None,
        program: str | None = None,
    ) -> None:
        primary, replica, *watchers = free_ports(2 + sentinels)
        options = options or {}
        self.servers = [
            StoreNode({**_listening(port, options), **DURABLE, **options}, client, program)
            for port in (primary, replica)
        ]
        tls = {name: value for name, value in options.items() if name.startswith("tls-")}
        self.sentinels = [
            StoreNode(
                {
                    **_listening(port, options),
                    **tls,
                    **({"requirepass": watcher} if watcher else {}),
                    "sentinel": [
                        f"monitor {PRIMARY} 127.0.0.1 {primary} {sentinels // 2 + 1}",
                        f"down-after-milliseconds {PRIMARY} 400",
                        f"failover-timeout {PRIMARY} 1000",
                        *watching,
                        *(["sentinel-user default", f"sentinel-pass {watcher}"] if watcher else []),
                    ],
                },
                {**(client or {}), "password": watcher},
                program,
            )
            for port in watchers
        ]
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        self.url = f"{scheme}://{user}{hosts}/{PRIMARY}"

    def start(self) -> None:
        primary, replica = self.servers
        primary.start()
        replica.start()
        replica.redis.replicaof("127.0.0.1", str(primary.port))
        eventually(lambda: replica.redis.info("replication")["master_link_status"] == "up", "the replica")
        for sentinel in self.sentinels:
            sentinel.start("--sentinel")
        eventually(lambda: all(self._knows_all(sentinel.redis) for sentinel in self.sentinels), "the Sentinels")

    def _knows_all(self, sentinel: Redis) -> bool:
        state = sentinel.sentinel_masters()[PRIMARY]
        return state["num-slaves"] == 1 and state["num-other-sentinels"] == len(self.sentinels) - 1

    def primary(self) -> StoreNode:
        """The only server that calls itself a primary; during a failover it is waited for."""
        found: list[StoreNode] = []

        def is_one() -> bool:
            found[:] = [one for one in self.servers if answers(one.redis) and one.redis.role()[0] == b"master"]
            return len(found) == 1

        eventually(is_one, "one primary")
        return found[0]

    def named(self) -> StoreNode:
        """The server that all Sentinels call the primary; they are waited for."""
        named: set[int] = set()

        def agree() -> bool:
            named.clear()
            named.update(sentinel.redis.sentinel_masters()[PRIMARY]["port"] for sentinel in self.sentinels)
            return len(named) == 1

        eventually(agree, "the Sentinels to agree")
        return next(server for server in self.servers if server.port in named)

    def close(self) -> None:
        for node in [*self.sentinels, *self.servers]:
            node.close()


class ClusterStore:
    """A cluster of three primaries, each with as many replicas.

    Args:
        replicas: of each primary.
        options: of all nodes, beside the usual ones.
        client: how the tests connect to them.
        scheme: of the URL.
        user: what stands before the hosts in the URL.
        program: what is started, see :class:`StoreNode`; with options for TLS, everybody speaks it.
    """

    def __init__(
        self,
        replicas: int = 0,
        *,
        options: Mapping[str, Any] | None = None,
        client: Mapping[str, Any] | None = None,
        scheme: str = "redis+cluster",
        user: str = "",
        program: str | None = None,
    ) -> None:
        count = 3 * (1 + replicas)
        ports = free_ports(2 * count)
        self._bus = dict(zip(ports[:count], ports[count:], strict=True))
        self.nodes = [StoreNode(self._options(port, options or {}), client, program) for port in ports[:count]]
        self.url = f"{scheme}://{user}" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:2])

    def _options(self, port: int, others: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **_listening(port, others),
            "cluster-enabled": "yes",
            "cluster-port": self._bus[port],
            "cluster-node-timeout": 600,
            "cluster-replica-validity-factor": 0,
            **DURABLE,
            **others,
        }

    def start(self) -> None:
        for epoch, node in enumerate(self.nodes, start=1):
            node.start()
            node.redis.execute_command("CLUSTER SET-CONFIG-EPOCH", epoch)
        for number, (first, last) in enumerate([(0, 5460), (5461, 10922), (10923, 16383)]):
            self.nodes[number].redis.execute_command("CLUSTER ADDSLOTSRANGE", first, last)
        for node in self.nodes[1:]:
            self._meet(self.nodes[0], node)
        eventually(lambda: all(self._sees(node) for node in self.nodes), "a cluster")
        names = [node.redis.execute_command("CLUSTER MYID") for node in self.nodes[:3]]
        for number, node in enumerate(self.nodes[3:]):
            node.redis.execute_command("CLUSTER REPLICATE", names[number % 3])
        for node in self.nodes[3:]:
            eventually(lambda node=node: node.redis.info("replication")["master_link_status"] == "up", "a replica")
        for node in self.nodes:
            eventually(lambda node=node: self._slots(node) == len(self.nodes), "everybody to know the replicas")

    def _meet(self, one: StoreNode, other: StoreNode) -> None:
        one.redis.execute_command("CLUSTER MEET", "127.0.0.1", other.port, self._bus[other.port])

    def _sees(self, node: StoreNode) -> bool:
        state = node.redis.execute_command("CLUSTER INFO")
        text = state.decode() if isinstance(state, bytes) else str(state)
        return (f"cluster_known_nodes:{len(self.nodes)}" in text and "cluster_state:ok" in text) or (
            isinstance(state, dict)
            and (state["cluster_known_nodes"], state["cluster_state"]) == (str(len(self.nodes)), "ok")
        )

    def _slots(self, node: StoreNode) -> int:
        """How many nodes it says have slots, replicas among them."""
        return sum(len(part) - 2 for part in node.redis.execute_command("CLUSTER SLOTS"))

    def owner(self, key: str) -> StoreNode:
        """The node that has a key, by what the nodes that live say."""
        alive = [node for node in self.nodes if answers(node.redis)]
        slot = int(alive[0].redis.execute_command("CLUSTER KEYSLOT", key))
        for first, last, primary, *_ in alive[0].redis.execute_command("CLUSTER SLOTS"):
            if first <= slot <= last:
                (found,) = [node for node in self.nodes if node.port == primary[1]]
                return found
        raise AssertionError(f"nobody has slot {slot}")

    def move_slot(self, key: str, to: StoreNode) -> None:
        """Move the slot of a key, with all that is in it, to another primary."""
        begin_move(self, key, to)
        end_move(self, key, to)

    def close(self) -> None:
        for node in self.nodes:
            node.close()


def begin_move(cluster: ClusterStore, key: str, to: StoreNode) -> None:
    """Have a slot on its way to another primary: what is not there any more is to be asked for there."""
    owner = cluster.owner(key)
    slot = owner.redis.execute_command("CLUSTER KEYSLOT", key)
    here, there = (node.redis.execute_command("CLUSTER MYID") for node in (owner, to))
    to.redis.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", here)
    owner.redis.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", there)
    for name in owner.redis.execute_command("CLUSTER GETKEYSINSLOT", slot, 1000):
        owner.redis.execute_command("MIGRATE", "127.0.0.1", to.port, name, 0, 5000)


def end_move(cluster: ClusterStore, key: str, to: StoreNode) -> None:
    """Let it be known where the slot is now."""
    slot = to.redis.execute_command("CLUSTER KEYSLOT", key)
    there = to.redis.execute_command("CLUSTER MYID")
    for node in [to, *(node for node in cluster.nodes[:3] if node is not to)]:
        node.redis.execute_command("CLUSTER SETSLOT", slot, "NODE", there)
