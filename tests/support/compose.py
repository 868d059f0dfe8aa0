"""docker-compose.yaml, read as Docker Compose would read it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).parents[2] / "docker-compose.yaml"


class NotSet(Exception):
    """A variable that must be set is not. The message is the one in the file."""


def interpolated(text: str, variables: Mapping[str, str]) -> str:
    """A text in which the variables have their values; of the forms that there are, those that the file uses."""

    def value(found: re.Match[str]) -> str:
        if found[0] == "$$":
            return "$"
        if found["must"] is not None and not variables.get(found["name"]):
            raise NotSet(f"{found['name']} {found['must']}")
        return variables.get(found["name"], "")

    return re.sub(r"\$\$|\$\{(?P<name>\w+)(:\?(?P<must>[^}]*))?\}", value, text)


def services(variables: Mapping[str, str]) -> dict[str, Any]:
    """The services of the file.

    Args:
        variables: what is set, in ``.env`` or otherwise.
    """
    read: dict[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))["services"]
    return {name: _inside(service, variables) for name, service in read.items()}


def _inside(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _inside(inner, variables) for key, inner in value.items()}
    if isinstance(value, list):
        return [_inside(inner, variables) for inner in value]
    return interpolated(value, variables) if isinstance(value, str) else value
