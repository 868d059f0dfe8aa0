"""What the viewers of a match of Inside Job may see (rules, section 10).

Everything here is built field by field from the state; nothing is copied and then blanked.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.game import Hand, Seat
from engine.inside_job.components import MISSIONS, sorted_cards
from engine.inside_job.ids import Card, Condition, Mission, Role, SpecialRole, Suit
from engine.inside_job.state import (
    InsideJobState,
    LastTrick,
    Phase,
    Play,
    Player,
    intel_limit,
    led_suit,
    missions_needed,
    seat_to_play,
    tricks,
)
from engine.inside_job.vote import missing_voters


class InsideJobMission(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The mission of a trick.

    Attributes:
        trump: the trump suit of the trick.
        risk: one of the four cards that come with the Risk Agent.
    """

    mission: Mission
    condition: Condition
    trump: Suit
    risk: bool


class InsideJobPlay(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A card in a trick.

    Attributes:
        wager: an intel token lies on it, so it counts as the trump suit.
    """

    seat: Seat
    card: Card
    wager: bool


class InsideJobTrick(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The latest complete trick.

    Attributes:
        plays: in order of play; the first is the start player's.
        succeeded: whether the mission did.
        intel: the tokens that the winner took.
    """

    trick: int
    mission: InsideJobMission
    plays: list[InsideJobPlay]
    winner: Seat
    succeeded: bool
    intel: int


class InsideJobSeat(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies open of one seat.

    Attributes:
        revealed: the role card lies face-up.
        role: what it shows, once it lies face-up or the match is over; else null.
        tokens: intel held; what it has wagered lies in the trick.
        hand_size: cards in the hand.
        owes_vote: it has still to vote.
        votes: the seats that it voted for, once all have voted; else null, and null for who had no vote.
    """

    seat: Seat
    revealed: bool
    role: Role | None
    tokens: int
    hand_size: int
    owes_vote: bool
    votes: list[Seat] | None


class InsideJobTable(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies open for everybody.

    Attributes:
        phase: what the match waits for.
        special_roles: those in play, sorted; who has them is not shown.
        trick: the number of the running trick, from 1; 0 before the first.
        tricks: how many are played, unless a side wins before.
        start_seat: the start player of this trick (before the first: of that one; in the vote and later: of the last).
        seat_to_play: whose turn it is to play a card; null in other phases.
        mission: of the running trick; null before it is chosen and after the trick.
        led_suit: the suit to follow; null before the first card.
        plays: the cards of the running trick, in order of play.
        last_trick: null until one is complete.
        succeeded: the missions in the agents' row, in the order of their tricks.
        failed: the other missions that were played, in that order.
        missions_needed: successes with which the agents win.
        intel_limit: tokens with which the winner of a trick must turn up the role card.
        supply: intel tokens not yet given out.
        mission_deck_size: mission cards not yet drawn.
        undealt_size: playing cards that stay out of the game.
        partner: whom the Accomplice chose; null without the Accomplice or before.
    """

    phase: Phase
    special_roles: list[SpecialRole]
    trick: int
    tricks: int
    start_seat: Seat
    seat_to_play: Seat | None
    mission: InsideJobMission | None
    led_suit: Suit | None
    plays: list[InsideJobPlay]
    last_trick: InsideJobTrick | None
    succeeded: list[Mission]
    failed: list[Mission]
    missions_needed: int
    intel_limit: int
    supply: int
    mission_deck_size: int
    undealt_size: int
    partner: Seat | None
    seats: list[InsideJobSeat]


class InsideJobHand(Hand, frozen=True, kw_only=True):
    """What one seat alone knows.

    Attributes:
        role: what its role card shows.
        hand: its cards, by suit and rank.
        drawn: the two missions that it may choose from, sorted; empty outside of that decision.
        discarded: the missions that it drew and did not choose, in the order of its tricks as start player.
        partner_role: the role of its partner, if it is the Accomplice and has chosen one; else null.
        vote: the seats that it voted for, ascending; null before.
    """

    role: Role
    hand: list[Card]
    drawn: list[Mission]
    discarded: list[Mission]
    partner_role: Role | None
    vote: list[Seat] | None


def table(state: InsideJobState) -> InsideJobTable:
    """What lies open for everybody."""
    over = state.phase == "over"
    owing = missing_voters(state) if state.phase == "cast_vote" else []
    return InsideJobTable(
        phase=state.phase,
        special_roles=sorted(state.special_roles),
        trick=state.trick,
        tricks=tricks(state),
        start_seat=state.start_seat,
        seat_to_play=seat_to_play(state) if state.phase == "play_card" else None,
        mission=None if state.mission is None else _SHOWN[state.mission],
        led_suit=led_suit(state),
        plays=[_play(play) for play in state.plays],
        last_trick=_last_trick(state.last_trick),
        succeeded=list(state.succeeded),
        failed=list(state.failed),
        missions_needed=missions_needed(state),
        intel_limit=intel_limit(state),
        supply=state.supply,
        mission_deck_size=len(state.mission_deck),
        undealt_size=len(state.undealt),
        partner=state.partner,
        seats=[_seat(seat, player, over=over, owes_vote=seat in owing) for seat, player in enumerate(state.players)],
    )


def hand(state: InsideJobState, seat: Seat) -> InsideJobHand:
    """What this seat alone knows."""
    player = state.players[seat]
    is_choosing = state.phase == "choose_mission" and seat == state.start_seat
    return InsideJobHand(
        seat=seat,
        role=player.role,
        hand=sorted_cards(player.hand),
        drawn=sorted(state.drawn) if is_choosing else [],
        discarded=list(player.discarded),
        partner_role=_partner_role(state, player),
        vote=None if player.vote is None else list(player.vote),
    )


def _partner_role(state: InsideJobState, player: Player) -> Role | None:
    """What the partner's role card shows: the Accomplice has looked at it, nobody else has."""
    if player.role != "accomplice" or state.partner is None:
        return None
    return state.players[state.partner].role


_SHOWN: Final = {
    card.id: InsideJobMission(mission=card.id, condition=card.condition, trump=card.trump, risk=card.risk)
    for card in MISSIONS.values()
}
"""Every mission, as it is shown."""


def _play(play: Play) -> InsideJobPlay:
    return InsideJobPlay(seat=play.seat, card=play.card, wager=play.wager)


def _last_trick(last: LastTrick | None) -> InsideJobTrick | None:
    if last is None:
        return None
    return InsideJobTrick(
        trick=last.trick,
        mission=_SHOWN[last.mission],
        plays=[_play(play) for play in last.plays],
        winner=last.winner,
        succeeded=last.succeeded,
        intel=last.intel,
    )


def _seat(seat: Seat, player: Player, *, over: bool, owes_vote: bool) -> InsideJobSeat:
    return InsideJobSeat(
        seat=seat,
        revealed=player.revealed,
        role=player.role if over or player.revealed else None,
        tokens=player.tokens,
        hand_size=len(player.hand),
        owes_vote=owes_vote,
        votes=list(player.vote) if over and player.vote is not None else None,
    )
