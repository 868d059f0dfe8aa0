"""Other states that a viewer cannot tell apart from the true one.

Two things are hidden, and each is drawn anew from what the viewer knows, never from what is true: so the new state
tells nothing of the true one, and two states that look alike to a viewer are resampled alike.

**The draft** (rules, phase 2) is a row of the six action cards: the one put aside, then what each seat in turn kept,
then what is left. Whoever is offered cards knows which are behind and which are before the own place in that row, and
nothing of the order on either side.

**The supply cards** (rules, section 4) have a history: each card that a seat played or still holds was taken from a
start hand or from a draw pile. A history is possible if no card was played before it was taken, and if no more cards
of a value were played out of a pile than lay in it. A random walk through the histories finds one, see
:func:`_possible_history`; what is left of each pile then goes at random to the places that nobody has seen into.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from engine.game import Seat
from engine.randomness import Stream
from engine.verraeter.components import ACTIONS, COMPONENTS, Supply
from engine.verraeter.events import VerraeterEvent
from engine.verraeter.knowledge import SupplyKnowledge, supply_knowledge
from engine.verraeter.state import VerraeterState, seats_in_turn

_STEPS_PER_CARD: Final = 8
"""How far the walk goes at least. One step per card leads from any history to any other; more of them mix better."""

_RELUCTANCE: Final = 16
"""One in so many steps of the walk that make one more card impossible is taken all the same."""

_VALUES: Final = [card.value for card in COMPONENTS.supplies]


def resample(
    state: VerraeterState, seen: Sequence[VerraeterEvent], viewer: Seat | None, random: Stream
) -> VerraeterState:
    """Another state that this viewer cannot tell apart from ``state``.

    Every state that fits what the viewer knows can come out, but they are not all equally likely.

    Args:
        state: the true one; it is not changed.
        seen: all events so far as the viewer read them.
        viewer: a seat, or ``None`` for a spectator.
        random: chooses among all states that fit.
    """
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=VerraeterState)
    if other.middle:
        _resample_draft(other, viewer, random)
    _resample_supplies(other, supply_knowledge(seen, viewer), random)
    return other


# --- the draft ---


def _resample_draft(state: VerraeterState, viewer: Seat | None, random: Stream) -> None:
    """Reorder the row of action cards as far as the viewer does not know it."""
    players = [state.players[seat] for seat in seats_in_turn(state)]
    row = [state.middle[0], *(player.action for player in players if player.action)]
    kept = range(1, len(row))
    drafting = len(kept) < len(players)
    row += players[len(kept)].offered if drafting else state.middle[1:]
    for places in _hidden_places(state, viewer, kept):
        actions = sorted(row[place] for place in places)
        random.shuffle(actions)
        for place, action in zip(places, actions, strict=True):
            row[place] = action
    for place, player in enumerate(players, start=1):
        if place in kept:
            player.action = row[place]
        if player.offered:
            player.offered = sorted(row[place:])
    state.middle = row[:1] if drafting else [row[0], *sorted(row[len(players) + 1 :])]


def _hidden_places(state: VerraeterState, viewer: Seat | None, kept: range) -> list[list[int]]:
    """The places in the row of action cards that the viewer does not know, in groups of which it knows the set.

    Args:
        kept: the places of the cards that have been kept.
    """
    known = set(kept) if state.phase in ("build", "over") else set()
    own = 0
    if viewer is not None and state.players[viewer].offered:
        own = 1 + seats_in_turn(state).index(viewer)
        known |= {own} & set(kept)
    groups = (range(own), range(own, len(ACTIONS)))
    return [[place for place in group if place not in known] for group in groups]


# --- the supply cards ---


def _resample_supplies(state: VerraeterState, known: SupplyKnowledge, random: Stream) -> None:
    """Deal what the viewer cannot place to the hands that it does not see and to the draw pile."""
    history = _possible_history(known, random)
    piles: list[list[Supply]] = []
    for room in history.room:
        pile = [value for value in _VALUES for _ in range(room[value])]
        random.shuffle(pile)
        piles.append(pile)
    for seat in known.hands:
        state.players[seat].supplies = []
    for card, place in enumerate(history.places):
        if history.values[card] is None:
            insort(state.players[history.owners[card]].supplies, piles[history.origins[place]].pop())
    *used_up, state.draw_pile = piles
    assert not any(used_up)


@dataclass
class _History:
    """A guess at where every card that a hidden seat ever had came from.

    Cards and places are numbered through over all hidden seats; a seat has as many places (cards that it took) as
    cards (what it played and what it still holds), under the same numbers.

    Attributes:
        values: of each card; null if it is still in hand and may be any.
        deadlines: each card was taken to a place below its deadline, for it was played then.
        owners: the seat of each card.
        mates: the cards of the same seat.
        origins: of each place, the pile that its card came from.
        places: of each card. This is the guess: every assignment within the deadlines is one.
        room: for each pile, how many more cards of a value could have come from it; negative if too many did.
    """

    values: list[Supply | None] = field(default_factory=list)
    deadlines: list[int] = field(default_factory=list)
    owners: list[Seat] = field(default_factory=list)
    mates: list[range] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    room: list[dict[Supply | None, int]] = field(default_factory=list)

    def excess(self) -> int:
        """By how many cards this history is impossible."""
        return -sum(min(0, left) for room in self.room for left in room.values())


def _first_guess(known: SupplyKnowledge) -> _History:
    """The history in which every seat played the cards that it had held longest; it may be impossible."""
    guess = _History()
    for seat, hidden in known.hands.items():
        start = len(guess.values)
        held = len(hidden.origins) - len(hidden.played)
        cards = range(start, start + len(hidden.origins))
        guess.values += [*hidden.played, *[None] * held]
        guess.deadlines += [*(start + before for before in hidden.taken_before), *[cards.stop] * held]
        guess.owners += [seat] * len(cards)
        guess.mates += [cards] * len(cards)
        guess.origins += hidden.origins
        guess.places += cards
    anything = len(guess.values)
    guess.room = [{None: anything} | {value: pile[value] for value in _VALUES} for pile in known.piles]
    for value, place in zip(guess.values, guess.places, strict=True):
        guess.room[guess.origins[place]][value] -= 1
    return guess


def _possible_history(known: SupplyKnowledge, random: Stream) -> _History:
    """Walk at random from guess to guess until one is possible.

    A step lets two cards of a seat, one of them played, change places. Such steps lead from every guess to every
    other: settle the cards in the order of their deadlines; whichever card is in the place wanted has a later
    deadline, so it may take the other's place. As the walk takes every step with positive probability, it can
    stop at every possible history; as there is one (the true one), it does stop.
    """
    guess = _first_guess(known)
    values, places, deadlines = guess.values, guess.places, guess.deadlines
    played = [card for card, value in enumerate(values) if value is not None]
    excess = guess.excess()
    steps_left = _STEPS_PER_CARD * len(played)
    while excess or steps_left > 0:
        steps_left -= 1
        one = random.choice(played)
        other = random.choice(guess.mates[one])
        if places[one] >= deadlines[other] or places[other] >= deadlines[one]:
            continue
        here, there = guess.room[guess.origins[places[one]]], guess.room[guess.origins[places[other]]]
        leaving, coming = values[one], values[other]
        if here is not there and leaving != coming:
            more = (there[leaving] <= 0) - (here[leaving] < 0) + (here[coming] <= 0) - (there[coming] < 0)
            if more > 0 and random.below(_RELUCTANCE**more):
                continue
            excess += more
            here[leaving] += 1
            there[leaving] -= 1
            there[coming] += 1
            here[coming] -= 1
        places[one], places[other] = places[other], places[one]
    return guess
