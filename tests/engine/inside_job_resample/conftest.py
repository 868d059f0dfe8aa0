"""Played matches to look at, and what can be worked out about them without the code under test.

Whether a state can have come about is tried by playing: the match is laid out anew with its roles, hands and missions,
all moves are made again, and the viewer must read the same events.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import factorial, prod

import pytest

from engine.game import Event, IllegalMove, Seat
from engine.inside_job import INSIDE_JOB
from engine.inside_job.components import COMPONENTS
from engine.inside_job.events import (
    InsideJobDealt,
    InsideJobEvent,
    MissionChosen,
    MissionsDrawn,
    PartnerChosen,
    RoleTurnedUp,
    TrickCardPlayed,
    VoteCast,
)
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, InsideJobMove, PlayCard
from engine.inside_job.options import InsideJobOptions
from engine.inside_job.rules import RULES_VERSION
from engine.inside_job.state import InsideJobState, Player
from engine.randomness import Randomness, Stream

ORDER = [card.id for card in COMPONENTS.cards]
TRICKS = {3: 11, 4: 10, 5: 9}


def stream(*parts: object) -> Stream:
    return Stream(repr(parts).encode())


@dataclass
class Position:
    """A state, and the events up to it."""

    state: InsideJobState
    log: list[Event[InsideJobEvent]]
    name: str

    @property
    def viewers(self) -> list[Seat | None]:
        return [None, *range(len(self.state.players))]

    def seen(self, viewer: Seat | None) -> list[InsideJobEvent]:
        return [event.seen_by(viewer) for event in self.log]

    def resampled(self, viewer: Seat | None, number: int = 0) -> Position:
        random = stream(self.name, viewer, number)
        return Position(INSIDE_JOB.resample(self.state, self.seen(viewer), viewer, random), self.log, self.name)

    @property
    def roles(self) -> tuple[str, ...]:
        return tuple(player.role for player in self.state.players)

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(player.hand) for player in self.state.players)

    @property
    def votes(self) -> tuple[object, ...]:
        return tuple(player.vote and tuple(player.vote) for player in self.state.players)

    @property
    def missions(self) -> tuple[object, ...]:
        discarded = tuple(tuple(player.discarded) for player in self.state.players)
        return discarded, tuple(self.state.drawn), tuple(self.state.mission_deck)

    def can_have_come_about(self, viewer: Seat | None, log: list[Event[InsideJobEvent]]) -> bool:
        """Whether playing the moves of ``log`` from this state's deal shows the viewer the same, and ends here."""
        state, told = self._dealt_again(), []
        try:
            for seat, move in moves_of(log, self.state):
                told += INSIDE_JOB.play(state, seat, move, stream())
        except IllegalMove:
            return False
        start = next((place for place, event in enumerate(log) if is_after_set_up(event.public)), len(log))
        if [event.seen_by(viewer) for event in told] != [event.seen_by(viewer) for event in log[start:]]:
            return False
        return INSIDE_JOB.dump(state) == INSIDE_JOB.dump(self.state)

    def worlds(self, viewer: Seat | None) -> set[tuple[object, object]]:
        """Every pair of roles and hands that the viewer must hold possible."""
        return all_worlds(self, viewer)

    def hidden_deals(self, viewer: Seat | None) -> int:
        """How many ways there are to deal what the viewer does not see, whatever was proved."""
        sizes = [len(player.hand) for seat, player in enumerate(self.state.players) if seat != viewer]
        sizes.append(len(self.state.undealt))
        return factorial(sum(sizes)) // prod(map(factorial, sizes))

    def _dealt_again(self) -> InsideJobState:
        """The match as it was dealt if this state's secrets are right."""
        dealt = self.log[0].public
        assert isinstance(dealt, InsideJobDealt)
        played: dict[Seat, list[str]] = {seat: [] for seat in range(len(self.state.players))}
        discarded = [list(player.discarded) for player in self.state.players]
        pairs: list[list[str]] = []
        for event in self.log:
            if isinstance(event.public, TrickCardPlayed):
                played[event.public.seat].append(event.public.card)
            if isinstance(event.public, MissionChosen):
                pairs.append([event.public.mission, discarded[event.public.seat].pop(0)])
        pairs += [list(self.state.drawn)] if self.state.drawn else []
        turned_up = {
            e.public.seat for e in self.log if isinstance(e.public, RoleTurnedUp) and e.public.cause == "set_up"
        }
        state = InsideJobState(
            rules_version=RULES_VERSION,
            options=self.state.options,
            special_roles=list(self.state.special_roles),
            phase="choose_partner",
            trick=0,
            start_seat=dealt.start_seat,
            players=[
                Player(
                    role=player.role,
                    hand=sorted([*player.hand, *played[seat]], key=ORDER.index),
                    tokens=dealt.tokens[seat],
                    revealed=seat in turned_up,
                )
                for seat, player in enumerate(self.state.players)
            ],
            supply=dealt.supply,
            undealt=list(self.state.undealt),
            mission_deck=[*self.state.mission_deck, *(mission for pair in reversed(pairs) for mission in pair)],
        )
        if "accomplice" not in state.special_roles:
            state.phase, state.trick = "choose_mission", 1
            state.drawn = sorted(state.mission_deck.pop() for _ in range(2))
        return state


