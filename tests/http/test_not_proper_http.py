"""What is no proper HTTP is refused before the application sees it, and every operation announces that.

A fuzzer met a code that the operation did not have, when what it sent in the address was too long for the server.
"""

from __future__ import annotations

import pytest
from support.clients import Client
from support.contract import operations
from support.scene import BODIES

TOO_LONG = "a" * 5_000
"""Characters: more than the server reads of a request line."""


@pytest.mark.parametrize("operation", operations())
def test_an_address_that_is_too_long(visitor: Client, operation: str):
    """The client holds every answer to the contract."""
    path = operations()[operation].path
    about = {"match": "x"} if "{match}" in path else {"game": "kabale"} if "{game}" in path else {}
    answer = visitor.call(operation, BODIES.get(operation), query=f"?{TOO_LONG}=1", **about)
    assert (answer.status, answer.code) == (400, "bad-request")
