"""The search of :mod:`test_sentinels` finds what it is there to find: a leak is planted in each place, and found there.

The marker game is played in a second copy of the service, in which one thing is not as it should be.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from flask import Response, request
from secrecy.garden import Garden
from secrecy.tables import Table
from support.marker_game import MARKER_GAME, MarkerGame
from support.marker_game.view import MarkerGameVote
from support.scanning import InTheProcess, Leak, Scanner

from engine.game import IllegalMove
from engine.inside_job import InsideJob
from engine.kabale import Kabale
from engine.verraeter import Verraeter


def leaks(garden: Garden, game: Any = MARKER_GAME, *, thoroughly: bool = False, seats: int = 2) -> list[Leak]:
    """What is found in a match, up to the first leak."""
    app = garden.app()
    options = {"rounds": 1} if game is MARKER_GAME else {}
    wire = lambda: InTheProcess(app.test_client())  # noqa: E731
    scanner = Scanner()
    table = Table(wire, garden.truth, scanner, game, seats=seats, options=options, chance=random.Random(1), some=4)
    table.play(thoroughly=thoroughly, until_a_leak=True)
    table.leave()
    return scanner.leaks


# --- the plants ---


def in_the_table(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def table(self: MarkerGame, state: Any) -> Any:
            vote = MarkerGameVote(ballot=state.draw_pile[0], candidate=0)
            return msgspec.structs.replace(intact(self, state), last_vote=[vote])

        return table

    garden.game("table", planted)


def in_the_hand_of_another(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def hand(self: MarkerGame, state: Any, seat: int) -> Any:
            other = intact(self, state, (seat + 1) % len(state.players))
            return msgspec.structs.replace(intact(self, state, seat), role=other.role)

        return hand

    garden.game("hand", planted)


def in_the_legal_moves(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def legal_moves(self: MarkerGame, state: Any, seat: int) -> Any:
            return [move for player in range(len(state.players)) for move in intact(self, state, player)]

        return legal_moves

    garden.game("legal_moves", planted)


def on_the_card(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def encoded(body: Any) -> bytes:
            if isinstance(body, dict):
                body = {**body, "debug": garden.secret(body["match"])}
            return intact(body)

        return encoded

    garden.replace("service.api.matches", "encoded", planted)


def the_players_on_the_card(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def encoded(body: Any) -> bytes:
            if isinstance(body, dict):
                body = {**body, "creator": garden.truth.match(body["match"]).creator if request.view_args else ""}
            return intact(body)

        return encoded

    garden.replace("service.api.matches", "encoded", planted)


def the_entropy_on_the_card(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def encoded(body: Any) -> bytes:
            if isinstance(body, dict) and body["status"] != "open":
                body = {**body, "entropy": [seated.entropy for seated in garden.truth.match(body["match"]).seats]}
            return intact(body)

        return encoded

    garden.replace("service.api.matches", "encoded", planted)


def a_weak_commitment(garden: Garden) -> None:
    def planted(_: Any) -> Any:
        return property(lambda match: hashlib.sha256(match.seed).hexdigest())

    garden.replace("service.match", "Match.commitment", planted)


def the_seed_in_the_card(garden: Garden) -> None:
    def planted(_: Any) -> Any:
        return property(lambda match: base64.urlsafe_b64encode(b"seed:" + match.seed).decode())

    garden.replace("service.match", "Match.commitment", planted)


def in_a_refusal(garden: Garden) -> None:
    detail = garden.modules["service.problems"].Detail

    def planted(intact: Any) -> Any:
        def check(change: Any, seat: int, decision: int) -> None:
            try:
                intact(change, seat, decision)
            except Exception as problem:
                problem.detail = detail("one-of", choices=change.state.draw_pile[0][::-1])
                raise

        return check

    garden.replace("service.matches", "_check_decision", planted)


def in_the_reason_of_a_refusal(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def play(self: MarkerGame, state: Any, seat: int, move: Any, random: Any) -> Any:
            try:
                return intact(self, state, seat, move, random)
            except IllegalMove as refused:
                raise IllegalMove(f"{refused.reason}: you do not have {state.draw_pile[0]}") from refused

        return play

    garden.game("play", planted)


def an_echo_in_a_refusal(garden: Garden) -> None:
    """It names a card that the caller cannot know but has sent."""

    def planted(intact: Any) -> Any:
        def play(self: MarkerGame, state: Any, seat: int, move: Any, random: Any) -> Any:
            try:
                return intact(self, state, seat, move, random)
            except IllegalMove as refused:
                raise IllegalMove(f"{refused.reason}: {move}") from refused

        return play

    garden.game("play", planted)


def in_an_instance(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def answer(problem: Any) -> Any:
            response = intact(problem)
            if "/matches/" in request.path and garden.truth.keys_of(request.path.split("/")[3]):
                body = response.get_json() | {"instance": f"urn:request:{garden.secret().encode().hex().upper()}"}
                response.set_data(msgspec.json.encode(body))
            return response

        return answer

    garden.replace("service.api.errors", "answer", planted)


def in_a_header(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def personal(response: Any) -> Any:
            if "/view" in request.path:
                response.headers["X-Next"] = base64.b64encode(garden.secret().encode()).decode()
            return intact(response)

        return personal

    garden.replace("service.api.matches", "personal", planted)


def in_the_etag(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def tagged_answer(body: Any) -> Any:
            response = intact(body)
            if "/view" in request.path:
                response.set_etag(hashlib.sha256(garden.secret().encode()).hexdigest())
            return response

        return tagged_answer

    garden.replace("service.api.matches", "tagged_answer", planted)


def in_the_status_line(garden: Garden) -> None:
    def planted(intact: Any) -> Any:
        def tagged_answer(body: Any) -> Any:
            response = intact(body)
            if "/view" in request.path and response.status_code == 200:
                response.status = f"200 {garden.secret()}"
            return response

        return tagged_answer

    garden.replace("service.api.matches", "tagged_answer", planted)


def in_an_early_replay(garden: Garden) -> None:
    """The log is given to whoever asks, with everything that others alone have read."""

    def planted(_: Any) -> Any:
        def replay(self: Any, match_id: str, viewer: str | None) -> Any:
            return garden.modules["service.replays"].replay(*self._archive.logs(match_id, viewer))

        return replay

    garden.replace("service.matches", "Matches.replay", planted)


def in_the_events_of_others(garden: Garden) -> None:
    """Everybody reads what the next seat reads."""

    def planted(intact: Any) -> Any:
        def entries(self: Any, viewer: int | None) -> Any:
            return intact(self, 1 if viewer is None else (viewer + 1) % len(self.position.match.seats))

        return entries

    garden.replace("service.event_log", "EventLog.entries", planted)


def _after(garden: Garden, leak: Callable[[Response], None]) -> None:
    """Let something be added to every answer about a match that runs."""

    def planted(intact: Any) -> Any:
        def sign_answer(response: Response) -> Response:
            path = request.path.split("/")
            if len(path) > 3 and path[2] == "matches" and garden.truth.keys_of(path[3]):
                leak(response)
            return intact(response)

        return sign_answer

    garden.replace("service.api.guards", "_sign_answer", planted)


def in_what_is_allowed(garden: Garden) -> None:
    def leak(response: Response) -> None:
        if request.method == "OPTIONS":
            response.headers["Allow"] = f"GET, {garden.secret()}"

    _after(garden, leak)


def in_a_head(garden: Garden) -> None:
    def leak(response: Response) -> None:
        if request.method == "HEAD":
            response.headers["Last-Modified"] = garden.secret().upper()

    _after(garden, leak)


def in_a_405(garden: Garden) -> None:
    def leak(response: Response) -> None:
        if response.status_code == 405:
            response.set_data(response.get_data() + garden.secret().encode())

    _after(garden, leak)


def in_a_304(garden: Garden) -> None:
    def leak(response: Response) -> None:
        if response.status_code == 304:
            response.headers["Warning"] = f"199 - {garden.secret()}"

    _after(garden, leak)


def half_of_a_card(garden: Garden) -> None:
    def leak(response: Response) -> None:
        response.headers["X-Trace"] = garden.secret()[15:]

    _after(garden, leak)


PLANTS: list[tuple[Callable[[Garden], None], str]] = [
    (in_the_table, "body of: GET getView"),
    (in_the_hand_of_another, r"role of seat \d .* body of: GET getView"),
    (in_the_legal_moves, "that names seat .* body of: GET getView"),
    (on_the_card, "body of: GET getMatch"),
    (the_players_on_the_card, "the identity of seat 0 .* body of: GET getMatch"),
    (the_entropy_on_the_card, "the entropy of seat 1 .* body of: GET getMatch"),
    (a_weak_commitment, "the seed .its sha256. in the body of: GET getMatch"),
    (the_seed_in_the_card, "the seed .exactly base64.* body of: POST createMatch"),
    (in_a_refusal, "reversed.* body of: POST playMove"),
    (in_the_reason_of_a_refusal, "body of: POST playMove"),
    (an_echo_in_a_refusal, "body of: POST playMove"),
    (in_an_instance, "hex.* body of: "),
    (in_a_header, "base64.* header X-Next of: GET getView"),
    (in_the_etag, "its sha256.* header ETag of: GET getView"),
    (in_the_status_line, "status line of: GET getView"),
    (in_an_early_replay, "body of: GET getReplay"),
    (in_the_events_of_others, "body of: GET listEvents"),
    (in_what_is_allowed, "header Allow of: OPTIONS"),
    (in_a_head, "header Last-Modified of: HEAD"),
    (in_a_405, "body of: "),
    (in_a_304, "header Warning of: GET get"),
    (half_of_a_card, "the second half.* header X-Trace"),
]


@pytest.mark.parametrize(("plant", "where"), PLANTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_planted_leak_is_found(garden: Garden, plant: Callable[[Garden], None], where: str):
    plant(garden)
    found = [str(leak) for leak in leaks(garden, thoroughly=plant in (in_a_405, in_a_304))]
    assert any(re.search(where, leak) for leak in found), found


def test_without_a_plant_nothing_is_found(garden: Garden):
    assert leaks(garden) == []


# --- faults, and the log ---


@pytest.fixture
def log() -> Iterator[list[str]]:
    """What the service logs, as it would write it, with the traces of faults."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(logging.Formatter().format(record))  # type: ignore[method-assign]
    logger = logging.getLogger("turncoat")
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    yield lines
    logger.propagate = propagates
    logger.removeHandler(handler)


