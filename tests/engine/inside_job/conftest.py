"""A table on which the tests lay out the cards of Inside Job themselves, and matches played to the end.

Cards are written short: ``b7`` is ``blue_7``, ``r``, ``g`` and ``y`` are red, green and yellow; ``b7*`` carries a
wager.
"""

from __future__ import annotations

from collections import Counter

import pytest

from engine.game import IllegalMove
from engine.inside_job import INSIDE_JOB
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, PlayCard
from engine.inside_job.options import InsideJobOptions
from engine.inside_job.rules import RULES_VERSION
from engine.inside_job.state import InsideJobState, Player
from engine.randomness import Randomness

COLOURS = {"b": "blue", "r": "red", "g": "green", "y": "yellow"}
ALL_CARDS = [f"{colour}_{rank}" for colour in COLOURS.values() for rank in range(1, 14)]
TRICKS = {3: 11, 4: 10, 5: 9}
STREAM = Randomness("scene", bytes(32)).move(1)


def card(short):
    """``b7`` or ``b7*`` is ``blue_7``."""
    return f"{COLOURS[short[0]]}_{short[1:].rstrip('*')}"


def cards(shorts):
    return [card(short) for short in shorts.split()]


class Scene:
    """A match in which nothing is left to chance: ``Scene("insider agent agent")``.

    Unless a test lays things out otherwise it is trick 1, seat 0 is start player and has drawn ``all_even_blue`` and
    ``ascending_red``, everybody holds one token and no card. Special roles are in play as the roles given say.
    """

    def __init__(self, roles, start=0, trick=1, **options):
        roles = roles.split()
        special = sorted(set(roles) - {"agent", "insider"})
        self.log = []
        self.state = InsideJobState(
            rules_version=RULES_VERSION,
            options=InsideJobOptions(special_roles=special, **options),
            special_roles=special,
            phase="choose_mission",
            trick=trick,
            start_seat=start,
            players=[Player(role=role, hand=[], tokens=0 if role == "accomplice" else 1) for role in roles],
            supply=14,
            undealt=[],
            mission_deck=["first_wins_green", "second_wins_red", "last_wins_green", "last_wins_yellow"],
            drawn=["all_even_blue", "ascending_red"],
        )
        for player in self.state.players:
            player.revealed = player.role in ("bugged_agent", "accomplice")
        self.state.supply -= sum(player.tokens for player in self.state.players)
        self._gather()

    # --- laying out ---

    def _gather(self):
        """Every card that lies nowhere else is undealt."""
        held = Counter(card for player in self.state.players for card in player.hand)
        held.update(play.card for play in self.state.plays)
        assert max(held.values(), default=0) <= 1
        self.state.undealt = [card for card in ALL_CARDS if card not in held]

    def hold(self, *hands):
        """Give every seat a hand, in seat order."""
        for player, shorts in zip(self.state.players, hands, strict=True):
            player.hand = sorted(cards(shorts), key=ALL_CARDS.index)
        self._gather()
        return self

    def tokens(self, *tokens):
        """Give every seat so many tokens, in seat order."""
        for player, count in zip(self.state.players, tokens, strict=True):
            player.tokens = count
        self.state.supply = 14 - sum(tokens)
        assert self.state.supply >= 0
        return self

    def reveal(self, *seats):
        """Turn up role cards."""
        for seat in seats:
            self.state.players[seat].revealed = True
        return self

    def partner(self, seat):
        """Let the Accomplice have chosen."""
        self.state.partner = seat
        return self

    def succeeded(self, count):
        """Let so many missions be in the agents' row."""
        self.state.succeeded = ["one_suit_blue"] * count
        return self

    def mission(self, mission):
        """Let this mission be chosen for the running trick."""
        self.state.drawn = []
        self.state.mission = mission
        self.state.phase = "play_card"
        return self

    def last_trick(self):
        """It is the last trick."""
        self.state.trick = TRICKS[len(self.state.players)]
        return self

    def voting(self):
        """The last trick is over, and nobody has won."""
        self.state.trick = TRICKS[len(self.state.players)]
        self.state.phase = "cast_vote"
        self.state.drawn = []
        return self

    # --- playing ---

    def do(self, seat, move):
        """Play one move; the events as the log holds them."""
        events = INSIDE_JOB.play(self.state, seat, move, STREAM)
        self.log += events
        self.check()
        return events

    def choose(self, mission):
        return self.do(self.state.start_seat, ChooseMission(mission=mission))

    def play(self, shorts):
        """Play cards that are in hand, each seat in its turn."""
        for short in shorts.split():
            (seat,) = INSIDE_JOB.deciding(self.state)
            self.do(seat, PlayCard(card=card(short), wager=short.endswith("*")))
        return self

    def trick(self, mission, shorts, start=None):
        """Play a whole trick in which every seat holds no other card."""
        if start is not None:
            self.state.start_seat = start
        self.mission(mission)
        seats = len(self.state.players)
        hands = dict(
            zip([(self.state.start_seat + step) % seats for step in range(seats)], shorts.split(), strict=True)
        )
        self.hold(*(hands[seat].rstrip("*") for seat in range(seats)))
        return self.play(shorts)

    def won_by(self, seat):
        """Play a trick that fails its mission, led by seat 0 and won by this seat."""
        ranks = iter(range(1, 6))
        others = range(len(self.state.players))
        shorts = " ".join("r13" if other == seat else f"r{next(ranks)}" for other in others)
        return self.trick("all_even_blue", shorts, start=0)

    def vote(self, *targets):
        """Cast all votes, in seat order: a seat, some seats, or None for who does not vote."""
        for seat, target in enumerate(targets):
            if target is not None:
                self.do(seat, CastVote(targets=(target,) if isinstance(target, int) else tuple(target)))
        return self

    def choose_partner(self, seat, partner):
        self.state.phase = "choose_partner"
        self.state.trick = 0
        self.state.mission_deck += self.state.drawn
        self.state.drawn = []
        return self.do(seat, ChoosePartner(seat=partner))

    def refused(self, seat, move):
        """The reason why a move is illegal; the state is as it was, byte for byte."""
        before = INSIDE_JOB.dump(self.state)
        with pytest.raises(IllegalMove) as refusal:
            INSIDE_JOB.play(self.state, seat, move, STREAM)
        assert INSIDE_JOB.dump(self.state) == before
        assert move not in INSIDE_JOB.legal_moves(self.state, seat)
        assert INSIDE_JOB.dump(self.state) == before
        return refusal.value.reason

    def check(self):
        """All 14 tokens and all cards that have not been played are somewhere, each once."""
        state = self.state
        wagered = sum(play.wager for play in state.plays)
        assert state.supply + sum(player.tokens for player in state.players) + wagered == 14
        assert min([state.supply, *self.held]) >= 0

    # --- looking ---

    @property
    def held(self):
        return [player.tokens for player in self.state.players]

    @property
    def revealed(self):
        return [seat for seat, player in enumerate(self.state.players) if player.revealed]

    @property
    def ending(self):
        return self.state.ending

    @property
    def won(self):
        """The seats that have won; None while the match runs."""
        result = INSIDE_JOB.result(self.state)
        return result and [seat.seat for seat in result.seats if seat.won]

    @property
    def reasons(self):
        return [seat.reason for seat in INSIDE_JOB.result(self.state).seats]

    @property
    def last(self):
        return self.state.last_trick

    @property
    def table(self):
        return INSIDE_JOB.table(self.state)

    def hand(self, seat):
        return INSIDE_JOB.hand(self.state, seat)

    def moves(self, seat):
        return INSIDE_JOB.legal_moves(self.state, seat)

    def playable(self, seat):
        """The legal cards of a seat, short, wagers with a star."""
        return [move.card[0] + move.card.split("_")[1] + "*" * move.wager for move in self.moves(seat)]

    def story(self):
        """The types of all events so far, in order."""
        return [event.public.__struct_config__.tag for event in self.log]

    def told(self, kind):
        """All events of one type so far, as everybody reads them."""
        return [event.public for event in self.log if event.public.__struct_config__.tag == kind]


