"""Elsewhere the framework ignored ``If-Match`` on POST, and a client believed that it was protected.

Here a precondition is refused wherever it is not honoured; ``decision`` does that work.
"""

from __future__ import annotations

import pytest
from support.bodies import bodies
from support.clients import Client
from support.contract import operations
from support.sitting import Sitting, every_game
from support.truth import Truth

from engine.game import AnyGame
from engine.kabale import KABALE

BODIES = {body.operation: body.value for body in reversed(bodies())}

PRECONDITIONS = [
    *[("If-Match", "*"), ("If-Match", '"x"'), ("If-Match", 'W/"x"'), ("If-Match", ""), ("If-Match", "\xff")],
    *[("If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), ("If-Unmodified-Since", "nonsense")],
]


@pytest.mark.parametrize("operation", operations())
@pytest.mark.parametrize(("header", "value"), PRECONDITIONS)
def test_a_precondition_is_refused_and_changes_nothing(
    visitor: Client, truth: Truth, operation: str, header: str, value: str
):
    sitting = Sitting(visitor, truth, KABALE)
    keys = truth.all_keys()
    with truth.unchanged(sitting.match):
        answer = sitting.players[0].call(
            operation, BODIES.get(operation), headers={header: value}, **sitting.about(operation)
        )
    assert (answer.status, answer.code) == (400, "unsupported-header")
    assert header in answer.body["detail"]
    assert truth.all_keys() <= keys


@every_game
def test_a_move_with_the_right_etag_is_refused_too(visitor: Client, truth: Truth, game: AnyGame):
    """What would be true is not honoured either, so nobody learns to rely on it. Without the header it is played."""
    sitting = Sitting(visitor, truth, game)
    player = sitting.players[sitting.waiting_on()[0]]
    view = player.call("getView", match=sitting.match)
    decision = view.body["you"]["decision"]
    body = {"decision": decision["id"], "move": decision["legal_moves"][0]}
    with truth.unchanged(sitting.match, *sitting.players):
        answer = player.call("playMove", body, match=sitting.match, headers={"If-Match": view.headers["ETag"]})
    assert (answer.status, answer.code) == (400, "unsupported-header")
    assert player.call("playMove", body, match=sitting.match).status == 200
