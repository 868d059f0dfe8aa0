"""All settings on a page: for a person, for the README, for a program. No secret is on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import click
import msgspec

from service.setting_values import plainly
from service.settings import ABOUT, Complaint, Settings, variable

_WIDTH: Final = 80


@dataclass(frozen=True)
class Row:
    """What there is to say of a setting.

    Attributes:
        name: its environment variable.
        default: what holds if it is not set; nothing if that is nothing.
        meaning: what it is for.
        set: whether it is set.
        value: what may be shown of what it is set to; null if it is not set, or wrong.
        wrong: what is wrong with it.
    """

    name: str
    default: str
    meaning: str
    set: bool
    value: str | None
    wrong: list[str]


def rows(settings: Settings, complaints: Iterable[Complaint]) -> list[Row]:
    """All settings, and behind them what is set and is none."""
    wrong: dict[str, list[str]] = {}
    for complaint in complaints:
        wrong.setdefault(complaint.variable, []).append(complaint.message)
    known = []
    for about in ABOUT:
        name = variable(about.name)
        value, faults = getattr(settings, about.name), wrong.pop(name, [])
        shown = None if name not in os.environ or faults else "" if value in (None, ()) else about.show(value)
        known.append(Row(name, plainly(about.default), about.meaning, name in os.environ, shown, faults))
    return known + [Row(name, "", "", set=True, value=None, wrong=faults) for name, faults in wrong.items()]


def chosen(settings: Settings) -> list[str]:
    """The settings that are not as they are by default, each with what may be shown of it."""
    return [
        f"{variable(about.name)}={about.show(value)}"
        for about in ABOUT
        if (value := getattr(settings, about.name)) != about.default
    ]


def as_text(page: list[Row]) -> str:
    """For a person, on a terminal of usual width."""
    entries = [_entry(row) for row in page]
    number, wrong = sum(row.set for row in page), sum(bool(row.wrong) for row in page)
    about = f"Settings are environment variables. {number} of them {'is' if number == 1 else 'are'} set"
    return "\n\n".join(
        [*entries, f"{about}, and {wrong} {'is' if wrong == 1 else 'are'} wrong." if wrong else f"{about}."]
    )


def _entry(row: Row) -> str:
    head = f"{row.name}={row.value}" if row.value is not None else f"{row.name} (set)" if row.set else row.name
    lines = [click.style(head, bold=True) if row.set else head]
    lines += [click.style(_wrapped(f"WRONG: {words.removeprefix(f'{row.name}: ')}"), fg="red") for words in row.wrong]
    if row.meaning:
        lines += [_wrapped(row.meaning), _wrapped(f"Default: {row.default or 'none'}")]
    return "\n".join(lines)


def _wrapped(words: str) -> str:
    return click.wrap_text(words, _WIDTH - 2, "    ", "    ")


def as_markdown(page: list[Row]) -> str:
    """As the README has it: what they mean, and nothing of what is set here."""
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    for row in page:
        if row.meaning:
            default = f"`{row.default}`" if row.default else ""
            lines.append(f"| `{row.name}` | {default} | {row.meaning} |")
    return "\n".join(lines)


def as_json(page: list[Row]) -> str:
    """For a program."""
    return msgspec.json.format(msgspec.json.encode([asdict(row) for row in page]), indent=2).decode()


FORMS: Final[Mapping[str, Callable[[list[Row]], Any]]] = {"text": as_text, "markdown": as_markdown, "json": as_json}
