"""The names of everything in the store.

All keys of a match have its id as their hash tag, so they lie in one slot of a cluster and one script can touch
them all.
"""

from __future__ import annotations

from typing import Final

READINESS: Final = "turncoat:readiness"
"""Written, with a short time to live, to see whether the store takes writes."""

COUNTERS: Final = "turncoat:count"
"""What the names of the rate limits' counters begin with; whom they count is hashed."""

SWEEPER: Final = "turncoat:sweeper"
"""String, with a short time to live: which process sweeps now."""


def record(match: str) -> str:
    """Hash: ``version``, ``match`` (who plays what, the seed) and ``state`` (the game's own)."""
    return f"match:{{{match}}}:record"


def events(match: str) -> str:
    """List: what happened, secrets included, oldest first."""
    return f"match:{{{match}}}:events"


def moves(match: str) -> str:
    """List: the moves that were accepted, in order; with the seed they give the match again."""
    return f"match:{{{match}}}:moves"


def changes(match: str) -> str:
    """Channel: the version after every write."""
    return f"match:{{{match}}}:changes"


def index(name: str) -> str:
    """Sorted set: the entries of an index, all with the score 0 and therefore in the order of their bytes.

    The hash tag is the name, so the key beside it lies in the same slot.
    """
    return f"index:{{{name}}}"


def announced(name: str) -> str:
    """Sorted set: the same entries, by the time at which each was announced last."""
    return f"index:{{{name}}}:announced"


def code(name: str) -> str:
    """String: the match that a join code leads to."""
    return f"code:{{{name}}}"


def player_changes(player: str) -> str:
    """Channel: told after every write of a match that a player is in, or has just left."""
    return f"player:{{{player}}}:changes"


def streams(match: str, who: str) -> str:
    """Sorted set: the streams of a match that somebody has open, by the time when each lease ends."""
    return f"match:{{{match}}}:streams:{who}"
