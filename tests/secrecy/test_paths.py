"""A list of every JSON path that each viewer receives in each phase, and of what stands in none of them.

``tests/regressions/paths/`` has such lists for all games; this one tells the phases of one game apart, and its leaks
that are planted show what such lists, and a watch over the values, find.

Whole matches are played with fixed seeds, so the lists are exact: a path that is new, or that is gone, fails here
and has to be entered by hand, by somebody who knows why it is no secret.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from flask import Flask
from support.clients import Client, InProcess
from support.truth import Truth
from support.watching import Leak, Watch, Watched, hold, paths

import service.api.matches
import service.matches
from engine.game import Hand
from engine.verraeter import VERRAETER, Verraeter
from engine.verraeter.state import VerraeterState
from engine.verraeter.view import VerraeterTable
from service.problems import Detail

# --- the lists ---

ALWAYS = {
    *["match", "game", "status", "waiting_on[]"],
    *[f"table.{name}" for name in ("round", "rounds", "phase", "start_seat", "strategist_seat")],
    *["table.landscapes[]", "table.landscapes[].type", "table.landscapes[].house"],
    *["table.landscapes[].building.owner", "table.landscapes[].building.side"],
    "table.landscapes[].building",  # null where nothing is built
    "table.seats[]",
    *[
        f"table.seats[].{name}"
        for name in ("seat", "house", "score", "hand_size", "drawn", "reserve", "has_chosen", "action")
    ],
    *[f"table.seats[].gains.{name}" for name in ("landscapes", "traitor", "strategist", "trading_posts")],
    *["table.draw_pile_size", "table.discard_pile[]", "table.middle_size"],
}
"""What everybody receives in every phase. ``table.seats[].action`` is null until the cards are revealed."""

NO_CONFLICT = {"table.conflict"}
CONFLICT = {"table.conflict.border", "table.conflict.eagle", "table.conflict.rose"}
NO_LAST_CONFLICT = {"table.last_conflict"}
LAST_CONFLICT = {
    *[f"table.last_conflict.{name}" for name in ("round", "border", "eagle", "rose", "winner")],
    *["table.last_conflict.houses[]", "table.last_conflict.actions[]"],
    *["table.last_conflict.played[]", "table.last_conflict.played[][]"],
}
NOTHING_PLAYED = {"table.seats[].played"}
PLAYED = {"table.seats[].played[]"}
NO_RESULT = {"result"}
RESULT = {
    *["result.ending", "result.seats[]"],
    *[f"result.seats[].{name}" for name in ("seat", "won", "reason", "rank", "score")],
}

TABLE = {
    "place_farm": ALWAYS | NO_CONFLICT | NO_LAST_CONFLICT | NOTHING_PLAYED | NO_RESULT,
    "declare_conflict": ALWAYS | NO_CONFLICT | NO_LAST_CONFLICT | LAST_CONFLICT | NOTHING_PLAYED | NO_RESULT,
    "draft_action": ALWAYS | CONFLICT | NO_LAST_CONFLICT | LAST_CONFLICT | NOTHING_PLAYED | NO_RESULT,
    "play_supplies": ALWAYS | CONFLICT | NO_LAST_CONFLICT | LAST_CONFLICT | NOTHING_PLAYED | PLAYED | NO_RESULT,
    "build": ALWAYS | CONFLICT | LAST_CONFLICT | PLAYED | NO_RESULT,
    "over": ALWAYS | NO_CONFLICT | LAST_CONFLICT | NOTHING_PLAYED | RESULT,
}
"""What everybody receives, by phase."""

SPECTATOR = {"you"}
SEAT = {"you.seat", "you.hand[]", "you.offered[]", "you.kept"}
NOT_ASKED = {"you.decision"}
ASKED = {"you.decision.id", "you.decision.kind", "you.decision.legal_moves[]"}
MOVES = {
    "place_farm": {"<place_farm>.type", "<place_farm>.landscape"},
    "declare_conflict": {"<declare_conflict>.type", "<declare_conflict>.border"},
    "draft_action": {"<draft_action>.type", "<draft_action>.action"},
    "play_supplies": {"<play_supplies>.type", "<play_supplies>.cards[]"},
    "build": {
        *["<place_building>.type", "<place_building>.landscape", "<place_building>.side"],
        *["<move_building>.type", "<move_building>.from", "<move_building>.to"],
        *["<turn_building>.type", "<turn_building>.landscape", "<decline_build>.type"],
    },
}

CARD = {
    *["match", "game", "name", "status", "visibility", "rules_version", "seat", "waiting_on[]", "commitment"],
    *["join_code", "move_seconds", "deadline", "created_at", "started_at", "finished_at", "expires_at"],
    *["seats[]", "seats[].seat", "seats[].name", "seats[].stand_in"],
    *[
        f"options.{name}"
        for name in ("first_strategist", "traitor_point_in_draw", "trading_posts_need_own_house", "early_end")
    ],
    *["options.landscape_points[]", "options.landscape_points[][]"],
}

REFUSAL = {"type", "title", "status", "code", "instance"}
REFUSALS = {
    **dict.fromkeys(
        [
            *["unauthenticated", "not-a-player", "not-the-creator", "already-started"],
            *["not-your-decision", "decision-closed", "match-over"],
        ],
        REFUSAL,
    ),
    "illegal-move": REFUSAL | {"reason", "detail"},
    "invalid": REFUSAL | {"errors[]", "errors[].pointer", "errors[].detail"},
}


def expected_views() -> dict[tuple[str, str], set[str]]:
    expected = {}
    for phase, table in TABLE.items():
        expected[phase, "spectator"] = table | SPECTATOR
        expected[phase, "other"] = table | SEAT | NOT_ASKED
        if phase in MOVES:
            moves = {f"you.decision.legal_moves[]{path}" for path in MOVES[phase]}
            expected[phase, "deciding"] = table | SEAT | ASKED | moves
    return expected


# --- matches under watch ---


def deal(app: Flask, truth: Truth, seats: int, number: int) -> Watched:
    """A match that is the same in every run: its id, and with it its seed, depends on the number alone."""
    spectator = Client(InProcess(app.test_client()))
    players = [spectator.become(f"Player {seat}") for seat in range(seats)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.matches, "new_id", lambda: f"watched-{number:014}")
        patch.setattr(service.matches, "new_seed", lambda: random.Random(number).randbytes(32))
        match = players[0].create(seats=seats)
    for seat, player in enumerate(players[1:], start=1):
        player.join(match, entropy=f"entropy-of-seat-{seat}")
    return Watched(match, players, spectator.become("Stranger"), spectator, truth)


@pytest.fixture(scope="module")
def watched(app: Flask, truth: Truth) -> Watch:
    """Everything that was received in whole matches with three and four seats."""
    seen = Watch()
    for number, seats in [(1, 3), (2, 4)]:
        match = deal(app, truth, seats, number)
        match.seen = seen
        match.play(random.Random(number))
    return seen


def test_every_path_of_a_view_is_in_the_list(watched: Watch):
    assert dict(watched.views) == expected_views()


def test_every_path_of_a_card_is_in_the_list(watched: Watch):
    assert watched.cards == CARD


def test_every_path_of_a_refusal_is_in_the_list(watched: Watch):
    assert dict(watched.refusals) == REFUSALS


def test_only_the_deciding_seat_sees_what_it_may_do(watched: Watch):
    """Regression 2, for moves: legal moves tell of the hand."""
    for (_, kind), seen in watched.views.items():
        assert any("legal_moves" in path for path in seen) == (kind == "deciding")


# --- the watch itself: leaks that are planted must be seen ---


class _Tables:
    """Ways to let the table tell too much."""

    @staticmethod
    def hands(state: VerraeterState) -> VerraeterTable:
        return _with(state, supplies=[player.supplies for player in state.players])

    @staticmethod
    def pile(state: VerraeterState) -> VerraeterTable:
        return _with(state, next_card=state.draw_pile[-1])

    @staticmethod
    def unseen(state: VerraeterState) -> VerraeterTable:
        return _with(state, aside=state.middle[:1])

    @staticmethod
    def discard(state: VerraeterState) -> VerraeterTable:
        """No new path, only values."""
        return msgspec.structs.replace(_TRUE_TABLE(VERRAETER, state), discard_pile=list(state.draw_pile))

    @staticmethod
    def strength(state: VerraeterState) -> VerraeterTable:
        """No new path: the Diplomats count before they are revealed."""
        table = _TRUE_TABLE(VERRAETER, state)
        if table.conflict is None:
            return table
        more = sum(player.action == "diplomat_5" for player in state.players)
        return msgspec.structs.replace(
            table, conflict=msgspec.structs.replace(table.conflict, eagle=table.conflict.eagle + more)
        )


_TRUE_TABLE = Verraeter.table
_TRUE_HAND = Verraeter.hand


def _with(state: VerraeterState, **more: Any) -> VerraeterTable:
    table = _TRUE_TABLE(VERRAETER, state)
    fields = {name: getattr(table, name) for name in table.__struct_fields__}
    richer = msgspec.defstruct("Richer", [(name, Any) for name in more], bases=(VerraeterTable,), kw_only=True)
    return richer(**fields, **more)


def _next_seat_s_hand(game: Verraeter, state: VerraeterState, seat: int) -> Hand:
    hand = _TRUE_HAND(game, state, (seat + 1) % len(state.players))
    return msgspec.structs.replace(hand, seat=seat)


def _all_that_was_chosen(game: Verraeter, state: VerraeterState, seat: int) -> Hand:
    hand = _TRUE_HAND(game, state, seat)
    return msgspec.structs.replace(hand, offered=[*hand.offered, *state.middle])


def hold_to_the_lists(app: Flask, truth: Truth, number: int) -> None:
    """Watch the first round of a match, with all its phases but the last.

    Raises:
        Leak: by a value, or by a path that is not in the lists.
    """
    seen = deal(app, truth, 3, number).play(random.Random(3), moves=14)
    hold(all(received <= expected_views()[key] for key, received in seen.views.items()), "a view has more paths")
    hold(seen.cards <= CARD, "a card has more paths")
    hold(all(received <= REFUSALS[code] for code, received in seen.refusals.items()), "a refusal has more paths")


def test_without_a_leak_the_watch_is_content(app: Flask, truth: Truth):
    hold_to_the_lists(app, truth, 20)


@pytest.mark.parametrize(
    ("number", "name"), list(enumerate(["hands", "pile", "unseen", "discard", "strength"], start=30))
)
def test_a_table_that_tells_too_much_is_seen(
    app: Flask, truth: Truth, monkeypatch: pytest.MonkeyPatch, number: int, name: str
):
    monkeypatch.setattr(Verraeter, "table", lambda _, state: getattr(_Tables, name)(state))
    with pytest.raises(Leak):
        hold_to_the_lists(app, truth, number)


@pytest.mark.parametrize(("number", "hand"), list(enumerate([_next_seat_s_hand, _all_that_was_chosen], start=40)))
def test_a_hand_that_tells_too_much_is_seen(
    app: Flask, truth: Truth, monkeypatch: pytest.MonkeyPatch, number: int, hand: Any
):
    monkeypatch.setattr(Verraeter, "hand", hand)
    with pytest.raises(Leak):
        hold_to_the_lists(app, truth, number)


def test_actions_that_are_revealed_too_early_are_seen(app: Flask, truth: Truth, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("engine.verraeter.view._actions_are_revealed", lambda _: True)
    with pytest.raises(Leak):
        hold_to_the_lists(app, truth, 50)


@pytest.mark.parametrize(
    ("number", "leak"),
    list(
        enumerate(
            [
                lambda match: {"seed": match.seed.hex()},
                lambda match: {"note": match.seed.hex()},
                lambda match: {"name": ",".join(map(str, match.seed))},
                lambda match: {"name": match.seats[0].player},
                lambda match: {"visibility": match.seats[1].entropy},
                lambda match: {"debug": None},
            ],
            start=60,
        )
    ),
)
def test_a_card_that_tells_too_much_is_seen(
    app: Flask, truth: Truth, monkeypatch: pytest.MonkeyPatch, number: int, leak: Any
):
    intact = service.api.matches.encoded

    def leaking(body: Any) -> bytes:
        if isinstance(body, dict) and body["status"] == "playing":
            body = {**body, **leak(truth.match(body["match"]))}
        return intact(body)

    monkeypatch.setattr(service.api.matches, "encoded", leaking)
    # The client must not be what finds it.
    monkeypatch.setattr(
        "support.clients.check_answer", lambda _operation, _status, _type, raw: msgspec.json.decode(raw)
    )
    with pytest.raises(Leak):
        hold_to_the_lists(app, truth, number)


def test_a_header_that_tells_too_much_is_seen(app: Flask, truth: Truth, monkeypatch: pytest.MonkeyPatch):
    intact = service.api.matches.personal

    def leaking(response: Any) -> Any:
        match = msgspec.json.decode(response.get_data())["match"]
        response.headers["X-Players"] = truth.match(match).creator
        return intact(response)

    monkeypatch.setattr(service.api.matches, "personal", leaking)
    with pytest.raises(Leak):
        hold_to_the_lists(app, truth, 70)


def test_a_refusal_that_tells_too_much_is_seen(app: Flask, truth: Truth, monkeypatch: pytest.MonkeyPatch):
    intact = service.matches._check_decision

    def leaking(change: Any, seat: int, decision: int) -> None:
        try:
            intact(change, seat, decision)
        except service.matches.Problem as problem:
            problem.detail = Detail("one-of", choices=str(change.state.draw_pile[-1]))
            raise

    monkeypatch.setattr(service.matches, "_check_decision", leaking)
    with pytest.raises(Leak):
        hold_to_the_lists(app, truth, 71)


def test_paths_tell_lists_and_members_of_unions_apart():
    value = {"a": [1, 2], "b": {"c": None}, "legal_moves": [{"type": "x", "y": 1}, {"type": "z"}], "e": [[]], "f": []}
    assert set(paths(value)) == {
        *["a[]", "b.c", "legal_moves[]", "legal_moves[]<x>.type", "legal_moves[]<x>.y", "legal_moves[]<z>.type"],
        *["e[]", "e[][]", "f[]"],
    }
