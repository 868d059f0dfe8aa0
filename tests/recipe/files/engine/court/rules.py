"""The course of a match of Court: deal, one turn for each seat, the end."""

from __future__ import annotations

from typing import Final

from engine.court.components import COMPONENTS, HIGHEST, REBELS, Side
from engine.court.events import (
    CourtDealt,
    CourtDealtCards,
    CourtEnded,
    CourtEvent,
    CourtOneFavour,
    FavourDeclined,
    FavourLaid,
)
from engine.court.legality import check
from engine.court.moves import CourtMove, LayFavour
from engine.court.options import CourtOptions
from engine.court.state import CourtState, Player
from engine.game import Event, Seat, openly, secretly
from engine.randomness import Stream

RULES_VERSION: Final = 1


def deal(seats: int, options: CourtOptions, random: Stream) -> tuple[CourtState, list[Event[CourtEvent]]]:
    """Deal an allegiance and the favours to everybody; one allegiance and some favours are left over."""
    sides: list[Side] = ["rebels" if number < REBELS else "crown" for number in range(seats + 1)]
    favours = list(range(1, HIGHEST + 1))
    random.shuffle(sides)
    random.shuffle(favours)
    hands = [sorted(favours.pop() for _ in range(COMPONENTS.hand_size)) for _ in range(seats)]
    players = [Player(side=sides.pop(), hand=hand) for hand in hands]
    state = CourtState(
        rules_version=RULES_VERSION,
        options=options,
        players=players,
        turn=0,
        spare_side=sides.pop(),
        spare_favours=sorted(favours),
    )
    dealt = {
        seat: CourtDealtCards(side=player.side, hand=list(player.hand)) for seat, player in enumerate(state.players)
    }
    return state, [secretly(CourtDealt(seats=seats), dealt)]


def play(state: CourtState, seat: Seat, move: CourtMove) -> list[Event[CourtEvent]]:
    """Play the move of the seat that is due; after the last one everything is turned up.

    Raises:
        IllegalMove: it is not legal; nothing has changed.
    """
    check(state, seat, move)
    player = state.players[seat]
    state.turn += 1
    events: list[Event[CourtEvent]] = []
    if isinstance(move, LayFavour):
        player.hand.remove(move.favour)
        player.laid = move.favour
        events.append(secretly(FavourLaid(seat=seat), {seat: CourtOneFavour(favour=move.favour)}))
    else:
        events.append(openly(FavourDeclined(seat=seat)))
    if state.phase() == "over":
        sides, laid = [each.side for each in state.players], [each.laid for each in state.players]
        events.append(openly(CourtEnded(sides=sides, laid=laid)))
    return events
