"""Creating, joining and starting matches, and their cards."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from flask import Flask
from support.clients import Client, InProcess, seated
from support.truth import Truth

from engine import randomness

DEFAULT_OPTIONS = {
    "first_strategist": "start_player",
    "traitor_point_in_draw": False,
    "trading_posts_need_own_house": False,
    "early_end": "after_round",
    "landscape_points": [[3, 2, 1, 1], [5, 3, 2, 1], [6, 4, 3, 2], [8, 5, 3, 2], [9, 6, 4, 3], [11, 7, 5, 3]],
}
OTHER_OPTIONS = {
    "first_strategist": "left_of_start_player",
    "traitor_point_in_draw": True,
    "trading_posts_need_own_house": True,
    "early_end": "at_once",
    "landscape_points": [[0, 99, 0, 99]] * 6,
}


@pytest.fixture
def ada(visitor: Client) -> Client:
    return visitor.become("Ada")


@pytest.fixture
def eve(visitor: Client) -> Client:
    return visitor.become("Eve")


def names(card) -> list[str | None]:
    return [seat["name"] for seat in card["seats"]]


# --- creating ---


def test_the_creator_has_the_first_seat_of_an_open_match(ada: Client, visitor: Client):
    answer = ada.call(
        "createMatch", {"game": "verraeter", "seats": 4, "visibility": "public", "name": "Friday", "options": {}}
    )
    assert answer.status == 201
    card = answer.body
    assert answer.headers["Location"] == f"/v1/matches/{card['match']}"
    assert {key: card[key] for key in ("game", "name", "status", "visibility", "rules_version")} == {
        "game": "verraeter",
        "name": "Friday",
        "status": "open",
        "visibility": "public",
        "rules_version": 1,
    }
    assert card["options"] == DEFAULT_OPTIONS
    assert card["seats"] == [
        {"seat": seat, "name": name, "stand_in": False} for seat, name in enumerate(["Ada", None, None, None])
    ]
    assert (card["join_code"], card["move_seconds"], card["deadline"]) == (None, None, None)
    assert (card["seat"], card["waiting_on"], card["started_at"], card["finished_at"]) == (0, [], None, None)
    assert ada.card(card["match"]) == card
    assert visitor.card(card["match"]) == {**card, "seat": None}


def test_a_match_needs_no_name(ada: Client):
    assert ada.card(ada.create())["name"] is None


def test_options_that_are_chosen_hold_and_the_rest_have_their_defaults(ada: Client, truth: Truth):
    chosen = ada.card(ada.create(options={"early_end": "at_once"}))
    assert chosen["options"] == {**DEFAULT_OPTIONS, "early_end": "at_once"}
    assert ada.card(ada.create(options=OTHER_OPTIONS))["options"] == OTHER_OPTIONS


def test_a_match_is_played_with_its_options(visitor: Client, truth: Truth):
    match, players = seated(visitor, options=OTHER_OPTIONS)
    assert players[0].card(match)["options"] == OTHER_OPTIONS
    table = visitor.view(match)["table"]
    assert table["strategist_seat"] == (table["start_seat"] + 1) % 3
    assert truth.state(match).options.landscape_points == ((0, 99, 0, 99),) * 6


def test_the_commitment_is_there_from_the_beginning_and_fits_the_seed(visitor: Client, ada: Client, truth: Truth):
    match = ada.create()
    before = ada.card(match)["commitment"]
    for name in ("Bo", "Cy"):
        visitor.become(name).join(match, entropy=f"by-{name}")
    assert ada.card(match)["commitment"] == before == randomness.commitment(match, truth.match(match).seed)
    assert len(before) == hashlib.sha256().digest_size * 2


def test_entropy_of_those_who_join_changes_the_deal(ada: Client, truth: Truth, visitor: Client):
    """So the creator, who may have seen many seeds, has not chosen the cards alone."""
    match = ada.create()
    for name in ("Bo", "Cy"):
        visitor.become(name).join(match, entropy=f"by-{name}")
    record = truth.match(match)
    assert [seated.entropy for seated in record.seats] == ["", "by-Bo", "by-Cy"]
    alone = randomness.Randomness(match, record.seed, [b"", b"", b""]).deal()
    together = randomness.Randomness(match, record.seed, [b"", b"by-Bo", b"by-Cy"]).deal()
    start = truth.state(match).start_seat
    assert together.below(3) == start
    assert [together.below(1000) for _ in range(5)] != [alone.below(1000) for _ in range(5)]


# --- joining ---


def test_who_joins_gets_the_first_free_seat(ada: Client, eve: Client, visitor: Client):
    match = ada.create(seats=4)
    answer = eve.call("joinMatch", {}, match=match)
    assert (answer.status, answer.body["seat"], names(answer.body)) == (201, 1, ["Ada", "Eve", None, None])
    assert answer.body["status"] == "open"
    assert visitor.card(match)["seats"] == answer.body["seats"]


def test_a_seat_may_be_chosen(ada: Client, eve: Client, visitor: Client):
    match = ada.create(seats=4)
    assert eve.join(match, seat=3) == 3
    assert visitor.become("Bo").join(match) == 1
    assert names(ada.card(match)) == ["Ada", "Bo", None, "Eve"]


def test_joining_twice_gives_the_same_seat(ada: Client, eve: Client, truth: Truth):
    match = ada.create(seats=4)
    eve.join(match, seat=2, entropy="first")
    for body in ({}, {"seat": 2}, {"seat": 3}, {"seat": 0}, {"seat": 15}, {"entropy": "second"}):
        with truth.unchanged(match, ada, eve):
            answer = eve.call("joinMatch", body, match=match)
        assert (answer.status, answer.body["seat"]) == (200, 2)
    assert truth.match(match).seats[2].entropy == "first"


def test_the_creator_has_joined_already(ada: Client, truth: Truth):
    match = ada.create()
    with truth.unchanged(match, ada):
        answer = ada.call("joinMatch", {}, match=match)
    assert (answer.status, answer.body["seat"]) == (200, 0)


def test_who_plays_is_told_their_seat_again_after_the_start(visitor: Client):
    match, players = seated(visitor)
    answer = players[2].call("joinMatch", {}, match=match)
    assert (answer.status, answer.body["seat"], answer.body["status"]) == (200, 2, "playing")


@pytest.mark.parametrize(
    ("seat", "status", "code"),
    [(0, 409, "seat-taken"), (3, 409, "seat-taken"), (4, 422, "invalid"), (15, 422, "invalid")],
)
def test_a_seat_that_cannot_be_had(
    ada: Client, eve: Client, visitor: Client, truth: Truth, seat: int, status: int, code: str
):
    match = ada.create(seats=4)
    eve.join(match, seat=3)
    with truth.unchanged(match, ada, eve):
        answer = visitor.become("Bo").call("joinMatch", {"seat": seat}, match=match)
    assert (answer.status, answer.code) == (status, code)
    if code == "invalid":
        assert [error["pointer"] for error in answer.body["errors"]] == ["/seat"]


def test_two_players_of_one_name_have_two_seats(visitor: Client):
    match = visitor.become("Ada").create()
    assert visitor.become("Ada").join(match) == 1


def test_the_last_seat_starts_the_match(ada: Client, eve: Client, visitor: Client, truth: Truth):
    match = ada.create(seats=3)
    eve.join(match)
    assert truth.events(match) == []
    answer = visitor.become("Bo").call("joinMatch", {}, match=match)
    assert (answer.status, answer.body["status"], answer.body["seat"]) == (201, "playing", 2)
    assert answer.body["started_at"] is not None
    assert answer.body["waiting_on"] == [visitor.view(match)["table"]["start_seat"]]
    assert len(truth.events(match)) == 1
    assert truth.moves(match) == []


def test_a_full_match_takes_nobody_more(visitor: Client, eve: Client, truth: Truth):
    match, players = seated(visitor)
    with truth.unchanged(match, *players):
        for body in ({}, {"seat": 0}, {"seat": 9}):
            answer = eve.call("joinMatch", body, match=match)
            assert (answer.status, answer.code) == (409, "match-full")


def test_a_match_that_started_early_takes_nobody_more(ada: Client, eve: Client, visitor: Client, truth: Truth):
    match = ada.create(seats=4)
    for name in ("Bo", "Cy"):
        visitor.become(name).join(match)
    ada.call("startMatch", {}, match=match)
    with truth.unchanged(match, ada):
        answer = eve.call("joinMatch", {}, match=match)
    assert (answer.status, answer.code) == (409, "already-started")


# --- starting ---


@pytest.fixture
def half_full(ada: Client, eve: Client) -> str:
    """Two of four seats are taken, with a gap between them."""
    match = ada.create(seats=4, options=OTHER_OPTIONS)
    eve.join(match, seat=2, entropy="eve")
    return match


def test_only_players_may_start(half_full: str, ada: Client, eve: Client, visitor: Client, truth: Truth):
    with truth.unchanged(half_full, ada, eve):
        stranger = visitor.become("Bo").call("startMatch", {}, match=half_full)
        guest = eve.call("startMatch", {}, match=half_full)
    assert (stranger.status, stranger.code) == (403, "not-a-player")
    assert (guest.status, guest.code) == (403, "not-the-creator")


def test_two_are_too_few(half_full: str, ada: Client, eve: Client, truth: Truth):
    with truth.unchanged(half_full, ada, eve):
        answer = ada.call("startMatch", {}, match=half_full)
    assert (answer.status, answer.code) == (409, "too-few-players")


def test_three_of_four_start_and_the_gap_closes(
    half_full: str, ada: Client, eve: Client, visitor: Client, truth: Truth
):
    bo = visitor.become("Bo")
    bo.join(half_full, seat=3)
    commitment = ada.card(half_full)["commitment"]

    answer = ada.call("startMatch", {}, match=half_full)

    assert (answer.status, answer.body["status"], answer.body["seat"]) == (200, "playing", 0)
    assert answer.body["seats"] == [
        {"seat": seat, "name": name, "stand_in": False} for seat, name in enumerate(["Ada", "Eve", "Bo"])
    ]
    assert [player.view(half_full)["you"]["seat"] for player in (ada, eve, bo)] == [0, 1, 2]
    assert [player.card(half_full)["seat"] for player in (ada, eve, bo)] == [0, 1, 2]
    assert answer.body["options"] == OTHER_OPTIONS
    assert answer.body["commitment"] == commitment
    assert [seated.entropy for seated in truth.match(half_full).seats] == ["", "eve", ""]
    table = visitor.view(half_full)["table"]
    assert (table["rounds"], len(table["seats"]), table["draw_pile_size"]) == (9, 3, 14)


def test_a_match_starts_once(visitor: Client, truth: Truth):
    match, players = seated(visitor)
    with truth.unchanged(match, *players):
        answer = players[0].call("startMatch", {}, match=match)
        other = players[1].call("startMatch", {}, match=match)
    assert (answer.status, answer.code) == (409, "already-started")
    assert (other.status, other.code) == (403, "not-the-creator")


def test_a_start_that_is_sent_many_times_deals_once(app: Flask, ada: Client, visitor: Client, truth: Truth):
    match = ada.create(seats=4)
    for name in ("Bo", "Cy"):
        visitor.become(name).join(match)
    doubles = [Client(InProcess(app.test_client()), ada.token) for _ in range(8)]
    with ThreadPoolExecutor(len(doubles)) as threads:
        answers = list(threads.map(lambda double: double.call("startMatch", {}, match=match), doubles))
    assert sorted(answer.status for answer in answers) == [200] + [409] * 7
    assert len(truth.events(match)) == 1


# --- the card ---


def test_the_card_names_players_and_tells_no_ids(visitor: Client, truth: Truth):
    match, players = seated(visitor)
    for viewer in [visitor, visitor.become("Stranger"), *players]:
        raw = viewer.call("getMatch", match=match).raw
        assert names(viewer.card(match)) == ["Player 0", "Player 1", "Player 2"]
        assert all(seat.player.encode() not in raw for seat in truth.match(match).seats)


def test_cards_differ_in_nothing_but_the_own_seat(visitor: Client):
    match, players = seated(visitor)
    cards = [viewer.card(match) for viewer in [*players, visitor, visitor.become("Stranger")]]
    assert [card.pop("seat") for card in cards] == [0, 1, 2, None, None]
    assert all(card == cards[0] for card in cards)


def test_times_are_utc_and_in_order(visitor: Client):
    match, _ = seated(visitor)
    card = visitor.card(match)
    times = {name: datetime.fromisoformat(card[name]) for name in ("created_at", "started_at", "expires_at")}
    assert all(time.utcoffset() == timedelta(0) for time in times.values())
    assert times["created_at"] <= times["started_at"] < times["expires_at"]


def test_a_match_that_is_not_there(visitor: Client, ada: Client):
    for operation, body in [("getMatch", None), ("getView", None), ("joinMatch", {}), ("startMatch", {})]:
        answer = ada.call(operation, body, match="A" * 22)
        assert (answer.status, answer.code) == (404, "no-such-match")
        assert b"AAAA" not in answer.raw
