"""The course of a match of Verräter: set-up, then the thirteen phases of a round in the order of play.

Phases 1, 2, 3 and 7 wait for an answer; everything between two answers happens by itself, in
:func:`play`. Section and phase numbers are those of the rules.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.game import Event, Seat, openly, secretly
from engine.randomness import Stream
from engine.verraeter.building import build, lay
from engine.verraeter.components import (
    ACTIONS,
    COMPONENTS,
    HOUSES,
    LANDSCAPE_ROW,
    OTHER_HOUSE,
    ROUNDS,
    House,
)
from engine.verraeter.drawing import draw
from engine.verraeter.events import (
    ActionDrafted,
    ActionsOffered,
    ActionsRevealed,
    AllegianceChanged,
    ConflictDeclared,
    ConflictResolved,
    DealtLandscape,
    FarmPlaced,
    KeptAction,
    LandscapeTurned,
    OfferedActions,
    RoundEnded,
    StrategyCardTaken,
    SuppliesPlayed,
    VerraeterDealt,
    VerraeterEvent,
)
from engine.verraeter.legality import check
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
from engine.verraeter.options import VerraeterOptions
from engine.verraeter.scoring import a_house_has_no_land, final_scoring, score
from engine.verraeter.state import (
    Building,
    Landscape,
    LastConflict,
    Player,
    VerraeterState,
    holder,
    seat_in_turn,
    seats_in_turn,
    sides_of_border,
    totals,
)

RULES_VERSION = 1

Log: TypeAlias = list[Event[VerraeterEvent]]


def deal(seats: int, options: VerraeterOptions, random: Stream) -> tuple[VerraeterState, Log]:
    """Set-up (section 2): start player, allegiances, the circle, hands and piles."""
    start = random.below(seats)
    landscapes = [Landscape(type=card.id, house=house) for card in COMPONENTS.landscapes for house in HOUSES]
    random.shuffle(landscapes)
    draw_pile = [
        card.value
        for card in COMPONENTS.supplies
        for _ in range(card.count - seats * COMPONENTS.start_hand.count(card.value))
    ]
    random.shuffle(draw_pile)
    players = [
        Player(
            house=HOUSES[(seat - start) % seats % 2],
            supplies=list(COMPONENTS.start_hand),
            reserve=COMPONENTS.buildings_per_player,
        )
        for seat in range(seats)
    ]
    strategist = start if options.first_strategist == "start_player" else (start + 1) % seats
    state = VerraeterState(
        rules_version=RULES_VERSION,
        options=options,
        phase="place_farm",
        round=1,
        start_seat=start,
        strategist_seat=strategist,
        turn=0,
        conflict=None,
        landscapes=landscapes,
        players=players,
        middle=[],
        draw_pile=draw_pile,
        discard_pile=[],
    )
    dealt = VerraeterDealt(
        start_seat=start,
        strategist_seat=strategist,
        landscapes=[DealtLandscape(type=land.type, house=land.house) for land in landscapes],
        houses=[player.house for player in players],
        hand=list(COMPONENTS.start_hand),
        draw_pile_size=len(draw_pile),
    )
    return state, [openly(dealt)]


def play(state: VerraeterState, seat: Seat, move: VerraeterMove, random: Stream) -> Log:
    """Play one move and all that follows from it, up to the next decision or the end.

    Raises:
        IllegalMove: the move is not legal; nothing has changed.
    """
    check(state, seat, move)
    match move:
        case PlaceFarm():
            return _place_farm(state, seat, move)
        case DeclareConflict():
            return _declare_conflict(state, seat, move, random)
        case DraftAction():
            return _draft_action(state, seat, move)
        case PlaySupplies():
            return _play_supplies(state, seat, move, random)
        case PlaceBuilding() | MoveBuilding() | TurnBuilding() | DeclineBuild():
            return [build(state, seat, move), *_finish_round(state, random)]


def _all_have_acted(state: VerraeterState) -> bool:
    """Count one more seat in a phase in which every seat acts in turn; true once the last has."""
    state.turn = (state.turn + 1) % len(state.players)
    return state.turn == 0


# --- set-up, step 6 ---


def _place_farm(state: VerraeterState, seat: Seat, move: PlaceFarm) -> Log:
    lay(state, seat, move.landscape, Building(owner=seat, side="farm"))
    if _all_have_acted(state):
        state.phase = "declare_conflict"
    return [openly(FarmPlaced(seat=seat, landscape=move.landscape))]


# --- phase 1: the conflict ---


def _declare_conflict(state: VerraeterState, seat: Seat, move: DeclareConflict, random: Stream) -> Log:
    state.conflict = move.border
    return [openly(ConflictDeclared(seat=seat, border=move.border)), _begin_draft(state, random)]


# --- phase 2: the draft ---


def _begin_draft(state: VerraeterState, random: Stream) -> Event[VerraeterEvent]:
    """Put one action card aside, seen by nobody, and offer the other five to the start player."""
    state.phase = "draft_action"
    actions = list(ACTIONS)
    random.shuffle(actions)
    state.middle = [actions.pop()]
    state.players[state.start_seat].offered = sorted(actions)
    return _offered(state, state.start_seat)


def _offered(state: VerraeterState, seat: Seat) -> Event[VerraeterEvent]:
    actions = list(state.players[seat].offered)
    event = ActionsOffered(seat=seat, count=len(actions))
    return secretly(event, {seat: OfferedActions(actions=actions)})


def _draft_action(state: VerraeterState, seat: Seat, move: DraftAction) -> Log:
    player = state.players[seat]
    player.action = move.action
    passed_on = [action for action in player.offered if action != move.action]
    is_last = _all_have_acted(state)
    if is_last:
        state.middle += passed_on
        state.phase = "play_supplies"
    drafted = ActionDrafted(seat=seat, middle_size=len(state.middle))
    log: Log = [secretly(drafted, {seat: KeptAction(action=move.action)})]
    if not is_last:
        following = seat_in_turn(state)
        state.players[following].offered = passed_on
        log.append(_offered(state, following))
    return log


# --- phase 3: supply cards ---


def _play_supplies(state: VerraeterState, seat: Seat, move: PlaySupplies, random: Stream) -> Log:
    player = state.players[seat]
    for card in move.cards:
        player.supplies.remove(card)
    player.played = list(move.cards)
    log: Log = [openly(SuppliesPlayed(seat=seat, cards=list(move.cards)))]
    if _all_have_acted(state):
        log += _fight(state, random)
    return log


def _fight(state: VerraeterState, random: Stream) -> Log:
    """Phases 4 to 6, and on to the Builder's decision or the end of the round."""
    log = _reveal(state)
    winner, resolved = _resolve(state, random)
    log += resolved
    log += _score(state, winner)
    if a_house_has_no_land(state):
        state.ending = "house_without_land"
        if state.options.early_end == "at_once":
            return log + final_scoring(state)
    if holder(state, "builder") is None:
        return log + _finish_round(state, random)
    state.phase = "build"
    return log


