"""Which answers to a decision are legal (rules, sections 2, 3 and 12).

:func:`check` says why a move is refused. The list of legal moves is what it lets through, but made directly: to try
out every candidate would be most of the work of a move. The tests compare the two over all moves that there are.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final

from engine.game import IllegalMove, Seat
from engine.verraeter.components import ACTIONS, COMPONENTS, POSITIONS, Side, Supply
from engine.verraeter.moves import (
    DeclareConflict,
    DeclineBuild,
    DraftAction,
    MoveBuilding,
    PlaceBuilding,
    PlaceFarm,
    PlaySupplies,
    TurnBuilding,
    VerraeterMove,
)
from engine.verraeter.state import (
    Landscape,
    VerraeterState,
    holder,
    posts_of,
    seat_in_turn,
    sides_of_border,
)

REFUSALS: Final = (
    "not-your-turn",
    "wrong-kind-of-move",
    "foreign-house",
    "landscape-occupied",
    "no-enmity",
    "action-not-offered",
    "supplies-not-in-hand",
    "supplies-not-ascending",
    "reserve-empty",
    "no-own-building",
    "too-many-trading-posts",
)
"""Every reason that :func:`check` gives, in the order in which it looks."""

_KIND_OF_MOVE: Final = {
    PlaceFarm: "place_farm",
    DeclareConflict: "declare_conflict",
    DraftAction: "draft_action",
    PlaySupplies: "play_supplies",
    PlaceBuilding: "build",
    MoveBuilding: "build",
    TurnBuilding: "build",
    DeclineBuild: "build",
}

_FARMS: Final = [PlaceFarm(landscape=here) for here in range(POSITIONS)]
_CONFLICTS: Final = [DeclareConflict(border=here) for here in range(POSITIONS)]
_DRAFTS: Final = {action: DraftAction(action=action) for action in ACTIONS}
"""Moves that are listed again and again, by what they name."""


def deciding_seat(state: VerraeterState) -> Seat | None:
    """The one seat that owes a decision; ``None`` after the end."""
    match state.phase:
        case "place_farm" | "draft_action" | "play_supplies":
            return seat_in_turn(state)
        case "declare_conflict":
            return state.strategist_seat
        case "build":
            return holder(state, "builder")
        case "over":
            return None


def check(state: VerraeterState, seat: Seat, move: VerraeterMove) -> None:
    """Let a legal move pass.

    Raises:
        IllegalMove: with one of :data:`REFUSALS`.
    """
    if seat != deciding_seat(state):
        raise IllegalMove("not-your-turn")
    if _KIND_OF_MOVE[type(move)] != state.phase:
        raise IllegalMove("wrong-kind-of-move")
    match move:
        case PlaceFarm():
            _check_site(state, seat, move.landscape)
        case DeclareConflict():
            one, other = sides_of_border(move.border)
            if state.landscapes[one].house == state.landscapes[other].house:
                raise IllegalMove("no-enmity")
        case DraftAction():
            if move.action not in state.players[seat].offered:
                raise IllegalMove("action-not-offered")
        case PlaySupplies():
            _check_supplies(state, seat, move)
        case PlaceBuilding() | MoveBuilding() | TurnBuilding() | DeclineBuild():
            _check_build(state, seat, move)


def _check_build(
    state: VerraeterState, seat: Seat, move: PlaceBuilding | MoveBuilding | TurnBuilding | DeclineBuild
) -> None:
    """Phase 7 and its limits."""
    match move:
        case PlaceBuilding():
            if not state.players[seat].reserve:
                raise IllegalMove("reserve-empty")
            _check_site(state, seat, move.landscape)
            if move.side == "trading_post":
                _check_another_post(state, seat)
        case MoveBuilding():
            _own_side(state.landscapes[move.origin], seat)
            _check_site(state, seat, move.to)
        case TurnBuilding():
            if _own_side(state.landscapes[move.landscape], seat) == "farm":
                _check_another_post(state, seat)
        case DeclineBuild():
            pass


def _check_site(state: VerraeterState, seat: Seat, position: int) -> None:
    """A building may only be laid under a landscape of its owner's present house that has none (fact 29, 31)."""
    land = state.landscapes[position]
    if land.house != state.players[seat].house:
        raise IllegalMove("foreign-house")
    if land.building:
        raise IllegalMove("landscape-occupied")


def _check_supplies(state: VerraeterState, seat: Seat, move: PlaySupplies) -> None:
    left = list(state.players[seat].supplies)
    for card in move.cards:
        if card not in left:
            raise IllegalMove("supplies-not-in-hand")
        left.remove(card)
    if list(move.cards) != sorted(move.cards):
        raise IllegalMove("supplies-not-ascending")


def _check_another_post(state: VerraeterState, seat: Seat) -> None:
    if len(posts_of(state, seat)) >= COMPONENTS.max_trading_posts:
        raise IllegalMove("too-many-trading-posts")


def _own_side(land: Landscape, seat: Seat) -> Side:
    """The side of the seat's own building under this landscape."""
    if land.building is None or land.building.owner != seat:
        raise IllegalMove("no-own-building")
    return land.building.side


def legal_moves(state: VerraeterState, seat: Seat) -> list[VerraeterMove]:
    """Every legal move of a seat, in a fixed order; empty unless the seat is deciding."""
    if seat != deciding_seat(state):
        return []
    match state.phase:
        case "place_farm":
            return [_FARMS[here] for here in _sites(state, seat)]
        case "declare_conflict":
            houses = [land.house for land in state.landscapes]
            return [
                _CONFLICTS[here]
                for here, (one, other) in enumerate(zip(houses, houses[1:] + houses[:1], strict=True))
                if one != other
            ]
        case "draft_action":
            return [_DRAFTS[action] for action in state.players[seat].offered]
        case "play_supplies":
            return [*_all_plays(tuple(state.players[seat].supplies))]
        case "build":
            return _builds(state, seat)
        case "over":
            return []


@cache
def _all_plays(hand: tuple[Supply, ...]) -> tuple[PlaySupplies, ...]:
    """Every choice from a hand, each once, fewer cards first; there are but 462 hands."""
    return tuple(
        PlaySupplies(cards=cards) for count in range(len(hand) + 1) for cards in sorted(set(combinations(hand, count)))
    )


def _builds(state: VerraeterState, seat: Seat) -> list[VerraeterMove]:
    """What the Builder may do."""
    sites = _sites(state, seat)
    own = [
        (here, building.side)
        for here, land in enumerate(state.landscapes)
        if (building := land.building) is not None and building.owner == seat
    ]
    more_posts = len(posts_of(state, seat)) < COMPONENTS.max_trading_posts
    moves: list[VerraeterMove] = []
    if state.players[seat].reserve:
        sides: tuple[Side, ...] = COMPONENTS.building_sides if more_posts else ("farm",)
        moves += [PlaceBuilding(landscape=here, side=side) for here in sites for side in sides]
    moves += [MoveBuilding(origin=here, to=there) for here, _ in own for there in sites]
    moves += [TurnBuilding(landscape=here) for here, side in own if more_posts or side == "trading_post"]
    moves.append(DeclineBuild())
    return moves


def _sites(state: VerraeterState, seat: Seat) -> list[int]:
    """Where a seat may lay a building."""
    house = state.players[seat].house
    return [here for here, land in enumerate(state.landscapes) if land.house == house and land.building is None]
