"""The games there are."""

from __future__ import annotations

from typing import Final

from engine.game import AnyGame
from engine.verraeter import VERRAETER

GAMES: Final[dict[str, AnyGame]] = {game.id: game for game in (VERRAETER,)}
"""By id, in the order in which the catalogue lists them."""
