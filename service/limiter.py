"""Who may ask how often.

Attempts are counted in windows of fixed length. What fills the store or guesses is counted in the store, for all
workers together; the rest in this process's memory, which costs no trip. No name of a counter tells whom it counts:
players and addresses are hashed under a secret.

Windows begin at another moment for every caller, so that those who were refused do not all come back at once.
"""

from __future__ import annotations

import hashlib
import logging
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

from service.quotas import Quota, quotas
from service.store import StoreFull, StoreSlow, StoreUnavailable
from service.telemetry.observer import NOBODY, Observer

_log = logging.getLogger("turncoat")

PER_ADDRESS: Final = "-per-address"

LIMITS: Final[dict[str, tuple[str, ...]]] = {
    "reads": ("reads",),
    "moves": ("moves",),
    "guests": ("guests-per-address",),
    "matches": ("matches", "matches-per-address"),
    "join-codes": ("join-codes", "join-codes-per-address"),
    "misses": ("misses", "misses-per-address"),
}
"""What is counted, and the limits that hold for it.

A limit counts the player, and the address of who has no token; one ``per-address`` counts the address of everybody,
so that many guests are not many more attempts.
"""

_IN_MEMORY: Final = {"reads", "moves"}
_REMEMBERED_CALLERS: Final = 20_000
_REMEMBERED_MISSES: Final = 10_000
_SILENCE: Final = 10.0
"""Seconds between two warnings."""


class Counters(Protocol):
    """Numbers with names, each of which is forgotten by itself."""

    def incr(self, name: str, seconds: int) -> int:
        """Count one more, and tell how many that makes; the counter may be forgotten after so many seconds.

        Raises:
            StoreUnavailable, StoreSlow, StoreFull: nobody has counted, as far as can be told.
        """


class WorkerCounters:
    """Counters in this process's memory, as many as are used most.

    The library's own are not taken: they start a thread time and again that walks over all of them, and have no
    bound. A window's number is in the counter's name, so none has to be emptied.

    Args:
        size: how many to keep.
    """

    def __init__(self, size: int = _REMEMBERED_CALLERS) -> None:
        self._size = size
        self._counts: OrderedDict[str, int] = OrderedDict()

    def incr(self, name: str, seconds: int = 0) -> int:  # noqa: ARG002 (what is not used any more falls out)
        """Count one more."""
        count = self._counts[name] = self._counts.pop(name, 0) + 1
        if len(self._counts) > self._size:
            self._counts.popitem(last=False)
        return count


class Standing(NamedTuple):
    """Where somebody stands with a quota.

    Attributes:
        used: attempts in this window, refused ones and the present one among them.
        resets_in: whole seconds until the window has ended.
    """

    quota: Quota
    used: int
    resets_in: int

    @property
    def left(self) -> int:
        """How many attempts the window has left."""
        return max(0, self.quota.amount - self.used)

    @property
    def exceeded(self) -> bool:
        """Whether this attempt is one too many."""
        return self.used > self.quota.amount


@dataclass
class Caller:
    """Who asks, for the length of one request.

    Attributes:
        player: the player's id; ``None`` without a token.
        address: where the request comes from.
        waited: seconds that the request has waited for the counters.
    """

    player: str | None
    address: str
    waited: float = 0.0


