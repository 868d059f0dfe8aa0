"""The games there are."""

from __future__ import annotations

from typing import Final

from engine.game import AnyGame
from engine.inside_job import INSIDE_JOB
from engine.kabale import KABALE
from engine.verraeter import VERRAETER

GAMES: Final[dict[str, AnyGame]] = {game.id: game for game in (VERRAETER, KABALE, INSIDE_JOB)}
"""By id, in the order in which the catalogue lists them."""
