"""Leaving a match, before the start and after it, and who may start it then."""

from __future__ import annotations

import random

import pytest
from support.clients import Client, play_on, seated
from support.store import PATIENCE
from support.truth import Truth

from engine.catalogue import GAMES
from engine.replay import read, verify
from service.store import keys


def leave(player: Client, match: str) -> None:
    answer = player.call("leaveMatch", match=match)
    assert (answer.status, answer.raw) == (204, b"")


def seats(viewer: Client, match: str) -> list[tuple[str | None, bool]]:
    return [(seat["name"], seat["stand_in"]) for seat in viewer.card(match)["seats"]]


# --- before the start ---


def test_before_the_start_the_seat_is_free_again(visitor: Client):
    ada, ben, cleo = (visitor.become(name) for name in ("Ada", "Ben", "Cleo"))
    match = ada.create(seats=4)
    ben.join(match)
    cleo.join(match)
    leave(ben, match)
    assert seats(visitor, match) == [("Ada", False), (None, False), ("Cleo", False), (None, False)]
    assert ben.card(match)["seat"] is None
    assert visitor.become("Dora").join(match) == 1
    assert ben.join(match) == 3, "who has left may come again as long as there is a seat"


def test_leaving_twice_or_without_a_seat_changes_nothing(visitor: Client, truth: Truth):
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create(seats=4)
    ben.join(match)
    leave(ben, match)
    with truth.unchanged(match, ada):
        leave(ben, match)
        leave(visitor.become("Stranger"), match)


def test_when_the_creator_is_gone_the_lowest_seat_starts(visitor: Client):
    ada, ben, cleo, dora = (visitor.become(name) for name in ("Ada", "Ben", "Cleo", "Dora"))
    match = ada.create(seats=4)
    cleo.join(match, seat=2)
    ben.join(match, seat=1)
    leave(ada, match)
    dora.join(match, seat=3)
    assert cleo.call("startMatch", {}, match=match).code == "not-the-creator"
    assert ada.call("startMatch", {}, match=match).code == "not-a-player"
    answer = ben.call("startMatch", {}, match=match)
    assert (answer.status, answer.body["status"], answer.body["seat"]) == (200, "playing", 0)


def test_a_creator_who_comes_back_may_start_again(visitor: Client):
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create(game="kabale", seats=3)
    ben.join(match)
    leave(ada, match)
    assert ada.join(match) == 0
    assert ben.call("startMatch", {}, match=match).code == "not-the-creator"
    assert ada.call("startMatch", {}, match=match).status == 200


def test_an_open_match_that_all_have_left_is_cancelled(visitor: Client, truth: Truth):
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create(seats=4)
    ben.join(match)
    leave(ada, match)
    leave(ben, match)
    card = visitor.card(match)
    assert (card["status"], card["waiting_on"]) == ("cancelled", [])
    assert card["finished_at"] is not None
    with truth.unchanged(match):
        assert visitor.become("Late").call("joinMatch", {}, match=match).code == "match-over"
        assert visitor.call("getView", match=match).code == "not-started"
        assert visitor.call("getReplay", match=match).code == "match-not-finished"
        leave(ada, match)


def test_entropy_leaves_with_its_player(visitor: Client, truth: Truth):
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create(seats=4)
    ben.join(match, entropy="by-ben")
    leave(ben, match)
    assert [seated and seated.entropy for seated in truth.match(match).seats] == ["", None, None, None]


# --- after the start ---


def test_after_the_start_a_stand_in_has_the_seat(visitor: Client):
    match, players = seated(visitor, seats=3)
    (seat,) = visitor.card(match)["waiting_on"]
    leave(players[seat], match)
    assert seats(visitor, match)[seat] == (f"Player {seat}", True)
    card = visitor.card(match)
    assert card["status"] == "playing"
    assert card["waiting_on"] != [seat], "the stand-in has played in the same write"
    assert visitor.view(match)["waiting_on"] == card["waiting_on"]


def test_who_has_left_sees_what_a_spectator_sees(visitor: Client, truth: Truth):
    match, players = seated(visitor, seats=3)
    play_on(match, players, random.Random(1), moves=8)
    leave(players[1], match)
    for operation in ("getView", "listEvents", "getMatch"):
        theirs, spectators = (who.call(operation, match=match) for who in (players[1], visitor))
        assert theirs.raw == spectators.raw
        assert theirs.headers.get("ETag") == spectators.headers.get("ETag")
    with truth.unchanged(match):
        assert players[1].move(match, 1, {"type": "decline_build"}).code == "not-a-player"
        assert players[1].call("joinMatch", {}, match=match).code == "match-full"
        assert players[1].call("startMatch", {}, match=match).code == "not-a-player"
        leave(players[1], match)


def test_entropy_stays_when_its_player_leaves_after_the_start(visitor: Client, truth: Truth):
    """All randomness follows from it, and the replay has to show it."""
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create(game="kabale", seats=2)
    ben.join(match, entropy="by-ben")
    leave(ben, match)
    play_on(match, [ada], random.Random(4))
    replay = visitor.call("getReplay", match=match)
    assert [seat["entropy"] for seat in replay.body["seats"]] == ["", "by-ben"]
    verify(*read(replay.raw, GAMES))


