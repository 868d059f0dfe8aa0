"""ETags, conditional requests, and what caches are told."""

from __future__ import annotations

import re

import pytest
from support.bodies import bodies
from support.clients import Answer, Client, seated
from support.contract import operations

BODIES = {body.operation: body.value for body in reversed(bodies())}
CONDITIONAL = ["getMatch", "getView"]


@pytest.fixture
def table(visitor: Client) -> tuple[str, list[Client]]:
    return seated(visitor)


def play(visitor: Client, match: str, players: list[Client]) -> Answer:
    (seat,) = visitor.card(match)["waiting_on"]
    decision = players[seat].view(match)["you"]["decision"]
    return players[seat].move(match, decision["id"], decision["legal_moves"][0])


@pytest.mark.parametrize("operation", CONDITIONAL)
def test_an_etag_is_strong_and_stays_while_nothing_changes(visitor: Client, table, operation: str):
    match, players = table
    for viewer in [visitor, *players]:
        etags = {viewer.call(operation, match=match).headers["ETag"] for _ in range(3)}
        assert len(etags) == 1
        assert re.fullmatch(r'"[A-Za-z0-9_-]{20,}"', etags.pop())


@pytest.mark.parametrize("operation", CONDITIONAL)
def test_viewers_who_see_different_things_have_different_etags(visitor: Client, table, operation: str):
    match, players = table
    stranger = visitor.become("Stranger")
    etags = [viewer.call(operation, match=match).headers["ETag"] for viewer in [visitor, stranger, *players]]
    assert etags[0] == etags[1]
    assert len(set(etags)) == 4


def test_an_etag_belongs_to_what_is_seen_and_to_nothing_else(visitor: Client, table):
    """The same bytes, the same ETag, and the other way round; no counter tells of what a viewer may not see."""
    match, players = table
    etags: dict[str, bytes] = {}
    for _ in range(25):
        for viewer in [visitor, *players]:
            answer = viewer.call("getView", match=match)
            assert etags.setdefault(answer.headers["ETag"], answer.raw) == answer.raw
        play(visitor, match, players)
    assert len(set(etags.values())) == len(etags)


@pytest.mark.parametrize("operation", CONDITIONAL)
@pytest.mark.parametrize(
    "condition",
    ["{etag}", "W/{etag}", '"other", {etag}', '{etag}, "other"', 'W/"other" ,W/{etag}', "*", '"",{etag}', "{etag},"],
)
def test_what_a_viewer_has_is_not_sent_again(visitor: Client, table, operation: str, condition: str):
    match, players = table
    for viewer in [visitor, players[0]]:
        full = viewer.call(operation, match=match)
        etag = full.headers["ETag"]
        answer = viewer.call(operation, match=match, headers={"If-None-Match": condition.format(etag=etag)})
        assert (answer.status, answer.raw) == (304, b"")
        for header in ("ETag", "Cache-Control", "Vary"):
            assert answer.headers[header] == full.headers[header]
        assert "Content-Type" not in answer.headers
        assert "Content-Length" not in answer.headers


@pytest.mark.parametrize("operation", CONDITIONAL)
@pytest.mark.parametrize("condition", ['"other"', 'W/"other"', "{bare}", '"{bare}', "", ",", '"a" "b"', "{etag}x"])
def test_what_a_viewer_has_not_is_sent(table, operation: str, condition: str):
    match, players = table
    full = players[0].call(operation, match=match)
    etag = full.headers["ETag"]
    condition = condition.format(etag=etag, bare=etag.strip('"')[:-1])
    answer = players[0].call(operation, match=match, headers={"If-None-Match": condition})
    assert (answer.status, answer.raw) == (200, full.raw)


def test_another_viewer_s_etag_is_no_excuse(visitor: Client, table):
    match, players = table
    spectator, player = (viewer.call("getView", match=match) for viewer in (visitor, players[0]))
    for viewer, own, foreign in [(visitor, spectator, player), (players[0], player, spectator)]:
        answer = viewer.call("getView", match=match, headers={"If-None-Match": foreign.headers["ETag"]})
        assert (answer.status, answer.raw) == (200, own.raw)


