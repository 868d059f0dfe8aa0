"""Links of the contract: what can be done next, and where its parameters are found in the answer at hand.

A token cannot be passed on by a link; it goes with every request.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple


class _Link(NamedTuple):
    """Leads to an operation, with its parameters and its body."""

    operation: str
    description: str
    parameters: dict[str, str] = {}
    body: Any = None

    @property
    def entry(self) -> dict[str, Any]:
        """The link as the contract writes it."""
        entry: dict[str, Any] = {"operationId": self.operation, "description": self.description}
        if self.parameters:
            entry["parameters"] = self.parameters
        if self.body is not None:
            entry["requestBody"] = self.body
        return entry


_MATCH: Final = {"match": "$response.body#/match"}
_FIRST: Final = {"match": "$response.body#/items/0/match"}
_FIRST_MOVE: Final = {
    "decision": "$response.body#/you/decision/id",
    "move": "$response.body#/you/decision/legal_moves/0",
}

_FROM_TOKEN: Final = [
    _Link("getMe", "Who the token speaks for, if it is sent as the bearer token."),
    _Link("listMyMatches", "The matches of whom the token speaks for."),
]
_FROM_GAMES: Final = [_Link("getGame", "The first game.", {"game": "$response.body#/items/0/game"})]
_FROM_CARD: Final = [
    _Link("getMatch", "The card of this match.", _MATCH),
    _Link("joinMatch", "A seat in this match, for another player.", _MATCH, {}),
    _Link("startMatch", "Starts this match, with stand-ins in the free seats.", _MATCH, {"stand_ins": True}),
    _Link("getView", "What you see of this match, once it has started.", _MATCH),
    _Link("playMove", "Answers a decision, which the view shows.", _MATCH),
    _Link("listEvents", "What has happened in this match.", _MATCH),
    _Link("leaveMatch", "Gives up your seat in this match.", _MATCH),
    _Link("getReplay", "This match in full, once it is finished.", _MATCH),
]
_FROM_NEW_CARD: Final = [
    _Link(
        "joinByCode",
        "A seat in this match, if it is private, for another player.",
        {},
        {"join_code": "$response.body#/join_code"},
    ),
]
_FROM_VIEW: Final = [
    _Link("playMove", "The first of your legal moves.", _MATCH, _FIRST_MOVE),
    _Link("getView", "What you see of this match later.", _MATCH),
    _Link("getMatch", "The card of this match.", _MATCH),
    _Link("listEvents", "What has happened in this match.", _MATCH),
    _Link("leaveMatch", "Gives up your seat in this match.", _MATCH),
]
_FROM_EVENTS: Final = [
    _Link("listEvents", "What comes next.", {**_MATCH, "after": "$response.body#/latest"}),
    _Link("getView", "What you see of this match now.", _MATCH),
]
_FROM_MY_MATCHES: Final = [
    _Link("getMatch", "The card of the first match.", _FIRST),
    _Link("getView", "What you see of the first match, once it has started.", _FIRST),
    _Link("listMyMatches", "The next page.", {"cursor": "$response.body#/next_cursor"}),
]
_FROM_LOBBY: Final = [
    _Link("getMatch", "The card of the first match.", _FIRST),
    _Link("joinMatch", "A seat in the first match.", _FIRST, {}),
    _Link("listMatches", "The next page.", {"cursor": "$response.body#/next_cursor"}),
]

_GROUPS: Final = {
    "token": _FROM_TOKEN,
    "games": _FROM_GAMES,
    "card": _FROM_CARD,
    "new-card": _FROM_NEW_CARD,
    "view": _FROM_VIEW,
    "events": _FROM_EVENTS,
    "my-matches": _FROM_MY_MATCHES,
    "lobby": _FROM_LOBBY,
}

_AT: Final = {
    ("createPlayer", "201"): ["token"],
    ("renewToken", "201"): ["token"],
    ("listGames", "200"): ["games"],
    ("createMatch", "201"): ["card", "new-card"],
    ("joinMatch", "200"): ["card"],
    ("joinMatch", "201"): ["card"],
    ("joinByCode", "200"): ["card"],
    ("joinByCode", "201"): ["card"],
    ("startMatch", "200"): ["card"],
    ("getMatch", "200"): ["card"],
    ("getView", "200"): ["view"],
    ("playMove", "200"): ["view"],
    ("listEvents", "200"): ["events"],
    ("listMyMatches", "200"): ["my-matches"],
    ("listMatches", "200"): ["lobby"],
}
"""From which answers the links of which groups lead on."""


def components() -> dict[str, Any]:
    """All links, by the names by which answers refer to them."""
    return {f"{group}.{link.operation}": link.entry for group, links in _GROUPS.items() for link in links}


def of_answer(operation: str, status: str) -> dict[str, Any]:
    """The links of one answer, by the operations to which they lead."""
    return {
        link.operation: {"$ref": f"#/components/links/{group}.{link.operation}"}
        for group in _AT.get((operation, status), ())
        for link in _GROUPS[group]
    }
