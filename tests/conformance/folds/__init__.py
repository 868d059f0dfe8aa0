"""Folds: what somebody knows who was told the events of a match and nothing else.

Each game has one in the module of its id. It is written like a client in another language would be: it knows the
options on the match's card, the components in the catalogue and the JSON of the events, and nothing of the rules'
code.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any, ClassVar

import msgspec

from engine.game import AnyGame, Options, Seat


def plain(value: Any) -> Any:
    """A value as it is sent."""
    return msgspec.json.decode(msgspec.json.encode(value))


class Fold(ABC):
    """What one viewer knows of a match after the events so far.

    Attributes:
        game: whose fold it is.
        not_shown: the fields of events, as ``type.field``, which the views after them do not show, each with why it
            may be told. A field of ``you`` is named ``type.you.field``.
        told_again: the fields which only repeat what follows from the view before or from the rest of the events.
        rare: events that random play hardly ever brings about.
    """

    game: ClassVar[AnyGame]
    not_shown: ClassVar[dict[str, str]]
    told_again: ClassVar[frozenset[str]]
    rare: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, viewer: Seat | None, options: Options) -> None:
        self.viewer = viewer
        self.options = plain(options)
        self.components = plain(self.game.components)
        self.ending: str | None = None

    def read(self, event: dict[str, Any]) -> None:
        """Take in one event, as the viewer reads it."""
        getattr(self, event["type"])(event)

    def view(self) -> dict[str, Any]:
        """What the viewer is shown now."""
        seen = {"table": self.table(), "waiting_on": self.waiting_on(), "ending": self.ending}
        if self.viewer is not None:
            seen["hand"] = self.hand()
        return copy.deepcopy(seen)

    @abstractmethod
    def table(self) -> dict[str, Any]:
        """The table."""

    @abstractmethod
    def hand(self) -> dict[str, Any]:
        """The viewer's hand."""

    @abstractmethod
    def waiting_on(self) -> list[Seat]:
        """The seats that owe a decision."""
