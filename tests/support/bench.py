"""Two matches at which requests are tried that must be refused, and leave nothing behind."""

from __future__ import annotations

from support.bodies import Body, bodies
from support.clients import Answer, Client, seated
from support.contract import operations
from support.truth import Truth

_BODIES = bodies()


class Bench:
    """A match that is being played, one that waits for players, and ways to send bodies to both."""

    def __init__(self, visitor: Client, truth: Truth) -> None:
        self.truth = truth
        self.match, self.players = seated(visitor)
        self.open_match = self.players[0].create(seats=4)
        self.newcomer = visitor.become("Newcomer")
        # Whoever would be let through by the rules: a fault that lets a body through is then seen to change something.
        self._seat = self.players[0].card(self.match)["waiting_on"][0]

    def send(self, body: Body, /, **how) -> Answer:
        """Send it as somebody who may, and make sure that nothing comes of it."""
        who = {
            "createPlayer": self.newcomer,
            "renewToken": self.newcomer,
            "createMatch": self.newcomer,
            "joinMatch": self.newcomer,
            "joinByCode": self.newcomer,
            "startMatch": self.players[0],
            "playMove": self.players[self._seat],
        }[body.operation]
        about = {"match": self._match(body)} if "{match}" in operations()[body.operation].path else {}
        with self.truth.unchanged(self._match(body)):
            return who.call(body.operation, **how, **about)

    def shown(self) -> list[bytes]:
        """What everybody sees of both matches."""
        return [
            viewer.call(operation, match=match).raw
            for viewer in [*self.players, self.newcomer]
            for operation, match in [("getMatch", self.match), ("getView", self.match), ("getMatch", self.open_match)]
        ]

    def _match(self, body: Body) -> str:
        return self.match if body.operation == "playMove" else self.open_match

    def call(self, operation: str, query: str = "", **how) -> Answer:
        """Call an operation with nothing wrong but a part of its address or its headers; nothing may come of it."""
        body = next((body.value for body in _BODIES if body.operation == operation), None)
        path = operations()[operation].path
        usual = {"match": self.open_match, "game": "verraeter"}
        about = {name: value for name, value in usual.items() if f"{{{name}}}" in path}
        with self.truth.unchanged(self.open_match):
            return self.players[0].call(operation, body, query=query, **{**about, **how})


def assert_names(answer: Answer, pointer: str) -> None:
    assert (answer.status, answer.code) == (422, "invalid")
    assert pointer in [error["pointer"] for error in answer.body["errors"]]
