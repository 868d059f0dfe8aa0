"""Played matches to look at, and what can be worked out about them without the code under test.

The worlds in here are built the other way round than in the engine: cards are dealt out and played forward, one by
one, drawing first what has to be laid first; if that does not lead to a world, nothing does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import comb, perm

import pytest

from engine.game import Event, Seat
from engine.kabale import KABALE
from engine.kabale.events import KabaleEvent
from engine.kabale.moves import KabaleMove
from engine.kabale.options import KabaleOptions
from engine.kabale.state import KabaleState
from engine.randomness import Randomness, Stream

CARDS = tuple(sorted(card.id for card in KABALE.components.influence))


def stream(*parts: object) -> Stream:
    return Stream(repr(parts).encode())


# --- played matches ---


@dataclass(frozen=True)
class World:
    """Where the cards of one seat lie that others do not see.

    ``laid`` are those face down or tucked, by column, slot and whether tucked; ``killed`` those in the discard pile
    that nobody else has seen.
    """

    hand: tuple[str, ...]
    pile: tuple[str, ...]
    laid: tuple[tuple[tuple[int, int, bool], str], ...]
    killed: tuple[str, ...]


@dataclass
class Position:
    """A state, and the events up to it."""

    state: KabaleState
    log: list[Event[KabaleEvent]]
    name: str

    def stream(self, *parts: object) -> Stream:
        return stream(self.name, *parts)

    @property
    def viewers(self) -> list[Seat | None]:
        return [None, *range(len(self.state.players))]

    def hidden_from(self, viewer: Seat | None) -> list[Seat]:
        return [seat for seat in range(len(self.state.players)) if seat != viewer]

    def seen(self, viewer: Seat | None) -> list[KabaleEvent]:
        return [event.seen_by(viewer) for event in self.log]

    def resampled(self, viewer: Seat | None, number: int = 0) -> Position:
        random = self.stream("resample", viewer, number)
        return Position(KABALE.resample(self.state, self.seen(viewer), viewer, random), self.log, self.name)

    def course(self, seat: Seat) -> Course:
        return course_of(self.seen(None), seat)

    def world(self, seat: Seat) -> World:
        player = self.state.players[seat]
        laid = []
        for number, column in enumerate(self.state.columns):
            for place, slot in enumerate(column.slots):
                if slot.owner == seat:
                    if not slot.face_up and not slot.moved:
                        laid.append(((number, place, False), slot.character))
                    if slot.tucked:
                        laid.append(((number, place, True), slot.tucked))
        known = self.course(seat).known_discards()
        killed = sorted(set(player.discard_pile) - known)
        assert len(killed) == len(player.discard_pile) - len(known)
        return World(tuple(sorted(player.hand)), tuple(sorted(player.draw_pile)), tuple(laid), tuple(killed))


def play_match(number: int, chooser: str = "any") -> Iterator[Position]:
    random = stream("match", number, chooser)
    streams = Randomness(f"match {number}", number.to_bytes(32, "big"))
    options = KabaleOptions(traitor_swap=random.choice(["any_two", "own_column"]))
    state, log = KABALE.deal(2 + number % 5, options, streams.deal())
    for step in range(1, 2000):
        yield Position(KABALE.load(KABALE.dump(state)), list(log), f"match {number}, {chooser}, step {step}")
        deciding = KABALE.deciding(state)
        if not deciding:
            return
        (seat,) = deciding
        moves = KABALE.legal_moves(state, seat)
        move = (
            choose_for_disguise(state, seat, moves, random) if chooser == "disguise" else choose(chooser, moves, random)
        )
        log += KABALE.play(state, seat, move, streams.move(step))


def choose(chooser: str, moves: list[KabaleMove], random: Stream) -> KabaleMove:
    """At random; ``long`` mostly lays everything into one column and tucks, so that piles run out."""
    if chooser == "long" and random.below(8):
        first = [move for move in moves if getattr(move, "column", 0) == 0 and getattr(move, "card", "") != "storm"]
        moves = [move for move in first if "decline" not in move.__struct_config__.tag] or first or moves
    return random.choice(moves)


def choose_for_disguise(state: KabaleState, seat: Seat, moves: list[KabaleMove], random: Stream) -> KabaleMove:
    """Lay the Disguise when the draw pile has run out, the next card under it, and another one into it.

    So two cards are laid after a reshuffle when perhaps only one has been drawn since.
    """
    if state.phase != "place_card":
        return moves[0]
    waiting = {
        number: column.slots[-1].owner
        for number, column in enumerate(state.columns)
        if column.slots and column.slots[-1].character == "disguise" and not column.slots[-1].face_up
    }
    ready = not state.players[seat].draw_pile
    under = [move for move in moves if waiting.get(move.column) == seat]
    aside = [move for move in moves if move.column not in waiting]
    masks = [move for move in aside if move.card == "disguise"]
    others = [move for move in aside if move.card != "disguise"]
    return random.choice(under or (masks if ready else others) or others or moves)


@pytest.fixture(scope="session")
def tight_positions() -> list[tuple[Position, Seat]]:
    """Where a seat has laid two cards in a turn before which it had drawn only one since its last reshuffle."""
    found = []
    for number in range(0, 40, 5):
        for position in play_match(number, "disguise"):
            for seat in range(len(position.state.players)):
                steps = position.course(seat).steps
                kinds = [kind for kind, _ in steps]
                if "shuffle" in kinds:
                    since = steps[len(kinds) - kinds[::-1].index("shuffle") :]
                    if [kind for kind, _ in since[:3]] == ["draw", "lay", "lay"] and since[0][1] == 1:
                        found.append((position, seat))
    return found


@pytest.fixture(scope="session")
def positions() -> list[Position]:
    """States of matches with every number of seats, of plain ones and of long ones."""
    plain = [position for number in range(5) for position in list(play_match(number))[::4]]
    long = [position for number in range(5) for position in list(play_match(number, "long"))[::8]]
    return plain + long


# --- what the cards of a seat went through ---


@dataclass
class Course:
    """Everything public about the cards of one seat.

    Attributes:
        steps: ``draw`` (how many), ``lay`` (a card, by its number), ``discard`` (the same), ``shuffle``.
        names: of each card that was laid, as far as everybody has seen it.
        where: the numbers of the cards that lie in columns: column, slot, whether tucked.
    """

    steps: list[tuple[str, int]] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    where: dict[int, tuple[int, int, bool]] = field(default_factory=dict)

    def discarded(self) -> list[int]:
        """The numbers of the cards on the discard pile."""
        pile: list[int] = []
        for kind, number in self.steps:
            if kind == "discard":
                pile.append(number)
            if kind == "shuffle":
                pile = []
        return pile

    def away(self) -> list[tuple[int, int]]:
        """For each card that was laid: the steps from then on to its return to the draw pile, or to the end."""
        spans = [(0, len(self.steps))] * len(self.names)
        lying: list[int] = []
        for index, (kind, number) in enumerate(self.steps):
            if kind == "lay":
                spans[number] = (index, len(self.steps))
            elif kind == "discard":
                lying.append(number)
            elif kind == "shuffle":
                for other in lying:
                    spans[other] = (spans[other][0], index)
                lying = []
        return spans

    def known_discards(self) -> set[str]:
        return {name for number in self.discarded() if (name := self.names[number])}

    def lay(self) -> int:
        self.names.append(None)
        self.steps.append(("lay", len(self.names) - 1))
        return len(self.names) - 1


def course_of(seen: list[KabaleEvent], seat: Seat) -> Course:
    course = Course()
    columns: list[list[list[int | None]]] = []
    for event in seen:
        match event.__struct_config__.tag:
            case "kabale_dealt":
                course.steps.append(("draw", event.hand_size))
            case "goals_revealed":
                columns = [[] for _ in event.goals]
            case "influence_drawn" if event.seat == seat:
                course.steps.append(("draw", event.count))
            case "own_pile_shuffled" if event.seat == seat:
                course.steps.append(("shuffle", event.draw_pile_size))
            case "card_placed":
                columns[event.column].append([course.lay() if event.seat == seat else None, None])
            case "card_tucked" if event.seat == seat:
                columns[event.column][event.slot][1] = course.lay()
            case "card_turned_up" if event.owner == seat:
                number = columns[event.column][event.slot][0]
                assert number is not None
                course.names[number] = event.character
            case "explorer_moved":
                columns[event.to].append(columns[event.origin].pop(event.origin_slot))
            case "card_killed":
                number = columns[event.column].pop()[0]
                if number is not None:
                    course.steps.append(("discard", number))
            case "column_scored":
                for (number, tucked), card in zip(columns[event.column], event.scored.cards, strict=True):
                    for one, name in ((number, card.character), (tucked, card.tucked)):
                        if one is not None:
                            course.names[one] = name
                            course.steps.append(("discard", one))
                columns[event.column] = []
            case _:
                pass
    for number, column in enumerate(columns):
        for place, cards in enumerate(column):
            course.where |= {
                card: (number, place, tucked) for tucked, card in enumerate(cards) if card is not None
            }  # fmt: skip
    return course


# --- worlds played forward ---


def can_have_come_about(course: Course, world: World) -> bool:
    """Whether some order of drawing and some names of the cards killed unseen lead to this world."""
    names = list(course.names)
    laid = dict(world.laid)
    for number, place in course.where.items():
        if names[number] is None:
            names[number] = laid[place]
    now = [number for number in course.discarded() if names[number] is None]
    before = [number for number, name in enumerate(names) if name is None and number not in now]
    for order in permutations(world.killed):
        for number, name in zip(now, order, strict=True):
            names[number] = name
        if _some_names_lead_to(course, names, before, world):
            return True
    return False


def _some_names_lead_to(course: Course, names: list[str | None], unnamed: list[int], world: World) -> bool:
    """Try every name that the cards killed before the last reshuffle can have."""
    if not unnamed:
        return _leads_to(course, names, world)
    number, *others = unnamed
    for name in _possible_names(course, names, number):
        names[number] = name
        if _some_names_lead_to(course, names, others, world):
            return True
    names[number] = None
    return False


def _possible_names(course: Course, names: list[str | None], number: int) -> list[str]:
    """All but the known cards that were out of the hand and the draw pile at the same time as this one."""
    away = course.away()
    first, last = away[number]
    taken = {
        names[other]
        for other, (begin, end) in enumerate(away)
        if other != number and begin <= last and first <= end
    }  # fmt: skip
    return [name for name in CARDS if name not in taken]


def _leads_to(course: Course, names: list[str | None], world: World) -> bool:
    """Play forward; whenever cards are drawn, draw first what will be laid first before the next reshuffle."""
    hand: set[str | None] = set()
    pile: set[str | None] = set(CARDS)
    discarded: list[str | None] = []
    wanted = _wanted_by_period(course, names, world)
    wants = wanted.pop(0)
    for kind, number in course.steps:
        if kind == "draw":
            drawn = sorted(pile, key=lambda card: wants.get(card, len(course.steps) + 2))[:number]
            if len(drawn) < number:
                return False
            hand.update(drawn)
            pile.difference_update(drawn)
        elif kind == "lay":
            if names[number] not in hand:
                return False
            hand.remove(names[number])
        elif kind == "discard":
            discarded.append(names[number])
        else:
            if pile or len(set(discarded)) != number:
                return False
            pile, discarded = set(discarded), []
            wants = wanted.pop(0)
    return hand == set(world.hand) and pile == set(world.pile)


def _wanted_by_period(course: Course, names: list[str | None], world: World) -> list[dict[str | None, int]]:
    """For each time between two reshuffles: when which card is laid; at the end it should be in the hand."""
    wanted: list[dict[str | None, int]] = [{}]
    for index, (kind, number) in enumerate(course.steps):
        if kind == "shuffle":
            wanted.append({})
        elif kind == "lay":
            wanted[-1].setdefault(names[number], index)
    for name in world.hand:
        wanted[-1].setdefault(name, len(course.steps) + 1)
    return wanted


@pytest.fixture(scope="session")
def playable() -> Callable[[Course, World], bool]:
    """Whether the cards of a seat can have come to lie so: ``playable(course, world)``."""
    return can_have_come_about


def number_of_candidates(world: World) -> int:
    """How many ways there are to lay what is hidden, whether possible or not."""
    size = len(world.hand) + len(world.pile) + len(world.laid) + len(world.killed)
    left = size - len(world.laid)
    return perm(size, len(world.laid)) * comb(left, len(world.killed)) * comb(left - len(world.killed), len(world.hand))


def candidates(world: World) -> Iterator[World]:
    """Every way to lay what is hidden, whether possible or not."""
    names = {*world.hand, *world.pile, *world.killed, *(name for _, name in world.laid)}
    places = [place for place, _ in world.laid]
    for laid in permutations(sorted(names), len(places)):
        left = names - set(laid)
        for killed in combinations(sorted(left), len(world.killed)):
            rest = left - set(killed)
            for hand in combinations(sorted(rest), len(world.hand)):
                pile = tuple(sorted(rest - set(hand)))
                yield World(hand, pile, tuple(zip(places, laid, strict=True)), killed)


@dataclass
class Puzzle:
    """A seat's hidden cards in a position, few enough to try all ways to lay them.

    Attributes:
        worlds: those that can have come about.
        refused: how many ways cannot.
    """

    position: Position
    seat: Seat
    worlds: set[World]
    refused: int
    kind: tuple[int, int, bool]


@pytest.fixture(scope="session")
def puzzles() -> list[Puzzle]:
    """Positions of long matches in which a seat hides its cards in 2 to 60 ways, possible or not.

    At most four of each kind, preferably with ways that are not: how often the discard pile was shuffled, how many
    cards that were killed unseen before have never been seen since (at most two), and whether another one lies in the
    discard pile.
    """
    found: dict[tuple[int, int, bool], list[Puzzle]] = {}
    for number in range(10):
        for position in play_match(number, "long"):
            for seat in range(len(position.state.players)):
                puzzle = _puzzle(position, seat, found)
                if puzzle:
                    kind = found.setdefault(puzzle.kind, [])
                    kind.append(puzzle)
                    kind.sort(key=lambda puzzle: not puzzle.refused)
                    del kind[4:]
    return [puzzle for kind in sorted(found) for puzzle in found[kind]]


def _puzzle(position: Position, seat: Seat, found: dict[tuple[int, int, bool], list[Puzzle]]) -> Puzzle | None:
    hidden = len(position.state.players[seat].hand) + len(position.state.players[seat].draw_pile)
    if not 1 < hidden < 8:
        return None
    world = position.world(seat)
    if not 1 < number_of_candidates(world) <= 60:
        return None
    course = position.course(seat)
    lying = {*course.where, *course.discarded()}
    unseen = sum(name is None and number not in lying for number, name in enumerate(course.names))
    kind = sum(step == "shuffle" for step, _ in course.steps), unseen, bool(world.killed)
    if unseen > 2 or sum(bool(puzzle.refused) for puzzle in found.get(kind, ())) == 4:
        return None
    ways = list(candidates(world))
    worlds = {way for way in ways if can_have_come_about(course, way)}
    return Puzzle(position, seat, worlds, len(ways) - len(worlds), kind)
