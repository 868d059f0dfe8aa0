"""Where the service writes down what it was asked and what it answered, so that requests are counted where they arrive.

Nothing of the service is imported here: the fuzzer reads it, too.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

LEDGER = "FUZZING_LEDGER"
"""Environment variable: the file that is written to."""

OUR_OWN = "stage-"
"""How the request ids of those requests begin that only prepare the fuzzer's."""


class Answered(NamedTuple):
    """A request of the fuzzer's, by what was asked and what was answered.

    Attributes:
        operation: an operationId, or the method where it is none of the contract's.
    """

    operation: str
    status: int


def read_ledger(file: Path) -> Counter[Answered]:
    """How often each answer was given."""
    entries = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return Counter(Answered(operation, int(status)) for operation, status in entries)
