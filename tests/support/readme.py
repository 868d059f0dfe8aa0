"""The README's lines, as somebody would paste them into a shell.

Run as a program, it prints the first match with curl for the address and the names given:

    python tests/support/readme.py http://127.0.0.1:9000 Ada Ben Cleo
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def first_match(address: str, names: str) -> str:
    """All shell blocks of the chapter about the first match, for another address and other players."""
    text = README.read_text(encoding="utf-8")
    (chapter,) = re.findall(r"^## A first match with curl$(.*?)^## ", text, flags=re.MULTILINE | re.DOTALL)
    script = "\n".join(re.findall(r"^```sh\n(.*?)^```$", chapter, flags=re.MULTILINE | re.DOTALL))
    for old, new in {"http://127.0.0.1:8080": address, "Ada Ben Cleo": names}.items():
        assert script.count(old) == 1, f"the README's lines hold {old!r} {script.count(old)} times"
        script = script.replace(old, new)
    return script


if __name__ == "__main__":
    print(first_match(sys.argv[1], " ".join(sys.argv[2:])))
