"""Other states that a viewer cannot tell apart from the true one: what it has not seen is dealt anew."""

from __future__ import annotations

import msgspec

from engine.court.state import CourtState
from engine.game import Seat
from engine.randomness import Stream


def resample(state: CourtState, viewer: Seat | None, random: Stream) -> CourtState:
    """Another state that this viewer cannot tell apart from ``state``, which is not changed."""
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=CourtState)
    over = state.phase() == "over"
    unseen = [player for seat, player in enumerate(other.players) if seat != viewer]
    favours = [*other.spare_favours, *(favour for player in unseen for favour in player.hand)]
    if not over:  # then everybody's side, and what they laid, is known
        favours += [player.laid for player in unseen if player.laid is not None]
        sides = sorted([other.spare_side, *(player.side for player in unseen)])
        random.shuffle(sides)
        other.spare_side = sides.pop()
        for player in unseen:
            player.side = sides.pop()
    favours.sort()
    random.shuffle(favours)
    for player in unseen:
        player.hand = sorted(favours.pop() for _ in player.hand)
        if not over and player.laid is not None:
            player.laid = favours.pop()
    other.spare_favours = sorted(favours)
    return other
