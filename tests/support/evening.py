"""All that the service does on a store, in one go; and a match that goes on while the store's servers die."""

from __future__ import annotations

import random
from typing import Any

from support.clients import Answer, Client, play_on
from support.lists import lobby, mine
from support.live import LiveStream
from support.server import Server
from support.store import eventually


def whole_evening(server: Server) -> None:
    """Matches in the lobby, one joined by its code, played to its end with streams at all workers, under limits."""
    visitor = server.visitor()
    players = [visitor.become(f"Player {seat}") for seat in range(3)]
    shown = {players[0].create(seats=3) for _ in range(4)}
    assert shown <= set(lobby(visitor, "?limit=100"))
    created = players[0].call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private"})
    assert created.status == 201
    assert _left(created) < 100  # the first of which were the four in the lobby, counted by any worker
    match = created.body["match"]
    for player in players[1:]:
        joined = player.call("joinByCode", {"join_code": created.body["join_code"]})
        assert (joined.status, joined.body["match"]) == (201, match)
    assert set(mine(players[0], "?limit=2")) == shown | {match}

    streams = [LiveStream(server.address, match, player.token) for player in players]
    play_on(match, players, random.Random(5))
    for stream, player in zip(streams, players, strict=True):
        assert [sent.data for sent in stream.ends()] == all_events(player, match)
        assert stream.clean
    assert players[1].call("getReplay", match=match).status == 200
    assert players[1].card(match)["status"] == "finished"


def _left(answer: Answer) -> int:
    """How many matches one may still create."""
    policy, _, _ = answer.headers["RateLimit"].partition(",")
    return int(policy.split(";r=")[1].split(";")[0])


def all_events(who: Client, match: str) -> list[dict[str, Any]]:
    """The whole log as somebody may know it."""
    events: list[dict[str, Any]] = []
    while True:
        page = who.call("listEvents", match=match, query=f"?limit=100&after={len(events)}").body
        events += page["items"]
        if len(events) >= page["latest"]:
            return events


class Stubborn:
    """Somebody who plays a match on, whatever becomes of the store, and repeats what was not answered well.

    Attributes:
        acknowledged: the seats and decisions that were answered with success, in order.
        unavailable: how often the answer was that the store is not available.
    """

    def __init__(self, match: str, players: list[Client]) -> None:
        self._match = match
        self._players = players
        self._chance = random.Random(7)
        self.acknowledged: list[tuple[int, int]] = []
        self.unavailable = 0

    def move(self) -> bool:
        """Try to make the next move; whether it was acknowledged. A match that is over is asked no more."""
        card = self._players[0].call("getMatch", match=self._match)
        if not self._well(card):
            return False
        (seat, *_) = card.body["waiting_on"]
        view = self._players[seat].call("getView", match=self._match)
        if not self._well(view):
            return False
        decision = view.body["you"]["decision"]
        assert (seat, decision["id"]) not in self.acknowledged, "a move that was acknowledged is gone"
        answer = self._players[seat].move(self._match, decision["id"], self._chance.choice(decision["legal_moves"]))
        if answer.code == "decision-closed":  # one whose answer was lost had been carried out
            return True
        if self._well(answer):
            self.acknowledged.append((seat, decision["id"]))
        return answer.status == 200

    def _well(self, answer: Answer) -> bool:
        if answer.status == 503:
            assert answer.code == "store-unavailable"
            self.unavailable += 1
            return False
        assert answer.status == 200, answer.body
        return True

    def moves(self, count: int) -> None:
        """Make some moves, however often it takes."""
        for _ in range(count):
            eventually(self.move, "a move")


def wakes(server: Server, match: str, players: list[Client]) -> None:
    """Whoever waits for the match hears of the next move. What a server's death has ended is begun anew."""

    def is_heard() -> bool:
        latest = players[0].call("listEvents", match=match)
        if latest.status == 503:
            return False
        waiting = LiveStream(server.address, match, players[0].token, latest.body["latest"])
        try:
            if waiting.status == 503:
                return False
            Stubborn(match, players).moves(1)
            eventually(lambda: bool(waiting.events) or waiting.clean is not None, "word of a move")
            return bool(waiting.events)
        finally:
            waiting.hang_up()

    eventually(is_heard, "word of a move")
