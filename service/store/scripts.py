"""Scripts in the store, and the word of its replicas that they have what a script wrote."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import NoScriptError, RedisError

EVALSHA: Final = "EVALSHA"

_FOLDER: Final = Path(__file__).with_name("scripts")


class Unconfirmed(RedisError):
    """Too few replicas said in time that they have it. It is written all the same, and may yet be lost."""


@dataclass(frozen=True)
class Replicas:
    """How many replicas must have what was written.

    Attributes:
        count: how many; 0 asks none.
        timeout: seconds to wait for them, less than one waits for the store.
    """

    count: int = 0
    timeout: float = 1.0

    def ask(self, trip: Pipeline) -> None:
        """Have a pipeline wait for the replicas. They confirm what went over the same connection before."""
        if self.count:
            trip.execute_command("WAIT", self.count, max(1, int(self.timeout * 1000)))

    def check(self, confirmed: int) -> None:
        """See whether enough have confirmed.

        Raises:
            Unconfirmed: not in time.
        """
        if confirmed < self.count:
            raise Unconfirmed(f"{confirmed} of {self.count} replicas have confirmed a write in time")


NO_REPLICAS: Final = Replicas()


_NAMES: Final[dict[str, str]] = {}
"""The names of scripts, by their texts and their digests."""


def read_script(name: str) -> str:
    """The text of a script in this package."""
    text = (_FOLDER / f"{name}.lua").read_text(encoding="utf-8")
    _NAMES[text] = _NAMES[_digest(text)] = name
    return text


def name_of(command: Sequence[Any]) -> str:
    """What to call a command in front of operators: by the script that it runs, if it runs one."""
    name = command[0]
    if name in (EVALSHA, "EVAL"):
        return _NAMES.get(command[1], "other_script")
    return str(name).lower()


def _digest(text: str) -> str:
    """By what a server knows a script."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


class Script:
    """A script that is sent as a whole only to a server that does not know it.

    The library's own is loaded before it is called again, in a cluster to every node, dead ones too.

    Args:
        client: the store.
        text: the script.
        replicas: who must have what it wrote.
    """

    def __init__(self, client: Redis, text: str, replicas: Replicas = NO_REPLICAS) -> None:
        self._client = client
        self._text = text
        self._replicas = replicas
        self._digest = _digest(text)

    def __call__(self, keys: Sequence[str], args: Sequence[Any]) -> Any:
        """Run it.

        Raises:
            Unconfirmed: it has run, and too few replicas have what it wrote.
        """
        run = self._confirmed if self._replicas.count else self._client.execute_command
        try:
            return run(EVALSHA, self._digest, len(keys), *keys, *args)
        except NoScriptError:
            return run("EVAL", self._text, len(keys), *keys, *args)

    def _confirmed(self, *command: Any) -> Any:
        with self._client.pipeline(transaction=False) as trip:
            trip.execute_command(*command)
            self._replicas.ask(trip)
            answer, confirmed = trip.execute(raise_on_error=False)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(confirmed, Exception):
            raise confirmed
        if answer and not isinstance(answer, list):  # whatever wrote nothing answers 0, or what it found
            self._replicas.check(confirmed)
        return answer
