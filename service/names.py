"""Names that others will see."""

from __future__ import annotations

import re
from typing import Final

LONGEST_PLAYER_NAME: Final = 40

_UNFIT: Final = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff"
"""What breaks or turns a line, or cannot be seen; written so that it means the same in Python and in ECMA-262."""

FIT: Final = rf"^(?=.*\S)[^{_UNFIT}]+$"
"""What a name has to be: something visible, nothing that is unfit."""


def made_fit(name: str, longest: int) -> str:
    """The name without what is unfit, and cut; empty if there is nothing else."""
    on_one_line = " ".join(name.split())
    return re.sub(rf"[{_UNFIT}\ud800-\udfff]", "", on_one_line).strip()[:longest].strip()