def failing(garden: Garden) -> Scanner:
    """A match whose view fails with a card in the fault's own words; gives what was found in the answers."""
    app = garden.app()
    scanner = Scanner()
    wire = lambda: InTheProcess(app.test_client())  # noqa: E731
    table = Table(wire, garden.truth, scanner, MARKER_GAME, seats=2, options={"rounds": 1}, chance=random.Random(1))

    def planted(_: Any) -> Any:
        def fail(self: MarkerGame, state: Any) -> Any:
            raise KeyError(state.draw_pile[0])

        return fail

    garden.game("table", planted)
    table.look()
    assert table.asked["getView", 500] > 10
    return scanner


def test_a_fault_tells_nothing(garden: Garden, log: list[str]):
    """Not even whoever reads the log, which says where the fault arose all the same."""
    scanner = failing(garden)
    assert scanner.leaks == []
    said = "\n".join(log)
    assert re.search(r"request probe failed: KeyError\n(.*\n)*.*test_planted_leaks.py.* in fail", said)
    scanner.look(said.encode(), "log", "whoever reads the log", "anything", earned=())
    assert scanner.leaks == []


def test_a_card_in_the_log_is_found(garden: Garden, log: list[str]):
    """As it was before, when a fault was logged in its own words."""

    def planted(intact: Any) -> Any:
        def from_fault(error: Exception) -> Any:
            logging.getLogger("turncoat").error("request failed", exc_info=error)
            return intact(error)

        return from_fault

    garden.replace("service.api.errors", "_from_fault", planted)
    scanner = failing(garden)
    scanner.look("\n".join(log).encode(), "log", "whoever reads the log", "anything", earned=())
    assert [leak.secret for leak in scanner.leaks] == ["a card of the draw pile"]


