"""What a viewer knows of the influence cards that it does not see (rules, sections 5, 6 and 13).

Everybody's 25 cards are different, so each owner is a puzzle of its own. The time between two reshuffles of an owner's
discard pile is a *period*: in it every card is drawn at most once and laid at most once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.kabale.components import Character
from engine.kabale.events import (
    CardKilled,
    CardPlaced,
    CardTucked,
    CardTurnedUp,
    ColumnScored,
    ExplorerMoved,
    GoalsRevealed,
    InfluenceDrawn,
    KabaleDealt,
    KabaleEnded,
    KabaleEvent,
    OwnPileShuffled,
)


@dataclass(slots=True)
class Laid:
    """A card that a seat laid out of its hand, into a column or under a Disguise.

    Attributes:
        period: when it was laid.
        drawn: how many cards the seat had drawn in that period before it laid this one.
        character: null as long as the viewer has not seen it.
        discarded: the period in which it came to the discard pile; null while it lies on the table.
    """

    period: int
    drawn: int
    character: Character | None = None
    discarded: int | None = None


@dataclass(slots=True)
class Place:
    """A place in a column: the card in it and the one tucked under it."""

    card: Laid
    tucked: Laid | None = None


@dataclass(slots=True)
class Course:
    """What the cards of one seat went through.

    Attributes:
        period: the present one; the first is 0.
        drawn: how many cards the seat has drawn in it.
        laid: in order, each time that a card was laid.
    """

    period: int = 0
    drawn: int = 0
    laid: list[Laid] = field(default_factory=list)

    def lay(self) -> Laid:
        """Note that the seat lays a card now."""
        card = Laid(self.period, self.drawn)
        self.laid.append(card)
        return card

    def discard(self, card: Laid | None) -> None:
        """Note that a card of the seat comes to its discard pile now."""
        if card is not None:
            card.discarded = self.period


@dataclass(slots=True)
class Knowledge:
    """What a viewer has seen of the cards of all seats, and what lies in the columns."""

    courses: list[Course]
    columns: list[list[Place]] = field(default_factory=list)


def knowledge(seen: Sequence[KabaleEvent]) -> Knowledge:
    """Read off the events what everybody has learned; what a reader alone learned concerns its own cards."""
    dealt = seen[0]
    assert isinstance(dealt, KabaleDealt)
    known = Knowledge([Course(drawn=dealt.hand_size) for _ in range(dealt.seats)])
    for event in seen:
        match event:
            case InfluenceDrawn():
                known.courses[event.seat].drawn += event.count
            case OwnPileShuffled():
                course = known.courses[event.seat]
                course.period, course.drawn = course.period + 1, 0
            case GoalsRevealed():
                known.columns = [[] for _ in event.goals]
            case CardPlaced():
                known.columns[event.column].append(Place(known.courses[event.seat].lay()))
            case CardTurnedUp():
                known.columns[event.column][event.slot].card.character = event.character
            case ExplorerMoved():
                known.columns[event.to].append(known.columns[event.origin].pop(event.origin_slot))
            case CardKilled():
                known.courses[event.owner].discard(known.columns[event.column].pop().card)
            case CardTucked():
                known.columns[event.column][event.slot].tucked = known.courses[event.seat].lay()
            case ColumnScored():
                _score(known, event)
            case KabaleEnded():
                known.columns = []
            case _:
                pass
    return known


def _score(known: Knowledge, event: ColumnScored) -> None:
    """All cards of a column are seen and discarded."""
    for place, scored in zip(known.columns[event.column], event.scored.cards, strict=True):
        place.card.character = scored.character
        if place.tucked is not None:
            place.tucked.character = scored.tucked
        known.courses[scored.owner].discard(place.card)
        known.courses[scored.owner].discard(place.tucked)
    known.columns[event.column] = []
