"""The service with the marker game in its catalogue.

The service makes its contract and its types from the catalogue when it is imported. So the game joins the catalogue
first, in a process that does nothing else, or in a second copy of the service beside the one that this process has.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType, ModuleType

from flask import Flask

from service.settings import Settings
from support.marker_game import MARKER_GAME


def create_app() -> Flask:
    """What gunicorn serves in place of ``service.app:create_app()``."""
    from engine.catalogue import GAMES

    assert "service.app" not in sys.modules, "the service has made its types already"
    GAMES[MARKER_GAME.id] = MARKER_GAME
    from service import app, texts

    _name_the_game(texts)
    return app.create_app()


def copy_of_the_service() -> dict[str, ModuleType]:
    """The modules of a second copy of the service, by name. It shares all games with the first one, and no more."""
    with _forgotten_modules():
        catalogue = importlib.import_module("engine.catalogue")
        catalogue.GAMES[MARKER_GAME.id] = MARKER_GAME
        importlib.import_module("service.app")
        _name_the_game(importlib.import_module("service.texts"))
        return {name: module for name, module in sys.modules.items() if _depends_on_the_catalogue(name)}


def app_of(copy: dict[str, ModuleType], settings: Settings) -> Flask:
    """An app of that copy."""
    return copy["service.app"].create_app(settings)


@contextmanager
def _forgotten_modules() -> Iterator[None]:
    """Whatever depends on the catalogue is imported anew inside, and is as it was afterwards."""
    import engine

    modules = {name: module for name, module in sys.modules.items() if _depends_on_the_catalogue(name)}
    catalogue = engine.catalogue if "engine.catalogue" in modules else None
    for name in modules:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in [name for name in sys.modules if _depends_on_the_catalogue(name)]:
            del sys.modules[name]
        sys.modules.update(modules)
        if catalogue is not None:
            engine.catalogue = catalogue


def _depends_on_the_catalogue(module: str) -> bool:
    return module == "engine.catalogue" or module.partition(".")[0] == "service"


def _name_the_game(texts: ModuleType) -> None:
    """Give it a name, which would otherwise stand in the catalogues of texts."""
    intact = texts.names

    def names(game: str, language: str) -> MappingProxyType[str, str]:
        if game == MARKER_GAME.id:
            return MappingProxyType({game: "Marker game"})
        return intact(game, language)

    texts.names = names
