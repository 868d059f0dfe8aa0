"""Signals as something that can be waited for, together with other things.

A handler that acted in the middle of whatever the launcher does would have to be ready for every state of it. Here
the handlers do nothing; Python writes each signal's number into a pipe, and the launcher reads it when it waits.
"""

from __future__ import annotations

import os
import select
import signal
from types import FrameType, TracebackType
from typing import Self

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While it is entered, signals that end the service, and the end of a child, wake :meth:`wait`."""

    def __enter__(self) -> Self:
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        self._wakeup_before = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        self._before = {number: signal.getsignal(number) for number in (*STOPPING, signal.SIGCHLD)}
        for number, before in self._before.items():
            # nohup has a process ignore the end of its terminal, and means it.
            if number != signal.SIGHUP or before != signal.SIG_IGN:
                signal.signal(number, _nothing)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        signal.set_wakeup_fd(self._wakeup_before)
        os.close(self._reader)
        os.close(self._writer)

    def wait(self, timeout: float | None, *others: int) -> list[int]:
        """Wait for a signal, for one of ``others`` (file descriptors) to have something to read, or in vain.

        Args:
            timeout: seconds; None waits for as long as it takes.
            others: file descriptors.

        Returns:
            the signals that came, in their order, without those that only say that a child has ended.
        """
        readable, _, _ = select.select([self._reader, *others], [], [], timeout)
        if self._reader not in readable:
            return []
        return [number for number in os.read(self._reader, 4096) if number in STOPPING]


def _nothing(number: int, frame: FrameType | None) -> None:
    """Replace a signal's default action; the number arrives through the pipe."""
