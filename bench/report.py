"""The results as a page. Nothing in it tells whose machine it was."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

from support.store import store_program

from bench.figures import Budget, Part, Table, told

RESULTS = Path(__file__).with_name("results.md")


def page(parts: Sequence[Part], command: str, seconds: float) -> str:
    """All that was found, in Markdown."""
    return "\n".join(_page(parts, command, seconds)) + "\n"


def _page(parts: Sequence[Part], command: str, seconds: float) -> Iterator[str]:
    yield "# Benchmark results"
    yield ""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    yield f"Written on {today} by `{command}`, in {seconds / 60:.0f} minutes, and not by hand. [README.md](README.md)"
    yield "tells what each figure means. Figures are medians, with the middle half of the repeats in brackets."
    yield ""
    yield f"Machine: {machine()}."
    yield ""
    yield "## Budgets"
    yield ""
    yield from _table(budget_table([budget for part in parts for budget in part.budgets]))
    for part in parts:
        yield ""
        yield f"## {part.title}"
        for note in part.notes:
            yield ""
            yield note
        for table in part.tables:
            yield ""
            yield from _table(table)


def budget_table(budgets: Sequence[Budget]) -> Table:
    """What is required, what was measured, and whether that is enough."""
    rows = [
        [budget.name, budget.required, told(budget.figure), "yes" if budget.met else "**no**"] for budget in budgets
    ]
    return Table(("budget", "required", "measured", "met"), rows)


def _table(table: Table) -> Iterator[str]:
    yield _row(table.columns)
    yield "|---" + "|---:" * (len(table.columns) - 1) + "|"
    for row in table.rows:
        yield _row(row)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def machine() -> str:
    """The machine and what runs on it, without names and paths."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("flask", "gunicorn", "gevent", "redis", "msgspec"))
    return (
        f"{os.cpu_count()} cores ({platform.machine()}, {platform.system()}), {_memory()} GiB, "
        f"{platform.python_implementation()} {platform.python_version()}; {libraries}; store: {store_version()}"
    )


def _memory() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)


def store_version() -> str:
    """What store it is, and which version of it."""
    said = subprocess.run([store_program(), "--version"], capture_output=True, text=True, check=True).stdout
    found = re.match(r"(\w+) server v=([\d.]+)", said)
    return f"{found[1]} {found[2]}" if found else "unknown"


def summary(parts: Sequence[Part]) -> None:
    """Print the budgets."""
    for part in parts:
        for budget in part.budgets:
            word = "met   " if budget.met else "MISSED"
            sys.stdout.write(f"{word} {budget.name}: {told(budget.figure)}, {budget.required}\n")
