"""A bounded share of the fuzzing of `make contract`, the same each time: the service keeps to its contract.

And the fuzzer finds what is planted: nothing is proved by one that finds nothing anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fuzzing import planted
from fuzzing.fuzzer import Found, Fuzzer
from fuzzing.ledger import Answered
from support.contract import operations

EXAMPLES = 20
SEED = 20261130


@pytest.fixture(scope="module")
def intact() -> Iterator[Fuzzer]:
    with Fuzzer() as fuzzer:
        yield fuzzer


def assert_nothing_found(found: Found) -> None:
    assert found.faults() == [], "\n".join(found.printed)


def test_a_guest_finds_nothing(intact: Fuzzer):
    found = intact.run(examples=EXAMPLES, seed=SEED, as_guest=True)
    assert_nothing_found(found)
    assert sum(found.requests.values()) > 1_000
    succeeded = {operation for operation, status in found.requests if 200 <= status < 300}
    assert succeeded >= set(operations()), "real matches and moves are reached"


def test_nobody_finds_nothing(intact: Fuzzer):
    found = intact.run(examples=EXAMPLES, seed=SEED, as_guest=False)
    assert_nothing_found(found)
    assert sum(found.requests.values()) > 1_000
    for operation in operations().values():
        needs_token = operation.entry["security"] and {} not in operation.entry["security"]
        succeeded = any(found.requests[Answered(operation.id, status)] for status in (200, 201, 204))
        assert succeeded != bool(needs_token), operation.id


def test_what_is_planted_is_found():
    with Fuzzer(planted.APP) as fuzzer:
        found = fuzzer.run(examples=EXAMPLES, seed=SEED, as_guest=True, operations=tuple(planted.FAULTS))
    told = found.faults()
    assert [fault for fault in planted.FAULTS.values() if fault not in told] == [], "\n".join(told)
