"""What a viewer of Inside Job knows of that which it does not see (rules, sections 4, 8 and 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.game import Seat
from engine.inside_job.components import CARDS
from engine.inside_job.events import InsideJobEvent, MissionChosen, MissionsDrawn, TrickCardPlayed
from engine.inside_job.ids import Card, Mission, Suit


@dataclass
class Knowledge:
    """What all the events tell of hands, roles and missions; it is the same for every viewer.

    Attributes:
        played: all cards played so far.
        voids: for each seat, the suits that it did not follow. Unless it is on the insider side it has none of them.
        proved: the seats that followed a suit after they had not followed it, which only the insider side can.
        chosen: for each seat, the missions that it chose, in order.
    """

    played: set[Card] = field(default_factory=set)
    voids: dict[Seat, set[Suit]] = field(default_factory=dict)
    proved: set[Seat] = field(default_factory=set)
    chosen: dict[Seat, list[Mission]] = field(default_factory=dict)


def knowledge(seen: Sequence[InsideJobEvent]) -> Knowledge:
    """Read off the events what the play has proved."""
    known = Knowledge()
    led: Suit | None = None
    for event in seen:
        match event:
            case MissionsDrawn():
                led = None
            case MissionChosen():
                known.chosen.setdefault(event.seat, []).append(event.mission)
            case TrickCardPlayed():
                suit = CARDS[event.card].suit
                led = led or suit
                known.played.add(event.card)
                voids = known.voids.setdefault(event.seat, set())
                if suit in voids:
                    known.proved.add(event.seat)
                if suit != led:
                    voids.add(led)
            case _:
                pass
    return known
