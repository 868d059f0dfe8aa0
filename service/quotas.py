"""How many of something in how long: what the settings of the rate limits say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_LONGEST: Final = 31 * 24 * 60 * 60
_MOST: Final = 10**9


@dataclass(frozen=True)
class Quota:
    """So many attempts in a window of so many seconds."""

    name: str
    amount: int
    seconds: int


def quotas(name: str, rate: str) -> list[Quota]:
    """The quotas of one limit, the shortest window first.

    With several windows, each bears its seconds in its name: ``matches-60`` and ``matches-3600``.

    Args:
        name: the limit's.
        rate: as the library has it: ``20/minute``, ``5 per 10 minutes``; several joined by ``;``. Empty, there is none.

    Raises:
        ValueError: the rate cannot be read, or is one that makes no sense.
    """
    if not rate.strip():
        return []
    # The library brings half of the standard one along, and whoever reads only defaults needs none of it.
    from limits import parse_many

    windows = sorted((item.get_expiry(), item.amount) for item in parse_many(rate))
    if len({seconds for seconds, _ in windows}) != len(windows):
        raise ValueError("two limits for the same time")
    for seconds, amount in windows:
        if not (1 <= seconds <= _LONGEST and 1 <= amount <= _MOST):
            raise ValueError("a limit of nothing, or beyond all bounds")
    if len(windows) == 1:
        return [Quota(name, amount, seconds) for seconds, amount in windows]
    return [Quota(f"{name}-{seconds}", amount, seconds) for seconds, amount in windows]
