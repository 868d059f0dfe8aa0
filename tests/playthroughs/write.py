"""Write the playthroughs anew. What has changed in them is to be read before it is committed."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playthroughs.record import FOLDER, files, text


def main() -> None:
    wanted = files()
    for path in FOLDER.rglob("*.txt"):
        if path not in wanted:
            path.unlink()
            print(f"removed {path.relative_to(FOLDER)}")
    for path, recorded in wanted.items():
        path.parent.mkdir(exist_ok=True)
        new = text(*recorded)
        if not path.exists() or path.read_text(encoding="utf-8") != new:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.relative_to(FOLDER)}")


if __name__ == "__main__":
    main()
