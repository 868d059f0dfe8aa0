"""Four clients that know only the contract play random matches, and now and then do something wrong."""

from __future__ import annotations

import os
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from support.clients import Client
from support.server import Server

MATCHES = int(os.environ.get("RANDOM_MATCHES", "200"))

OPTIONS = {
    "first_strategist": ["start_player", "left_of_start_player"],
    "traitor_point_in_draw": [False, True],
    "trading_posts_need_own_house": [False, True],
    "early_end": ["after_round", "at_once"],
}


class Table:
    """Four clients at one table, on connections of their own, playing match after match."""

    def __init__(self, server: Server, seed: int) -> None:
        self._chance = random.Random(seed)
        self._visitor = server.visitor()
        self._players = [server.visitor().become(f"Player {seed}-{number}") for number in range(4)]
        self.outcomes: Counter[str] = Counter()

    def play(self, number: int) -> None:
        """One match from its creation to its result, with 3 or 4 seats and random options."""
        players = self._players[: 3 + number % 2]
        options = {name: self._chance.choice(values) for name, values in OPTIONS.items()}
        match = players[0].create(seats=len(players), options=options, name=f"Match {number}")
        seats = {0: players[0]} | {player.join(match): player for player in players[1:]}
        while waiting_on := self._visitor.card(match)["waiting_on"]:
            (seat,) = waiting_on
            decision = seats[seat].view(match)["you"]["decision"]
            if self._chance.random() < 0.05:
                self._blunder(match, seats, seat, decision)
            answer = seats[seat].move(match, decision["id"], self._chance.choice(decision["legal_moves"]))
            self._note(answer.status, answer.code)
            assert answer.status == 200, answer.body
        self._check_result(match, seats)

    def _blunder(self, match: str, seats: dict[int, Client], seat: int, decision: dict) -> None:
        """Something that must be refused, with a documented problem, and changes nothing."""
        before = {place: player.view(match) for place, player in seats.items()}
        someone_else = seats[(seat + 1) % len(seats)]
        move = self._chance.choice(decision["legal_moves"])
        answer = self._chance.choice(
            [
                lambda: someone_else.move(match, decision["id"] + 1, move),
                lambda: seats[seat].move(match, decision["id"] + 1, move),
                lambda: seats[seat].move(match, decision["id"], {"type": "move_building", "from": 3, "to": 3}),
                lambda: seats[seat].move(match, decision["id"], {**move, "seat": 0}),
                lambda: seats[seat].move(match, 0, move),
                lambda: self._visitor.move(match, decision["id"], move),
                lambda: someone_else.call("joinMatch", {"seat": 9}, match=match),
                lambda: someone_else.call("startMatch", {}, match=match),
                lambda: seats[seat].call("playMove", raw=b"{", match=match),
                lambda: seats[seat].move(match + "x", decision["id"], move),
            ]
        )()
        self._note(answer.status, answer.code)
        assert {place: player.view(match) for place, player in seats.items()} == before

    def _note(self, status: int, code: str | None) -> None:
        assert status < 500
        self.outcomes[code or str(status)] += 1

    def _check_result(self, match: str, seats: dict[int, Client]) -> None:
        views = [player.view(match) for player in (self._visitor, *seats.values())]
        assert {view["status"] for view in views} == {"finished"}
        assert all(view["result"] == views[0]["result"] for view in views)
        assert any(entry["won"] for entry in views[0]["result"]["seats"])
        self.outcomes[views[0]["result"]["ending"]] += 1


def test_random_matches_without_a_server_error(server: Server):
    """Every answer on the way is one that the contract announces; the clients check that themselves."""
    tables = [Table(server, seed) for seed in range(4)]

    def play(table: int) -> None:
        for number in range(table, MATCHES, len(tables)):
            tables[table].play(number)

    with ThreadPoolExecutor(len(tables)) as threads:
        list(threads.map(play, range(len(tables))))
    outcomes = sum((table.outcomes for table in tables), Counter())
    print(MATCHES, "matches:", dict(outcomes))
    assert outcomes["last_round"] + outcomes["house_without_land"] == MATCHES
    if MATCHES >= 50:
        assert outcomes["house_without_land"] > 0
        assert {"not-your-decision", "illegal-move", "invalid", "unauthenticated", "malformed-json"} <= set(outcomes)
