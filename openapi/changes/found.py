"""The two contracts that are compared, and the changes found so far."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

_PROSE = {"title", "summary", "description", "example", "examples", "externalDocs", "$comment"}

Schema = Any
"""An object, or ``true`` or ``false``."""


class Way(Enum):
    """Where a value goes; what may change depends on it."""

    REQUEST = "request"
    ANSWER = "answer"


@dataclass(frozen=True, order=True)
class Change:
    """Something that differs.

    Attributes:
        where: the operation or the schema, and the way into it.
        breaks: whether a client of the old contract may fail.
    """

    where: str
    what: str
    breaks: bool

    def __str__(self) -> str:
        return f"{'BREAKS ' if self.breaks else 'fine   '} {self.where}: {self.what}"


@dataclass
class Found:
    """Collects changes.

    Attributes:
        compared: pairs of named schemas that were looked at, by way; so recursion ends.
    """

    old: dict[str, Any]
    new: dict[str, Any]
    changes: set[Change] = field(default_factory=set)
    compared: set[tuple[str | None, str | None, Way]] = field(default_factory=set)

    def breaks(self, where: str, what: str) -> None:
        """A change that a client of the old contract may fail at."""
        self.changes.add(Change(where, what, breaks=True))

    def fine(self, where: str, what: str) -> None:
        """A change that no client needs to know of."""
        self.changes.add(Change(where, what, breaks=False))

    def note(self, where: str, what: str, *, breaks: bool) -> None:
        """A change of either kind."""
        self.changes.add(Change(where, what, breaks))

    def in_order(self) -> list[Change]:
        """Breaking ones first."""
        return sorted(self.changes, key=lambda change: (not change.breaks, change))


def resolved(document: dict[str, Any], node: Any) -> Any:
    """What a reference leads to, or the node itself."""
    while isinstance(node, dict) and "$ref" in node:
        target: Any = document
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step.replace("~1", "/").replace("~0", "~")]
        node = target
    return node


def name_of(node: Any) -> str | None:
    """The name of the component that a node refers to."""
    return node["$ref"].rsplit("/", 1)[1] if isinstance(node, dict) and "$ref" in node else None


def compare_the_rest(
    found: Found, where: str, before: dict[str, Any], after: dict[str, Any], known: Collection[str]
) -> None:
    """Whatever nobody has compared, or knows the meaning of, must stay as it is; but for prose and extensions."""
    for key in sorted((before.keys() | after.keys()) - {*known, *_PROSE}):
        if before.get(key) != after.get(key):
            found.note(where, f"{key} differs", breaks=not key.startswith("x-"))


def told(value: Any) -> str:
    """A value of a keyword, as a change names it."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
