"""Put the files of the recipe's game into the page: ``python tests/recipe/write.py``, after they were changed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from recipe.page import BLOCK, FILES, PAGE


def current(found: re.Match[str]) -> str:
    """A block with what its file holds now; how other files change is written on the page itself."""
    path, language, content = found.groups()
    if language != "diff":
        content = (FILES / path).read_text(encoding="utf-8").lstrip("\n")
    return f"`{path}`:\n\n```{language}\n{content}```"


if __name__ == "__main__":
    PAGE.write_text(BLOCK.sub(current, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
