"""A place to plant leaks in: a copy of the service, and the games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import msgspec
import pytest
from flask import Flask, request
from support.marker_game import MarkerGame
from support.marker_game.app import app_of
from support.settings import settings_on
from support.truth import Truth

Replace = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass
class Garden:
    """Where leaks are planted.

    Attributes:
        modules: those of the copy of the service.
        store_url: the store of the apps.
    """

    modules: dict[str, ModuleType]
    patch: pytest.MonkeyPatch
    truth: Truth
    store_url: str

    def replace(self, module: str, name: str, planted: Replace) -> None:
        """Put something else in the place of a function of the service, made from what was there."""
        owner: Any = self.modules[module]
        *outer, last = name.split(".")
        for step in outer:
            owner = getattr(owner, step)
        self.patch.setattr(owner, last, planted(getattr(owner, last)))

    def game(self, name: str, planted: Replace, game: type = MarkerGame) -> None:
        """The same for a method of a game."""
        self.patch.setattr(game, name, planted(getattr(game, name)))

    def app(self) -> Flask:
        """An app with everything that was planted so far."""
        return app_of(self.modules, settings_on(self.store_url))

    def secret(self, match: str | None = None) -> str:
        """A card that nobody will ever see, once there is one."""
        match = match or request.path.split("/")[3]
        state = self.truth.stored(match, "state")
        return msgspec.msgpack.decode(state)["draw_pile"][0] if state else "nothing"
