"""Everything that people read, by language: gettext catalogues, one file for each topic and language.

The engine and the wire carry ids, codes and keys only; here they get words. In ``names``, an entry's context is the
game, and its id whatever the game says by an id: itself, what lies in its box, what it asks, what happens, and how a
match ended. One id has one name in a game. In ``problems``, the contexts are

- ``title``: what all problems with a code have in common, by the code;
- ``detail``: what is wrong with a request or a field, by the key of a :class:`service.problems.Detail`;
- ``reason``: what a rule of a game demands, by the reason for an illegal move or bad options. A reason means the same
  in all games.

The catalogues are read once, when this module is imported.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from babel.messages.pofile import read_po

from service.problems import Detail

LANGUAGES: Final = ("en", "de", "nl")
"""The languages there are; the first one is spoken where none of them is asked for."""

_FOLDER: Final = Path(__file__).parent


def _read(topic: str, language: str) -> Mapping[str, Mapping[str, str]]:
    """A catalogue: the words, by context and id."""
    with (_FOLDER / topic / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    words: dict[str, dict[str, str]] = {}
    for entry in catalogue:
        if entry.id:
            words.setdefault(str(entry.context), {})[str(entry.id)] = str(entry.string)
    return {context: MappingProxyType(entries) for context, entries in words.items()}


_NAMES: Final = {language: _read("names", language) for language in LANGUAGES}
_PROBLEMS: Final = {language: _read("problems", language) for language in LANGUAGES}


def names(game: str, language: str) -> Mapping[str, str]:
    """The names of a game and of whatever it says by an id."""
    return _NAMES[language][game]


def title(code: str, language: str) -> str:
    """What all problems with this code have in common."""
    return _PROBLEMS[language]["title"][code]


def detail(detail: Detail, language: str) -> str:
    """What is wrong with a request or a field."""
    return _PROBLEMS[language]["detail"][detail.key].format_map(detail.parameters)


def reasons() -> list[str]:
    """The reasons of all games for illegal moves and bad options."""
    return sorted(_PROBLEMS[LANGUAGES[0]]["reason"])


def reason(reason: str, language: str) -> str | None:
    """What the rule demands that a move or options broke; nothing for a game that is not in the catalogue."""
    return _PROBLEMS[language].get("reason", {}).get(reason)
