"""Who judges the contract as a file: linters, and the comparison with the last release."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import compare
import lint
import yaml
from changes import may_break
from contract.planted_breaks import BREAKS, is_found
from contract.planted_faults import FAULTS, with_all_faults
from support.contract import document


@dataclass
class Planted:
    """Faults that were planted into the contract.

    Attributes:
        missed: those that were not found.
    """

    planted: int = 0
    missed: list[str] = field(default_factory=list)


def lint_findings() -> list[str]:
    """What two linters do not like."""
    return [str(finding) for finding in lint.findings()]


def breaking_changes() -> list[str]:
    """What breaks clients of the last release, unless the version says so."""
    allowed = may_break(compare.last_released().stem, document()["info"]["version"])
    return [] if allowed else [str(change) for change in compare.breaking_since_release()]


def plant() -> Planted:
    """Breaking changes for the comparison, and faults for the linters."""
    missed = [f"the comparison misses: {what}" for what in BREAKS if not is_found(what)]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "faulty.yaml"
        file.write_text(yaml.dump(with_all_faults(), allow_unicode=True, sort_keys=False), encoding="utf-8")
        rules = {(finding.linter, finding.rule) for finding in lint.findings(file)}
    for what, fault in FAULTS.items():
        sought = {("redocly", fault.redocly), ("spectral", fault.spectral)}
        if not {pair for pair in sought if pair[1]} <= rules:
            missed.append(f"the linters miss: {what}")
    return Planted(len(BREAKS) + len(FAULTS), missed)
