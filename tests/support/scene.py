"""A scene in which every operation can be refused for every reason that there is."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask

from service import texts
from support.bodies import bodies
from support.clients import Answer, Client, InProcess, Transport, seated
from support.contract import operations
from support.truth import Truth

BODIES: dict[str, Any] = {body.operation: body.value for body in reversed(bodies())} | {"startMatch": {}}


class Scene:
    """Two matches, one running and one open, and whoever is needed to be refused in them."""

    def __init__(self, app: Flask, truth: Truth, transport: Transport | None = None) -> None:
        self.app = app
        self.truth = truth
        self.visitor = Client(transport or InProcess(app.test_client()))
        self.match, self.players = seated(self.visitor)
        self.open_match = self.players[0].create(seats=4)
        self.players[1].join(self.open_match, seat=2)
        self.stranger = self.visitor.become("Stranger")
        card = self.players[0].card(self.match)
        self.on_turn = self.players[card["waiting_on"][0]]
        self.language = texts.LANGUAGES[0]

    def call(self, operation: str, who: Client | None = None, **how: Any) -> Answer:
        """Call an operation so that nothing speaks against it but what ``how`` says."""
        match = self.match if operation in ("playMove", "getView", "leaveMatch") else self.open_match
        path = operations()[operation].path
        about = {"match": match} if "{match}" in path else {"game": "verraeter"} if "{game}" in path else {}
        usual = {
            "createPlayer": self.visitor,
            "playMove": self.on_turn,
            "joinMatch": self.stranger,
            "joinByCode": self.stranger,
        }
        who = who or usual.get(operation, self.players[0])
        if operation == "joinByCode" and "raw" not in how and "body" not in how:
            how["body"] = {"join_code": self.private()[1]}
        if "raw" not in how:
            how.setdefault("body", BODIES.get(operation))
        headers = {"Accept-Language": self.language, **how.pop("headers", {})}
        return who.call(operation, headers=headers, **{**about, **how})

    def private(self, **more: Any) -> tuple[str, str]:
        """A private match that is open, and its join code."""
        card = (
            self.players[0].call("createMatch", {"game": "verraeter", "seats": 3, "visibility": "private", **more}).body
        )
        return card["match"], card["join_code"]

    def overdue(self) -> str:
        """A running match in which a decision should have been made by now."""
        match = self.players[0].create(seats=3, move_seconds=60)
        for player in self.players[1:]:
            player.join(match)
        record = self.truth.match(match)
        record.deadline = 1
        self.truth.overwrite(match, match=msgspec.msgpack.encode(record))
        return match

    def over(self) -> str:
        """A match of the same players that has ended, each having answered one decision."""
        match = self.players[0].create(seats=3)
        for player in self.players[1:]:
            player.join(match)
        record = self.truth.match(match)
        record.status, record.waiting_on, record.answered = "finished", [], [1] * len(record.seats)
        self.truth.overwrite(match, match=msgspec.msgpack.encode(record))
        return match

    def unreadable(self) -> str:
        """A match that cannot be read: written under other rules, which is what an update of the service leaves."""
        match = self.players[0].create(seats=3)
        record = self.truth.match(match)
        record.rules_version += 1
        self.truth.overwrite(match, match=msgspec.msgpack.encode(record))
        return match