def test_a_fault_that_tells_what_was_wrong_is_found(garden: Garden, log: list[str]):
    def planted(_: Any) -> Any:
        errors, problems = garden.modules["service.api.errors"], garden.modules["service.problems"]
        told = problems.Problem
        return lambda error: errors.answer(told("internal-error", problems.Detail("one-of", choices=str(error))))

    garden.replace("service.api.errors", "_from_fault", planted)
    scanner = failing(garden)
    assert any("body of: GET getView" in str(leak) for leak in scanner.leaks)


# --- the games of the catalogue, in which a card is no marker ---


def _shown(game: type, change: Callable[[Any, Any], Any]) -> Callable[[Garden], None]:
    """A table in which something stands that should not."""

    def plant(garden: Garden) -> None:
        def planted(intact: Any) -> Any:
            return lambda self, state: change(intact(self, state), state)

        garden.game("table", planted, game)

    return plant


def _seat_with(table: Any, seat: int, **fields: Any) -> Any:
    seats = list(table.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], **fields)
    return msgspec.structs.replace(table, seats=seats)


def _face_down(table: Any, state: Any) -> Any:
    columns = [
        msgspec.structs.replace(
            column,
            slots=[
                msgspec.structs.replace(slot, character=true.character)
                for slot, true in zip(column.slots, lying.slots, strict=True)
            ],
        )
        for column, lying in zip(table.columns, state.columns, strict=True)
    ]
    return msgspec.structs.replace(table, columns=columns)


