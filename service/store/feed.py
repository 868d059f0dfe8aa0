"""Waking whoever waits for a change: one subscription per process, however many wait.

A waiter registers first and reads afterwards, so nothing falls between::

    with feed.listen(keys.changes(match)) as listener:
        seen = listener.shared("view", read)
        while not enough(seen) and listener.wait(seconds):
            seen = listener.shared("view", read)

What is published says only *that* something changed; what, is read. So a message more does no harm, and when the
subscription was lost, all waiters are woken once it is back, and read what they may have missed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from redis.connection import AbstractConnection

from service.store.connection import StoreUnavailable
from service.store.subscription import Subscription

Value = TypeVar("Value")

_LOOKS_UP: Final = 5.0
"""Seconds after which one who stands in line looks whether the store still answers anybody."""

_LOOKS: Final = 6
"""How often; enough for thousands where it does."""


class _Reading:
    """Something that one waiter reads for all."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._done = threading.Event()
        self._value: Any = None
        self._error: BaseException | None = None

    def make(self, read: Callable[[], Any]) -> Any:
        """Read; whatever becomes of it, the others get it too."""
        self._error = StoreUnavailable("who read for all was interrupted")
        try:
            self._value = read()
            self._error = None
        except Exception as error:
            self._error = error
            raise
        finally:
            self._done.set()
        return self._value

    def result(self) -> Any:
        """What was read by somebody else."""
        self._done.wait()
        if self._error is not None:
            raise self._error.with_traceback(None)
        return self._value


class _Channel:
    """A channel that somebody listens to.

    Attributes:
        subscribed: whether nothing that is published is missed.
        readings: what was read since the latest message, or is being read.
        number: of the latest reading.
    """

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.listeners: set[Listener] = set()
        self.subscribed = threading.Event()
        self.readings: dict[Hashable, _Reading] = {}
        self.number = 0

    def wake(self) -> None:
        """Have everybody read again, and nobody take what was read before."""
        self.readings = {}
        for listener in self.listeners:
            listener.wake()


class Listener:
    """Somebody who waits for a change on one channel; made by :meth:`Feed.listen`."""

    def __init__(self, feed: Feed, channel: _Channel) -> None:
        self.channel = channel
        self._feed = feed
        self._woken = threading.Event()
        self._since = 0

    def begin(self) -> None:
        """Listen from now on: the channel is subscribed to."""
        self._woken.clear()
        self._since = self.channel.number

    def wait(self, seconds: float) -> bool:
        """Wait until something may have changed since this listener began or last waited.

        Returns:
            False if nothing has changed for so long.
        """
        if self._woken.wait(max(0.0, seconds)):
            self._woken.clear()
            return True
        # Without a subscription nobody knows, and reading will tell.
        return not self.channel.subscribed.is_set()

    def wake(self) -> None:
        """End the wait of this listener, or its next one."""
        self._woken.set()

    def shared(self, key: Hashable, read: Callable[[], Value]) -> Value:
        """Read something, or take what another listener of this channel has read.

        Taken is only what was read, from beginning to end, after this listener began and after all that it was woken
        by, so it is never older than what the listener would have read itself.

        Args:
            key: what is read; the same for two listeners only if both would read the same.
            read: reads it. What it raises is raised for everybody who shares the reading.

        Raises:
            StoreUnavailable: too many others are reading, or the one who read was interrupted.
        """
        return cast("Value", self._feed.shared(self, self._since, key, read))

    def in_turn(self, use: Callable[[], Value]) -> Value:
        """Use the store for oneself, but as one of not too many.

        Raises:
            StoreUnavailable: too many others do.
        """
        return self._feed.in_turn(use)


class Feed:
    """All who wait for changes in this process.

    Args:
        connect: makes the connection to listen with, see :class:`~service.store.subscription.Subscription`.
        timeout: seconds to wait for the store.
        at_once: how many of those who follow may use the store at once. When thousands begin together, or all read
            since the subscription is back, they would else take every connection of the pool, and those that act would
            find none.
    """

    def __init__(self, connect: Callable[[], AbstractConnection], timeout: float, at_once: int) -> None:
        self._timeout = timeout
        self._channels: dict[bytes, _Channel] = {}
        self._subscription = Subscription(connect, self)
        self._lock = self._subscription.lock
        self._turns = threading.BoundedSemaphore(at_once)

    @contextmanager
    def listen(self, name: str) -> Iterator[Listener]:
        """Listen to a channel; once this is entered, no change is missed.

        Raises:
            StoreUnavailable: the store did not confirm in time that it will tell, or nobody listens any more.
        """
        if self._subscription.closed:
            raise StoreUnavailable
        listener = self._register(name.encode())
        try:
            if not listener.channel.subscribed.wait(self._timeout):
                raise StoreUnavailable
            listener.begin()
            yield listener
        finally:
            self._leave(listener)

    def wake_all(self) -> None:
        """End all waits, so that everybody looks whether to go on."""
        with self._lock:
            for channel in self._channels.values():
                for listener in channel.listeners:
                    listener.wake()

    def close(self) -> None:
        """Listen no more."""
        self._subscription.close()

    def _register(self, name: bytes) -> Listener:
        with self._lock:
            channel = self._channels.get(name)
            if channel is None:
                self._subscription.add(name)
                channel = self._channels[name] = _Channel(name)
            listener = Listener(self, channel)
            channel.listeners.add(listener)
            return listener

    def _leave(self, listener: Listener) -> None:
        with self._lock:
            channel = listener.channel
            channel.listeners.remove(listener)
            if not channel.listeners:
                del self._channels[channel.name]
                self._subscription.remove(channel.name)

    def shared(self, listener: Listener, since: int, key: Hashable, read: Callable[[], Any]) -> Any:
        """Read for all, or take what was read; see :meth:`Listener.shared`."""
        channel = listener.channel
        with self._lock:
            reading = channel.readings.get(key)
            if reading is not None and reading.number > since:
                mine = False
            else:
                channel.number += 1
                reading, mine = _Reading(channel.number), True
                if channel.subscribed.is_set():
                    channel.readings[key] = reading
        return reading.make(lambda: self.in_turn(read)) if mine else reading.result()

    def in_turn(self, use: Callable[[], Value]) -> Value:
        """Use the store as one of not too many; see :meth:`Listener.in_turn`."""
        for _ in range(_LOOKS):
            if self._turns.acquire(timeout=_LOOKS_UP):
                try:
                    return use()
                finally:
                    self._turns.release()
            if not self._subscription.connected:
                break  # the others wait for a store that does not answer
        raise StoreUnavailable

    # --- what the subscription tells, with the lock held ---

    def subscribed(self, name: bytes) -> None:
        """A channel is subscribed to, for the first time or again."""
        channel = self._channels[name]
        channel.subscribed.set()
        channel.wake()

    def told(self, name: bytes) -> None:
        """Something has changed."""
        if channel := self._channels.get(name):
            channel.wake()

    def lost(self) -> None:
        """Nobody knows any more whether something changes."""
        for channel in self._channels.values():
            channel.subscribed.clear()
            channel.readings = {}