class Limiter:
    """Counts attempts and tells when they are too many.

    When the store is gone, whoever is counted there goes through. When it does not answer in time, or is full, each
    worker goes by what it has counted by itself: a crowd of requests at one moment makes a worker slow too, and must
    not be a way past the limits.

    Args:
        rates: by the names of limits, as the library writes them: ``20/minute;100/hour``. An empty one is no limit.
        shared: the counters of all workers.
        secret: what the names of counters are hashed under; the same in all workers.
        patience: seconds that one request may have waited for the shared counters before they are not asked any more.
        clock: the time, in seconds since 1970.
        observer: is told when the shared counters do not count.

    Attributes:
        failures: how often the shared counters did not count.
    """

    def __init__(
        self,
        rates: Mapping[str, str],
        shared: Counters,
        secret: bytes,
        patience: float,
        clock: Callable[[], float] = time.time,
        *,
        observer: Observer = NOBODY,
    ) -> None:
        self._observer = observer
        self._quotas = {
            kind: [quota for name in names for quota in quotas(name, rates[name])] for kind, names in LIMITS.items()
        }
        self._shared = shared
        self._memory = WorkerCounters()
        self._own_part = WorkerCounters()
        self._hash_key = hashlib.sha256(b"names of the limits' counters\0" + secret).digest()
        self._hashed = lru_cache(maxsize=_REMEMBERED_CALLERS)(self._hash)
        self._patience = patience
        self._clock = clock
        self._out_of_misses: OrderedDict[str, None] = OrderedDict()
        self._silent_until = -math.inf
        self.failures = 0

    def count(self, kind: str, caller: Caller) -> list[Standing]:
        """Count an attempt.

        Args:
            kind: a key of :data:`LIMITS`.
            caller: whose attempt it is.

        Returns:
            where the caller stands afterwards, up to the first quota that is exceeded.
        """
        standings: list[Standing] = []
        for quota in self._quotas[kind]:
            name, resets_in = self._window(quota, caller)
            in_memory = kind in _IN_MEMORY
            used = self._memory.incr(name) if in_memory else self._shared_incr(name, quota.seconds, caller)
            if used is None:
                break
            standings.append(Standing(quota, used, resets_in))
            if used > quota.amount:
                break
        return standings

    def count_miss(self, caller: Caller) -> list[Standing]:
        """Count that somebody asked for what is not there (for them), which is how guessing looks."""
        standings = self.count("misses", caller)
        for standing in standings:
            if not standing.left:
                self._out_of_misses[self._window(standing.quota, caller)[0]] = None
        while len(self._out_of_misses) > _REMEMBERED_MISSES:
            self._out_of_misses.popitem(last=False)
        return standings

    def out_of_misses(self, caller: Caller) -> list[Standing]:
        """The quotas of misses that the caller has used up, as far as this process has seen it. Nobody is asked."""
        if not self._out_of_misses:
            return []
        windows = [(quota, *self._window(quota, caller)) for quota in self._quotas["misses"]]
        return [
            Standing(quota, quota.amount + 1, resets_in)
            for quota, name, resets_in in windows
            if name in self._out_of_misses
        ]

    def _window(self, quota: Quota, caller: Caller) -> tuple[str, int]:
        """The name of the counter for the window that runs, and the whole seconds that it still runs."""
        by_address = caller.player is None or quota.name.endswith(PER_ADDRESS)
        hashed, number = self._hashed(f"address {caller.address}" if by_address else f"player {caller.player}")
        now = self._clock() + number % quota.seconds
        number = int(now // quota.seconds)
        resets_in = max(1, math.ceil((number + 1) * quota.seconds - now))
        return f"{quota.name}:{quota.seconds}:{hashed}:{number}", resets_in

    def _hash(self, who: str) -> tuple[str, int]:
        """What stands for somebody in names, and a number of their own by which their windows are shifted."""
        hashed = hashlib.blake2b(who.encode(), key=self._hash_key, digest_size=16)
        return hashed.hexdigest(), int.from_bytes(hashed.digest()[:4])

    def _shared_incr(self, name: str, seconds: int, caller: Caller) -> int | None:
        """Count one more with all workers; ``None`` if the store is gone."""
        own_part: int | None = self._own_part.incr(name)
        begun = time.monotonic()
        try:
            if caller.waited < self._patience:
                return self._shared.incr(name, seconds)
        except (StoreSlow, StoreFull):
            pass
        except StoreUnavailable:
            own_part = None
        finally:
            caller.waited += time.monotonic() - begun
        self._observer.limiter_failed("let-through" if own_part is None else "own-count")
        self._tell_of_failure()
        return own_part

    def _tell_of_failure(self) -> None:
        self.failures += 1
        if self._clock() >= self._silent_until:
            self._silent_until = self._clock() + _SILENCE
            _log.warning(
                "the store does not count for the rate limits; requests go through, or by what each worker counts"
            )