VALUES: list[tuple[type, Callable[[Any, Any], Any], str]] = [
    (Verraeter, lambda table, state: _seat_with(table, 1, action=state.players[1].action), "the action card of seat 1"),
    (Verraeter, lambda table, state: _seat_with(table, 0, house=(state.middle or ["x"])[0]), "hidden"),
    (Kabale, lambda table, state: msgspec.structs.replace(table, lost_goals=state.goal_stack), "hidden"),
    (Kabale, _face_down, "the card of seat . that lies face down"),
    (InsideJob, lambda table, state: _seat_with(table, 1, role=state.players[1].role), "the role of seat 1"),
    (InsideJob, lambda table, state: msgspec.structs.replace(table, led_suit=state.undealt[0]), "hidden"),
    (InsideJob, lambda table, state: msgspec.structs.replace(table, failed=state.mission_deck[-1:]), "hidden"),
    (InsideJob, lambda table, state: _seat_with(table, 2, hand_size=state.players[2].hand), "hidden"),
]


@pytest.mark.parametrize(("game", "change", "what"), VALUES)
def test_a_card_in_a_table_is_found(garden: Garden, game: type, change: Any, what: str):
    _shown(game, change)(garden)
    catalogue = garden.modules["engine.catalogue"].GAMES
    (played,) = [entry for entry in catalogue.values() if type(entry) is game]
    found = leaks(garden, played, seats=3)
    assert any(re.search(what, leak.secret) and leak.form == "as a value" for leak in found), found


def test_the_hand_of_another_seat_is_found(garden: Garden):
    def planted(intact: Any) -> Any:
        return lambda self, state, seat: intact(self, state, (seat + 1) % len(state.players))

    garden.game("hand", planted, Verraeter)
    game = garden.modules["engine.catalogue"].GAMES["verraeter"]
    assert any(leak.secret == "the hand of somebody else" for leak in leaks(garden, game, seats=3))
