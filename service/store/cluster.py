"""A client of a cluster: every command goes to the node that has its key.

It is the library's client for one server with another way to carry out commands. The library's own for clusters is not
used, since it repeats what was in a pipeline when the answer was lost, writes among it; needs the cluster to be there
when it is made; refuses at once when its connections are used up; and cannot have a write and the ``WAIT`` for its
replicas on one connection. See ``docs/decisions.md``.

Answers such as MOVED say that nothing was done and who can do it. They are followed, a bounded number of times and not
for longer than anybody waits for the store. When an answer is lost, that is told, and the map of the slots is read
again.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

from redis import Redis
from redis.client import Pipeline
from redis.connection import AbstractConnection, ConnectionPool
from redis.exceptions import (
    AskError,
    AuthenticationError,
    ClusterDownError,
    MovedError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as StoreConnectionError
from redis.exceptions import TimeoutError as StoreTimeout

from service.store.pools import NotConnected
from service.store.slots import SlotMap
from service.store.trips import Trips
from service.store_address import Node
from service.telemetry.observer import NOBODY

Command = tuple[tuple[Any, ...], dict[str, Any]]
"""What is sent, and how the answer is read."""

Unit = Sequence[Command]
"""Commands that go over one connection in this order. The first has a key, which says where to."""

_ROUNDS: Final = 16
_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.4

_KEYLESS: Final = frozenset({"PING", "INFO", "CONFIG GET", "ROLE", "TIME", "WAIT"})
_SCRIPTS: Final = frozenset({"EVAL", "EVALSHA"})


class ClusterClient(Redis):
    """A client of a cluster.

    Args:
        seeds: some of its nodes.
        pool: makes a pool for a node.
        timeout: seconds to wait for the cluster.
    """

    trips = Trips(NOBODY)

    def __init__(self, seeds: Sequence[Node], pool: Callable[[Node], ConnectionPool], timeout: float) -> None:
        super().__init__(connection_pool=pool(seeds[0]))  # for the encoder; no connection of it is ever used
        self.slots = SlotMap(seeds, lambda node: Redis(connection_pool=pool(node)))
        self._timeout = timeout

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry out one command, where its key is."""
        with self.trips.begun(args):
            ((answer,),) = self.carry_out([[(args, options)]])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:  # noqa: FBT001, FBT002
        """Several commands at once, which are no transaction: they may go to several nodes."""
        if transaction:
            raise NotImplementedError("in a cluster, what must happen together is a script")
        return _ClusterPipeline(self, shard_hint)

    def close(self) -> None:
        """Close all connections."""
        self.slots.close()
        super().close()

    def listening_connection(self, own: dict[str, Any]) -> AbstractConnection:
        """A connection to any node, not connected yet: what is published at one is heard at all.

        Args:
            own: what it has that the pool's connections have not.
        """
        pool = self.slots.any_node().connection_pool
        connection: AbstractConnection = pool.connection_class(**{**pool.connection_kwargs, **own})
        return connection

    def carry_out(self, units: Sequence[Unit]) -> list[list[Any]]:
        """Carry out units, which may go to several nodes.

        Returns:
            the answers to each; errors that the store told are among them.

        Raises:
            RedisError: an answer was lost, so it is not known what was done; or nothing was, and it is told why.
        """
        until = time.monotonic() + self._timeout
        pause = _FIRST_PAUSE
        answers: dict[int, list[Any]] = {}
        asking: dict[int, Node] = {}
        for left in reversed(range(_ROUNDS)):
            waiting = [number for number in range(len(units)) if number not in answers]
            problem = self._round(units, waiting, asking, answers)
            if problem is None:
                break
            if not left or time.monotonic() + pause >= until:
                raise problem
            if isinstance(problem, AskError):
                continue  # it says where to
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        return [answers[number] for number in range(len(units))]

    def _round(
        self, units: Sequence[Unit], waiting: Sequence[int], asking: dict[int, Node], answers: dict[int, list[Any]]
    ) -> RedisError | None:
        """Send what waits to where it belongs.

        Returns:
            why something has to be sent again; ``None`` if everything is answered.
        """
        problem: RedisError | None = None
        groups: defaultdict[Node, list[int]] = defaultdict(list)
        try:
            for number in waiting:
                groups[asking.get(number) or self.slots.node(key_of(units[number][0][0]))].append(number)
        except (NotConnected, ClusterDownError) as error:
            return error
        for node, numbers in groups.items():
            batch = [_asked(units[number]) if number in asking else units[number] for number in numbers]
            try:
                told = self._send(node, [command for unit in batch for command in unit])
            except NotConnected as error:
                problem = error
                for number in numbers:
                    asking.pop(number, None)
                continue
            for number, unit in zip(numbers, batch, strict=True):
                answer = [told.pop(0) for _ in unit][len(unit) - len(units[number]) :]
                redirected = self._redirected(node, answer[0], number, asking)
                if redirected is None:
                    answers[number] = answer
                elif problem is None or isinstance(problem, AskError):
                    problem = redirected
        return problem

    def _send(self, node: Node, commands: Unit) -> list[Any]:
        """Send commands to a node over one connection; errors that it told are among the answers."""
        try:
            with self.slots.client(node).pipeline(transaction=False) as trip:
                for args, options in commands:
                    trip.execute_command(*args, **options)
                return trip.execute(raise_on_error=False)
        except AuthenticationError:
            raise
        except (StoreConnectionError, StoreTimeout):
            self.slots.failed(node)
            raise

    def _redirected(self, node: Node, answer: Any, number: int, asking: dict[int, Node]) -> RedisError | None:
        """Whether an answer says that nothing was done but may be done, elsewhere or later."""
        asking.pop(number, None)
        if isinstance(answer, AskError):
            to = (answer.host or node[0], answer.port)
            if isinstance(answer, MovedError):
                self.slots.moved(answer.slot_id, to)
            else:
                asking[number] = to
            return answer
        if isinstance(answer, TryAgainError):
            return answer
        if isinstance(answer, ClusterDownError | ReadOnlyError):
            self.slots.doubt()
            return answer
        return None


class _ClusterPipeline(Pipeline):
    """Commands that are sent together, as far as they go to the same node.

    One without a key, ``WAIT``, goes where the one before it goes, over the same connection.
    """

    def __init__(self, client: ClusterClient, shard_hint: Any) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, False, shard_hint)  # noqa: FBT003
        self._client = client

    def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 (the library's)
        """Carry everything out; give the answers in order."""
        commands, self.command_stack = self.command_stack, []
        if not commands:
            return []
        units: list[list[Command]] = []
        for command in commands:
            if units and key_of(command[0]) is None:
                units[-1].append(command)
            else:
                units.append([command])
        with self._client.trips.begun(commands[0][0]):
            answers = [answer for unit in self._client.carry_out(units) for answer in unit]
        if raise_on_error:
            for answer in answers:
                if isinstance(answer, Exception):
                    raise answer
        return answers


def key_of(command: Sequence[Any]) -> bytes | None:
    """The key that says where a command goes; ``None`` if any node will do.

    Only what the service sends is known here. No command of it has keys in several slots.
    """
    name = str(command[0]).upper()
    place = 3 if name in _SCRIPTS else 1
    key = None if name in _KEYLESS else command[place]
    return key.encode() if isinstance(key, str) else key


def _asked(unit: Unit) -> Unit:
    """A unit for a node that has the key only by exception, and must be told that we know."""
    return [(("ASKING",), {}), *unit]
