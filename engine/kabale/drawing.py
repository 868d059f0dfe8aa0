"""Drawing from the own pile (rules, section 5 step 4)."""

from __future__ import annotations

from bisect import insort

from engine.game import Event, Seat, openly, secretly
from engine.kabale.components import COMPONENTS, Character
from engine.kabale.events import InfluenceDrawn, KabaleCards, KabaleEvent, OwnPileShuffled
from engine.kabale.state import KabaleState
from engine.randomness import Stream


def refill(state: KabaleState, seat: Seat, random: Stream) -> list[Event[KabaleEvent]]:
    """Draw up to a full hand, or as many as there are.

    The own discard pile becomes the new draw pile when a card has to be drawn and the draw pile is empty, not before.
    """
    player = state.players[seat]
    missing = COMPONENTS.hand_size - len(player.hand)
    log: list[Event[KabaleEvent]] = []
    drawn: list[Character] = []
    for _ in range(missing):
        if not player.draw_pile:
            if not player.discard_pile:
                break
            if drawn:
                log.append(_told(seat, drawn))
                drawn = []
            player.draw_pile, player.discard_pile = sorted(player.discard_pile), []
            random.shuffle(player.draw_pile)
            log.append(openly(OwnPileShuffled(seat=seat, draw_pile_size=len(player.draw_pile))))
        card = player.draw_pile.pop()
        drawn.append(card)
        insort(player.hand, card)
    if drawn:
        log.append(_told(seat, drawn))
    return log


def _told(seat: Seat, cards: list[Character]) -> Event[KabaleEvent]:
    return secretly(InfluenceDrawn(seat=seat, count=len(cards)), {seat: KabaleCards(cards=cards)})
