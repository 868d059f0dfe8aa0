"""A client that is answered what the contract does not announce does not play on as if nothing were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from clients import harness
from clients.twisting import twisting
from support.server import Server

TWISTS = {
    "a tag that no member of the union has": (r'"type":"place_card"', '"type":"put_card"'),
    "an object instead of a list": (r'"waiting_on":\[\d+', '"waiting_on":{"seat":[0]},"was":[0'),
}


@pytest.mark.parametrize("language", harness.PLAYING)
@pytest.mark.parametrize("twist", TWISTS)
def test_a_wrong_answer_is_noticed(built: Callable[[str], Path], server: Server, language: str, twist: str):
    with twisting(server.address, *TWISTS[twist]) as address, pytest.raises(harness.Failed):
        harness.play(language, built(language), address, "kabale")


def test_what_is_not_twisted_is_played_with(built: Callable[[str], Path], server: Server):
    with twisting(server.address, "what is nowhere", "") as address:
        assert harness.play("typescript", built("typescript"), address, "kabale").moves > 10