# --- phase 4: the reveal ---


def _reveal(state: VerraeterState) -> Log:
    log: Log = [openly(ActionsRevealed(actions=[p.action for p in state.players if p.action]))]
    traitor = holder(state, "traitor")
    if traitor is not None:
        player = state.players[traitor]
        player.house = OTHER_HOUSE[player.house]
        log.append(openly(AllegianceChanged(seat=traitor, house=player.house)))
    return log


# --- phase 5: the fight ---


def _resolve(state: VerraeterState, random: Stream) -> tuple[House | None, Log]:
    """The winning house, ``None`` after equal totals, and what happened."""
    assert state.conflict is not None
    strength = totals(state, with_diplomats=True)
    eagle, rose = strength["eagle"], strength["rose"]
    winner: House | None = None
    if eagle != rose:
        winner = "eagle" if eagle > rose else "rose"
    state.last_conflict = LastConflict(
        round=state.round,
        border=state.conflict,
        houses=[player.house for player in state.players],
        actions=[player.action for player in state.players if player.action],
        played=[list(player.played or ()) for player in state.players],
        eagle=eagle,
        rose=rose,
        winner=winner,
    )
    log: Log = [openly(ConflictResolved(border=state.conflict, eagle=eagle, rose=rose, winner=winner))]
    return winner, log + _draw_for(state, "diplomat_2", random)


