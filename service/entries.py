"""By what a match can be found: its entries in the indexes.

An index is never the truth. It says where to look, and an entry is believed only if it is one of :func:`entries` of
the match that it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from service.match import Match, Status

GRACE: Final = 60
"""Seconds for which an entry that the match contradicts may be right: its match may be about to be written."""

DEADLINES: Final = "deadlines"
"""The index of all deadlines, by the second at which each is over."""


class Entry(NamedTuple):
    """One entry of an index.

    Attributes:
        name: the name of the index.
        at: its place in the index; seconds since 1970.
        match: what is found there.
    """

    name: str
    at: int
    match: str

    @property
    def may_return(self) -> bool:
        """It may be needed again just after it was withdrawn: who has left an open match may join it again.

        No other entry may. A match has each status once, a code one match, and deadlines only move on.
        """
        return self.name.startswith("player:") and self.name.endswith(":open")


class Place(NamedTuple):
    """A place in an index, or in several that are read as one; where they agree on it, they name the same match."""

    at: int
    match: str


class Found(NamedTuple):
    """What was found by reading indexes.

    Attributes:
        places: where a match may be, in order, each once.
        entries: all entries at these places; one match may be in several indexes at once.
        as_of: the store's time before it was read, in seconds since 1970.
    """

    places: Sequence[Place]
    entries: Mapping[Place, Sequence[Entry]]
    as_of: int


def lobby(game: str, status: Status) -> str:
    """The index of a game's public matches with a status, by the second since which they have it."""
    return f"lobby:{game}:{status}"


def of_player(player: str, status: Status) -> str:
    """The index of a player's matches with a status, by the second at which they were created."""
    return f"player:{player}:{status}"


def of_code(code: str) -> str:
    """The index whose only entry is the match that a code leads to."""
    return f"code:{code}"


class Grounds(NamedTuple):
    """All of a match that its entries follow from. Most moves change none of it.

    Attributes:
        since: when it has had its status; seconds since 1970.
        deadline: of a match that is played.
    """

    match: str
    game: str
    status: Status
    created_at: int
    since: int
    deadline: int | None
    public: bool
    join_code: str | None
    players: tuple[str, ...]


def grounds(match: Match) -> Grounds:
    """What the entries of a match follow from, now."""
    return Grounds(
        match.match,
        match.game,
        match.status,
        match.created_at,
        match.finished_at or match.started_at or match.created_at,
        match.deadline if match.status == "playing" else None,
        match.visibility == "public",
        match.join_code,
        tuple([seated.player for seated in match.seats if seated and seated.player is not None]),
    )


def entries(match: Match) -> frozenset[Entry]:
    """All entries that a match needs."""
    return entries_on(grounds(match))


def entries_on(grounds: Grounds) -> frozenset[Entry]:
    """All entries that follow from these grounds."""
    match, status, created_at = grounds.match, grounds.status, grounds.created_at
    found = {Entry(of_player(player, status), created_at, match) for player in grounds.players}
    if grounds.public:
        found.add(Entry(lobby(grounds.game, status), grounds.since, match))
    if grounds.deadline is not None:
        found.add(Entry(DEADLINES, grounds.deadline, match))
    if grounds.join_code is not None:
        # Also when the match has started: whoever got in by the code, and lost the answer, asks again.
        found.add(Entry(of_code(grounds.join_code), created_at, match))
    return frozenset(found)
