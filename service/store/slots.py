"""Which node of a cluster has which slot, as far as is known.

The map is read from any node that answers, when it is first needed and whenever something speaks against it. Until a
newer one is there the old one is used: most of it is still right.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from redis import Redis
from redis.crc import key_slot
from redis.exceptions import AuthenticationError, ClusterDownError, RedisError

from service.store.pools import NotConnected
from service.store_address import Node

_AGAIN: Final = 0.1
"""Seconds after which the map may be read again, if it is in doubt."""

_LATELY: Final = 5.0
_SLOTS: Final = 16384


class SlotMap:
    """The map, and a client for each node.

    Args:
        seeds: nodes to ask before any other is known, and whenever none of those that are known answers.
        client: makes a client for a node; it connects when it is first used.
    """

    def __init__(self, seeds: Sequence[Node], client: Callable[[Node], Redis]) -> None:
        self._seeds = seeds
        self._make_client = client
        self._clients: dict[Node, Redis] = {}
        self._owners: dict[int, Node] = {}
        self._nodes: frozenset[Node] = frozenset()
        self._failed_at: dict[Node, float] = {}
        self._doubted = True
        self._read_at = -_AGAIN
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    def node(self, key: bytes | None) -> Node:
        """Who has a key, or anybody for no key.

        Raises:
            NotConnected: no node of the cluster answers.
            ClusterDownError: nobody has its slot.
        """
        self._refresh()
        if key is None:
            return random.choice(self.primaries())  # noqa: S311  # any will do
        slot = key_slot(key)
        owner = self._owners.get(slot)
        if owner is None:
            self.doubt()
            raise ClusterDownError(f"no node of the cluster has slot {slot}")
        return owner

    def client(self, node: Node) -> Redis:
        """The client for a node."""
        with self._lock:
            if node not in self._clients:
                self._clients[node] = self._make_client(node)
            return self._clients[node]

    def any_node(self) -> Redis:
        """The client for any node, rather for one that did not fail lately.

        Raises:
            NotConnected: no node of the cluster answers.
        """
        self._refresh()
        return self.client(self._in_order(self._nodes)[0])

    def primaries(self) -> list[Node]:
        """All nodes that have slots."""
        self._refresh()
        return sorted(set(self._owners.values()))

    def uncovered(self) -> int:
        """How many slots nobody has."""
        self._refresh()
        return _SLOTS - len(self._owners)

    def moved(self, slot: int, node: Node) -> None:
        """Somebody has said who has a slot; others will have moved with it."""
        self._owners[slot] = node
        self._doubted = True

    def failed(self, node: Node) -> None:
        """A node could not be reached, or did not answer."""
        self._failed_at[node] = time.monotonic()
        self._doubted = True

    def doubt(self) -> None:
        """Something speaks against the map."""
        self._doubted = True

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            for client in self._clients.values():
                client.close()

    # --- reading it ---

    def _refresh(self) -> None:
        """Read the map if it is in doubt; whoever comes while somebody reads it uses the old one, if there is any."""
        if not self._doubted:
            return
        if self._reading.acquire(blocking=not self._owners):
            try:
                if time.monotonic() - self._read_at >= _AGAIN:
                    self._read()
            finally:
                self._reading.release()
        if not self._owners:
            raise NotConnected("no node of the cluster tells who has which slot")

    def _read(self) -> None:
        problem: RedisError | None = None
        for node in self._in_order(self._nodes | set(self._seeds)):
            try:
                told = self.client(node).execute_command("CLUSTER SLOTS")
            except RedisError as error:
                self._failed_at[node] = time.monotonic()
                problem = error if problem is None or isinstance(error, AuthenticationError) else problem
                continue
            self._take(node, told)
            break
        self._read_at = time.monotonic()
        if not self._owners and problem is not None:
            raise NotConnected(*problem.args) from problem

    def _take(self, asked: Node, told: Iterable[Sequence[Any]]) -> None:
        owners: dict[int, Node] = {}
        nodes: set[Node] = set()
        for first, last, *having in told:
            in_range = [_node(asked, one) for one in having]
            nodes.update(in_range)
            owners.update(dict.fromkeys(range(int(first), int(last) + 1), in_range[0]))
        self._owners, self._nodes = owners, frozenset(nodes)
        self._doubted = False

    def _in_order(self, nodes: Iterable[Node]) -> list[Node]:
        """Nodes in any order, so that not all ask the same one; those that failed lately come last."""
        lately = time.monotonic() - _LATELY
        return sorted(nodes, key=lambda node: (self._failed_at.get(node, lately) > lately, random.random()))  # noqa: S311


def _node(asked: Node, told: Sequence[Any]) -> Node:
    """A node as another told of it; one that does not know its own name is where we have asked."""
    host = told[0].decode() if isinstance(told[0], bytes) else told[0]
    return (host or asked[0], int(told[1]))
