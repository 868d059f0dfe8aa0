"""What the viewers of a match of Verräter may see (rules, section 6).

Everything here is built field by field from the state; nothing is copied and then blanked.
"""

from __future__ import annotations

import msgspec

from engine.game import Hand, Seat
from engine.verraeter.components import ROUNDS, Action, House, LandscapeType, Side, Supply
from engine.verraeter.state import (
    LastConflict,
    Phase,
    VerraeterState,
    totals,
)


class VerraeterBuilding(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A building under a landscape."""

    owner: Seat
    side: Side


class VerraeterLandscape(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A landscape; its position is its place in the list."""

    type: LandscapeType
    house: House
    building: VerraeterBuilding | None


class VerraeterConflict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The conflict that is being fought.

    Attributes:
        border: it lies between positions ``border`` and ``(border + 1) mod 12``.
        eagle: what the House of the Eagle has so far: base defence and supply cards, from the reveal on the
            Diplomats too.
        rose: the same of the House of the Rose.
    """

    border: int
    eagle: int
    rose: int


class VerraeterGains(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Victory points by what they were scored for."""

    landscapes: int
    traitor: int
    strategist: int
    trading_posts: int


class VerraeterSeat(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies open of one seat.

    Attributes:
        house: what the allegiance card shows.
        hand_size: supply cards in the hand.
        drawn: supply cards drawn in this round, from all sources.
        reserve: buildings not yet laid.
        has_chosen: whether it has kept an action card in this round.
        action: that card, once it is revealed; else null.
        played: the supply cards that lie open before it, ascending; null before its turn to play them.
    """

    seat: Seat
    house: House
    score: int
    gains: VerraeterGains
    hand_size: int
    drawn: int
    reserve: int
    has_chosen: bool
    action: Action | None
    played: list[Supply] | None


class VerraeterLastConflict(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How the latest resolved conflict went; lists are in seat order.

    Attributes:
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


class VerraeterTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies open for everybody.

    Attributes:
        round: from 1 to ``rounds``.
        phase: what the match waits for.
        start_seat: holder of the start player card.
        strategist_seat: holder of the Strategy card, who names the next conflict.
        conflict: null while none is being fought.
        landscapes: the circle, by position; position 11 touches position 0.
        discard_pile: sorted; all of it was played openly.
        middle_size: action cards face down in the middle.
        last_conflict: null until one has been resolved.
    """

    round: int
    rounds: int
    phase: Phase
    start_seat: Seat
    strategist_seat: Seat
    conflict: VerraeterConflict | None
    landscapes: list[VerraeterLandscape]
    seats: list[VerraeterSeat]
    draw_pile_size: int
    discard_pile: list[Supply]
    middle_size: int
    last_conflict: VerraeterLastConflict | None


class VerraeterHand(Hand, frozen=True, kw_only=True):
    """What one seat alone knows.

    Attributes:
        hand: its supply cards, ascending.
        offered: the action cards that were offered to it in this round, sorted; empty before. But for the one it
            kept it passed them on; the last seat's lie in the middle.
        kept: the action card it kept in this round.
    """

    hand: list[Supply]
    offered: list[Action]
    kept: Action | None


def table(state: VerraeterState) -> VerraeterTable:
    """What lies open for everybody."""
    revealed = _actions_are_revealed(state)
    return VerraeterTable(
        round=state.round,
        rounds=ROUNDS[len(state.players)],
        phase=state.phase,
        start_seat=state.start_seat,
        strategist_seat=state.strategist_seat,
        conflict=_conflict(state, revealed=revealed),
        landscapes=_landscapes(state),
        seats=_seats(state, revealed=revealed),
        draw_pile_size=len(state.draw_pile),
        discard_pile=sorted(state.discard_pile),
        middle_size=len(state.middle),
        last_conflict=_last_conflict(state.last_conflict),
    )


def hand(state: VerraeterState, seat: Seat) -> VerraeterHand:
    """What this seat alone knows."""
    player = state.players[seat]
    return VerraeterHand(
        seat=seat,
        hand=sorted(player.supplies),
        offered=sorted(player.offered),
        kept=player.action,
    )


def _actions_are_revealed(state: VerraeterState) -> bool:
    """From phase 4 to the end of the round. All phases between are played through without a stop but ``build``."""
    return state.phase in ("build", "over")


def _conflict(state: VerraeterState, *, revealed: bool) -> VerraeterConflict | None:
    if state.conflict is None:
        return None
    if revealed and state.last_conflict is not None:
        last = state.last_conflict
        return VerraeterConflict(border=last.border, eagle=last.eagle, rose=last.rose)
    strength = totals(state, with_diplomats=False)
    return VerraeterConflict(border=state.conflict, eagle=strength["eagle"], rose=strength["rose"])


def _landscapes(state: VerraeterState) -> list[VerraeterLandscape]:
    return [
        VerraeterLandscape(
            type=land.type,
            house=land.house,
            building=None
            if (building := land.building) is None
            else VerraeterBuilding(owner=building.owner, side=building.side),
        )
        for land in state.landscapes
    ]


def _seats(state: VerraeterState, *, revealed: bool) -> list[VerraeterSeat]:
    return [
        VerraeterSeat(
            seat=seat,
            house=player.house,
            score=(gains := player.gains).total(),
            gains=VerraeterGains(
                landscapes=gains.landscapes,
                traitor=gains.traitor,
                strategist=gains.strategist,
                trading_posts=gains.trading_posts,
            ),
            hand_size=len(player.supplies),
            drawn=player.drawn,
            reserve=player.reserve,
            has_chosen=player.action is not None,
            action=player.action if revealed else None,
            played=None if player.played is None else list(player.played),
        )
        for seat, player in enumerate(state.players)
    ]


def _last_conflict(last: LastConflict | None) -> VerraeterLastConflict | None:
    if last is None:
        return None
    return VerraeterLastConflict(
        round=last.round,
        border=last.border,
        houses=list(last.houses),
        actions=list(last.actions),
        played=[list(cards) for cards in last.played],
        eagle=last.eagle,
        rose=last.rose,
        winner=last.winner,
    )
