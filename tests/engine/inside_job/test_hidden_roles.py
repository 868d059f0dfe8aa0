"""Nothing distinguishes one hidden role from another: two matches that differ only in who has which."""

from itertools import pairwise

import msgspec
import pytest

from engine.game import IllegalMove
from engine.inside_job import INSIDE_JOB
from engine.inside_job.components import COMPONENTS
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, PlayCard
from engine.inside_job.options import InsideJobOptions
from engine.inside_job.roles import allowed_sets
from engine.randomness import Randomness

STREAM = Randomness("twins", bytes(32)).move(1)
CANDIDATES = [
    *(ChoosePartner(seat=seat) for seat in range(5)),
    *(ChooseMission(mission=mission.id) for mission in COMPONENTS.missions[::9]),
    *(PlayCard(card=card.id, wager=wager) for card in COMPONENTS.cards[::5] for wager in (False, True)),
    *(CastVote(targets=targets) for targets in ((0,), (1,), (2,), (4,), (0, 1), (1, 1), (2, 1))),
]


class Twins:
    """A match, and the same one with the roles of two seats swapped."""

    def __init__(self, number, seats, one, other, options):
        randomness = Randomness(f"twins-{number}", bytes(32))
        self.choices = Randomness(f"choices-{number}", bytes(32)).deal()
        self.states, self.logs = [], []
        for _ in range(2):
            state, events = INSIDE_JOB.deal(seats, options, randomness.deal())
            self.states.append(state)
            self.logs.append(events)
        roles = [player.role for player in self.states[0].players]
        self.swapped = (roles.index(one), roles.index(other))
        second = self.states[1].players
        first, last = self.swapped
        second[first].role, second[last].role = second[last].role, second[first].role
        self.readers = [None, *(seat for seat in range(seats) if seat not in self.swapped)]
        self.accomplice = roles.index("accomplice") if "accomplice" in roles else None

    def same_for_all_others(self):
        """Compare what others see now; what they were told is compared as it is told."""
        one, other = self.states
        assert INSIDE_JOB.deciding(one) == INSIDE_JOB.deciding(other)
        assert INSIDE_JOB.table(one) == INSIDE_JOB.table(other)
        for reader in self.readers[1:]:
            hands = [INSIDE_JOB.hand(state, reader) for state in self.states]
            if reader == self.accomplice and one.partner in self.swapped:
                hands = [msgspec.structs.replace(hand, partner_role=None) for hand in hands]
            assert hands[0] == hands[1]
            assert INSIDE_JOB.legal_moves(one, reader) == INSIDE_JOB.legal_moves(other, reader)
        for seat in self.swapped:
            hands = [msgspec.structs.replace(INSIDE_JOB.hand(state, seat), role="agent") for state in self.states]
            assert hands[0] == hands[1]

    def same_refusals(self):
        """Whatever anybody but the two tries, the answer is the same; and so it is for the two when not deciding."""
        one = self.states[0]
        for seat in range(len(one.players)):
            if seat in self.swapped and seat in INSIDE_JOB.deciding(one):
                continue
            for move in CANDIDATES:
                answers = [self.answer(state, seat, move) for state in self.states]
                assert answers[0] == answers[1], (seat, move)

    @staticmethod
    def answer(state, seat, move):
        copy = INSIDE_JOB.load(INSIDE_JOB.dump(state))
        try:
            INSIDE_JOB.play(copy, seat, move, STREAM)
        except IllegalMove as refusal:
            return refusal.reason
        return None

    def step(self):
        """Play a move that is legal in both; the events as all others read them, or None if the roles come out."""
        deciding = INSIDE_JOB.deciding(self.states[0])
        seat = self.choices.choice(deciding)
        lists = [INSIDE_JOB.legal_moves(state, seat) for state in self.states]
        common = [move for move in lists[0] if move in lists[1]]
        move = self.choices.choice(common)
        logs = [INSIDE_JOB.play(state, seat, move, STREAM) for state in self.states]
        if any(INSIDE_JOB.result(state) for state in self.states) or self.comes_out(logs):
            return None
        assert [len(log) for log in logs] == [len(logs[0])] * 2
        for reader in self.readers:
            for one, other in zip(*logs, strict=True):
                told, twin = one.seen_by(reader), other.seen_by(reader)
                if told.__struct_config__.tag == "partner_chosen" and told.partner in self.swapped:
                    told, twin = (msgspec.structs.replace(event, you=None) for event in (told, twin))
                assert told == twin
        return move

    def comes_out(self, logs):
        """Whether one of the two role cards is turned up, which ends the comparison."""
        revealed = [
            event.public.seat for log in logs for event in log if event.public.__struct_config__.tag == "role_turned_up"
        ]
        return bool(set(revealed) & set(self.swapped))


def hidden_pairs(roles, seats):
    """Pairs of hidden roles to swap; one of each pair is on the insider side wherever there is a choice."""
    insider = "prof_no" if "prof_no" in roles else "insider"
    others = {role for role in roles if role not in ("prof_no", "bugged_agent", "accomplice")}
    if len(roles) - ("prof_no" in roles) < seats - 1:
        others.add("agent")
    others = sorted(others)
    return [(insider, role) for role in others] + list(pairwise(others))


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("wagers", [True, False])
def test_nothing_distinguishes_hidden_roles(seats, wagers):
    """Section 10; Section 4.3; Section 8 'announced': until the rules reveal a role, all others see the same."""
    compared = refused = voting = 0
    for number, roles in enumerate(allowed_sets(seats, wagers=wagers)):
        pairs = hidden_pairs(roles, seats)
        one, other = pairs[number % len(pairs)]
        options = InsideJobOptions(special_roles=roles, wagers=wagers, intel_limit=14 if number % 3 else None)
        twins = Twins(number, seats, one, other, options)
        twins.same_for_all_others()
        while twins.step() is not None:
            compared += 1
            twins.same_for_all_others()
            voting += twins.states[0].phase == "cast_vote"
            if (compared + number) % 23 == 0:
                twins.same_refusals()
                refused += 1
    assert compared > 20 * len(allowed_sets(seats, wagers=wagers))
    assert min(refused, voting) > 20


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_nothing_distinguishes_the_insider_from_an_agent(seats):
    """Section 10; Section 4.3: in the plain game, to the last trick and through the vote."""
    votes = 0
    for number in range(40):
        options = InsideJobOptions(intel_limit=14, missions_needed={3: 11, 4: 10, 5: 9}[seats])
        twins = Twins(1000 + number, seats, "insider", "agent", options)
        twins.same_refusals()
        while twins.step() is not None:
            twins.same_for_all_others()
            if twins.states[0].phase == "cast_vote":
                votes += 1
                twins.same_refusals()
    assert votes > 40


def test_a_forced_card_is_asked_for_like_a_free_one(match):
    """Section 10; Section 16: a decision with a single legal move is still asked."""
    forced = set()
    for number in range(30):
        game = match(number, 3, special_roles=("risk_agent",))
        seats = range(3)
        while INSIDE_JOB.deciding(game.state):
            seat = INSIDE_JOB.deciding(game.state)[0]
            moves = INSIDE_JOB.legal_moves(game.state, seat)
            assert moves
            if len(moves) == 1:
                forced.add(game.state.phase)
            game.play(seat, game.choices.choice(moves))
        assert all(not INSIDE_JOB.legal_moves(game.state, seat) for seat in seats)
    assert {"choose_mission", "play_card"} <= forced
