"""Elsewhere everybody received everybody's role, the client hid it, and the mending was never deployed.

Here everything is asked of a running server, by everybody, throughout whole matches: what lies hidden is in no answer,
and of the roles of Inside Job each viewer is told exactly those that the rules show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import msgspec
import pytest
from secrecy import hidden
from support.clients import Answer, Client
from support.live import LiveStream
from support.scanning import strings
from support.server import Server
from support.sitting import Sitting, every_game
from support.truth import Truth

from engine.game import AnyGame
from engine.inside_job import INSIDE_JOB
from engine.inside_job.ids import Role


@every_game
def test_no_answer_of_the_running_server_holds_what_is_hidden(server: Server, truth: Truth, game: AnyGame):
    sitting = Sitting(server.visitor(), truth, game, 1)
    for moves in sitting.steps():
        if moves % 7 == 0 and sitting.waiting_on():
            for seat, viewer in sitting.viewers:
                assert leaks(sitting, seat, everything(sitting, viewer)) == []
            seat, moved = sitting.move()
            if sitting.waiting_on():
                assert leaks(sitting, seat, [("playMove", moved)]) == []


def everything(sitting: Sitting, viewer: Client) -> Iterator[tuple[str, Answer]]:
    """All that can be read, and what is answered to a move that cannot be made."""
    yield from sitting.read(viewer).items()
    yield "playMove", viewer.move(sitting.match, 9999, {"type": "place_farm", "landscape": 0})


def leaks(sitting: Sitting, seat: int | None, answers: Iterable[tuple[str, Answer]]) -> list[str]:
    state = sitting.plain_state()
    read = [msgspec.to_builtins(event.seen_by(seat)) for event in sitting.truth.events(sitting.match)]
    already = set(strings(read))
    return [
        f"{operation}: {leak}"
        for operation, answer in answers
        for leak in hidden.leaks(sitting.game.id, state, seat, answer.body, already)
    ]


@pytest.mark.parametrize(
    ("seats", "special_roles"),
    [(3, []), (4, ["accomplice", "paranoid_agent"]), (5, ["bugged_agent", "risk_agent", "tim_shady"])],
)
def test_each_viewer_is_told_the_roles_that_the_rules_show(
    server: Server, truth: Truth, seats: int, special_roles: list[str]
):
    """Exactly these: the own one, those that lie face-up, the Accomplice's partner's, and after the end all."""
    options = {"special_roles": special_roles}
    sitting = Sitting(server.visitor(), truth, INSIDE_JOB, seats=seats, options=options)
    streams = [LiveStream(server.address, sitting.match, viewer.token) for _, viewer in sitting.viewers]
    for moves in sitting.steps():
        if moves % 3 and sitting.waiting_on():
            continue
        for (seat, viewer), stream in zip(sitting.viewers, streams, strict=True):
            own, face_up, all_ = shown_roles(sitting.plain_state(), seat)
            for operation, answer in everything(sitting, viewer):
                told = Counter(told_roles(answer.body))
                if operation == "getView":
                    assert told == Counter(own + (all_ or face_up))
                elif operation == "listEvents":
                    events = Counter(told)
                elif operation.startswith("listEvents"):
                    events += told
                elif operation != "getReplay" or not all_:
                    assert not told, operation
            assert events == Counter(own + face_up + all_)
            stream.has(len(truth.events(sitting.match)))
            assert Counter(told_roles([sent.data for sent in stream.events])) == events
    for stream in streams:
        stream.ends()


def shown_roles(state: Any, seat: int | None) -> tuple[list[str], list[str], list[str]]:
    """Roles that a viewer may know, from the true state by hand: as its own, face-up, and after the end."""
    players = state["players"]
    own = []
    if seat is not None:
        own.append(players[seat]["role"])
        if own == ["accomplice"] and state["partner"] is not None:
            own.append(players[state["partner"]]["role"])
    face_up = [player["role"] for player in players if player["revealed"]]
    return own, face_up, [player["role"] for player in players] if state["phase"] == "over" else []


def told_roles(value: Any, name: str = "") -> Iterator[str]:
    """The roles that stand anywhere in an answer but where it says which are in play, or which side has won."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from told_roles(inner, key)
    elif isinstance(value, list) and name != "special_roles":
        for inner in value:
            yield from told_roles(inner, name)
    elif value in get_args(Role) and name != "winner":
        yield value
