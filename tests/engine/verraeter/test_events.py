"""What the readers of a match are told, and that it is enough to follow it."""

import msgspec
import pytest

from engine.verraeter import VERRAETER
from engine.verraeter.events import ActionDrafted, ActionsOffered, SuppliesDrawn
from engine.verraeter.moves import DeclineBuild, MoveBuilding, PlaceBuilding, TurnBuilding


def as_sent(event):
    """An event as a reader gets it; ``you`` is left out where it is null."""
    sent = msgspec.json.decode(msgspec.json.encode(event))
    if sent["you"] is None:
        del sent["you"]
    return sent


@pytest.mark.parametrize("seats", [3, 4])
def test_set_up_is_told(dealt, seats):
    """Facts 12, 13, 14, 15: the circle, allegiances, the hand that all begin with, and the holders of the cards."""
    state, (event,) = dealt(seats, 4, first_strategist="left_of_start_player")
    start = state.start_seat
    houses = [None] * seats
    for step in range(seats):
        houses[(start + step) % seats] = ["eagle", "rose"][step % 2]
    assert event.private == {}
    assert as_sent(event.public) == {
        "type": "verraeter_dealt",
        "start_seat": start,
        "strategist_seat": (start + 1) % seats,
        "landscapes": [{"type": land.type, "house": land.house} for land in state.landscapes],
        "houses": houses,
        "hand": [3, 4, 5],
        "draw_pile_size": {3: 14, 4: 11}[seats],
    }


def test_first_farms_are_told(dealt):
    """Fact 16: who laid where."""
    state, _ = dealt(3)
    (seat,) = VERRAETER.deciding(state)
    move = VERRAETER.legal_moves(state, seat)[2]
    (event,) = VERRAETER.play(state, seat, move, None)
    assert as_sent(event.public) == {"type": "farm_placed", "seat": seat, "landscape": move.landscape}
    assert event.private == {}


@pytest.fixture
def scripted_round(scene):
    """A whole round of four seats, in which every phase has something to tell."""
    table = scene(start=1, match_round=2).farm(0, 4).farm(1, 8).farm(2, 3).farm(3, 6)
    assert table.allegiances == "RERE"
    table.whole_round(4, ["traitor", "builder", "diplomat_2", "strategist"], [[3], [5], [4, 5], []])
    table.play(1, PlaceBuilding(landscape=10, side="trading_post"))
    return table


def test_every_public_event_of_a_round(scripted_round):
    """Facts 38, 19, 21, 24, 22, 27, 29, 32, 36: all phases in their order, each with what everybody may know."""
    told = [as_sent(event.seen_by(None)) for event in scripted_round.log]
    assert told == [
        {"type": "conflict_declared", "seat": 1, "border": 4},
        {"type": "actions_offered", "seat": 1, "count": 5},
        {"type": "action_drafted", "seat": 1, "middle_size": 1},
        {"type": "actions_offered", "seat": 2, "count": 4},
        {"type": "action_drafted", "seat": 2, "middle_size": 1},
        {"type": "actions_offered", "seat": 3, "count": 3},
        {"type": "action_drafted", "seat": 3, "middle_size": 1},
        {"type": "actions_offered", "seat": 0, "count": 2},
        {"type": "action_drafted", "seat": 0, "middle_size": 2},
        {"type": "supplies_played", "seat": 1, "cards": [5]},
        {"type": "supplies_played", "seat": 2, "cards": [4, 5]},
        {"type": "supplies_played", "seat": 3, "cards": []},
        {"type": "supplies_played", "seat": 0, "cards": [3]},
        {"type": "actions_revealed", "actions": ["traitor", "builder", "diplomat_2", "strategist"]},
        {"type": "allegiance_changed", "seat": 0, "house": "eagle"},
        {"type": "conflict_resolved", "border": 4, "eagle": 13, "rose": 16, "winner": "rose"},
        {"type": "supplies_drawn", "seat": 2, "source": "diplomat_2", "count": 1},
        {"type": "points_scored", "seat": 2, "source": "landscapes", "points": 6, "score": 6},
        {"type": "points_scored", "seat": 0, "source": "traitor", "points": 1, "score": 1},
        {"type": "landscape_turned", "landscape": 4, "house": "rose"},
        {"type": "building_placed", "seat": 1, "landscape": 10, "side": "trading_post"},
        {"type": "points_scored", "seat": 3, "source": "strategist", "points": 2, "score": 2},
        {"type": "strategy_card_taken", "seat": 3},
        {"type": "supplies_drawn", "seat": 1, "source": "farms", "count": 1},
        {"type": "supplies_drawn", "seat": 2, "source": "farms", "count": 1},
        {"type": "supplies_drawn", "seat": 3, "source": "farms", "count": 1},
        {"type": "round_ended", "round": 3, "start_seat": 2},
    ]


