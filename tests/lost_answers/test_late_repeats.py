"""A repeat that comes late, after its sender has left, is still nothing but a repeat."""

from __future__ import annotations

from support.clients import Client

KEY = {"Idempotency-Key": "sixteen-or-more-characters"}


def test_it_takes_no_seat_again(visitor: Client):
    """Not even if the request itself had found its sender seated, so that there was nothing to do."""
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    match = ada.create()
    ben.join(match)
    again = ben.call("joinMatch", {}, match=match, headers=KEY)
    assert (again.status, again.headers.get("Idempotency-Replayed")) == (200, None)
    assert ben.call("leaveMatch", match=match).status == 204
    late = ben.call("joinMatch", {}, match=match, headers=KEY)
    assert (late.status, late.body["seat"], late.headers.get("Idempotency-Replayed")) == (200, None, "true")
    assert [seat["name"] for seat in ada.card(match)["seats"]] == ["Ada", None, None]


def test_its_key_is_used_up(visitor: Client):
    ben = visitor.become("Ben")
    match = ben.create()
    assert ben.call("joinMatch", {}, match=match, headers=KEY).status == 200
    other = ben.call("joinMatch", {"seat": 1}, match=match, headers=KEY)
    assert (other.status, other.code) == (422, "idempotency-key-reused")


def test_it_shows_no_private_match(visitor: Client):
    """Who made it and has left knows no more of it than anybody else."""
    ada, ben = visitor.become("Ada"), visitor.become("Ben")
    body = {"game": "verraeter", "seats": 3, "visibility": "private"}
    made = ada.call("createMatch", body, headers=KEY)
    joined = ben.call("joinByCode", {"join_code": made.body["join_code"]}, headers=KEY)
    assert joined.status == 201
    for player in (ada, ben):
        assert player.call("leaveMatch", match=made.body["match"]).status == 204
    assert ada.call("createMatch", body, headers=KEY).code == "no-such-match"
    assert ben.call("joinMatch", {}, match=made.body["match"], headers=KEY).code == "no-such-match"
    assert ben.call("joinByCode", {"join_code": made.body["join_code"]}, headers=KEY).code == "wrong-join-code"