def test_after_a_move_everybody_gets_what_is_new_to_them(visitor: Client, table):
    match, players = table
    viewers = [visitor, *players]
    before = [viewer.call("getView", match=match) for viewer in viewers]
    play(visitor, match, players)
    for viewer, old in zip(viewers, before, strict=True):
        answer = viewer.call("getView", match=match, headers={"If-None-Match": old.headers["ETag"]})
        assert answer.status == 200
        assert answer.raw != old.raw
        assert answer.headers["ETag"] != old.headers["ETag"]


def test_a_refused_move_changes_no_etag(visitor: Client, table):
    match, players = table
    etags = [viewer.call("getView", match=match).headers["ETag"] for viewer in [visitor, *players]]
    for player in players:
        assert player.move(match, 1, {"type": "decline_build"}).status in (409, 422)
    for viewer, etag in zip([visitor, *players], etags, strict=True):
        assert viewer.call("getView", match=match, headers={"If-None-Match": etag}).status == 304


def test_the_card_changes_when_somebody_joins(visitor: Client):
    ada = visitor.become("Ada")
    match = ada.create(seats=4)
    etag = visitor.call("getMatch", match=match).headers["ETag"]
    visitor.become("Eve").join(match)
    assert visitor.call("getMatch", match=match, headers={"If-None-Match": etag}).status == 200


def test_the_answer_to_a_move_has_the_etag_of_the_view(visitor: Client, table):
    """So a client can go on waiting for changes without asking again."""
    match, players = table
    (seat,) = visitor.card(match)["waiting_on"]
    answer = play(visitor, match, players)
    assert answer.headers["ETag"] == players[seat].call("getView", match=match).headers["ETag"]


def test_a_move_is_never_answered_with_not_modified(visitor: Client, table):
    match, players = table
    (seat,) = visitor.card(match)["waiting_on"]
    move = players[seat].view(match)["you"]["decision"]["legal_moves"][0]
    answer = players[seat].call("playMove", {"decision": 1, "move": move}, match=match, headers={"If-None-Match": "*"})
    assert answer.status == 200
    assert answer.body["you"]["seat"] == seat


@pytest.mark.parametrize("operation", ["createPlayer", "leaveMatch"])
def test_an_idempotency_key_is_refused_where_it_would_not_be_kept(table, operation: str, truth):
    match, players = table
    about = {"match": match} if "{match}" in operations()[operation].path else {}
    with truth.unchanged(match, *players):
        answer = players[0].call(operation, BODIES.get(operation), headers={"Idempotency-Key": "a" * 16}, **about)
    assert (answer.status, answer.code) == (400, "unsupported-header")


def test_ranges_and_dates_are_ignored(table):
    """Which HTTP allows, as no answer announces ranges or a date of its last change."""
    match, players = table
    headers = {"Range": "bytes=0-3", "If-Range": '"x"', "If-Modified-Since": "Fri, 01 Jan 2038 00:00:00 GMT"}
    answer = players[0].call("getView", match=match, headers=headers)
    assert (answer.status, answer.body) == (200, players[0].view(match))


# --- what caches are told ---


def test_what_differs_from_caller_to_caller_is_private(visitor: Client, table):
    match, players = table
    ada = visitor.become("Ada")
    answers = [
        ada.call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "public"}),
        players[0].call("joinMatch", {}, match=match),
        *[viewer.call(operation, match=match) for viewer in (visitor, players[0]) for operation in CONDITIONAL],
        play(visitor, match, players),
    ]
    for answer in answers:
        assert answer.status < 300
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["Vary"] == "Authorization"


def test_a_token_is_never_stored(visitor: Client):
    assert visitor.call("createPlayer", {"name": "Ada"}).headers["Cache-Control"] == "no-store"
    assert visitor.become("Ada").call("renewToken", {}).headers["Cache-Control"] == "no-store"
    assert visitor.become("Ada").call("getMe").headers["Cache-Control"] == "no-store"


def test_every_answer_forbids_guessing_its_type(visitor: Client, table):
    match, players = table
    for operation in CONDITIONAL:
        assert players[0].call(operation, match=match).headers["X-Content-Type-Options"] == "nosniff"
