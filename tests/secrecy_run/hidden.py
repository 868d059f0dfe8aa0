"""What is hidden in each game: the places in its state, and ids that occur once and so give themselves away."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from engine.game import Seat

HIDDEN: Final[dict[str, frozenset[str]]] = {
    "verraeter": frozenset(
        ("players[].supplies[]", "players[].offered[]", "players[].action", "middle[]", "draw_pile[]")
    ),
    "kabale": frozenset(
        (
            "players[].hand[]",
            "players[].draw_pile[]",
            "players[].discard_pile[]",
            "columns[].slots[].character",
            "columns[].slots[].tucked",
            "goal_stack[]",
            "unused_goals[]",
        )
    ),
    "inside_job": frozenset(
        (
            "players[].role",
            "players[].hand[]",
            "players[].discarded[]",
            "players[].vote[]",
            "undealt[]",
            "mission_deck[]",
            "drawn[]",
        )
    ),
}
"""For each game, the places in its state whose contents resampling must vary, and no others may it touch."""


def facts(value: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every single thing that a state says, as JSON values: its kind of place, its place, and what is there."""
    yield from _facts(value, path, path)


def _facts(value: Any, kind: str, path: str) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _facts(inner, f"{kind}.{name}".lstrip("."), f"{path}.{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _facts(inner, f"{kind}[]", f"{path}[{place}]")
    else:
        yield kind, path, value


def _kabale(state: Any, viewer: Seat | None) -> set[str]:
    """Goals in the stack or out of the game; of a goal that exists twice the other one may be seen."""
    seen = {*state.lost_goals, *(column.goal for column in state.columns)}
    seen |= {goal for player in state.players for goal in player.goals}
    return {*state.goal_stack, *state.unused_goals} - seen


def _inside_job(state: Any, viewer: Seat | None) -> set[str]:
    """Cards that this viewer does not hold and nobody has played, and missions that it has not drawn."""
    others = [player for seat, player in enumerate(state.players) if seat != viewer]
    cards = {*state.undealt, *(card for player in others for card in player.hand)}
    missions = {*state.mission_deck, *(mission for player in others for mission in player.discarded)}
    seen = {*state.succeeded, *state.failed, state.mission}
    if viewer is not None:
        seen |= {*state.players[viewer].discarded}
    if viewer == state.start_seat:
        seen |= {*state.drawn}
    else:
        missions |= {*state.drawn}
    return cards | (missions - seen)


MARKERS: Final[dict[str, Callable[[Any, Seat | None], set[str]]]] = {"kabale": _kabale, "inside_job": _inside_job}
"""For games with such ids: those that a viewer must not come across now, in anything that it receives."""

SECRET_PARTS: Final[dict[str, frozenset[str]]] = {
    "draft_action": frozenset(("action",)),
    "place_card": frozenset(("card",)),
    "tuck_card": frozenset(("card",)),
    "cast_vote": frozenset(("targets",)),
}
"""For each type of move, the fields that nobody but the mover sees as it is played. All others lie open."""


def open_part(move: Any) -> dict[str, Any]:
    """What everybody sees of a move as it is played: its type, and in which column but not which card."""
    part: dict[str, Any] = msgspec.to_builtins(move)
    secret = SECRET_PARTS.get(part["type"], frozenset())
    return {name: value for name, value in part.items() if name not in secret}
