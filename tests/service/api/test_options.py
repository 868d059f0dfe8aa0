"""Options that no match can be played with are refused, at creation and when fewer than planned begin."""

from __future__ import annotations

from typing import Any

import pytest
from support.clients import Client

DECK_OF_18 = [{"condition": "all_odd", "trump": "blue"}] * 18

FORBIDDEN = [
    (3, {"special_roles": ["decoy", "decoy"]}, "special-role-twice", "special_roles"),
    (3, {"special_roles": ["decoy", "tim_shady"]}, "too-many-neutral-roles", "special_roles"),
    (4, {"special_roles": ["decoy", "accomplice"]}, "too-many-neutral-roles", "special_roles"),
    (5, {"special_roles": ["decoy", "accomplice", "tim_shady"]}, "too-many-neutral-roles", "special_roles"),
    (
        3,
        {"special_roles": ["sleeper_agent", "paranoid_agent", "bugged_agent"]},
        "too-many-special-roles",
        "special_roles",
    ),
    (4, {"special_roles": ["risk_agent"], "wagers": False}, "risk-agent-needs-wagers", "special_roles"),
    (3, {"special_roles": ["bugged_agent", "accomplice"]}, "too-many-roles-face-up", "special_roles"),
    (4, {"special_roles": ["decoy"], "random_roles": 1}, "roles-both-chosen-and-random", "random_roles"),
    (3, {"random_roles": 4}, "more-random-roles-than-players", "random_roles"),
    (5, {"missions_needed": 10}, "more-missions-needed-than-tricks", "missions_needed"),
    (4, {"mission_deck": DECK_OF_18}, "mission-deck-too-small", "mission_deck"),
    (
        5,
        {"wagers": False, "mission_deck": [*DECK_OF_18, {"condition": "two_wagered", "trump": "red"}]},
        "mission-needs-wagers",
        "mission_deck",
    ),
]


@pytest.mark.parametrize(("seats", "options", "reason", "field"), FORBIDDEN)
def test_what_the_rules_forbid_is_refused_at_creation(
    visitor: Client, truth, seats: int, options: dict[str, Any], reason: str, field: str
):
    host = visitor.become("Host")
    keys = truth.all_keys()
    body = {"game": "inside_job", "seats": seats, "visibility": "public", "options": options}
    answer = host.call("createMatch", body)
    assert (answer.status, answer.code, answer.body["reason"]) == (422, "bad-options", reason)
    assert [error["pointer"] for error in answer.body["errors"]] == [f"/options/{field}"]
    assert truth.all_keys() <= keys, "nothing was created"


def test_options_are_checked_again_for_those_who_really_play(visitor: Client):
    """Three special roles are right for five players and too many for three."""
    host, ben, cleo, dora = (visitor.become(name) for name in ("Host", "Ben", "Cleo", "Dora"))
    roles = ["sleeper_agent", "paranoid_agent", "bugged_agent"]
    match = host.create("inside_job", 5, options={"special_roles": roles})
    ben.join(match)
    cleo.join(match)
    before = host.card(match)
    answer = host.call("startMatch", {}, match=match)
    assert (answer.status, answer.code, answer.body["reason"]) == (422, "bad-options", "too-many-special-roles")
    assert host.card(match) == before
    dora.join(match)
    assert host.call("startMatch", {}, match=match).body["status"] == "playing"
    assert host.view(match)["table"]["special_roles"] == sorted(roles)


def test_defaults_follow_the_number_that_plays(visitor: Client):
    """Missions needed and intel limit are printed per number of players; five were planned and three play."""
    host, ben, cleo = (visitor.become(name) for name in ("Host", "Ben", "Cleo"))
    match = host.create("inside_job", 5)
    ben.join(match)
    cleo.join(match)
    host.call("startMatch", {}, match=match)
    table = visitor.view(match)["table"]
    assert (table["missions_needed"], table["intel_limit"], table["tricks"]) == (9, 6, 11)