def test_secrets_of_a_round(scripted_round):
    """Facts 10, 19: what was offered, kept and drawn is told to the seat concerned and to nobody else."""
    secrets = [
        (type(event.public), seat, msgspec.to_builtins(told.you))
        for event in scripted_round.log
        for seat, told in event.private.items()
    ]
    everything = {"builder", "diplomat_2", "farmer", "strategist", "traitor"}
    assert secrets == [
        (ActionsOffered, 1, {"actions": sorted(everything)}),
        (ActionDrafted, 1, {"action": "builder"}),
        (ActionsOffered, 2, {"actions": sorted(everything - {"builder"})}),
        (ActionDrafted, 2, {"action": "diplomat_2"}),
        (ActionsOffered, 3, {"actions": ["farmer", "strategist", "traitor"]}),
        (ActionDrafted, 3, {"action": "strategist"}),
        (ActionsOffered, 0, {"actions": ["farmer", "traitor"]}),
        (ActionDrafted, 0, {"action": "traitor"}),
        (SuppliesDrawn, 2, {"cards": [2]}),
        (SuppliesDrawn, 1, {"cards": [2]}),
        (SuppliesDrawn, 2, {"cards": [2]}),
        (SuppliesDrawn, 3, {"cards": [2]}),
    ]


def test_you_is_in_the_event_of_the_seat_concerned_alone(scripted_round):
    """Fact 19; ruling Q27: all others read the event without it, and the rest of it is the same."""
    for event in scripted_round.log:
        assert event.public.you is None
        for seat in range(4):
            told = event.seen_by(seat)
            assert (told.you is not None) == (seat in event.private)
            assert msgspec.structs.replace(told, you=None) == event.public
        assert set(event.private) <= {getattr(event.public, "seat", None)}


@pytest.mark.parametrize(
    ("move", "told"),
    [
        (PlaceBuilding(landscape=2, side="farm"), {"type": "building_placed", "landscape": 2, "side": "farm"}),
        (MoveBuilding(origin=0, to=2), {"type": "building_moved", "from": 0, "to": 2}),
        (TurnBuilding(landscape=0), {"type": "building_turned", "landscape": 0, "side": "trading_post"}),
        (TurnBuilding(landscape=6), {"type": "building_turned", "landscape": 6, "side": "farm"}),
        (DeclineBuild(), {"type": "build_declined"}),
    ],
)
def test_what_the_builder_did_is_told(scene, move, told):
    """Fact 29: openly, first of all."""
    table = scene(seats=3).farm(0, 0).post(0, 6).draft("builder", "farmer", "strategist")
    table.fight()
    first, *_ = table.play(0, move)
    assert as_sent(first.public) == {**told, "seat": 0}
    assert first.private == {}


