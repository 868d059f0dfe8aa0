"""A table on which the tests lay out the cards of Verräter themselves, and matches played to the end."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.game import IllegalMove
from engine.randomness import Randomness
from engine.verraeter import VERRAETER
from engine.verraeter.moves import DeclareConflict, DraftAction, PlaySupplies
from engine.verraeter.options import VerraeterOptions
from engine.verraeter.rules import RULES_VERSION
from engine.verraeter.state import Building, Landscape, Player, VerraeterState

ALL_SUPPLIES = [2] * 5 + [3] * 5 + [4] * 5 + [5] * 5 + [6] * 2 + [8]
ALL_ACTIONS = ["builder", "diplomat_2", "diplomat_5", "farmer", "strategist", "traitor"]
CIRCLE = [
    (kind, house)
    for kind in ("wasteland", "meadow", "river", "forest", "village", "city")
    for house in ("eagle", "rose")
]


class Scene:
    """A match in which nothing is left to chance.

    Unless a test lays the cards out otherwise: seat 0 is the start player and holds the Strategy card, allegiances
    alternate from Eagle, position ``2 * i`` shows type ``i`` of the table of landscapes with the Eagle up and
    position ``2 * i + 1`` the same type with the Rose up, nobody has laid a building, everybody holds 3, 4, 5.
    The next cards of the draw pile are 2, 2, 2, 2, 2, 3.
    """

    def __init__(self, seats=4, start=0, match_round=1, **options):
        self.random = Randomness("scene", bytes(32)).move(1)
        self.log = []
        self.state = VerraeterState(
            rules_version=RULES_VERSION,
            options=VerraeterOptions(**options),
            phase="declare_conflict",
            round=match_round,
            start_seat=start,
            strategist_seat=start,
            turn=0,
            conflict=None,
            landscapes=[Landscape(type=kind, house=house) for kind, house in CIRCLE],
            players=[
                Player(house="rose" if (seat - start) % seats % 2 else "eagle", supplies=[3, 4, 5], reserve=3)
                for seat in range(seats)
            ],
            middle=[],
            draw_pile=[],
            discard_pile=[],
        )
        self._gather_draw_pile()

    # --- laying out ---

    def _gather_draw_pile(self):
        """Every supply card that lies nowhere else, the lowest on top."""
        elsewhere = Counter(self.state.discard_pile)
        for player in self.state.players:
            elsewhere.update(player.supplies + (player.played or []))
        left = Counter(ALL_SUPPLIES)
        left.subtract(elsewhere)
        assert min(left.values()) >= 0, "no such supply cards in the box"
        self.state.draw_pile = sorted(left.elements(), reverse=True)

    def hold(self, *hands):
        """Give every seat a hand, in seat order."""
        for player, cards in zip(self.state.players, hands, strict=True):
            player.supplies = sorted(cards)
        self._gather_draw_pile()
        return self

    def discard(self, *cards):
        """Put these cards on the discard pile."""
        self.state.discard_pile = sorted(cards)
        self._gather_draw_pile()
        return self

    def leave_in_draw_pile(self, *cards):
        """Leave these cards in the draw pile, the first of them on top; discard its others."""
        self.state.discard_pile = []
        self._gather_draw_pile()
        others = Counter(self.state.draw_pile)
        others.subtract(cards)
        assert min(others.values()) >= 0, "no such supply cards in the draw pile"
        self.state.draw_pile = list(reversed(cards))
        self.state.discard_pile = sorted(others.elements())
        return self

    def houses(self, letters):
        """Turn the allegiance cards: ``"ERRE"`` is Eagle for seats 0 and 3, Rose for seats 1 and 2."""
        for player, letter in zip(self.state.players, letters, strict=True):
            player.house = {"E": "eagle", "R": "rose"}[letter]
        return self

    def land(self, house, *positions):
        """Turn landscapes to a house."""
        for position in positions:
            self.state.landscapes[position].house = house
        return self

    def farm(self, seat, *positions):
        """Lay farms of a seat."""
        return self._lay(seat, "farm", positions)

    def post(self, seat, *positions):
        """Lay trading posts of a seat."""
        return self._lay(seat, "trading_post", positions)

    def _lay(self, seat, side, positions):
        for position in positions:
            assert self.state.landscapes[position].building is None
            self.state.landscapes[position].building = Building(owner=seat, side=side)
            self.state.players[seat].reserve -= 1
        assert self.state.players[seat].reserve >= 0
        return self

    def draft(self, *actions, border=4):
        """Let the seats have chosen these action cards, in seat order, in a conflict on this border.

        Border 4 lies between the two rivers: positions 4 (Eagle) and 5 (Rose).
        """
        state = self.state
        state.phase = "play_supplies"
        state.conflict = border
        passing = sorted(set(ALL_ACTIONS) - set(actions))
        state.middle = [passing.pop(0)]
        offered = sorted({*actions, *passing})
        for seat in self.in_turn():
            state.players[seat].action = actions[seat]
            state.players[seat].offered = list(offered)
            offered.remove(actions[seat])
        state.middle += offered
        return self

    # --- playing ---

    def in_turn(self):
        """The seats clockwise from the start player of this round."""
        count = len(self.state.players)
        return [(self.state.start_seat + step) % count for step in range(count)]

    def play(self, seat, move):
        """Play one move; the events as the log holds them."""
        events = VERRAETER.play(self.state, seat, move, self.random)
        self.log += events
        assert self.cards_in_play() == ALL_SUPPLIES
        return events

    def fight(self, *cards):
        """Play supply cards of all seats, in seat order (none for seats left out), each seat in its turn."""
        order = self.in_turn()
        before = len(self.log)
        for seat in order:
            self.play(seat, PlaySupplies(cards=tuple(cards[seat]) if seat < len(cards) else ()))
        return self.log[before:]

    def whole_round(self, border, actions, cards):
        """Play phases 1 to 3 move by move; ``actions`` and ``cards`` are in seat order.

        The first action card, by name, that nobody chooses is the one put aside unseen.
        """
        aside = min(set(ALL_ACTIONS) - set(actions))
        self.declare(border, aside)
        for seat in self.in_turn():
            self.play(seat, DraftAction(action=actions[seat]))
        self.fight(*cards)

    def declare(self, border, aside):
        """Declare the conflict, with a shuffle that puts this action card aside unseen."""
        before = VERRAETER.dump(self.state)
        for number in range(200):
            self.state = VERRAETER.load(before)
            self.random = Randomness("scene", bytes(32)).move(number)
            events = self.play(self.state.strategist_seat, DeclareConflict(border=border))
            if self.state.middle == [aside]:
                return
            del self.log[-len(events) :]
        raise AssertionError(f"{aside} is never put aside")

    def refused(self, seat, move):
        """The reason why a move is illegal; the state is as it was, byte for byte."""
        before = VERRAETER.dump(self.state)
        with pytest.raises(IllegalMove) as refusal:
            VERRAETER.play(self.state, seat, move, self.random)
        assert VERRAETER.dump(self.state) == before
        assert move not in VERRAETER.legal_moves(self.state, seat)
        assert VERRAETER.dump(self.state) == before
        return refusal.value.reason

    # --- looking ---

    def cards_in_play(self):
        """All supply cards, wherever they are, sorted."""
        state = self.state
        hands = [card for player in state.players for card in player.supplies + (player.played or [])]
        return sorted(state.draw_pile + state.discard_pile + hands)

    def events(self, kind):
        """All events of one type so far, as everybody reads them."""
        return [event.public for event in self.log if type(event.public) is kind]

    def story(self):
        """The types of all events so far, in order."""
        return [event.public.__struct_config__.tag for event in self.log]

    def moves(self, seat, kind=object):
        """The legal moves of a seat, those of one type if it is named."""
        return [move for move in VERRAETER.legal_moves(self.state, seat) if isinstance(move, kind)]

    @property
    def table(self):
        return VERRAETER.table(self.state)

    def hand(self, seat):
        return VERRAETER.hand(self.state, seat)

    @property
    def result(self):
        return VERRAETER.result(self.state)

    @property
    def fought(self):
        """The totals of the latest conflict and its winner."""
        last = self.state.last_conflict
        return last.eagle, last.rose, last.winner

    @property
    def scores(self):
        return [player.gains.total() for player in self.state.players]

    @property
    def hands(self):
        return [player.supplies for player in self.state.players]

    @property
    def hand_sizes(self):
        return [len(cards) for cards in self.hands]

    @property
    def allegiances(self):
        """Such as ``"ERER"``, in seat order."""
        return "".join(player.house[0].upper() for player in self.state.players)


@pytest.fixture
def scene():
    """Lay out a match: ``scene(seats=4, start=0, match_round=1, **options)``."""
    return Scene


@pytest.fixture
def dealt():
    """Deal a real match: ``dealt(seats, number, **options)`` gives its state and events."""

    def deal(seats, number=0, **options):
        stream = Randomness(f"deal-{number}", bytes(32)).deal()
        return VERRAETER.deal(seats, VerraeterOptions(**options), stream)

    return deal


class Match:
    """A real match in which every move is chosen by a fixed seed; it is played by iterating over it.

    Attributes:
        state: as it is after the moves so far.
        dealt: the events of the set-up.
    """

    def __init__(self, number, seats, chooser=None, **options):
        self.name = f"match-{number}"
        self.randomness = Randomness(self.name, number.to_bytes(32, "big"))
        self.choices = Randomness(self.name + "-choices", bytes(32)).deal()
        self.chooser = chooser or (lambda _, moves, choices: choices.choice(moves))
        self.state, self.dealt = VERRAETER.deal(seats, VerraeterOptions(**options), self.randomness.deal())
        self.number_of_moves = 0

    def __iter__(self):
        """Play on: after each move, the seat, the move and its events."""
        while deciding := VERRAETER.deciding(self.state):
            (seat,) = deciding
            move = self.chooser(self.state, VERRAETER.legal_moves(self.state, seat), self.choices)
            yield seat, move, self.play(seat, move)

    def play(self, seat, move):
        self.number_of_moves += 1
        return VERRAETER.play(self.state, seat, move, self.randomness.move(self.number_of_moves))

    def play_out(self):
        """Play to the end."""
        for _ in self:
            pass
        return self


@pytest.fixture
def match():
    """Play a real match: ``match(number, seats, **options)``."""
    return Match