@pytest.mark.parametrize("seats", [2, 4], ids=["playing", "open"])
def test_who_leaves_is_told_like_those_who_stay(visitor: Client, truth: Truth, seats: int):
    """Their list of matches looks different now."""
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create(game="kabale", seats=seats)
    ben.join(match)
    channels = {keys.player_changes(player).encode() for player in truth.match(match).players()}
    assert len(channels) == 2
    with truth.redis.pubsub() as waiting:
        waiting.subscribe(*channels)
        for _ in channels:
            assert waiting.get_message(timeout=PATIENCE)["type"] == "subscribe"
        leave(ben, match)
        assert {waiting.get_message(timeout=PATIENCE)["channel"] for _ in channels} == channels


def test_a_running_match_that_all_have_left_is_cancelled(visitor: Client, truth: Truth):
    match, players = seated(visitor, seats=3, move_seconds=60)
    for player in players:
        leave(player, match)
    card, view = visitor.card(match), visitor.view(match)
    assert (card["status"], card["waiting_on"], card["deadline"]) == ("cancelled", [], None)
    assert (view["status"], view["waiting_on"], view["result"]) == ("cancelled", [], None)
    with truth.unchanged(match):
        assert players[0].move(match, 1, {"type": "decline_build"}).code == "not-a-player"
        assert visitor.call("getReplay", match=match).code == "match-not-finished"
    assert truth.match(match).seed.hex() not in visitor.call("listEvents", match=match).raw.decode()


def test_leaving_a_match_that_is_over_changes_nothing(visitor: Client, truth: Truth):
    match, players = seated(visitor, game="inside_job", seats=3)
    play_on(match, players, random.Random(2))
    with truth.unchanged(match, *players):
        for player in players:
            leave(player, match)
    assert players[0].card(match)["seat"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_match_whose_players_leave_one_after_another_ends(visitor: Client, game: str):
    """The last one plays on to the end; the replay tells which moves stand-ins made, and is confirmed."""
    chance = random.Random(game)
    count = max(GAMES[game].seats)
    match, players = seated(visitor, game=game, seats=count)
    remaining = dict(enumerate(players))
    while (card := visitor.card(match))["status"] == "playing":
        assert all(seat in remaining for seat in card["waiting_on"])
        seat = card["waiting_on"][0]
        decision = remaining[seat].view(match)["you"]["decision"]
        answer = remaining[seat].move(match, decision["id"], chance.choice(decision["legal_moves"]))
        assert answer.status == 200
        if len(remaining) > 1 and chance.random() < 0.3:
            gone = chance.choice(list(remaining))
            leave(remaining.pop(gone), match)
    assert card["status"] == "finished"
    assert len(remaining) == 1
    replay = visitor.call("getReplay", match=match)
    verify(*read(replay.raw, GAMES))
    by = {
        stand_in: {move["seat"] for move in replay.body["moves"] if move["stand_in"] is stand_in}
        for stand_in in (True, False)
    }
    assert by[True]
    assert by[True] <= set(range(count)) - set(remaining)
    assert [seat["name"] for seat in replay.body["seats"]] == [f"Player {seat}" for seat in range(count)]


@pytest.mark.parametrize("game", GAMES)
def test_one_person_plays_a_whole_match_with_stand_ins(visitor: Client, game: str):
    ada = visitor.become("Ada")
    count = max(GAMES[game].seats)
    match = ada.create(game=game, seats=count)
    answer = ada.call("startMatch", {"stand_ins": True}, match=match)
    assert answer.status == 200
    assert seats(visitor, match) == [("Ada", False), *[(None, True)] * (count - 1)]
    chance = random.Random(3)
    while (card := ada.card(match))["status"] == "playing":
        assert card["waiting_on"] == [0], "whoever else is asked has answered already"
        decision = ada.view(match)["you"]["decision"]
        assert ada.move(match, decision["id"], chance.choice(decision["legal_moves"])).status == 200
    assert card["status"] == "finished"
    replay = visitor.call("getReplay", match=match)
    verify(*read(replay.raw, GAMES))
    assert {move["seat"] for move in replay.body["moves"] if not move["stand_in"]} == {0}
    assert [seat["name"] for seat in replay.body["seats"]] == ["Ada", *[None] * (count - 1)]


def test_with_stand_ins_too_few_is_no_reason(visitor: Client):
    """Seats keep their numbers then: nothing closes up."""
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create(seats=4)
    ben.join(match, seat=3)
    assert ada.call("startMatch", {}, match=match).code == "too-few-players"
    assert ada.call("startMatch", {"stand_ins": True}, match=match).status == 200
    assert seats(visitor, match) == [("Ada", False), (None, True), (None, True), ("Ben", False)]
    assert ben.card(match)["seat"] == 3
    assert visitor.become("Late").call("joinMatch", {}, match=match).code == "match-full"
