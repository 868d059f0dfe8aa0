"""Elsewhere roles were shown during the last vote, and each player's own screen showed wrong ones after the end.

Here nothing is revealed one move before the end. Afterwards all read the same, and it is what was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from secrecy import hidden
from support.clients import Client
from support.sitting import Sitting, every_game
from support.truth import Truth

from engine.game import AnyGame

UP_TO_THE_LAST_DECISION: Mapping[str, Mapping[str, Any]] = {
    "inside_job": {"missions_needed": 9, "intel_limit": 14},
}
"""Options with which hardly any match ends before its last decision, which in Inside Job is the vote."""

LAST_DECISIONS = {"verraeter": {"play_supplies", "build"}, "kabale": {"place_card"}, "inside_job": {"cast_vote"}}
"""Kinds of decision after which matches end, and of which these must do so."""


@every_game
def test_nothing_is_revealed_before_the_end_and_the_truth_after_it(visitor: Client, truth: Truth, game: AnyGame):
    last: Counter[str] = Counter()
    for number in range(20):
        options = UP_TO_THE_LAST_DECISION.get(game.id, {})
        sitting = Sitting(visitor, truth, game, number, options=options)
        last[play_and_look(sitting)] += 1
        if number >= 2 and last.keys() >= LAST_DECISIONS[game.id]:
            return
    raise AssertionError(f"matches ended only after {dict(last)}")


def play_and_look(sitting: Sitting) -> str:
    """A whole match; gives the kind of decision after which it ended."""
    truth, match = sitting.truth, sitting.match
    while sitting.waiting_on():
        one_move_before = truth.copy(match)
        seat, _ = sitting.move()
    check_the_end(sitting, look(sitting))
    truth.put_back(one_move_before)
    before = look(sitting)
    for (viewer, _), view in zip(sitting.viewers, before, strict=True):
        assert list(hidden.leaks(sitting.game.id, sitting.plain_state(), viewer, view)) == []
        assert (view["status"], view["result"]) == ("playing", None)
    return before[seat]["you"]["decision"]["kind"]


def look(sitting: Sitting) -> list[Any]:
    return [viewer.view(sitting.match) for _, viewer in sitting.viewers]


def check_the_end(sitting: Sitting, after: list[Any]) -> None:
    """Every screen shows the same end, the right one, and its own seat's cards beside it."""
    state = sitting.plain_state()
    tables = [{name: value for name, value in view.items() if name != "you"} for view in after]
    assert all(table == tables[0] for table in tables)
    assert tables[0]["status"] == "finished"
    assert all(entry["seat"] == seat for seat, entry in enumerate(tables[0]["result"]["seats"]))
    assert any(entry["won"] for entry in tables[0]["result"]["seats"])
    RIGHT[sitting.game.id](state, tables[0])
    for (seat, _), view in zip(sitting.viewers, after, strict=True):
        assert (view["you"] and view["you"]["seat"]) == seat
        if seat is not None:
            assert sorted(view["you"]["hand"]) == sorted(OWN_HAND[sitting.game.id](state["players"][seat]))
            if sitting.game.id == "inside_job":
                assert view["you"]["role"] == state["players"][seat]["role"]


# --- what is right, told from the true state by hand ---


def _verraeter(state: Any, view: Any) -> None:
    scores = [sum(player["gains"].values()) for player in state["players"]]
    assert [entry["score"] for entry in view["result"]["seats"]] == scores
    assert [entry["won"] for entry in view["result"]["seats"]] == [score == max(scores) for score in scores]


def _kabale(state: Any, view: Any) -> None:
    assert [seat["goals"] for seat in view["table"]["seats"]] == [player["goals"] for player in state["players"]]
    scores = [entry["score"] for entry in view["result"]["seats"]]
    assert [seat["score"] for seat in view["table"]["seats"]] == scores
    assert all(entry["score"] == max(scores) for entry in view["result"]["seats"] if entry["won"])


def _inside_job(state: Any, view: Any) -> None:
    players = state["players"]
    assert [seat["role"] for seat in view["table"]["seats"]] == [player["role"] for player in players]
    assert [seat["votes"] for seat in view["table"]["seats"]] == [player["vote"] for player in players]
    for entry, player in zip(view["result"]["seats"], players, strict=True):
        if player["role"] == "insider":
            assert entry["won"] == (state["ending"] in ("insider_collected_intel", "insider_escaped_vote"))


RIGHT = {"verraeter": _verraeter, "kabale": _kabale, "inside_job": _inside_job}
OWN_HAND = {
    "verraeter": lambda player: player["supplies"],
    "kabale": lambda player: player["hand"],
    "inside_job": lambda player: player["hand"],
}
