"""Laying buildings, and what the Builder does with them (rules, section 2 step 6 and phase 7)."""

from __future__ import annotations

from engine.game import Event, Seat, openly
from engine.verraeter.components import Side
from engine.verraeter.events import BuildDeclined, BuildingMoved, BuildingPlaced, BuildingTurned, VerraeterEvent
from engine.verraeter.moves import DeclineBuild, MoveBuilding, PlaceBuilding, TurnBuilding
from engine.verraeter.state import Building, VerraeterState


def lay(state: VerraeterState, seat: Seat, position: int, building: Building) -> None:
    """Take a building from the reserve and lay it."""
    state.landscapes[position].building = building
    state.players[seat].reserve -= 1


def build(
    state: VerraeterState, seat: Seat, move: PlaceBuilding | MoveBuilding | TurnBuilding | DeclineBuild
) -> Event[VerraeterEvent]:
    """Do what the Builder's owner decided; the move is legal."""
    match move:
        case PlaceBuilding():
            lay(state, seat, move.landscape, Building(owner=seat, side=move.side))
            return openly(BuildingPlaced(seat=seat, landscape=move.landscape, side=move.side))
        case MoveBuilding():
            origin, target = state.landscapes[move.origin], state.landscapes[move.to]
            target.building, origin.building = origin.building, None
            return openly(BuildingMoved(seat=seat, origin=move.origin, to=move.to))
        case TurnBuilding():
            land = state.landscapes[move.landscape]
            assert land.building is not None
            side: Side = "farm" if land.building.side == "trading_post" else "trading_post"
            land.building = Building(owner=seat, side=side)
            return openly(BuildingTurned(seat=seat, landscape=move.landscape, side=side))
        case DeclineBuild():
            return openly(BuildDeclined(seat=seat))
