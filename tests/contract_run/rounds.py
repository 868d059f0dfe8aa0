"""The long run of the fuzzer: round after round, each with other cases, on all cores."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack

from fuzzing.fuzzer import PHASES, Found, Fuzzer
from fuzzing.ledger import Answered
from support.contract import operations

EXAMPLES = 150
"""Of each operation in a round; few enough that a round takes minutes only."""

AS_NOBODY = 4
"""One round of so many is without a token, which leads less far."""


class Rounds:
    """Rounds of the fuzzer, until there were so many requests.

    Args:
        requests: how many, at least.
        seed: other cases.
        jobs: services that are fuzzed at the same time.
    """

    def __init__(self, requests: int, seed: int, jobs: int) -> None:
        self._wanted, self._seed, self._jobs = requests, seed, jobs
        self._lock = threading.Lock()
        self._next = 0
        self.found = Found()

    def run(self, note: Callable[[int, str], None]) -> None:
        """Fuzz; tell after each round how many requests came with it, and what was found so far."""
        with ExitStack() as services, ThreadPoolExecutor(self._jobs) as pool:
            fuzzers = [services.enter_context(Fuzzer()) for _ in range(self._jobs)]
            running = [pool.submit(self._go_on, fuzzer, note) for fuzzer in fuzzers]
            try:
                for job in as_completed(running):
                    job.result()
            except BaseException:
                self._wanted = 0
                for fuzzer in fuzzers:
                    fuzzer.give_up()
                raise

    def _go_on(self, fuzzer: Fuzzer, note: Callable[[int, str], None]) -> None:
        while (number := self._begin()) is not None:
            # The first two phases try the same each time, so the first round for a guest and that for nobody do.
            phases = PHASES if number < 2 else PHASES[2:]
            as_guest = number % AS_NOBODY != 1
            found = fuzzer.run(examples=EXAMPLES, seed=self._seed + number, as_guest=as_guest, phases=phases)
            with self._lock:
                if self._wanted:  # a round that was given up says nothing
                    self.found.add(found)
                    note(found.requests.total(), f"{len(self.found.faults())} failures")

    def _begin(self) -> int | None:
        with self._lock:
            if self.found.requests.total() >= self._wanted:
                return None
            self._next += 1
            return self._next - 1


def never_answered(found: Found) -> list[str]:
    """The successes that the contract announces and that no request met."""
    return [
        f"{operation.id} never answered {status}"
        for operation in operations().values()
        for status in operation.entry["responses"]
        if status < "400" and not found.requests[Answered(operation.id, int(status))]
    ]


def table(found: Found) -> list[str]:
    """Lines that show how often each operation was answered, by the class of the status."""
    kinds = ("2xx", "3xx", "4xx", "5xx")
    counts: dict[str, dict[str, int]] = {name: dict.fromkeys(kinds, 0) for name in [*operations(), "others"]}
    for (name, status), times in found.requests.items():
        counts[name if name in counts else "others"][f"{status // 100}xx"] += times
    lines = [f"  {'':14}" + "".join(f"{kind:>9}" for kind in kinds)]
    return lines + [f"  {name:14}" + "".join(f"{row[kind]:>9,}" for kind in kinds) for name, row in counts.items()]
