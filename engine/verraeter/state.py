"""Everything there is to know about a running match of Verräter, secrets included."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from engine.game import Seat, State
from engine.verraeter.components import (
    ACTIONS,
    LANDSCAPES,
    POSITIONS,
    Action,
    House,
    LandscapeType,
    Side,
    Supply,
)
from engine.verraeter.options import VerraeterOptions

Phase: TypeAlias = Literal["place_farm", "declare_conflict", "draft_action", "play_supplies", "build", "over"]
"""What the match waits for: the kind of decision that is due, or ``over``."""

Ending: TypeAlias = Literal["last_round", "house_without_land"]


class Building(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A building under a landscape: a farm on one side, a trading post on the other."""

    owner: Seat
    side: Side


class Landscape(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A landscape in the circle, the house whose side it shows and the building under it."""

    type: LandscapeType
    house: House
    building: Building | None = None


class Gains(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A seat's victory points by what they were scored for."""

    landscapes: int = 0
    traitor: int = 0
    strategist: int = 0
    trading_posts: int = 0

    def total(self) -> int:
        """The score."""
        return self.landscapes + self.traitor + self.strategist + self.trading_posts


class Player(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What belongs to one seat.

    Attributes:
        house: what the allegiance card shows.
        supplies: the hand, ascending.
        reserve: buildings not yet laid.
        offered: the action cards that were offered in this round's draft; empty before.
        action: the one that was kept.
        played: the supply cards that lie open before the seat, ascending; null before its turn to play them.
        drawn: supply cards drawn in this round, from all sources.
    """

    house: House
    supplies: list[Supply]
    reserve: int
    offered: list[Action] = []
    action: Action | None = None
    played: list[Supply] | None = None
    drawn: int = 0
    gains: Gains = msgspec.field(default_factory=Gains)


class LastConflict(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """How the latest resolved conflict went; all of it was public.

    Attributes:
        border: where it was fought.
        houses: what each seat's allegiance card showed when it was resolved, in seat order.
        actions: the action card of each seat.
        played: the supply cards that each seat played.
        eagle: the total of the House of the Eagle.
        rose: the total of the House of the Rose.
        winner: the winning house; null after equal totals.
    """

    round: int
    border: int
    houses: list[House]
    actions: list[Action]
    played: list[list[Supply]]
    eagle: int
    rose: int
    winner: House | None


class VerraeterState(State, kw_only=True):
    """A match of Verräter.

    Attributes:
        round: 1 from the set-up on.
        start_seat: holder of the start player card.
        strategist_seat: holder of the Strategy card.
        turn: in phases in which every seat acts in turn, how many have acted; else 0.
        conflict: the contested border; null before it is declared and after the round.
        middle: the action cards in the middle; the first of them is the one put aside unseen.
        draw_pile: the next card is the last one.
        ending: why the match ends or has ended, as soon as that is settled.
    """

    options: VerraeterOptions
    phase: Phase
    round: int
    start_seat: Seat
    strategist_seat: Seat
    turn: int
    conflict: int | None
    landscapes: list[Landscape]
    players: list[Player]
    middle: list[Action]
    draw_pile: list[Supply]
    discard_pile: list[Supply]
    last_conflict: LastConflict | None = None
    ending: Ending | None = None


def seats_in_turn(state: VerraeterState) -> list[Seat]:
    """All seats clockwise from this round's start player: the order in which every phase runs."""
    count = len(state.players)
    return [(state.start_seat + step) % count for step in range(count)]


def seat_in_turn(state: VerraeterState) -> Seat:
    """The one of them whose turn it is, in a phase in which every seat acts in turn."""
    return (state.start_seat + state.turn) % len(state.players)


def holder(state: VerraeterState, action: Action) -> Seat | None:
    """The seat that kept this action card in this round's draft."""
    for seat, player in enumerate(state.players):
        if player.action == action:
            return seat
    return None


def sides_of_border(border: int) -> tuple[int, int]:
    """The positions of the two landscapes that a border lies between."""
    return border, (border + 1) % POSITIONS


def posts_of(state: VerraeterState, seat: Seat) -> list[Landscape]:
    """The landscapes under which a seat's trading posts lie."""
    return [
        land
        for land in state.landscapes
        if land.building and land.building.owner == seat and land.building.side == "trading_post"
    ]


def totals(state: VerraeterState, *, with_diplomats: bool) -> dict[House, int]:
    """The strength of each house in the conflict, before the defeated landscape is turned (rules, phase 5).

    Args:
        with_diplomats: count the Diplomats too; they are secret until the action cards are revealed.
    """
    assert state.conflict is not None
    strength: dict[House, int] = {"eagle": 0, "rose": 0}
    for position in sides_of_border(state.conflict):
        land = state.landscapes[position]
        strength[land.house] += LANDSCAPES[land.type].base
    for player in state.players:
        if player.played:
            strength[player.house] += sum(player.played)
        if with_diplomats and player.action:
            strength[player.house] += ACTIONS[player.action].strength
    return strength
