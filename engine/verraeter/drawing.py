"""Drawing supply cards (rules, section 4)."""

from __future__ import annotations

from bisect import insort

from engine.game import Event, Seat, openly, secretly
from engine.randomness import Stream
from engine.verraeter.components import COMPONENTS, Supply
from engine.verraeter.events import (
    DiscardPileShuffled,
    DrawnSupplies,
    DrawSource,
    SuppliesDrawn,
    VerraeterEvent,
)
from engine.verraeter.state import VerraeterState


def draw(
    state: VerraeterState, seat: Seat, count: int, source: DrawSource, random: Stream
) -> list[Event[VerraeterEvent]]:
    """Draw up to ``count`` cards: never past the hand limit or the round's limit, nor more than there are.

    The discard pile becomes the new draw pile when a card has to be drawn and the draw pile is empty, not before.
    """
    player = state.players[seat]
    allowed = min(
        count,
        COMPONENTS.hand_limit - len(player.supplies),
        COMPONENTS.max_draws_per_round - player.drawn,
    )
    log: list[Event[VerraeterEvent]] = []
    drawn: list[Supply] = []
    for _ in range(allowed):
        if not state.draw_pile:
            if not state.discard_pile:
                break
            if drawn:
                log.append(_told(seat, source, drawn))
                drawn = []
            _shuffle_discard_pile(state, random)
            log.append(openly(DiscardPileShuffled(draw_pile_size=len(state.draw_pile))))
        card = state.draw_pile.pop()
        drawn.append(card)
        insort(player.supplies, card)
        player.drawn += 1
    if drawn:
        log.append(_told(seat, source, drawn))
    return log


def _told(seat: Seat, source: DrawSource, cards: list[Supply]) -> Event[VerraeterEvent]:
    event = SuppliesDrawn(seat=seat, source=source, count=len(cards))
    return secretly(event, {seat: DrawnSupplies(cards=sorted(cards))})


def _shuffle_discard_pile(state: VerraeterState, random: Stream) -> None:
    state.draw_pile = sorted(state.discard_pile)
    state.discard_pile = []
    random.shuffle(state.draw_pile)
