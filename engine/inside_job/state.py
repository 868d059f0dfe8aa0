"""Everything there is to know about a running match of Inside Job, secrets included."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from engine.game import Seat, State
from engine.inside_job.components import CARDS, SETUPS
from engine.inside_job.ids import Card, Mission, Role, SpecialRole, Suit
from engine.inside_job.options import InsideJobOptions
from engine.inside_job.roles import is_insider_side

Phase: TypeAlias = Literal["choose_partner", "choose_mission", "play_card", "cast_vote", "over"]
"""What the match waits for: the kind of decision that is due, or ``over``."""

Winner: TypeAlias = Literal["agents", "insider", "decoy"]
Ending: TypeAlias = Literal[
    "bugged_agent_loaded",
    "insider_collected_intel",
    "prof_no_revealed",
    "agents_revealed",
    "all_others_revealed",
    "missions_accomplished",
    "insider_voted_out",
    "vote_tied",
    "decoy_voted_out",
    "insider_escaped_vote",
]

WINNER: Final[dict[Ending, Winner]] = {
    "bugged_agent_loaded": "insider",
    "insider_collected_intel": "insider",
    "prof_no_revealed": "agents",
    "agents_revealed": "agents",
    "all_others_revealed": "insider",
    "missions_accomplished": "agents",
    "insider_voted_out": "agents",
    "vote_tied": "agents",
    "decoy_voted_out": "decoy",
    "insider_escaped_vote": "insider",
}
"""Who has won, by how the match ended."""


class Play(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """A card in a trick.

    Attributes:
        wager: an intel token lies on it.
    """

    seat: Seat
    card: Card
    wager: bool


class LastTrick(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, kw_only=True):
    """The latest complete trick; all of it was public.

    Attributes:
        plays: in order of play; the first is the start player's.
        intel: the tokens that the winner took.
    """

    trick: int
    mission: Mission
    plays: list[Play]
    winner: Seat
    succeeded: bool
    intel: int


class Player(msgspec.Struct, gc=False, forbid_unknown_fields=True, kw_only=True):
    """What belongs to one seat.

    Attributes:
        role: what the role card shows.
        revealed: the role card lies face-up.
        hand: by suit and rank.
        tokens: intel held.
        discarded: the missions that it drew and did not choose, in the order of its tricks as start player.
        vote: the seats that it voted for, ascending; null before.
    """

    role: Role
    hand: list[Card]
    tokens: int
    revealed: bool = False
    discarded: list[Mission] = []
    vote: list[Seat] | None = None


class InsideJobState(State, kw_only=True):
    """A match of Inside Job.

    Attributes:
        special_roles: those in play, sorted.
        trick: the number of the running trick, from 1; 0 before the first.
        start_seat: the start player of the running trick; after the last one, of that.
        drawn: the two missions that the start player may choose from, sorted; empty outside of that decision.
        mission: the chosen one, while its trick is played.
        plays: the cards of the running trick, in order of play.
        undealt: cards out of the game, by suit and rank.
        mission_deck: the next card is the last one.
        succeeded: the missions in the agents' row, in the order of their tricks.
        failed: the other missions that were played, in that order.
        partner: whom the Accomplice chose.
        ending: why the match has ended.
    """

    options: InsideJobOptions
    special_roles: list[SpecialRole]
    phase: Phase
    trick: int
    start_seat: Seat
    players: list[Player]
    supply: int
    undealt: list[Card]
    mission_deck: list[Mission]
    drawn: list[Mission] = []
    mission: Mission | None = None
    plays: list[Play] = []
    succeeded: list[Mission] = []
    failed: list[Mission] = []
    last_trick: LastTrick | None = None
    partner: Seat | None = None
    ending: Ending | None = None


def holder(state: InsideJobState, role: SpecialRole) -> Seat | None:
    """The seat with this role, if it is in play."""
    for seat, player in enumerate(state.players):
        if player.role == role:
            return seat
    return None


def insider_seat(state: InsideJobState) -> Seat:
    """The seat on the insider side."""
    return next(seat for seat, player in enumerate(state.players) if is_insider_side(player.role))


def right_of(state: InsideJobState, seat: Seat) -> Seat:
    """The right neighbour: play goes clockwise, to the left."""
    return (seat - 1) % len(state.players)


def seat_to_play(state: InsideJobState) -> Seat:
    """Whose turn it is in the running trick."""
    return (state.start_seat + len(state.plays)) % len(state.players)


def led_suit(state: InsideJobState) -> Suit | None:
    """The printed suit of the first card of the running trick."""
    return CARDS[state.plays[0].card].suit if state.plays else None


def others_are_revealed(state: InsideJobState, seat: Seat) -> bool:
    """Whether every role card but this seat's lies face-up."""
    return all(player.revealed for other, player in enumerate(state.players) if other != seat)


def tricks(state: InsideJobState) -> int:
    """How many tricks are played at most."""
    return SETUPS[len(state.players)].tricks


def missions_needed(state: InsideJobState) -> int:
    """Successes with which the agents win."""
    chosen = state.options.missions_needed
    return SETUPS[len(state.players)].missions_needed if chosen is None else chosen


def intel_limit(state: InsideJobState) -> int:
    """Tokens with which the winner of a trick must turn up the role card."""
    chosen = state.options.intel_limit
    return SETUPS[len(state.players)].intel_limit if chosen is None else chosen
