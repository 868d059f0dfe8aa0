"""Stores of several servers, and how they break: a primary that Sentinels watch over, and a cluster.

The replicas confirm each write before it is acknowledged. A failure is over when another server has taken over and the
one that died is back as its replica: with none, nothing can be confirmed.
"""

from __future__ import annotations

import random
import time
from contextlib import ExitStack

from faults.kinds import Kind
from faults.world import World
from redis import Redis, RedisCluster
from redis.cluster import ClusterNode
from redis.exceptions import RedisError
from support.several_stores import PRIMARY, ClusterStore, StoreNode, WatchedStore, answers, begin_move
from support.store import eventually

CONFIRMED = {"TURNCOAT_STORE_REPLICAS": "1"}


class WatchedPrimary(World):
    """A primary with a replica, and three Sentinels over them."""

    settings = CONFIRMED

    def open_store(self) -> str:
        with ExitStack() as opened:
            self.store = WatchedStore(sentinels=3)
            opened.callback(self.store.close)
            self.store.start()
            opened.pop_all()
        return self.store.url

    def close_store(self) -> None:
        self.store.close()

    @property
    def redis(self) -> Redis:
        return self.store.primary().redis

    def is_settled(self, primary: StoreNode, replicas: int = 0) -> bool:
        """Whether no Sentinel looks for another primary than this, and all see its replicas."""
        for sentinel in self.store.sentinels:
            state = sentinel.redis.sentinel_masters()[PRIMARY]
            seen = [one for one in sentinel.redis.sentinel_slaves(PRIMARY) if one["flags"] == "slave"]
            if state["port"] != primary.port or state["flags"] != "master" or len(seen) < replicas:
                return False
        return True


class Cluster(World):
    """Three primaries with a replica each."""

    settings = CONFIRMED

    def open_store(self) -> str:
        with ExitStack() as opened:
            self.store = ClusterStore(replicas=1)
            opened.callback(self.store.close)
            self.store.start()
            self.redis = RedisCluster(startup_nodes=[ClusterNode("127.0.0.1", node.port) for node in self.store.nodes])
            opened.pop_all()
        return self.store.url

    def close_store(self) -> None:
        self.redis.close()
        self.store.close()

    def primaries(self) -> list[StoreNode]:
        """The nodes that have slots."""
        return [node for node in self.store.nodes if _is_primary(node)]

    def replica_of(self, primary: StoreNode) -> StoreNode:
        """The node that takes over from a primary."""
        return next(
            node
            for node in self.store.nodes
            if not _is_primary(node) and int(node.redis.info("replication")["master_port"]) == primary.port
        )


def fail_primary(world: WatchedPrimary, chance: random.Random) -> float:
    """The primary ends without a word. The Sentinels have the replica take over; later it is back as a replica."""
    primary = world.store.named()
    (other,) = [server for server in world.store.servers if server is not primary]
    died = _end(world, primary, other, chance)
    eventually(lambda: world.is_settled(other), "the Sentinels to agree")
    primary.start("--replicaof", f"127.0.0.1 {other.port}")
    _wait_for_link(primary)
    eventually(lambda: world.is_settled(other, replicas=1), "the Sentinels to know the replica")
    return died


def fail_slots_primary(world: Cluster, chance: random.Random) -> float:
    """A primary of the cluster ends without a word. Its replica takes over; later it is back as a replica."""
    primary = chance.choice(world.primaries())
    other = world.replica_of(primary)
    died = _end(world, primary, other, chance)
    primary.start()
    _wait_for_link(primary)
    eventually(lambda: all(_is_whole(node) for node in world.store.nodes), "a whole cluster")
    return died


def _end(world: World, primary: StoreNode, replica: StoreNode, chance: random.Random) -> float:
    """End a primary and wait for the replica to take over; gives the time of death.

    By chance, the replica hears nothing from it for a while before: then the latest writes die with it. What was read
    or refused meanwhile may have rested on them, so that is not judged; what was acknowledged is.
    """
    began = time.monotonic()
    if cut_off := chance.random() < 0.5:
        replica.redis.config_set("masterauth", "wrong")  # so that it cannot come back to a primary without passwords
        primary.redis.execute_command("CLIENT KILL TYPE replica")
        time.sleep(chance.uniform(0.2, 1.5))
    primary.kill()
    died = time.monotonic()
    replica.redis.config_set("masterauth", "")
    eventually(lambda: _is_primary(replica), "the replica to take over")
    if cut_off:
        world.unsure.append((began, time.monotonic()))
    return died


def move_slot(world: Cluster, chance: random.Random) -> float:
    """A slot with something in it moves to another primary, and for a while it lies half here and half there."""
    here, there = chance.sample(world.primaries(), 2)
    keys = [key for pattern in ("match:*", "index:*") for key in here.redis.scan_iter(match=pattern, count=1000)]
    if not keys:
        here, there = there, here
        keys = list(here.redis.scan_iter(match="match:*", count=1000))
    key = chance.choice(sorted(keys)).decode()
    begin_move(world.store, key, there)
    time.sleep(chance.choice([0, chance.uniform(0, 0.3)]))
    _finish_move(world, key, here, there)
    return time.monotonic()


def _finish_move(world: Cluster, key: str, here: StoreNode, there: StoreNode) -> None:
    """Move what has come into the slot meanwhile, and tell all primaries where it is now."""
    slot = int(here.redis.execute_command("CLUSTER KEYSLOT", key))
    for name in here.redis.execute_command("CLUSTER GETKEYSINSLOT", slot, 1000):
        here.redis.execute_command("MIGRATE", "127.0.0.1", there.port, name, 0, 5000)
    name = there.redis.execute_command("CLUSTER MYID")
    others = [node for node in world.primaries() if node is not there and node is not here]
    for node in (there, here, *others):
        node.redis.execute_command("CLUSTER SETSLOT", slot, "NODE", name)


def _is_primary(node: StoreNode) -> bool:
    try:
        return answers(node.redis) and node.redis.role()[0] in (b"master", "master")
    except (RedisError, OSError):
        return False


def _wait_for_link(replica: StoreNode) -> None:
    def is_linked() -> bool:
        state = replica.redis.info("replication")
        return state["role"] == "slave" and state["master_link_status"] == "up"

    eventually(is_linked, "the replica to be up to date")


def _is_whole(node: StoreNode) -> bool:
    state = node.redis.execute_command("CLUSTER INFO")
    text = state.decode() if isinstance(state, bytes) else str(state)
    return "cluster_state:ok" in text or (isinstance(state, dict) and state["cluster_state"] == "ok")


WATCHED = (Kind("Sentinel primary failed", fail_primary, 10, least=5),)
CLUSTERED = (
    Kind("slot moved", move_slot, 20, least=5),
    Kind("cluster primary failed", fail_slots_primary, 10, least=5),
)
