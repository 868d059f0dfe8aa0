"""Mutants that no test can tell from the original, each with why. ``docs/secrecy.md`` lists them too."""

from __future__ import annotations

from typing import Final

EXPLAINED: Final[dict[str, str]] = {}
