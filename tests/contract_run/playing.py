"""Clients that are generated from the contract, and play with the service."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from clients import harness
from support.server import Server, make_folder

LANGUAGES = harness.PLAYING
"""Those of which there is a client that plays."""


@dataclass
class Clients:
    """What became of generated clients.

    Attributes:
        played: how many matches came to their end, by language and game.
        faults: what kept others from that.
    """

    played: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def play(matches: int, found: Clients, note: Callable[[str], None]) -> None:
    """Generate all clients, check them, and let each play so many matches of each game."""
    folder = make_folder()
    server = Server(folder)
    server.start()
    try:
        for language in LANGUAGES:
            _play_in(language, server.address, matches, found)
            note(language)
    finally:
        server.stop()
        shutil.rmtree(folder)


def _play_in(language: str, address: str, matches: int, found: Clients) -> None:
    with TemporaryDirectory() as folder:
        client = Path(folder) / language
        try:
            harness.generate(language, client)
            harness.check(language, client)
            for game in harness.SEATS:
                for seed in range(matches):
                    harness.play(language, client, address, game, seed=seed)
                    found.played[language, game] += 1
        except harness.Rejected as error:
            found.faults.append(f"the {language} client does not pass its checks: {error}")
        except harness.Failed as error:
            found.faults.append(f"the {language} client does not play to the end: {error}")
        except pytest.skip.Exception as missing:  # which a test would be skipped for
            found.faults.append(f"the {language} client cannot be tried: {missing}")
