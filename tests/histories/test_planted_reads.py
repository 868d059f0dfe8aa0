"""The checker finds seats that were sold twice or lost, and readers who were told what never was."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest
from histories.planting import (
    answered,
    calls,
    edit,
    entries,
    kinds,
    player,
    started,
    store,
)

# --- seats ---


def test_a_seat_that_is_sold_twice(history):
    """Ben was given the seat that Dora has."""
    (dora,) = calls(history, "joinMatch", "Dora")
    (ben,) = calls(history, "joinMatch", "Ben")
    answered(history, ben, lambda card: card.update(seat=dora.answer["seat"]))
    assert "seat-sold-twice" in kinds(history)


def test_two_players_on_one_seat(history):
    for call in calls(history, "getView", "Ben", status=200):
        if call.answer["you"]:
            answered(history, call, lambda view: view["you"].update(seat=2))
    assert "seat-sold-twice" in kinds(history)


def test_a_player_on_two_seats(history):
    outcome = started(history)
    store(history, outcome, seats=[outcome.record.seats[0], outcome.record.seats[1], outcome.record.seats[0]])
    assert "two-seats" in kinds(history)


def test_a_leaver_who_is_back_in_the_store(history):
    outcome = started(history)
    ben = msgspec.structs.replace(outcome.record.seats[1], player=player(history, "Ben"))
    store(history, outcome, seats=[outcome.record.seats[0], ben, outcome.record.seats[2]])
    assert "leaver-resurrected" in kinds(history)


def test_a_leaver_who_is_shown_a_hand(history):
    views = [call for call in calls(history, "getView", "Ben") if call.accepted]
    you = next(call.answer["you"] for call in views if call.answer["you"])
    answered(history, views[-1], lambda view: view.update(you=you))
    assert "leaver-resurrected" in kinds(history)


def test_a_leaver_on_the_card(history):
    """Cleo had left when the match had not even started."""
    last = calls(history, "getMatch", "Ada")[-1]
    answered(
        history, last, lambda card: card["seats"][1].update(name=history.names[player(history, "Cleo")], stand_in=False)
    )
    assert "leaver-resurrected" in kinds(history)


def test_a_leaver_who_is_replaced_too_late(history):
    """A move of the player's own after one of the stand-in's."""
    made = [entry for entry in entries(history) if entry.logged.seat == 1 and not entry.logged.stand_in]
    moves = list(started(history).moves)
    moves[made[0].number - 1] = msgspec.structs.replace(made[0].logged, stand_in=True)
    store(history, replace(started(history), moves=moves))
    assert "leaver-resurrected" in kinds(history)


def test_a_join_that_is_lost(history):
    outcome = started(history)
    store(
        history,
        outcome,
        seats=[*outcome.record.seats[:2], msgspec.structs.replace(outcome.record.seats[2], player=None)],
    )
    assert "lost-join" in kinds(history)


def test_a_player_who_is_treated_as_a_stranger(history):
    call = calls(history, "getView", "Dora")[-1]
    answered(history, call, lambda view: view.update(you=None))
    assert "lost-join" in kinds(history)


# --- what is read ---


def test_a_view_that_runs_backwards(history):
    """Dora reads the one before the last one once more, at the end."""
    views = [call for call in calls(history, "getView", "Dora") if call.accepted]
    earlier = next(call for call in reversed(views) if call.answer != views[-1].answer)
    edit(history, views[-1], answer=earlier.answer)
    assert "backwards" in kinds(history)


def test_events_that_run_backwards(history):
    pages = calls(history, "listEvents", "Cleo", query="?after=0&limit=100")
    edit(history, pages[-1], answer=pages[5].answer)
    assert "backwards" in kinds(history)


@pytest.mark.parametrize("fault", ["missing", "swapped", "renumbered", "secret"])
def test_events_that_did_not_happen_like_this(history, fault):
    page = calls(history, "listEvents", "Ada")[-1]

    def spoil(page: Any) -> None:
        items = page["items"]
        if fault == "missing":
            del items[1]
        elif fault == "swapped":
            items[1]["event"], items[3]["event"] = items[3]["event"], items[1]["event"]
        elif fault == "renumbered":
            items[1]["number"] += 1
        else:
            items[1]["event"]["you"] = {"secret": 1}

    answered(history, page, spoil)
    assert "never-so" in kinds(history)


def test_a_card_of_another_moment(history):
    last = calls(history, "getMatch", "Ada")[-1]
    answered(history, last, lambda card: card.update(waiting_on=[0, 1, 2]))
    assert "never-so" in kinds(history)


def test_a_view_that_comes_too_early(history):
    """It shows a move that was asked for only later."""
    views = [call for call in calls(history, "getView", "Cleo") if call.accepted]
    edit(history, views[0], answer=views[-1].answer)
    assert "too-early" in kinds(history)


def test_a_refusal_for_no_reason(history):
    call = calls(history, "getView", "Ada")[-1]
    edit(history, call, status=409, answer={"code": "not-started"})
    assert "backwards" in kinds(history)


@pytest.mark.parametrize("code", ["not-your-decision", "illegal-move", "match-over"])
def test_a_move_that_is_wrongly_refused(history, code):
    """It had been made before, so this is not what was wrong with it."""
    call = calls(history, "playMove", "Ada", status=409)[-1]
    edit(history, call, answer={"code": code})
    assert kinds(history) & {"never-so", "backwards"}


# --- what is listed ---


def test_a_match_that_is_not_listed(history):
    answered(history, calls(history, "listMyMatches", "Ada")[-1], lambda page: page["items"].clear())
    assert "not-listed" in kinds(history)


def test_a_match_that_is_listed_twice(history):
    answered(history, calls(history, "listMyMatches", "Ada")[-1], lambda page: page["items"].extend(page["items"]))
    assert "listed-twice" in kinds(history)


def test_a_match_that_is_listed_for_a_leaver(history):
    cards = calls(history, "listMyMatches", "Ada")[-1].answer["items"]
    page = calls(history, "listMatches")[-1]
    edit(
        history,
        page,
        operation="listMyMatches",
        player=player(history, "Ben"),
        answer={"items": cards, "next_cursor": None},
    )
    assert "leaver-resurrected" in kinds(history)


def test_a_match_that_is_listed_as_it_was_long_before(history):
    pages = calls(history, "listMyMatches", "Ada")
    edit(history, pages[-1], answer=pages[0].answer)
    assert "backwards" in kinds(history)


def test_a_match_that_does_not_wait_for_who_asked(history):
    page = next(
        page
        for page in calls(history, "listMyMatches", "Ada")
        if any(card["seat"] not in card["waiting_on"] for card in page.answer["items"])
    )
    edit(history, page, query="?waiting_on_me=true")
    assert "listed-wrongly" in kinds(history)


def test_a_private_match_in_the_lobby(history):
    (ben,) = calls(history, "createMatch", "Ben")
    answered(
        history, calls(history, "listMatches")[-1], lambda page: page["items"].append({**ben.answer, "seat": None})
    )
    assert "private-in-lobby" in kinds(history)


# --- matches ---


def test_a_match_that_is_lost(history):
    del history.outcomes[calls(history, "createMatch", "Ben")[0].match]
    assert "lost-match" in kinds(history)


def test_a_match_that_is_made_twice(history):
    """Of one request, of which the second answer was lost."""
    call = calls(history, "createMatch", "Ben")[0]
    outcome = history.outcomes[call.match]
    twin = msgspec.structs.replace(outcome.record, match="its twin")
    history.outcomes["its twin"] = replace(outcome, record=twin)
    assert "unexplained-match" in kinds(history)


def test_a_service_that_fails(history):
    edit(history, calls(history, "getView")[3], status=500, answer={"code": "internal-error"})
    assert "failed" in kinds(history)
