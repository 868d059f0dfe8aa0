"""Every test here runs for every game of the catalogue; a new game needs no test of its own to be held to them."""

from __future__ import annotations

import pytest

from engine.catalogue import GAMES
from engine.game import AnyGame


@pytest.fixture(params=list(GAMES.values()), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> AnyGame:
    return request.param
