"""A table on which the tests lay out the cards of Kabale und Hiebe themselves, and matches played to the end."""

from __future__ import annotations

import re
from bisect import insort
from collections import Counter

import pytest

from engine.game import IllegalMove
from engine.kabale import KABALE
from engine.kabale.moves import DeclineSwap, DeclineTuck, PlaceCard, SwapGoals, TuckCard
from engine.kabale.options import KabaleOptions
from engine.kabale.rules import RULES_VERSION
from engine.kabale.state import Column, KabaleState, Player, Slot
from engine.randomness import Randomness

LETTERS = "ABCDEF"
CARDS = sorted(
    [
        *("king", "queen", "juliet", "prince", "explorer", "hermit", "dragon", "musketeers", "traitor", "assassin"),
        *("storm", "alchemist", "fencer", "landlord", "merchant", "cardinal", "troubadour", "wizard", "romeo"),
        *("beggar", "giant", "squire", "witch", "disguise", "double"),
    ]
)
CATEGORIES = ("music", "alchemy", "fencing", "agriculture", "trade", "religion")
GOAL_BOX = Counter({f"{name}_{value}": 2 if value == 3 else 1 for name in CATEGORIES for value in range(1, 6)})

CARD = re.compile(r"(?:empty )?(\w+) ([A-F])(?: with (\w+))?([?!]?)")


def seat_of(letter):
    return LETTERS.index(letter)


def slots(text):
    """Read a column: ``"King A, Disguise B with Wizard, Storm C?"``.

    A question mark lays a card face down, an exclamation mark an Explorer that has moved.
    """
    found = []
    for part in text.split(", ") if text else []:
        name, letter, tucked, mark = CARD.fullmatch(part).groups()
        found.append(
            Slot(
                owner=seat_of(letter),
                character=name.lower(),
                face_up=not mark,
                moved=mark == "!",
                tucked=tucked.lower() if tucked else None,
            )
        )
    return found


def cards_of(state, seat):
    """All cards of a seat, wherever they are, sorted."""
    player = state.players[seat]
    cards = player.hand + player.draw_pile + player.discard_pile
    for column in state.columns:
        for slot in column.slots:
            if slot.owner == seat:
                cards = [*cards, slot.character, *([slot.tucked] if slot.tucked else [])]
    return sorted(cards)


def goals_of(state):
    """All goal cards, wherever they are."""
    goals = state.goal_stack + state.unused_goals + state.lost_goals + [column.goal for column in state.columns]
    return Counter(goals + [goal for player in state.players for goal in player.goals])