def _draw_for(state: VerraeterState, action: Literal["diplomat_2", "farmer"], random: Stream) -> Log:
    """Let the owner of an action card that draws supplies draw them, if somebody chose it."""
    seat = holder(state, action)
    if seat is None:
        return []
    return draw(state, seat, ACTIONS[action].draws, action, random)


# --- phase 6: victory points ---


def _score(state: VerraeterState, winner: House | None) -> Log:
    """Points for the winners, then the Traitor's own; then the defeated landscape changes hands."""
    log: Log = []
    if winner is not None:
        log += _score_landscape(state, winner)
    traitor = holder(state, "traitor")
    if traitor is not None and (winner is not None or state.options.traitor_point_in_draw):
        log.append(score(state, traitor, "traitor", ACTIONS["traitor"].points))
    if winner is not None:
        position = _defeated(state, winner)
        state.landscapes[position].house = winner
        log.append(openly(LandscapeTurned(landscape=position, house=winner)))
    return log


def _score_landscape(state: VerraeterState, winner: House) -> Log:
    """All players of the winning house score the defeated landscape; with none of them, nobody does."""
    winners = [seat for seat, player in enumerate(state.players) if player.house == winner]
    if not winners:
        return []
    row = LANDSCAPE_ROW[state.landscapes[_defeated(state, winner)].type]
    points = state.options.landscape_points[row][len(winners) - 1]
    return [score(state, seat, "landscapes", points) for seat in winners]


def _defeated(state: VerraeterState, winner: House) -> int:
    """The position of the landscape that lost."""
    assert state.conflict is not None
    return next(position for position in sides_of_border(state.conflict) if state.landscapes[position].house != winner)


# --- phases 8 to 13 ---


def _finish_round(state: VerraeterState, random: Stream) -> Log:
    log = _strategist(state)
    log += _draw_for(state, "farmer", random)
    _discard(state)
    log += _farms(state, random)
    _clear_the_table(state)
    if state.ending is None and state.round == ROUNDS[len(state.players)]:
        state.ending = "last_round"
    if state.ending is not None:
        return log + final_scoring(state)
    _next_round(state)
    log.append(openly(RoundEnded(round=state.round, start_seat=state.start_seat)))
    return log


def _strategist(state: VerraeterState) -> Log:
    """Phase 8. Without a Strategist the holder keeps the Strategy card."""
    seat = holder(state, "strategist")
    if seat is None:
        return []
    state.strategist_seat = seat
    points = score(state, seat, "strategist", ACTIONS["strategist"].points)
    return [points, openly(StrategyCardTaken(seat=seat))]


def _discard(state: VerraeterState) -> None:
    """Phase 10: what was played this round goes to the discard pile."""
    for player in state.players:
        state.discard_pile += player.played or ()
        player.played = []
    state.discard_pile.sort()


def _farms(state: VerraeterState, random: Stream) -> Log:
    """Phase 11: every farm under a landscape of its owner's house gives a card, but to the Farmer none."""
    log: Log = []
    buildings = [(land.building, land.house) for land in state.landscapes if land.building]
    for seat in seats_in_turn(state):
        player = state.players[seat]
        if player.action == "farmer":
            continue
        farms = buildings.count((Building(owner=seat, side="farm"), player.house))
        if farms:
            log += draw(state, seat, farms, "farms", random)
    return log


def _clear_the_table(state: VerraeterState) -> None:
    """Phase 12, in the last round too: the action cards go back together, the Conflict card marks no border."""
    state.conflict = None
    state.middle = []
    for player in state.players:
        player.offered = []
        player.action = None
        player.played = None
        player.drawn = 0


def _next_round(state: VerraeterState) -> None:
    """Phase 13: the start player card moves on."""
    state.phase = "declare_conflict"
    state.round += 1
    state.start_seat = (state.start_seat + 1) % len(state.players)
