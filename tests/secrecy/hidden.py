"""What is hidden from whom in the games of the catalogue, told by hand from their rules and from a stored state.

Their cards are no markers: a bare ``builder`` may mean a card in hand, an open one, or one of the last round. So two
questions are asked of the values in an answer. Does a thing that exists only once, and lies hidden, stand anywhere?
And do the places that are covered, as long as something lies face down there, hold what they must hold then?
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from support.scanning import strings

State = Mapping[str, Any]
Viewer = int | None


def leaks(game: str, state: State, viewer: Viewer, body: Any, read: Collection[str] = ()) -> Iterator[str]:
    """What an answer tells a viewer too much, in words.

    Args:
        game: the id of the game.
        state: the true one, as plain values.
        viewer: a seat, or ``None`` for who has none.
        body: the answer, decoded.
        read: all that stands in the events that the viewer has read. What lay open once may be hidden again by now.
    """
    unique, covered = _GAMES[game]
    is_view = "table" in body
    told = set(strings(_without_the_past(game, body) if is_view else body))
    if "latest" in body:
        told -= set(read)
    for hidden in sorted(unique(state, viewer) & told):
        yield f"{hidden}, which is hidden,"
    if is_view:
        yield from covered(state, body["table"])
        if (body["you"] or {}).get("seat") != viewer:
            yield "the hand of somebody else"


def _without_the_past(game: str, view: Any) -> Any:
    """A view without what lay open in rounds that are over, whose cards may be hidden again by now."""
    past = {"verraeter": "last_conflict", "kabale": "last_round"}.get(game)
    return {**view, "table": {name: value for name, value in view["table"].items() if name != past}}


# --- Verräter: six action cards, one each; every round they are drafted in secret and shown in phase 4 ---


def _verraeter_unique(state: State, viewer: Viewer) -> set[str]:
    shown = state["phase"] in ("build", "over")
    known = {player["action"] for seat, player in enumerate(state["players"]) if shown or seat == viewer}
    if viewer is not None:
        known |= set(state["players"][viewer]["offered"])
    return {"traitor", "diplomat_2", "diplomat_5", "builder", "strategist", "farmer"} - known


def _verraeter_covered(state: State, table: Any) -> Iterator[str]:
    for seat, entry in enumerate(table["seats"]):
        if entry["action"] is not None and state["phase"] not in ("build", "over"):
            yield f"the action card of seat {seat}"


# --- Kabale und Hiebe: a goal is there once or twice; cards in columns lie face down until they are turned up ---


def _kabale_unique(state: State, _viewer: Viewer) -> set[str]:
    won = [goal for player in state["players"] for goal in player["goals"]]
    return {*state["goal_stack"], *state["unused_goals"]} - {
        *won,
        *state["lost_goals"],
        *[column["goal"] for column in state["columns"]],
    }


def _kabale_covered(state: State, table: Any) -> Iterator[str]:
    for column, shown in zip(state["columns"], table["columns"], strict=True):
        for slot, entry in zip(column["slots"], shown["slots"], strict=True):
            if entry["character"] is not None and not (slot["face_up"] or slot["moved"]):
                yield f"the card of seat {slot['owner']} that lies face down"
            if not isinstance(entry["tucked"], bool):
                yield f"the card that seat {slot['owner']} tucked under another one"


# --- Inside Job: every card and every mission is there once; roles lie face down ---


def _inside_job_unique(state: State, viewer: Viewer) -> set[str]:
    hidden = {*state["undealt"], *state["mission_deck"]}
    for seat, player in enumerate(state["players"]):
        if seat != viewer:
            hidden |= {*player["hand"], *player["discarded"]}
    if state["start_seat"] != viewer or state["phase"] != "choose_mission":
        hidden |= set(state["drawn"])
    return hidden


def _inside_job_covered(state: State, table: Any) -> Iterator[str]:
    if state["phase"] == "over":
        return
    for seat, (player, entry) in enumerate(zip(state["players"], table["seats"], strict=True)):
        if entry["role"] is not None and not player["revealed"]:
            yield f"the role of seat {seat}"
        if entry["votes"] is not None:
            yield f"the vote of seat {seat}"


Unique = Callable[[State, Viewer], set[str]]
Covered = Callable[[State, Any], Iterator[str]]

_GAMES: dict[str, tuple[Unique, Covered]] = {
    "verraeter": (_verraeter_unique, _verraeter_covered),
    "kabale": (_kabale_unique, _kabale_covered),
    "inside_job": (_inside_job_unique, _inside_job_covered),
}

KNOWN_GAMES = set(_GAMES)
"""Those whose rules are told here."""