class Scene:
    """A match in which nothing is left to chance.

    Seat A (0) is on turn in round 1. There is a column per seat, with the goals 5 of music, alchemy, fencing and so
    on. All cards lie in the draw piles, hands are empty: a test gives everybody what it needs. What a test does not
    arrange is drawn in alphabetical order from the cards left, Assassin first.
    """

    def __init__(self, seats=3, turn="A", match_round=1, **options):
        self.random = Randomness("scene", bytes(32)).move(1)
        self.log = []
        goals = [f"{name}_5" for name in CATEGORIES[:seats]]
        self.state = KabaleState(
            rules_version=RULES_VERSION,
            options=KabaleOptions(**options),
            phase="place_card",
            round=match_round,
            turn=seat_of(turn),
            pending=None,
            columns=[Column(goal=goal) for goal in goals],
            players=[Player(hand=[], draw_pile=CARDS[::-1]) for _ in range(seats)],
            goal_stack=[],
            unused_goals=[],
            lost_goals=[],
        )
        self._gather_goals()

    # --- laying out ---

    def _gather_goals(self):
        """Every goal that lies nowhere else: in the stack as many as the later rounds need, the others unused."""
        state = self.state
        state.goal_stack, state.unused_goals = [], []
        left = sorted((GOAL_BOX - goals_of(state)).elements())
        in_stack = len(state.players) * (6 - state.round)
        state.goal_stack, state.unused_goals = left[:in_stack], left[in_stack:]

    def goals(self, *goals):
        """Lay out other goals, from left to right."""
        for column, goal in zip(self.state.columns, goals, strict=True):
            column.goal = goal
        self._gather_goals()
        return self

    def won(self, letter, *goals):
        """Let a seat have won these goals."""
        self.state.players[seat_of(letter)].goals = sorted(goals)
        self._gather_goals()
        return self

    def column(self, number, cards, *, closed=False):
        """Lay out a column, see :func:`slots`."""
        column = self.state.columns[number]
        column.closed = closed
        column.slots = slots(cards)
        for slot in column.slots:
            pile = self.state.players[slot.owner].draw_pile
            pile.remove(slot.character)
            if slot.tucked:
                pile.remove(slot.tucked)
        return self

    def hold(self, letter, *cards):
        """Give a seat these cards of its draw pile in addition to its hand."""
        player = self.state.players[seat_of(letter)]
        for card in cards:
            player.draw_pile.remove(card)
            insort(player.hand, card)
        return self

    def discard(self, letter, *cards):
        """Put these cards of a draw pile on the discard pile."""
        player = self.state.players[seat_of(letter)]
        for card in cards:
            player.draw_pile.remove(card)
            insort(player.discard_pile, card)
        return self

    def leave_in_draw_pile(self, letter, *cards, others_to="discard_pile"):
        """Leave these cards in a draw pile, the first on top; its others are discarded."""
        player = self.state.players[seat_of(letter)]
        others = [card for card in player.draw_pile if card not in cards]
        player.draw_pile = list(reversed(cards))
        setattr(player, others_to, sorted(getattr(player, others_to) + others))
        return self

    def lay_all_but(self, letter, column, *cards):
        """Lay every card of a seat's draw pile into a column, face up, but for these, which stay in the pile."""
        player = self.state.players[seat_of(letter)]
        laid = [card for card in CARDS if card in player.draw_pile and card not in cards]
        self.state.columns[column].slots += [Slot(owner=seat_of(letter), character=card, face_up=True) for card in laid]
        player.draw_pile = list(reversed(cards))
        return self

    # --- playing ---

    def play(self, letter, move):
        """Play one move; the events as the log holds them."""
        events = KABALE.play(self.state, seat_of(letter), move, self.random)
        self.log += events
        for seat in range(len(self.state.players)):
            assert cards_of(self.state, seat) == CARDS
        assert goals_of(self.state) == GOAL_BOX
        return events

    def place(self, letter, card, column):
        """Let a seat place a card, which it is given if it does not hold it."""
        if card not in self.state.players[seat_of(letter)].hand:
            self.hold(letter, card)
        return self.play(letter, PlaceCard(card=card, column=column))

    def swap(self, letter, *columns):
        return self.play(letter, SwapGoals(columns=columns) if columns else DeclineSwap())

    def tuck(self, letter, card=None):
        return self.play(letter, TuckCard(card=card) if card else DeclineTuck())

    def refused(self, letter, move):
        """The reason why a move is illegal; the state is as it was, byte for byte."""
        before = KABALE.dump(self.state)
        with pytest.raises(IllegalMove) as refusal:
            KABALE.play(self.state, seat_of(letter), move, self.random)
        assert KABALE.dump(self.state) == before
        assert move not in KABALE.legal_moves(self.state, seat_of(letter))
        assert KABALE.dump(self.state) == before
        return refusal.value.reason

    # --- looking ---

    def lies(self, number):
        """A column as :func:`slots` reads it, in ids."""
        found = []
        for slot in self.state.columns[number].slots:
            mark = "" if slot.face_up else "!" if slot.moved else "?"
            tucked = f" with {slot.tucked}" if slot.tucked else ""
            found.append(f"{slot.character} {LETTERS[slot.owner]}{tucked}{mark}")
        return ", ".join(found)

    def player(self, letter):
        return self.state.players[seat_of(letter)]

    def events(self, kind):
        """All events of one type so far, as everybody reads them."""
        return [event.public for event in self.log if type(event.public) is kind]

    def story(self):
        """The types of all events so far, in order."""
        return [event.public.__struct_config__.tag for event in self.log]

    def moves(self, letter):
        return KABALE.legal_moves(self.state, seat_of(letter))

    @property
    def deciding(self):
        """Such as ``"B"``; empty after the end."""
        return "".join(LETTERS[seat] for seat in KABALE.deciding(self.state))

    @property
    def asked(self):
        """Who owes a decision, and of which kind."""
        (seat,) = KABALE.deciding(self.state)
        return LETTERS[seat], KABALE.kind(self.state, seat)

    @property
    def table(self):
        return KABALE.table(self.state)

    def hand(self, letter):
        return KABALE.hand(self.state, seat_of(letter))

    @property
    def result(self):
        return KABALE.result(self.state)


