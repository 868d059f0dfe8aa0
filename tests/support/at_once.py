"""Requests at the same moment, over connections of their own, so that several workers meet them."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from support.clients import Answer, Client
from support.server import Server


def at_once(calls: list[Callable[[], Answer]]) -> list[Answer]:
    """Make all calls at the same moment, each on a thread of its own."""
    barrier = Barrier(len(calls))

    def call(one: Callable[[], Answer]) -> Answer:
        barrier.wait()
        return one()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(call, calls))


def copies(server: Server, player: Client, count: int) -> list[Client]:
    """The same player on several devices, each with a connection of its own, so that all workers are met."""
    return [Client(server.visitor().transport, player.token) for _ in range(count)]
