"""What a viewer knows of the supply cards that it does not see (rules, sections 4 and 6).

Where every card is drawn from is public: a start hand that all know, or a pile whose cards all know, because it was
the discard pile. Only which card went where is hidden, and what is played later proves part of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.game import Seat
from engine.verraeter.components import COMPONENTS, Supply
from engine.verraeter.events import (
    DiscardPileShuffled,
    RoundEnded,
    SuppliesDrawn,
    SuppliesPlayed,
    VerraeterDealt,
    VerraeterEvent,
)


@dataclass
class HiddenHand:
    """The supply cards that went through the hand of a seat which the viewer cannot look into.

    Attributes:
        origins: for each card that the seat ever took, in order, the pile it came from (an index into
            :attr:`SupplyKnowledge.piles`).
        played: what it played, in order.
        taken_before: for each card of ``played``, how many cards the seat had taken before it played this one. Only
            these can be the card.
    """

    origins: list[int] = field(default_factory=list)
    played: list[Supply] = field(default_factory=list)
    taken_before: list[int] = field(default_factory=list)

    def play(self, cards: Sequence[Supply]) -> None:
        """Note what the seat plays now."""
        self.played += cards
        self.taken_before += [len(self.origins)] * len(cards)


@dataclass
class SupplyKnowledge:
    """What a viewer knows of supply cards.

    Attributes:
        piles: what the viewer cannot tell the place of, by the pile it lay in: each hidden start hand is a pile,
            followed by the draw piles in the order in which they were used. The last one is in use.
        hands: of every seat but the viewer.
    """

    piles: list[Counter[Supply]]
    hands: dict[Seat, HiddenHand]


def supply_knowledge(seen: Sequence[VerraeterEvent], viewer: Seat | None) -> SupplyKnowledge:
    """Read off the events what this viewer (``None``: a spectator) has learned of supply cards."""
    dealt = seen[0]
    assert isinstance(dealt, VerraeterDealt)
    known = _dealt(dealt, viewer)
    discarded: list[Supply] = []
    on_table: list[Supply] = []
    for event in seen:
        match event:
            case SuppliesPlayed():
                on_table += event.cards
                if event.seat != viewer:
                    known.hands[event.seat].play(event.cards)
            case SuppliesDrawn() if event.you is not None:
                known.piles[-1].subtract(event.you.cards)
            case SuppliesDrawn():
                known.hands[event.seat].origins += [len(known.piles) - 1] * event.count
            case DiscardPileShuffled():
                # No event tells of phase 10. In a draw after it, the cards of this round are among the discarded.
                if event.draw_pile_size != len(discarded):
                    discarded, on_table = discarded + on_table, []
                known.piles.append(Counter(discarded))
                discarded = []
            case RoundEnded():
                discarded, on_table = discarded + on_table, []
            case _:
                pass
    return known


def _dealt(dealt: VerraeterDealt, viewer: Seat | None) -> SupplyKnowledge:
    """What is known from the set-up on (rules, section 2 step 4)."""
    seats = range(len(dealt.houses))
    hidden = [seat for seat in seats if seat != viewer]
    rest = Counter({card.value: card.count for card in COMPONENTS.supplies})
    for _ in seats:
        rest.subtract(dealt.hand)
    return SupplyKnowledge(
        piles=[*(Counter(dealt.hand) for _ in hidden), rest],
        hands={seat: HiddenHand(origins=[pile] * len(dealt.hand)) for pile, seat in enumerate(hidden)},
    )
