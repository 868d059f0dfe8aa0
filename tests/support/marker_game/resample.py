"""Other states that a viewer cannot tell apart from the true one: the same marks, but elsewhere.

Whatever the viewer has not seen changes places with what lies under the same back: cards with cards, roles with
roles, plots with plots, papers with papers. What others put into the urn is chosen anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import msgspec

from engine.game import Seat
from engine.randomness import Stream
from support.marker_game.components import Mark
from support.marker_game.events import MarkerGameEvent
from support.marker_game.state import MarkerGameState, Player

Places: TypeAlias = Iterator[tuple[list[Mark], int]]
"""Where marks lie: lists, and indexes into them."""


def resample(
    state: MarkerGameState, seen: Sequence[MarkerGameEvent], viewer: Seat | None, random: Stream
) -> MarkerGameState:
    """Another state that this viewer cannot tell apart from ``state``.

    Args:
        state: the true one; it is not changed.
        seen: all events so far as the viewer read them. They tell nothing that is not in the state: who looked where
            is public.
        viewer: a seat, or ``None`` for a spectator.
        random: chooses among all states that fit.
    """
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=MarkerGameState)
    for places in (_cards(other, viewer), _roles(other, viewer), _plots(other, viewer), _ballots(other, viewer)):
        _rearrange(places, random)
    for player in _others(other, viewer):
        player.hand.sort()
        if player.cast is not None:
            player.cast = random.choice(player.ballots)
    return other


def _rearrange(places: Places, random: Stream) -> None:
    """Let the marks in these places change places, so that nothing of where they were is left."""
    there = list(places)
    marks = sorted(marks[place] for marks, place in there)
    random.shuffle(marks)
    for (target, place), mark in zip(there, marks, strict=True):
        target[place] = mark


def _others(state: MarkerGameState, viewer: Seat | None) -> list[Player]:
    return [player for seat, player in enumerate(state.players) if seat != viewer]


def _all_of(*lists: list[Mark]) -> Places:
    for marks in lists:
        yield from ((marks, place) for place in range(len(marks)))


def _cards(state: MarkerGameState, viewer: Seat | None) -> Places:
    """The draw pile, others' hands, and what others laid, unless it was turned up or the viewer looked at it."""
    yield from _all_of(state.draw_pile, *(player.hand for player in _others(state, viewer)))
    looked_at = [] if viewer is None else list(enumerate(state.players[viewer].peeked_at))
    for seat, player in enumerate(state.players):
        for number in range(len(player.laid)):
            if seat != viewer and number not in player.exposed and (number, seat) not in looked_at:
                yield player.laid, number


def _roles(state: MarkerGameState, viewer: Seat | None) -> Places:
    """Others' roles, and the one that nobody has."""
    if state.phase != "over":
        yield from ((state.roles, seat) for seat in range(len(state.roles)) if seat != viewer)


def _plots(state: MarkerGameState, viewer: Seat | None) -> Places:
    return _all_of(state.plots, *(player.plots for player in _others(state, viewer)))


def _ballots(state: MarkerGameState, viewer: Seat | None) -> Places:
    return _all_of(*(player.ballots for player in _others(state, viewer)))
