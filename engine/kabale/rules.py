"""The course of a match of Kabale und Hiebe: set-up, then six rounds of turns, each round with its scoring.

A turn waits for the card that is placed, and at most once more for the owner of a Traitor or a Disguise; everything
between two answers happens by itself, in :func:`play`. Section numbers are those of the rules.
"""

from __future__ import annotations

from bisect import insort
from typing import TypeAlias

from engine.game import Event, Seat, openly, secretly
from engine.kabale.abilities import decide_swap, decide_tuck, turn_up
from engine.kabale.column_scoring import score_column
from engine.kabale.components import ALL_GOALS, CHARACTERS, COMPONENTS
from engine.kabale.drawing import refill
from engine.kabale.events import (
    CardPlaced,
    ColumnScored,
    GoalsRevealed,
    KabaleCard,
    KabaleCards,
    KabaleDealt,
    KabaleEnded,
    KabaleEvent,
    KabaleRoundEnded,
    KabaleSeatSkipped,
    KabaleTurnBegun,
)
from engine.kabale.legality import check
from engine.kabale.moves import DeclineSwap, DeclineTuck, KabaleMove, PlaceCard, SwapGoals, TuckCard
from engine.kabale.options import KabaleOptions
from engine.kabale.scoring import scores
from engine.kabale.state import (
    Column,
    KabaleState,
    LaidCard,
    LaidColumn,
    LastRound,
    Player,
    RoundEnding,
    Slot,
)
from engine.randomness import Stream

RULES_VERSION = 1

Log: TypeAlias = list[Event[KabaleEvent]]


# --- set-up (section 3) ---


def deal(seats: int, options: KabaleOptions, random: Stream) -> tuple[KabaleState, Log]:
    """Set-up and the beginning of round 1: piles, hands, the goal stack, a random seat to begin (ruling Q18)."""
    first = random.below(seats)
    goals = list(ALL_GOALS)
    random.shuffle(goals)
    in_play = COMPONENTS.goals_per_player * seats
    players: list[Player] = []
    hands: dict[Seat, KabaleCards] = {}
    for seat in range(seats):
        pile = list(CHARACTERS)
        random.shuffle(pile)
        drawn = [pile.pop() for _ in range(COMPONENTS.hand_size)]
        hands[seat] = KabaleCards(cards=drawn)
        players.append(Player(hand=sorted(drawn), draw_pile=pile))
    state = KabaleState(
        rules_version=RULES_VERSION,
        options=options,
        phase="place_card",
        round=1,
        turn=first,
        pending=None,
        columns=[],
        players=players,
        goal_stack=goals[:in_play],
        unused_goals=sorted(goals[in_play:]),
        lost_goals=[],
    )
    dealt = KabaleDealt(
        seats=seats,
        hand_size=COMPONENTS.hand_size,
        draw_pile_size=len(CHARACTERS) - COMPONENTS.hand_size,
        goal_stack_size=in_play,
    )
    return state, [secretly(dealt, hands), _reveal_goals(state), *_begin_turn(state, first, random)]


# --- a turn (section 5) ---


def play(state: KabaleState, seat: Seat, move: KabaleMove, random: Stream) -> Log:
    """Play one move and all that follows from it, up to the next decision or the end.

    Raises:
        IllegalMove: the move is not legal; nothing has changed.
    """
    check(state, seat, move)
    match move:
        case PlaceCard():
            log = [_place(state, seat, move), *turn_up(state, move.column)]
            if state.pending is not None:
                return log
            return log + _finish_turn(state, None, random)
        case SwapGoals() | DeclineSwap():
            return [decide_swap(state, seat, move), *_finish_turn(state, None, random)]
        case TuckCard():
            return [decide_tuck(state, seat, move), *_finish_turn(state, seat, random)]
        case DeclineTuck():
            return [decide_tuck(state, seat, move), *_finish_turn(state, None, random)]


def _place(state: KabaleState, seat: Seat, move: PlaceCard) -> Event[KabaleEvent]:
    """Step 1."""
    slots = state.columns[move.column].slots
    state.players[seat].hand.remove(move.card)
    slots.append(Slot(owner=seat, character=move.card))
    placed = CardPlaced(seat=seat, column=move.column, slot=len(slots) - 1)
    return secretly(placed, {seat: KabaleCard(card=move.card)})


def _finish_turn(state: KabaleState, tucker: Seat | None, random: Stream) -> Log:
    """Steps 4 and 5: refill, first the seat on turn, then who tucked a card; then the round ends or goes on."""
    log = refill(state, state.turn, random)
    if tucker is not None:
        log += refill(state, tucker, random)
    if all(map(Column.fulfilled, state.columns)):
        return log + _end_round(state, "all_columns_fulfilled", random)
    return log + _begin_turn(state, state.turn + 1, random)


def _begin_turn(state: KabaleState, first: int, random: Stream) -> Log:
    """Put on turn the next seat that has a card or can draw one; if there is none, the round is over.

    Args:
        first: the seat to begin with, if necessary counted past the last one.
    """
    log: Log = []
    seats = len(state.players)
    for step in range(seats):
        seat = (first + step) % seats
        if not state.players[seat].hand:
            log += refill(state, seat, random)
        if state.players[seat].hand:
            state.phase = "place_card"
            state.turn = seat
            return [*log, openly(KabaleTurnBegun(seat=seat))]
        log.append(openly(KabaleSeatSkipped(seat=seat)))
    return log + _end_round(state, "no_cards_left", random)


# --- a round (sections 4 and 7) ---


def _reveal_goals(state: KabaleState) -> Event[KabaleEvent]:
    """One goal per player, in the order in which they come off the stack."""
    state.columns = [Column(goal=state.goal_stack.pop()) for _ in state.players]
    return openly(
        GoalsRevealed(
            round=state.round,
            goals=[column.goal for column in state.columns],
            goal_stack_size=len(state.goal_stack),
        )
    )


def _end_round(state: KabaleState, ending: RoundEnding, random: Stream) -> Log:
    """Score all columns from left to right and begin the next round left of the seat whose turn was the last."""
    log: Log = [openly(KabaleRoundEnded(round=state.round, ended_by=state.turn, ending=ending))]
    columns = tuple(_turned_up(column) for column in state.columns)
    for number, column in enumerate(columns):
        log.append(_score(state, number, column))
    state.last_round = LastRound(round=state.round, ended_by=state.turn, ending=ending, columns=columns)
    state.columns = []
    if state.round == COMPONENTS.rounds:
        state.phase = "over"
        return [*log, openly(KabaleEnded(scores=scores(state)))]
    state.round += 1
    return [*log, _reveal_goals(state), *_begin_turn(state, state.turn + 1, random)]


def _turned_up(column: Column) -> LaidColumn:
    """A column as everybody sees it at scoring."""
    return LaidColumn(
        goal=column.goal,
        cards=tuple(LaidCard(owner=slot.owner, character=slot.character, tucked=slot.tucked) for slot in column.slots),
    )


def _score(state: KabaleState, number: int, column: LaidColumn) -> Event[KabaleEvent]:
    """Give the goal to its winner, or out of the game (ruling Q20), and discard the influence cards."""
    scored = score_column(column, len(state.players), witch_spares_witches=state.options.witch_spares_witches)
    insort(state.lost_goals if scored.winner is None else state.players[scored.winner].goals, column.goal)
    for card in column.cards:
        discard_pile = state.players[card.owner].discard_pile
        insort(discard_pile, card.character)
        if card.tucked:
            insort(discard_pile, card.tucked)
    return openly(ColumnScored(column=number, scored=scored))