@pytest.fixture
def scene():
    """Lay out a match: ``scene("insider agent agent", start=0, trick=1, **options)``."""
    return Scene


@pytest.fixture
def dealt():
    """Deal a real match: ``dealt(seats, number, **options)`` gives its state and events."""

    def deal(seats, number=0, **options):
        chosen = InsideJobOptions(**options)
        INSIDE_JOB.check_options(chosen, seats)
        return INSIDE_JOB.deal(seats, chosen, Randomness(f"deal-{number}", bytes(32)).deal())

    return deal


class Match:
    """A real match in which every move is chosen by a fixed seed; it is played by iterating over it.

    Attributes:
        state: as it is after the moves so far.
        dealt: the events of the set-up.
        chooser: takes the state, the deciding seat, its legal moves and random choices; gives the move.
    """

    def __init__(self, number, seats, chooser=None, **options):
        self.randomness = Randomness(f"match-{number}", number.to_bytes(32, "big"))
        self.choices = Randomness(f"choices-{number}", bytes(32)).deal()
        self.chooser = chooser or (lambda _state, _seat, moves, choices: choices.choice(moves))
        self.options = InsideJobOptions(**options)
        INSIDE_JOB.check_options(self.options, seats)
        self.state, self.dealt = INSIDE_JOB.deal(seats, self.options, self.randomness.deal())
        self.number_of_moves = 0

    def __iter__(self):
        """Play on: after each move, the seat, the move and its events."""
        while deciding := INSIDE_JOB.deciding(self.state):
            seat = self.choices.choice(deciding)
            move = self.chooser(self.state, seat, INSIDE_JOB.legal_moves(self.state, seat), self.choices)
            yield seat, move, self.play(seat, move)

    def play(self, seat, move):
        self.number_of_moves += 1
        return INSIDE_JOB.play(self.state, seat, move, self.randomness.move(self.number_of_moves))

    def play_out(self):
        """Play to the end."""
        for _ in self:
            pass
        return self


@pytest.fixture
def match():
    """Play a real match: ``match(number, seats, chooser=None, **options)``."""
    return Match