def is_after_set_up(event: InsideJobEvent) -> bool:
    """Whether this event belongs to the first move or comes after it."""
    return isinstance(event, PartnerChosen | MissionChosen)


def moves_of(log: list[Event[InsideJobEvent]], state: InsideJobState) -> Iterator[tuple[Seat, InsideJobMove]]:
    """The moves that were made; votes as this state has them."""
    for event in log:
        match event.public:
            case PartnerChosen():
                yield event.public.seat, ChoosePartner(seat=event.public.partner)
            case MissionChosen():
                yield event.public.seat, ChooseMission(mission=event.public.mission)
            case TrickCardPlayed():
                yield event.public.seat, PlayCard(card=event.public.card, wager=event.public.wager)
            case VoteCast():
                yield event.public.seat, CastVote(targets=tuple(state.players[event.public.seat].vote or ()))


# --- played matches ---

SETS: list[tuple[str, ...]] = [
    (),
    ("prof_no",),
    ("accomplice", "paranoid_agent"),
    ("risk_agent", "bugged_agent"),
    ("decoy", "paranoid_agent", "prof_no"),
    ("tim_shady", "risk_agent"),
    ("accomplice", "prof_no", "sleeper_agent"),
]


def play_match(number: int, seats: int, roles: tuple[str, ...], **options: object) -> Iterator[Position]:
    """Some are played at random; in some the seats mostly follow suit; in some the insider side always does."""
    random = stream("match", number, seats)
    streams = Randomness(f"match {number}", number.to_bytes(32, "big"))
    state, log = INSIDE_JOB.deal(seats, InsideJobOptions(special_roles=roles, **options), streams.deal())
    for step in range(1, 1000):
        yield Position(
            INSIDE_JOB.load(INSIDE_JOB.dump(state)), list(log), f"match {number}, {seats} seats, step {step}"
        )
        deciding = INSIDE_JOB.deciding(state)
        if not deciding:
            return
        seat = random.choice(deciding)
        moves = INSIDE_JOB.legal_moves(state, seat)
        cautious = number % 4 == 3 and state.players[seat].role in ("insider", "prof_no")
        if cautious or (number % 2 and random.below(3)):
            move = INSIDE_JOB.stand_in(INSIDE_JOB.table(state), INSIDE_JOB.hand(state, seat), moves, random)
        else:
            move = random.choice(moves)
        log += INSIDE_JOB.play(state, seat, move, streams.move(step))


