"""Everything that people read, by language: gettext catalogues, one file each.

The engine and the wire carry ids only; here they get names. An entry's context is the game, its id the id of the
component, or of the game itself.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from babel.messages.pofile import read_po

LANGUAGES: Final = ("en", "de", "nl")
"""The languages there are; the first one is spoken where none of them is asked for."""

_FOLDER: Final = Path(__file__).parent


@cache
def names(game: str, language: str) -> MappingProxyType[str, str]:
    """The names of a game and of its components, by id."""
    with (_FOLDER / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    return MappingProxyType(
        {str(entry.id): str(entry.string) for entry in catalogue if entry.id and entry.context == game}
    )
