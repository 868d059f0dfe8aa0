"""Record the examples of the contract anew.

With ``--check`` nothing is written: the exit code tells whether they are current. The contract has to be written after
them, as they are a part of it; ``make examples`` does both.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from examples.record import TARGET, text


def main() -> int:
    """Write or check; 0 if all is well."""
    logging.disable()  # many things go wrong on purpose
    new = text()
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.exists() and TARGET.read_text(encoding="utf-8") == new else 1
    TARGET.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
