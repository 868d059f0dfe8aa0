"""By what a match can be found: pure, as long as it is not stored."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from service.entries import DEADLINES, Entry, entries, lobby, of_code, of_player


def a_match(**fields: Any) -> Any:
    usual = {
        "match": "m",
        "game": "kabale",
        "visibility": "public",
        "join_code": None,
        "seats": [sits("ada"), None, sits("ben")],
        "status": "open",
        "created_at": 100,
        "started_at": None,
        "finished_at": None,
        "deadline": None,
    }
    return SimpleNamespace(**usual | fields)


def sits(player: str | None) -> Any:
    return SimpleNamespace(player=player)


PLAYING = {"status": "playing", "started_at": 200}


def test_an_open_match_is_in_the_lobby_and_with_its_players():
    assert entries(a_match()) == {
        Entry(lobby("kabale", "open"), 100, "m"),
        Entry(of_player("ada", "open"), 100, "m"),
        Entry(of_player("ben", "open"), 100, "m"),
    }


@pytest.mark.parametrize(
    ("times", "since"),
    [
        (PLAYING, 200),
        ({"status": "finished", "started_at": 200, "finished_at": 300}, 300),
        ({"status": "cancelled", "started_at": 200, "finished_at": 300}, 300),
        ({"status": "cancelled", "started_at": None, "finished_at": 300}, 300),
    ],
)
def test_the_lobby_is_sorted_by_the_time_since_which_a_match_has_its_status(times: dict[str, Any], since: int):
    """And a player's matches by their creation, so that they keep their places."""
    status = times["status"]
    assert entries(a_match(**times)) == {
        Entry(lobby("kabale", status), since, "m"),
        Entry(of_player("ada", status), 100, "m"),
        Entry(of_player("ben", status), 100, "m"),
    }


@pytest.mark.parametrize("times", [{}, PLAYING, {"status": "finished", "finished_at": 300}])
def test_a_private_match_is_not_in_the_lobby(times: dict[str, Any]):
    found = entries(a_match(visibility="private", join_code="CODE", **times))
    assert not any(entry.name.startswith("lobby:") for entry in found)
    assert {entry.name for entry in found if entry.name.startswith("player:")} == {
        of_player(player, times.get("status", "open")) for player in ("ada", "ben")
    }


@pytest.mark.parametrize("times", [{}, PLAYING, {"status": "finished", "finished_at": 300}])
def test_a_code_leads_to_its_match_as_long_as_that_is_kept(times: dict[str, Any]):
    """Whom it lets in is for the match to say; who got in by it, and lost the answer, finds the match again."""
    assert Entry(of_code("CODE"), 100, "m") in entries(a_match(visibility="private", join_code="CODE", **times))


def test_a_deadline_is_watched_while_the_match_is_played():
    assert Entry(DEADLINES, 260, "m") in entries(a_match(**PLAYING, deadline=260))
    for times in ({}, {"status": "finished", "finished_at": 300}):
        assert not any(entry.name == DEADLINES for entry in entries(a_match(**times, deadline=260)))


def test_nobody_looks_for_a_stand_in():
    found = entries(a_match(seats=[sits(None), sits("ben")], **PLAYING))
    assert {entry.name for entry in found} == {lobby("kabale", "playing"), of_player("ben", "playing")}


def test_a_match_without_players_is_in_the_lobby_alone():
    found = entries(a_match(seats=[None, sits(None)], status="cancelled", finished_at=300))
    assert found == {Entry(lobby("kabale", "cancelled"), 300, "m")}


def test_an_ordinary_move_changes_no_entry():
    assert entries(a_match(**PLAYING, moves=3, waiting_on=[0])) == entries(a_match(**PLAYING, moves=4, waiting_on=[1]))


def test_only_a_seat_in_an_open_match_can_be_taken_again():
    private = {"visibility": "private", "join_code": "CODE"}
    may_return = {
        entry.name
        for match in (a_match(), a_match(**private), a_match(**PLAYING, deadline=260), a_match(status="finished"))
        for entry in entries(match)
        if entry.may_return
    }
    assert may_return == {of_player("ada", "open"), of_player("ben", "open")}


@pytest.mark.parametrize("player", ["a:open", "a}b", "{x}", "auth0|123", "lobby:kabale:open", "ä"])
def test_odd_ids_of_players_lead_to_no_other_index(player: str):
    names = {of_player(player, "open"), of_player(player, "playing"), of_player("a", "open"), lobby("kabale", "open")}
    assert len(names) == 4
