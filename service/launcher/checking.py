"""The process that looks at the store of an operator's own, as a child of the launcher."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from service.launcher import LaunchError

UNFIT: Final = 3
"""Its exit code if the store must not be used. It has said why."""

CONCLUSION: Final = "LAUNCHER_CONCLUSION_FD"
"""Environment variable with the file descriptor to which it writes what it has found."""

NOT_THERE_YET: Final = b"."
"""What it writes there if the store is not there yet."""


class StoreCheck:
    """The check. Leaving it ends what is left of it.

    Args:
        chosen: settings that it finds in its environment, and that we do not have in ours.

    Attributes:
        found: what the store is, in a few words, once that is known.
    """

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self._chosen = chosen
        self.found: str | None = None

    def __enter__(self) -> Self:
        self.conclusion, writer = os.pipe()
        os.set_blocking(self.conclusion, False)
        try:
            self._process = subprocess.Popen(  # nothing of this comes from a client
                [sys.executable, "-m", "service.store_check"],
                cwd=Path(__file__).parents[2],
                env={**os.environ, **self._chosen, CONCLUSION: str(writer)},
                stdin=subprocess.DEVNULL,
                pass_fds=[writer],
                start_new_session=True,
            )
        except OSError as error:
            os.close(self.conclusion)
            raise LaunchError(f"the store cannot be looked at: {error}") from error
        finally:
            os.close(writer)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self.conclusion)

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._process.pid

    def has_concluded(self) -> bool:
        """Whether there is a first conclusion; :attr:`conclusion` can be read when there is news."""
        try:
            said = os.read(self.conclusion, 4096)
        except BlockingIOError:
            return False
        if said != NOT_THERE_YET:
            self.found = said.removeprefix(NOT_THERE_YET).decode()
            self._process.wait()  # which ends at this moment
        return True

    def has_refused(self) -> bool:
        """Whether the store must not be used."""
        return self._process.poll() == UNFIT