@pytest.fixture
def scene():
    """Lay out a match: ``scene(seats=3, turn="A", match_round=1, **options)``."""
    return Scene


class Scored:
    """How a column was scored in a real round.

    Attributes:
        scored: the scoring as everybody reads it.
        won: the goals that each seat has after it.
    """

    def __init__(self, cards, category, seats, options):
        table = Scene(seats, match_round=3, **options)
        others = [f"{name}_1" for name in CATEGORIES if name != category][: seats - 1]
        table.goals(f"{category}_1", *others)
        table.column(0, cards)
        for number in range(1, seats - 1):
            table.state.columns[number].closed = True
        last = table.state.columns[0].slots
        if last:
            last[-1].face_up = False
        else:
            table.state.columns[0].closed = True
        # Whatever card A still has ends the round, in the last column.
        table.place("A", next(card for card in CARDS if card in table.state.players[0].draw_pile), seats - 1)
        report = table.table.last_round
        self.scored = report.columns[0]
        told = next(e.public for e in table.log if e.public.__struct_config__.tag == "column_scored")
        assert (told.column, told.scored) == (0, self.scored)
        assert self.scored.goal == f"{category}_1"
        winners = [seat for seat, player in enumerate(table.state.players) if self.scored.goal in player.goals]
        assert winners == ([] if self.scored.winner is None else [self.scored.winner])
        assert (self.scored.goal in table.state.lost_goals) == (not winners)

    @property
    def totals(self):
        """By letter, of those who have one."""
        return {LETTERS[seat]: total for seat, total in enumerate(self.scored.totals) if total is not None}

    @property
    def winner(self):
        return None if self.scored.winner is None else LETTERS[self.scored.winner]

    @property
    def outcome(self):
        return self.totals, self.winner

    @property
    def values(self):
        return [card.value for card in self.scored.cards]

    @property
    def knocked_out(self):
        """By the places of the cards."""
        return {place: card.knocked_out_by for place, card in enumerate(self.scored.cards) if card.knocked_out_by}

    @property
    def steps(self):
        return self.scored.steps

    @property
    def decided_by(self):
        return self.scored.decided_by


@pytest.fixture
def score():
    """Score a column at the end of a real round: ``score("King A, Wizard B", "music", **options)``."""

    def scored(cards, category="trade", *, seats=3, **options):
        return Scored(cards, category, seats, options)

    return scored


@pytest.fixture
def dealt():
    """Deal a real match: ``dealt(seats, number, **options)`` gives its state and events."""

    def deal(seats, number=0, **options):
        stream = Randomness(f"deal-{number}", bytes(32)).deal()
        return KABALE.deal(seats, KabaleOptions(**options), stream)

    return deal


@pytest.fixture
def options_of():
    """The options of a match: all combinations by turns."""
    return lambda number: {
        "set_scoring": ("all_goals", "set_only")[number % 2],
        "traitor_swap": ("any_two", "own_column")[number // 2 % 2],
        "witch_spares_witches": bool(number // 4 % 2),
    }


class Match:
    """A real match in which every move is chosen by a fixed seed; it is played by iterating over it.

    Attributes:
        state: as it is after the moves so far.
        log: all events so far.
    """

    def __init__(self, number, seats, chooser=None, **options):
        self.name = f"match-{number}"
        self.randomness = Randomness(self.name, number.to_bytes(32, "big"))
        self.choices = Randomness(self.name + "-choices", bytes(32)).deal()
        self.chooser = chooser or (lambda _, moves, choices: choices.choice(moves))
        self.state, events = KABALE.deal(seats, KabaleOptions(**options), self.randomness.deal())
        self.log = list(events)
        self.number_of_moves = 0

    def __iter__(self):
        """Play on: after each move, the seat, the move and its events."""
        while deciding := KABALE.deciding(self.state):
            (seat,) = deciding
            move = self.chooser(self.state, KABALE.legal_moves(self.state, seat), self.choices)
            yield seat, move, self.play(seat, move)

    def play(self, seat, move):
        self.number_of_moves += 1
        events = KABALE.play(self.state, seat, move, self.randomness.move(self.number_of_moves))
        self.log += events
        return events

    def play_out(self):
        """Play to the end."""
        for _ in self:
            pass
        return self


@pytest.fixture
def match():
    """Play a real match: ``match(number, seats, **options)``."""
    return Match
