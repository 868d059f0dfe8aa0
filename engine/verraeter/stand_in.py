"""What a stand-in does for a seat whose player is gone.

It plays like a plain but attentive player: one short policy per kind of decision (rules, section 12), from the table
and the own hand alone. Wherever it has a choice among about equal moves it leaves it to chance, so that what it does
tells no more of its hand and its action card than a player's doing would.

The table does not show what a match pays for landscapes, so the stand-in goes by the default points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from engine.randomness import Stream
from engine.verraeter.components import ACTIONS, COMPONENTS, LANDSCAPES, OTHER_HOUSE, POSITIONS, Action, House
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
from engine.verraeter.state import sides_of_border
from engine.verraeter.view import VerraeterHand, VerraeterSeat, VerraeterTable

_PLAYED_PER_SEAT: Final = 5
"""Strength that a player with cards in hand is reckoned to add to a conflict: somewhat more than one card."""

_EVEN_ODDS: Final = 15
"""A lead of so much strength counts as a sure win, as much behind as a sure loss."""

_POSTS_FROM: Final = 3
"""Rounds before the end from which trading posts are worth more than the cards of a farm."""

MoveT = TypeVar("MoveT", bound=VerraeterMove)


def stand_in(
    table: VerraeterTable,
    hand: VerraeterHand,
    legal_moves: Sequence[VerraeterMove],
    random: Stream,
) -> VerraeterMove:
    """A sensible one of the legal moves."""
    me = table.seats[hand.seat]
    match legal_moves[0]:
        case PlaceFarm():
            sites = [move for move in legal_moves if isinstance(move, PlaceFarm)]
            return _best(sites, lambda move: _safety(table, me.house, move.landscape), random)
        case DeclareConflict():
            borders = [move for move in legal_moves if isinstance(move, DeclareConflict)]
            return _best(borders, lambda move: _prospect(table, me.house, move.border), random)
        case DraftAction():
            offered = [move for move in legal_moves if isinstance(move, DraftAction)]
            return _draft(table, me, offered, random)
        case PlaySupplies():
            plays = [move for move in legal_moves if isinstance(move, PlaySupplies)]
            return _play_supplies(table, hand, plays, random)
        case _:
            return _best(legal_moves, lambda move: _worth_of_building(table, me, move), random)


def _best(moves: Sequence[MoveT], worth: Callable[[MoveT], int], random: Stream) -> MoveT:
    """One of the moves that are worth most."""
    worths = [worth(move) for move in moves]
    return random.choice([move for move, own in zip(moves, worths, strict=True) if own == max(worths)])


def _rounds_left(table: VerraeterTable) -> int:
    return table.rounds - table.round


# --- farms ---


def _safety(table: VerraeterTable, house: House, position: int) -> int:
    """How many neighbours a landscape has in its own house: none of these borders can be fought over soon."""
    neighbours = (position - 1, (position + 1) % POSITIONS)
    return sum(table.landscapes[neighbour].house == house for neighbour in neighbours)


# --- the conflict ---


def _expected_lead(table: VerraeterTable, house: House, border: int) -> int:
    """By how much a house is likely to lead: base defence, and something for every player with cards in hand."""
    lead = 0
    for position in sides_of_border(border):
        land = table.landscapes[position]
        lead += LANDSCAPES[land.type].base * (1 if land.house == house else -1)
    for seat in table.seats:
        if seat.hand_size:
            lead += _PLAYED_PER_SEAT * (1 if seat.house == house else -1)
    return lead


def _prospect(table: VerraeterTable, house: House, border: int) -> int:
    """Points that a conflict is likely to win or lose for the own side, in parts of a sure win."""
    odds = max(0, min(2 * _EVEN_ODDS, _EVEN_ODDS + _expected_lead(table, house, border)))
    prospect = 0
    for position in sides_of_border(border):
        land = table.landscapes[position]
        winners = sum(seat.house != land.house for seat in table.seats)
        points = LANDSCAPES[land.type].points[winners - 1] if winners else 0
        prospect += points * (odds if land.house != house else odds - 2 * _EVEN_ODDS)
    return prospect


# --- the draft ---


def _draft(table: VerraeterTable, me: VerraeterSeat, offered: Sequence[DraftAction], random: Stream) -> DraftAction:
    """Draw lots, with many more of them for the better cards: so what was kept remains a guess for everybody."""
    return random.choice([move for move in offered for _ in range(_worth_of_action(table, me, move.action) ** 2)])


def _worth_of_action(table: VerraeterTable, me: VerraeterSeat, action: Action) -> int:
    """How much an action card is worth to this seat now, as far as everybody can judge; at least 1."""
    room = COMPONENTS.hand_limit - me.hand_size
    lead = 0 if table.conflict is None else _expected_lead(table, me.house, table.conflict.border)
    match action:
        case "strategist":
            return 12  # 2 points, and the choice of the next conflict
        case "traitor":
            return 12 if lead < -_PLAYED_PER_SEAT else 2
        case "farmer":
            return 1 + 3 * min(room, ACTIONS[action].draws) if _rounds_left(table) else 1
        case "builder":
            return 6
        case "diplomat_2" | "diplomat_5":
            return 2 + ACTIONS[action].strength if abs(lead) <= _EVEN_ODDS else 2


# --- supply cards ---


def _play_supplies(
    table: VerraeterTable, hand: VerraeterHand, plays: Sequence[PlaySupplies], random: Stream
) -> PlaySupplies:
    """The cheapest cards that bring a sufficient lead; if none can, the fewest.

    How large a lead suffices depends on who has still to play, and on chance: nobody can count on it. Cards that would
    keep the hand from taking what it is about to draw are played in any case, and most of them in the last round.
    """
    surplus = len(hand.hand) - _worth_keeping(table, hand)
    plays = [move for move in plays if len(move.cards) >= surplus]
    lacking = _sufficient_lead(table, hand, random) - _lead(table, hand)
    enough = [move for move in plays if sum(move.cards) >= lacking]
    return min(enough or plays, key=lambda move: (sum(move.cards), len(move.cards)))


def _worth_keeping(table: VerraeterTable, hand: VerraeterHand) -> int:
    """How many cards it makes sense to hold after playing."""
    buildings = [(land, land.building) for land in table.landscapes if land.building]
    own = [(land, building.side) for land, building in buildings if building.owner == hand.seat]
    farms = sum(side == "farm" and land.house == _side(table, hand) for land, side in own)
    if not _rounds_left(table):
        return COMPONENTS.trading_post_max_points if any(side == "trading_post" for _, side in own) else 0
    draws = ACTIONS[hand.kept].draws if hand.kept else 0
    if hand.kept != "farmer":
        draws += farms
    return COMPONENTS.hand_limit - min(draws, COMPONENTS.max_draws_per_round)


def _side(table: VerraeterTable, hand: VerraeterHand) -> House:
    """The house that the seat will belong to in the conflict."""
    house = table.seats[hand.seat].house
    return OTHER_HOUSE[house] if hand.kept == "traitor" else house


def _lead(table: VerraeterTable, hand: VerraeterHand) -> int:
    """By how much the own side leads so far, with the own Diplomat; the cards of others are unknown."""
    assert table.conflict is not None
    strength = {"eagle": table.conflict.eagle, "rose": table.conflict.rose}
    house = _side(table, hand)
    own = ACTIONS[hand.kept].strength if hand.kept else 0
    return strength[house] + own - strength[OTHER_HOUSE[house]]


def _sufficient_lead(table: VerraeterTable, hand: VerraeterHand, random: Stream) -> int:
    """What the lead should be, for all that others may still add; a Diplomat among them is reckoned with."""
    house = _side(table, hand)
    target = 1 + random.below(_PLAYED_PER_SEAT)
    for seat in table.seats:
        if seat.seat != hand.seat and seat.played is None and seat.hand_size:
            target += _PLAYED_PER_SEAT if seat.house != house else -_PLAYED_PER_SEAT
    return target


# --- the Builder ---


def _worth_of_building(table: VerraeterTable, me: VerraeterSeat, move: VerraeterMove) -> int:
    """Farms in safe places at first, trading posts towards the end, and farms out of enemy land."""
    ending = _rounds_left(table) < _POSTS_FROM
    match move:
        case PlaceBuilding():
            wanted = "trading_post" if ending else "farm"
            return 20 + _safety(table, me.house, move.landscape) if move.side == wanted else 0
        case TurnBuilding():
            is_farm = _side_of_building(table, move.landscape) == "farm"
            return 10 if is_farm and ending else -1
        case MoveBuilding():
            if _side_of_building(table, move.origin) == "farm" and table.landscapes[move.origin].house != me.house:
                return 10 + _safety(table, me.house, move.to)
            return -1
        case DeclineBuild():
            return 0
        case _:
            return -1


def _side_of_building(table: VerraeterTable, position: int) -> str | None:
    building = table.landscapes[position].building
    return building.side if building else None