@pytest.fixture(scope="session")
def positions() -> list[Position]:
    """Every second state of matches with 3, 4 and 5 seats and various roles."""
    return [
        position
        for seats in (3, 4, 5)
        for number, roles in enumerate(SETS)
        for position in list(play_match(number, seats, roles, intel_limit=14 if number % 3 else None))[::2]
    ]


@pytest.fixture(scope="session")
def late_positions() -> list[Position]:
    """The last positions of matches that go to the vote."""
    options = {"intel_limit": 14}
    return [
        position
        for seats in (5, 4)
        for number in range(16 if seats == 5 else 4)
        for position in list(
            play_match(100 + number, seats, SETS[number % len(SETS)], missions_needed=TRICKS[seats], **options)
        )[-6:]
    ]


# --- all hands and roles, by trying ---


def splits(cards: tuple[str, ...], sizes: list[int]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to deal the cards to hands of these sizes."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = tuple(card for card in cards if card not in hand)
        for others in splits(rest, sizes[1:]):
            yield (hand, *others)


def follows(plays: list[tuple[str, str]], hand: tuple[str, ...]) -> bool:
    """Whether a seat that made these plays (led suit, card) and still holds this hand always followed suit."""
    for turn, (led, card) in enumerate(plays):
        later = [other for _, other in plays[turn + 1 :]] + list(hand)
        if not card.startswith(led) and any(other.startswith(led) for other in later):
            return False
    return True


def plays_of(position: Position) -> dict[Seat, list[tuple[str, str]]]:
    """For every seat, the led suit and the card of each of its plays."""
    plays: dict[Seat, list[tuple[str, str]]] = {seat: [] for seat in range(len(position.state.players))}
    led = ""
    for event in position.log:
        if isinstance(event.public, MissionsDrawn):
            led = ""
        if isinstance(event.public, TrickCardPlayed):
            led = led or event.public.card.split("_")[0]
            plays[event.public.seat].append((led, event.public.card))
    return plays


def open_role(position: Position, viewer: Seat | None, seat: Seat) -> bool:
    """Whether the viewer knows this seat's role."""
    players = position.state.players
    is_partner = viewer is not None and players[viewer].role == "accomplice" and position.state.partner == seat
    return position.state.phase == "over" or players[seat].revealed or seat == viewer or is_partner


def all_worlds(position: Position, viewer: Seat | None) -> set[tuple[object, object]]:
    """Every pair of roles and hands that the viewer must hold possible."""
    state, seats = position.state, range(len(position.state.players))
    hidden = [seat for seat in seats if seat != viewer]
    unknown = tuple(
        sorted([*(card for seat in hidden for card in state.players[seat].hand), *state.undealt], key=ORDER.index)
    )
    plays = plays_of(position)
    possible = all_roles(position, viewer)
    worlds = set()
    for dealt in splits(unknown, [len(state.players[seat].hand) for seat in hidden]):
        hands = dict(zip(hidden, dealt, strict=True))
        if viewer is not None:
            hands[viewer] = tuple(state.players[viewer].hand)
        free = {seat for seat in seats if not follows(plays[seat], hands[seat])}
        worlds |= {
            (roles, tuple(hands[seat] for seat in seats))
            for roles in possible
            if all(roles[seat] in ("insider", "prof_no") for seat in free)
        }
    return worlds


def all_roles(position: Position, viewer: Seat | None) -> set[tuple[str, ...]]:
    """Every way to give the hidden seats the roles that are left."""
    roles = list(position.roles)
    hidden = [seat for seat in range(len(roles)) if not open_role(position, viewer, seat)]
    found = {tuple(roles)}
    for _ in hidden:
        found |= {swapped(assignment, one, other) for assignment in found for one, other in combinations(hidden, 2)}
    return found


def swapped(roles: tuple[str, ...], one: Seat, other: Seat) -> tuple[str, ...]:
    changed = list(roles)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)