def test_draw_cut_in_two_by_a_shuffle_is_told_in_its_order(scene):
    """Fact 35: each part with what it really brought, the shuffle between them."""
    table = scene(seats=3).hold([], [3], [4]).leave_in_draw_pile(8).draft("farmer", "diplomat_5", "strategist")
    table.fight()
    first, second = (event for event in table.log if type(event.public) is SuppliesDrawn)
    assert [as_sent(event.public)["count"] for event in (first, second)] == [1, 2]
    assert first.seen_by(0).you.cards == [8]
    assert sorted([8, *second.seen_by(0).you.cards]) == table.hands[0]
    assert {"type": "discard_pile_shuffled", "draw_pile_size": 20} in [as_sent(event.public) for event in table.log]
    story = table.story()
    place = story.index("discard_pile_shuffled")
    assert story[place - 1] == story[place + 1] == "supplies_drawn"


def test_nothing_drawn_is_not_told(scene):
    """Ruling Q19: who draws nothing makes no event."""
    table = scene(seats=3).hold([2, 2, 2, 2, 2], [3], [4]).draft("farmer", "builder", "diplomat_2")
    table.fight()
    table.play(1, DeclineBuild())
    assert [event.seat for event in table.events(SuppliesDrawn)] == [2]


def test_draw_is_told_with_a_null_winner(scene):
    """Fact 25: equal totals have no winner."""
    table = scene(seats=3).draft("farmer", "builder", "strategist")
    table.fight()
    told = [as_sent(event.public) for event in table.log]
    assert {"type": "conflict_resolved", "border": 4, "eagle": 5, "rose": 5, "winner": None} in told


# --- the events are the whole story ---


class Reader:
    """Somebody who saw nothing but the public events, and keeps the table by them."""

    def __init__(self, seats, early_end):
        self.seats, self.early_end = seats, early_end

    def read(self, event):
        getattr(self, event.__struct_config__.tag)(event)

    def verraeter_dealt(self, event):
        self.round, self.start, self.strategist = 1, event.start_seat, event.strategist_seat
        self.border, self.middle = None, 0
        self.lands = [[land.type, land.house, None] for land in event.landscapes]
        self.houses = list(event.houses)
        self.hands = [len(event.hand)] * self.seats
        self.reserves = [3] * self.seats
        self.scores = [0] * self.seats
        self.gains = [dict.fromkeys(("landscapes", "traitor", "strategist", "trading_posts"), 0) for _ in self.houses]
        self.draw_pile, self.discard_pile = event.draw_pile_size, []
        self.next_round()

    def next_round(self):
        self.border, self.middle = None, 0
        self.drawn = [0] * self.seats
        self.chosen = [False] * self.seats
        self.actions = [None] * self.seats
        self.played = [None] * self.seats

    def farm_placed(self, event):
        self.lay(event.seat, event.landscape, "farm")

    def lay(self, seat, landscape, side):
        self.lands[landscape][2] = (seat, side)
        self.reserves[seat] -= 1

    def conflict_declared(self, event):
        self.border, self.middle = event.border, 1

    def actions_offered(self, event):
        assert event.count == 5 - sum(self.chosen)

    def action_drafted(self, event):
        self.chosen[event.seat] = True
        self.middle = event.middle_size

    def supplies_played(self, event):
        self.played[event.seat] = list(event.cards)
        self.hands[event.seat] -= len(event.cards)

    def actions_revealed(self, event):
        self.actions = list(event.actions)

    def allegiance_changed(self, event):
        self.houses[event.seat] = event.house

    def conflict_resolved(self, event):
        self.winner = event.winner

    def supplies_drawn(self, event):
        if event.source == "farms":
            self.discard()
        self.hands[event.seat] += event.count
        self.drawn[event.seat] += event.count
        self.draw_pile -= event.count
        assert self.draw_pile >= 0

    def discard_pile_shuffled(self, event):
        assert self.draw_pile == 0
        if event.draw_pile_size != len(self.discard_pile):
            self.discard()
        assert event.draw_pile_size == len(self.discard_pile)
        self.draw_pile, self.discard_pile = event.draw_pile_size, []

    def points_scored(self, event):
        self.gains[event.seat][event.source] += event.points
        self.scores[event.seat] += event.points
        assert self.scores[event.seat] == event.score

    def landscape_turned(self, event):
        self.lands[event.landscape][1] = event.house

    def building_placed(self, event):
        self.lay(event.seat, event.landscape, event.side)

    def building_moved(self, event):
        self.lands[event.to][2], self.lands[event.origin][2] = self.lands[event.origin][2], None

    def building_turned(self, event):
        self.lands[event.landscape][2] = (event.seat, event.side)

    def build_declined(self, event):
        pass

    def strategy_card_taken(self, event):
        self.strategist = event.seat

    def discard(self):
        for seat, cards in enumerate(self.played):
            self.discard_pile = sorted(self.discard_pile + (cards or []))
            self.played[seat] = []

    def round_ended(self, event):
        self.discard()
        self.round, self.start = event.round, event.start_seat
        self.next_round()

    def verraeter_ended(self, event):
        assert event.scores == self.scores
        if event.ending == "last_round" or self.early_end == "after_round":
            self.discard()
            self.next_round()

    def agrees_with(self, table):
        assert (table.round, table.start_seat, table.strategist_seat) == (self.round, self.start, self.strategist)
        assert (table.conflict and table.conflict.border) == self.border
        assert table.middle_size == self.middle
        lands = [
            [land.type, land.house, land.building and (land.building.owner, land.building.side)]
            for land in table.landscapes
        ]
        assert lands == self.lands
        assert [seat.house for seat in table.seats] == self.houses
        assert [seat.score for seat in table.seats] == self.scores
        assert [msgspec.to_builtins(seat.gains) for seat in table.seats] == self.gains
        assert [seat.hand_size for seat in table.seats] == self.hands
        assert [seat.drawn for seat in table.seats] == self.drawn
        assert [seat.reserve for seat in table.seats] == self.reserves
        assert [seat.has_chosen for seat in table.seats] == self.chosen
        assert [seat.action for seat in table.seats] == self.actions
        assert [seat.played for seat in table.seats] == self.played
        assert (table.draw_pile_size, table.discard_pile) == (self.draw_pile, self.discard_pile)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("early_end", ["after_round", "at_once"])
