"""Edits of the real contract, for tables of what must be found in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from changes.found import resolved
from support.contract import document

Edit = Callable[[dict[str, Any]], Any]


def planted(edit: Edit, contract: dict[str, Any] | None = None) -> dict[str, Any]:
    """A copy of the contract with an edit, which must have changed something."""
    original = contract or document()
    copy = json.loads(json.dumps(original))  # much faster than deepcopy
    edit(copy)
    assert copy != original, "the edit changes nothing"
    return copy


def operation(contract: dict[str, Any], name: str) -> dict[str, Any]:
    """An operation by its id."""
    return next(
        entry
        for item in contract["paths"].values()
        for entry in item.values()
        if isinstance(entry, dict) and entry.get("operationId") == name
    )


def schema(contract: dict[str, Any], name: str) -> dict[str, Any]:
    """A schema by its name."""
    return contract["components"]["schemas"][name]


def fields(contract: dict[str, Any], name: str) -> dict[str, Any]:
    """The fields of a schema."""
    return schema(contract, name)["properties"]


def parameter(contract: dict[str, Any], owner: str, name: str) -> dict[str, Any]:
    """A parameter of an operation."""
    return _parameters(contract, owner)[name]


def without_parameter(contract: dict[str, Any], owner: str, name: str) -> None:
    """Take a parameter away from one operation."""
    place = list(_parameters(contract, owner)).index(name)
    del operation(contract, owner)["parameters"][place]


def _parameters(contract: dict[str, Any], owner: str) -> dict[str, dict[str, Any]]:
    """The parameters of an operation by their names, whether written there or among the components."""
    each = [resolved(contract, entry) for entry in operation(contract, owner)["parameters"]]
    return {entry["name"]: entry for entry in each}


def renamed(entries: dict[str, Any], old: str, new: str) -> None:
    """Give something another name."""
    entries[new] = entries.pop(old)
