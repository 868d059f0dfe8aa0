"""The recipe in docs/adding-a-game.md as something that can be carried out."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/adding-a-game.md"
FILES = Path(__file__).with_name("files")
"""What the page's blocks hold, each where it belongs; here it can be linted and edited."""

BLOCK = re.compile(r"^`([^`\n]+)`:\n\n```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
NEEDED = (
    *("engine", "service", "openapi/write.py", "openapi/compare.py", "openapi/openapi.yaml", "openapi/released"),
    *("openapi/changes", "docs/secrecy.md", "docs/randomness.md", "pyproject.toml", "tests/conftest.py"),
    *("tests/support", "tests/conformance", "tests/playthroughs", "tests/http/conftest.py", "tests/secrecy_run"),
    "tests/service/test_named_ids.py",
)
"""Of the repository, by what the recipe's last step runs."""


@dataclass(frozen=True)
class Block:
    """A block of the page: a new file, what is put at the end of one, or how one changes."""

    path: str
    language: str
    content: str

    def put_into(self, root: Path) -> None:
        """Do with it what the page asks for."""
        file = root / self.path
        match self.language:
            case "python":
                assert not file.exists(), f"{self.path} is there already"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(self.content)
            case "po":
                file.write_text(f"{file.read_text()}\n{self.content}")
            case "diff":
                subprocess.run(["git", "apply", "-"], input=self.content, text=True, cwd=root, check=True)
            case _:
                raise ValueError(f"{self.path}: what is to be done with {self.language}?")


def blocks() -> list[Block]:
    """All blocks of the page that are for a file."""
    return [Block(*found) for found in BLOCK.findall(PAGE.read_text())]


def carry_out(folder: Path) -> None:
    """Have a copy of the repository in an empty folder, with the game that the page makes."""
    for path in NEEDED:
        source, target = ROOT / path, folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        else:
            shutil.copy(source, target)
    for block in blocks():
        block.put_into(folder)
