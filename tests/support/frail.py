"""A client of the store that fails at a chosen command: before it is sent, or when its answer is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import ConnectionError as StoreConnectionError

Moment = Literal["before", "after"]


class FrailClient(Redis):
    """Counts every command, those of a pipeline one by one.

    Attributes:
        sent: how many there were.
        fails_at: the number of the one that fails, from 1.
        moment: whether it fails before it is carried out, or after.
        dies: all later ones fail too.
        between: called before every command.
    """

    sent = 0
    fails_at = 0
    moment: Moment = "before"
    dies = False
    between: Callable[[], None] | None = None

    def execute_command(self, *args: Any, **options: Any) -> Any:
        if self.between is not None:
            self.between()
        self.sent += 1
        failing = self.sent == self.fails_at
        if (failing and self.moment == "before") or (self.dies and self.fails_at and self.sent > self.fails_at):
            raise StoreConnectionError
        answer = super().execute_command(*args, **options)
        if failing:
            raise StoreConnectionError
        return answer

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:
        pipeline = _OneByOne(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        pipeline.client = self
        return pipeline


class _OneByOne(Pipeline):
    """A pipeline that can break off anywhere."""

    client: FrailClient

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        commands, self.command_stack = self.command_stack, []
        return [self.client.execute_command(*args, **options) for args, options in commands]