def test_public_events_are_enough_to_follow_a_match(match, seats, early_end):
    """Facts 27, 28, 35, 36, 38: the table that a reader keeps by the events is the table, after every move."""
    for number in range(40):
        game = match(number, seats, early_end=early_end)
        reader = Reader(seats, early_end)
        for event in game.dealt:
            reader.read(event.public)
        reader.agrees_with(VERRAETER.table(game.state))
        for _, _, events in game:
            for event in events:
                reader.read(event.public)
            reader.agrees_with(VERRAETER.table(game.state))
        assert reader.scores == [seat.score for seat in VERRAETER.result(game.state).seats]


@pytest.mark.parametrize("seats", [3, 4])
def test_private_events_are_enough_to_know_the_own_hand(match, seats):
    """Facts 14, 19; ruling Q27: a seat that reads its events knows its cards and what it was offered."""
    for number in range(40):
        game = match(number, seats)
        hands = [[3, 4, 5] for _ in range(seats)]
        offered = [[] for _ in range(seats)]
        kept = [None] * seats
        for _, _, events in game:
            for seat in range(seats):
                for event in events:
                    told = event.seen_by(seat)
                    name = told.__struct_config__.tag
                    if name == "supplies_drawn" and told.you:
                        assert len(told.you.cards) == told.count
                        hands[seat] += told.you.cards
                    elif name == "supplies_played" and told.seat == seat:
                        for card in told.cards:
                            hands[seat].remove(card)
                    elif name == "actions_offered" and told.you:
                        assert len(told.you.actions) == told.count
                        offered[seat] = told.you.actions
                    elif name == "action_drafted" and told.you:
                        kept[seat] = told.you.action
                    elif name in ("round_ended", "verraeter_ended"):
                        offered[seat], kept[seat] = [], None
                view = VERRAETER.hand(game.state, seat)
                assert (view.hand, view.offered, view.kept) == (sorted(hands[seat]), offered[seat], kept[seat])
