"""Played matches to look at, and what can be worked out about them without the code under test.

The worlds in here are built the other way round than in the engine: whole hands are played forward through the
events, and what lies in a new draw pile follows from there being 23 cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, pairwise, permutations

import pytest

from engine.game import Event, Seat
from engine.randomness import Randomness, Stream
from engine.verraeter import VERRAETER
from engine.verraeter.events import (
    DiscardPileShuffled,
    RoundEnded,
    SuppliesDrawn,
    SuppliesPlayed,
    VerraeterDealt,
    VerraeterEvent,
)
from engine.verraeter.moves import PlaceBuilding, VerraeterMove
from engine.verraeter.options import VerraeterOptions
from engine.verraeter.state import VerraeterState

ALL_SUPPLIES = tuple(sorted([2, 3, 4, 5] * 5 + [6, 6, 8]))
SIX_ACTIONS = ("builder", "diplomat_2", "diplomat_5", "farmer", "strategist", "traitor")

Cards = tuple[int, ...]
Hands = tuple[Cards, ...]
World = tuple[Hands, Cards]
"""The hands of all seats and what is left in the draw pile, sorted."""
Draft = tuple[tuple[str, ...], tuple[tuple[str, ...], ...], tuple[str | None, ...]]
"""The middle, what was offered to each seat and what each seat kept."""


def stream(*parts: object) -> Stream:
    return Stream(repr(parts).encode())


# --- played matches ---


@dataclass
class Position:
    """A state, and the events up to it."""

    state: VerraeterState
    log: list[Event[VerraeterEvent]]
    name: str

    @property
    def viewers(self) -> list[Seat | None]:
        return [None, *range(len(self.state.players))]

    def seen(self, viewer: Seat | None) -> list[VerraeterEvent]:
        return [event.seen_by(viewer) for event in self.log]

    def resampled(self, viewer: Seat | None, number: int = 0) -> Position:
        random = self.stream("resample", viewer, number)
        return Position(VERRAETER.resample(self.state, self.seen(viewer), viewer, random), self.log, self.name)

    def stream(self, *parts: object) -> Stream:
        return stream(self.name, *parts)

    @property
    def world(self) -> World:
        hands = tuple(tuple(player.supplies) for player in self.state.players)
        return hands, tuple(sorted(self.state.draw_pile))

    @property
    def draft(self) -> Draft:
        players = self.state.players
        offered = tuple(tuple(player.offered) for player in players)
        return tuple(self.state.middle), offered, tuple(player.action for player in players)

    def worlds(self, viewer: Seat | None) -> set[World] | None:
        """Every world that the viewer must hold possible; ``None`` if it would take long to find them."""
        return all_worlds(course_of(self.seen(viewer)), limit=250)

    def drafts(self, viewer: Seat | None) -> set[Draft]:
        return all_drafts(self, viewer)

    def has_history(self, viewer: Seat | None) -> bool:
        """Whether what lies there can have come about as the viewer saw it."""
        return history_leads_to(self.world, course_of(self.seen(viewer)))


def any_options(random: Stream) -> VerraeterOptions:
    return VerraeterOptions(
        first_strategist=random.choice(["start_player", "left_of_start_player"]),
        traitor_point_in_draw=random.choice([False, True]),
        trading_posts_need_own_house=random.choice([False, True]),
        early_end=random.choice(["after_round", "at_once"]),
    )


def any_move(state: VerraeterState, moves: list[VerraeterMove], thrift: int, random: Stream) -> VerraeterMove:
    """At random. The smaller ``thrift``, the more cards are played, and players then also want to draw many."""
    if not thrift and state.phase == "build":
        farms = [move for move in moves if isinstance(move, PlaceBuilding) and move.side == "farm"]
        moves = farms or moves
    if state.phase == "play_supplies":
        by_count = sorted(moves, key=lambda move: len(move.cards))
        moves = by_count[len(moves) // 2 :] if thrift == 0 else by_count[: len(moves) // thrift + 1]
    return random.choice(moves)


def play_match(number: int) -> Iterator[Position]:
    random = stream("match", number)
    streams = Randomness(f"match {number}", number.to_bytes(32, "big"))
    seats, thrift = 3 + number % 2, number // 2 % 3
    state, log = VERRAETER.deal(seats, any_options(random), streams.deal())
    for step in range(1, 1000):
        yield Position(VERRAETER.load(VERRAETER.dump(state)), list(log), f"match {number}, step {step}")
        deciding = VERRAETER.deciding(state)
        if not deciding:
            return
        (seat,) = deciding
        move = any_move(state, VERRAETER.legal_moves(state, seat), thrift, random)
        log += VERRAETER.play(state, seat, move, streams.move(step))


@pytest.fixture(scope="session")
def positions() -> list[Position]:
    """Every state of six matches, three of them with four seats."""
    return [position for number in range(6) for position in play_match(number)]


@pytest.fixture(scope="session")
def other_positions() -> list[Position]:
    """Every second state of ten more matches."""
    return [position for number in range(6, 16) for position in list(play_match(number))[::2]]


@pytest.fixture(scope="session")
def two_origins() -> Position:
    """Seat 2 holds 7 worlds possible; one of them only if a card was not played from the pile that comes to mind first.

    A card that a seat played may have been drawn before a reshuffle or after it; what it still holds then comes from
    the other of the two piles.
    """
    return next(position for position in play_match(30) if position.name == "match 30, step 46")


# --- supply cards: worlds played forward ---


@dataclass
class Course:
    """What moved supply cards: ``draw`` (seat, count, own values or none), ``play`` (seat, cards), ``shuffle``."""

    seats: int
    hand: Cards
    steps: list[tuple[str, Seat, int, Cards | None]] = field(default_factory=list)


def course_of(seen: list[VerraeterEvent]) -> Course:
    dealt = seen[0]
    assert isinstance(dealt, VerraeterDealt)
    course = Course(len(dealt.houses), tuple(dealt.hand))
    moving = [e for e in seen if isinstance(e, SuppliesPlayed | SuppliesDrawn | DiscardPileShuffled | RoundEnded)]
    for event, following in pairwise([*moving, None]):
        match event:
            case SuppliesPlayed():
                course.steps.append(("play", event.seat, 0, tuple(event.cards)))
            case SuppliesDrawn():
                own = tuple(sorted(event.you.cards)) if event.you else None
                course.steps.append(("draw", event.seat, event.count, own))
            case DiscardPileShuffled():
                # What is on the table is discarded in phase 10, after the Farmer and before the farms.
                assert isinstance(following, SuppliesDrawn)
                if following.source == "farms":
                    course.steps.append(("clear", 0, 0, None))
                course.steps.append(("shuffle", 0, 0, None))
            case RoundEnded():
                course.steps.append(("clear", 0, 0, None))
    return course


def minus(cards: Cards, gone: Cards) -> Cards | None:
    """``None`` if not all of ``gone`` are there."""
    left = Counter(cards)
    left.subtract(gone)
    return None if any(count < 0 for count in left.values()) else tuple(sorted(left.elements()))


def replaced(hands: Hands, seat: Seat, hand: Cards) -> Hands:
    return (*hands[:seat], hand, *hands[seat + 1 :])


def after_step(world: World, step: tuple[str, Seat, int, Cards | None], table: Cards) -> Iterator[World]:
    """All worlds that one step can lead to; none if it is impossible in this one."""
    hands, pile = world
    kind, seat, count, cards = step
    if kind == "play":
        assert cards is not None
        left = minus(hands[seat], cards)
        if left is not None:
            yield replaced(hands, seat, left), pile
    elif kind == "draw":
        for drawn in {cards} if cards is not None else set(combinations(pile, count)):
            rest = minus(pile, drawn)
            if rest is not None:
                yield replaced(hands, seat, tuple(sorted(hands[seat] + drawn))), rest
    elif kind == "shuffle":
        assert not pile
        elsewhere = tuple(card for hand in hands for card in hand) + table
        fresh = minus(ALL_SUPPLIES, elsewhere)
        assert fresh is not None
        yield hands, fresh
    else:
        yield world


def tables(course: Course) -> list[Cards]:
    """What lies on the table before each step."""
    lying: Cards = ()
    before = []
    for kind, _, _, cards in course.steps:
        before.append(lying)
        if kind == "play":
            assert cards is not None
            lying += cards
        elif kind == "clear":
            lying = ()
    return before


def first_world(course: Course) -> World:
    hands = (course.hand,) * course.seats
    pile = minus(ALL_SUPPLIES, course.hand * course.seats)
    assert pile is not None
    return hands, pile


def all_worlds(course: Course, limit: int) -> set[World] | None:
    """Every world that fits what was seen; ``None`` if more than ``limit`` would have to be followed."""
    worlds = {first_world(course)}
    for step, table in zip(course.steps, tables(course), strict=True):
        worlds = {following for world in worlds for following in after_step(world, step, table)}
        if len(worlds) > limit:
            return None
    return worlds


def history_leads_to(goal: World, course: Course) -> bool:
    """Whether some draws that fit what was seen end in ``goal``: depth first, no dead end twice."""
    before = tables(course)
    wants = _wants(course, goal)
    dead: set[tuple[int, World]] = set()

    def reachable(index: int, world: World) -> bool:
        if index == len(course.steps):
            return world == goal
        if (index, world) in dead:
            return False
        assert len(dead) < 100_000
        step = course.steps[index]
        worlds = list(after_step(world, step, before[index]))
        if step[0] == "draw":
            seat, later = step[1], wants[index + 1]
            worlds = [w for w in worlds if minus(later[seat], w[0][seat]) is not None]
            # Cards that are played soon come first.
            worlds.sort(key=lambda w: [later[seat].index(card) for card in w[0][seat]])
        if any(reachable(index + 1, following) for following in worlds):
            return True
        dead.add((index, world))
        return False

    return reachable(0, first_world(course))


def _wants(course: Course, goal: World) -> list[Hands]:
    """Before each step and at the end: what each seat will play from then on, soonest first, and hold at the end."""
    wants: list[Hands] = [goal[0]]
    for kind, seat, _, cards in reversed(course.steps):
        hands = wants[-1]
        if kind == "play":
            assert cards is not None
            hands = replaced(hands, seat, cards + hands[seat])
        wants.append(hands)
    return wants[::-1]


# --- the draft: all six cards in every order ---


def all_drafts(position: Position, viewer: Seat | None) -> set[Draft]:
    """Every draft in which the viewer would have seen the same: all that are possible are held."""
    seats = len(position.state.players)
    in_turn = [(position.state.start_seat + step) % seats for step in range(seats)]
    _, true_offered, true_kept = position.draft
    acted = [seat for seat in in_turn if true_kept[seat]]
    found = set()
    for aside, *picks in permutations(SIX_ACTIONS, 1 + len(acted)):
        offered: list[tuple[str, ...]] = [()] * seats
        kept: list[str | None] = [None] * seats
        passing = tuple(action for action in SIX_ACTIONS if action != aside)
        for seat, pick in zip(acted, picks, strict=True):
            offered[seat], kept[seat] = passing, pick
            passing = tuple(action for action in passing if action != pick)
        middle: tuple[str, ...] = (aside,)
        if len(acted) == seats:
            middle += passing
        else:
            offered[in_turn[len(acted)]] = passing
        seen_by_all = position.state.phase in ("build", "over")
        if seen_by_all and tuple(kept) != true_kept:
            continue
        if viewer is not None and (offered[viewer], kept[viewer]) != (true_offered[viewer], true_kept[viewer]):
            continue
        found.add((middle, tuple(offered), tuple(kept)))
    return found
