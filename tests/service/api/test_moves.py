"""Playing: who may answer which decision, and that a refusal leaves no trace."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from support.clients import Client, seated
from support.truth import Truth

from engine.verraeter import VERRAETER
from engine.verraeter.state import Building, VerraeterState
from service import texts


class Table:
    """A running match and its players; ``seat`` is the one that decides."""

    def __init__(self, visitor: Client, truth: Truth, seats: int = 3) -> None:
        self.visitor = visitor
        self.truth = truth
        self.match, self.players = seated(visitor, seats=seats)

    @property
    def seat(self) -> int:
        (seat,) = self.visitor.card(self.match)["waiting_on"]
        return seat

    @property
    def decider(self) -> Client:
        return self.players[self.seat]

    @property
    def other(self) -> Client:
        return self.players[(self.seat + 1) % len(self.players)]

    @property
    def decision(self):
        return self.decider.view(self.match)["you"]["decision"]

    def move(self, who: Client, decision: int, move) -> tuple[int, str | None]:
        answer = who.move(self.match, decision, move)
        return answer.status, answer.code

    def refused(self, who: Client, decision: int, move) -> tuple[int, str | None]:
        """Make a move that changes nothing for anybody."""
        with self.truth.unchanged(self.match, self.visitor, *self.players):
            return self.move(who, decision, move)

    def play(self, moves: int = 1) -> None:
        """Play the first legal move, so many times."""
        for _ in range(moves):
            decision = self.decision
            assert self.move(self.decider, decision["id"], decision["legal_moves"][0]) == (200, None)

    def play_to_the_end(self) -> None:
        chance = random.Random(1)
        while self.visitor.card(self.match)["status"] == "playing":
            decision = self.decision
            self.decider.move(self.match, decision["id"], chance.choice(decision["legal_moves"]))


@pytest.fixture
def table(visitor: Client, truth: Truth) -> Table:
    return Table(visitor, truth)


FARM = {"type": "place_farm", "landscape": 0}


# --- accepted moves ---


def test_a_move_answers_the_decision_and_shows_what_follows(table: Table):
    decider, seat, decision = table.decider, table.seat, table.decision
    assert (decision["id"], decision["kind"]) == (1, "place_farm")
    landscape = decision["legal_moves"][0]["landscape"]

    answer = decider.move(table.match, 1, decision["legal_moves"][0])

    assert answer.status == 200
    assert answer.body["table"]["landscapes"][landscape]["building"] == {"owner": seat, "side": "farm"}
    assert answer.body["you"]["decision"] is None
    assert answer.body["waiting_on"] == [(seat + 1) % 3]
    assert answer.body == decider.view(table.match)


def test_every_accepted_move_appends_one_move_and_some_events(table: Table, truth: Truth):
    events, moves = len(truth.events(table.match)), len(truth.moves(table.match))
    for count in range(1, 30):
        seat, decision = table.seat, table.decision
        chosen = decision["legal_moves"][-1]
        assert table.move(table.players[seat], decision["id"], chosen) == (200, None)
        log = truth.moves(table.match)
        assert (len(log), truth.match(table.match).moves) == (moves + count, count)
        assert log[-1].seat == seat
        assert log[-1].move["type"] == chosen["type"]
        assert len(truth.events(table.match)) > events
        events = len(truth.events(table.match))


def test_decisions_are_counted_per_seat(table: Table):
    answered = [0, 0, 0]
    for _ in range(20):
        seat = table.seat
        assert table.decision["id"] == answered[seat] + 1
        table.play()
        answered[seat] += 1


def test_whoever_is_not_asked_has_no_decision(table: Table):
    for _ in range(15):
        asked = [player.view(table.match)["you"]["decision"] is not None for player in table.players]
        assert asked == [seat == table.seat for seat in range(3)]
        table.play()


def test_each_legal_move_can_be_sent_back_as_it_is(table: Table, truth: Truth):
    """Each of them, from the same state, for every kind of decision."""
    kinds = set()
    while kinds != set(VERRAETER.kinds):
        decision = table.decision
        if decision["kind"] not in kinds:
            kinds.add(decision["kind"])
            before = truth.redis.hgetall(f"match:{{{table.match}}}:record")
            for move in decision["legal_moves"]:
                truth.redis.hset(f"match:{{{table.match}}}:record", mapping=before)
                assert table.move(table.decider, decision["id"], move) == (200, None)
            continue
        table.play()


# --- the id of the decision ---


@pytest.mark.parametrize("ahead", [1, 2, 1000, 2**31 - 2])
def test_a_decision_that_was_never_asked_cannot_be_answered(table: Table, ahead: int):
    move = table.decision["legal_moves"][0]
    assert table.refused(table.decider, 1 + ahead, move) == (409, "not-your-decision")
    assert table.refused(table.other, 1 + ahead, move) == (409, "not-your-decision")


def test_before_the_start_there_is_nothing_to_answer(visitor: Client, truth: Truth):
    ada = visitor.become("Ada")
    match = ada.create()
    with truth.unchanged(match, ada):
        move, view = ada.move(match, 1, FARM), ada.call("getView", match=match)
    assert (move.status, move.code) == (409, "not-started")
    assert (view.status, view.code) == (409, "not-started")


def test_who_has_no_seat_cannot_move(table: Table):
    stranger = table.visitor.become("Stranger")
    assert table.refused(stranger, 1, table.decision["legal_moves"][0]) == (403, "not-a-player")
    assert table.refused(table.visitor, 1, table.decision["legal_moves"][0]) == (401, "unauthenticated")


def test_after_the_end_nothing_can_be_answered(table: Table):
    table.play_to_the_end()
    answered = table.truth.match(table.match).answered
    for player, count in zip(table.players, answered, strict=True):
        for decision in (1, count // 2, count):
            assert table.refused(player, decision, FARM) == (409, "decision-closed")
        for decision in (count + 1, count + 2):
            assert table.refused(player, decision, FARM) == (409, "match-over")
    assert table.refused(table.visitor.become("Stranger"), 1, FARM) == (403, "not-a-player")


# --- illegal moves ---


def _at_build(state: VerraeterState) -> None:
    """Seat 0, of the House of the Eagle, has the Builder; landscapes show Eagle and Rose by turns."""
    state.phase, state.conflict, state.turn, state.start_seat = "build", 0, 0, 0
    for seat, (player, action) in enumerate(zip(state.players, ["builder", "farmer", "strategist"], strict=False)):
        player.action, player.offered, player.house, player.played = action, [action], "eagle", []
        player.reserve = 2
        state.landscapes[2 * seat].building = Building(owner=seat, side="farm")
    for position, land in enumerate(state.landscapes):
        land.house = "rose" if position % 2 else "eagle"


def _with_two_posts(state: VerraeterState) -> None:
    _at_build(state)
    for position in (6, 8):
        state.landscapes[position].building = Building(owner=0, side="trading_post")


def _without_reserve(state: VerraeterState) -> None:
    _at_build(state)
    state.players[0].reserve = 0


def _at_draft(state: VerraeterState) -> None:
    state.phase, state.conflict, state.turn, state.start_seat = "draft_action", 0, 0, 0
    state.players[0].offered = ["builder", "diplomat_2", "diplomat_5", "farmer", "strategist"]
    state.middle = ["traitor"]


def _at_supplies(state: VerraeterState) -> None:
    state.phase, state.conflict, state.turn, state.start_seat = "play_supplies", 0, 0, 0
    for player, action in zip(state.players, ["builder", "farmer", "strategist"], strict=False):
        player.action, player.offered = action, [action]


def _at_farms(state: VerraeterState) -> None:
    state.start_seat = 0
    state.players[0].house = "eagle"
    for position, land in enumerate(state.landscapes):
        land.house = "rose" if position % 2 else "eagle"
    state.landscapes[2].building = Building(owner=1, side="farm")


def _at_conflict(state: VerraeterState) -> None:
    state.phase, state.strategist_seat = "declare_conflict", 0
    for position, land in enumerate(state.landscapes):
        land.house = "rose" if position < 6 else "eagle"


ILLEGAL: list[tuple[str, Callable[[VerraeterState], None], dict]] = [
    ("wrong-kind-of-move", _at_farms, {"type": "decline_build"}),
    ("wrong-kind-of-move", _at_conflict, {"type": "place_farm", "landscape": 0}),
    ("wrong-kind-of-move", _at_draft, {"type": "play_supplies", "cards": []}),
    ("wrong-kind-of-move", _at_supplies, {"type": "draft_action", "action": "builder"}),
    ("wrong-kind-of-move", _at_build, {"type": "declare_conflict", "border": 0}),
    ("foreign-house", _at_farms, {"type": "place_farm", "landscape": 1}),
    ("landscape-occupied", _at_farms, {"type": "place_farm", "landscape": 2}),
    ("no-enmity", _at_conflict, {"type": "declare_conflict", "border": 1}),
    ("action-not-offered", _at_draft, {"type": "draft_action", "action": "traitor"}),
    ("supplies-not-in-hand", _at_supplies, {"type": "play_supplies", "cards": [8]}),
    ("supplies-not-in-hand", _at_supplies, {"type": "play_supplies", "cards": [3, 3]}),
    ("supplies-not-ascending", _at_supplies, {"type": "play_supplies", "cards": [4, 3]}),
    ("reserve-empty", _without_reserve, {"type": "place_building", "landscape": 10, "side": "farm"}),
    ("foreign-house", _at_build, {"type": "place_building", "landscape": 1, "side": "farm"}),
    ("foreign-house", _at_build, {"type": "move_building", "from": 0, "to": 1}),
    ("landscape-occupied", _at_build, {"type": "place_building", "landscape": 2, "side": "farm"}),
    ("landscape-occupied", _at_build, {"type": "move_building", "from": 0, "to": 0}),
    ("no-own-building", _at_build, {"type": "move_building", "from": 2, "to": 10}),
    ("no-own-building", _at_build, {"type": "turn_building", "landscape": 11}),
    ("too-many-trading-posts", _with_two_posts, {"type": "turn_building", "landscape": 0}),
    ("too-many-trading-posts", _with_two_posts, {"type": "place_building", "landscape": 10, "side": "trading_post"}),
]


@pytest.mark.parametrize(("reason", "arrange", "move"), ILLEGAL, ids=[f"{r}-{m['type']}" for r, _, m in ILLEGAL])
def test_an_illegal_move_is_refused_with_its_reason_and_leaves_no_trace(
    table: Table, reason: str, arrange: Callable[[VerraeterState], None], move: dict
):
    """Regression 8: the refusal names nothing that was not sent, and nobody else sees it."""
    table.truth.lay_out(table.match, arrange)
    assert table.seat == 0
    decision = table.decision
    assert move not in decision["legal_moves"]
    with table.truth.unchanged(table.match, table.visitor, *table.players):
        answer = table.decider.move(table.match, decision["id"], move)
    assert (answer.status, answer.code, answer.body["reason"]) == (422, "illegal-move", reason)
    assert answer.body.keys() == {"type", "title", "status", "code", "reason", "detail", "instance"}
    assert answer.body["detail"] == texts.reason(reason, "en")
    table.play()


def test_every_reason_that_can_be_reached_is_in_the_table():
    """Who is not on turn is refused before the rules are asked."""
    assert {reason for reason, _, _ in ILLEGAL} == set(VERRAETER.refusals) - {"not-your-turn"}


def test_a_refusal_does_not_depend_on_what_others_hold(table: Table):
    """Regression 8: the same illegal move, whatever card lies unseen in the middle, gives the same bytes."""
    answers = set()
    for unseen, offered in [("traitor", "farmer"), ("farmer", "traitor")]:

        def arrange(state: VerraeterState, unseen=unseen, offered=offered) -> None:
            _at_draft(state)
            state.start_seat, state.turn = 0, 1
            state.players[0].action = offered
            state.players[1].offered = ["builder", "diplomat_2", "diplomat_5", "strategist"]
            state.middle = [unseen]

        table.truth.lay_out(table.match, arrange)
        for action in ("traitor", "farmer"):
            answer = table.players[1].call(
                "playMove",
                {"decision": 1, "move": {"type": "draft_action", "action": action}},
                match=table.match,
                headers={"X-Request-Id": "same"},
            )
            assert answer.body["reason"] == "action-not-offered"
            answers.add(answer.raw)
    assert len(answers) == 1


# --- viewers ---


def test_strangers_see_what_a_spectator_sees(table: Table):
    stranger = table.visitor.become("Stranger")
    for _ in range(12):
        seen = [viewer.call("getView", match=table.match) for viewer in (table.visitor, stranger)]
        assert seen[0].raw == seen[1].raw
        assert seen[0].headers["ETag"] == seen[1].headers["ETag"]
        assert seen[0].body["you"] is None
        table.play()


def test_a_player_of_one_match_is_a_spectator_of_another(table: Table, visitor: Client):
    _, others = seated(visitor)
    assert others[0].call("getView", match=table.match).raw == visitor.call("getView", match=table.match).raw
