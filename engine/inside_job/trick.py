"""What follows when the last card of a trick lies (rules, sections 4.5 to 4.9 and 7)."""

from __future__ import annotations

from typing import Final, TypeAlias

from engine.game import Event, Seat, openly
from engine.inside_job.components import MISSIONS
from engine.inside_job.events import InsideJobEvent, IntelStolen, RoleTurnedUp, TrickCompleted
from engine.inside_job.ids import Role
from engine.inside_job.missions import lay, succeeds
from engine.inside_job.state import (
    Ending,
    InsideJobState,
    LastTrick,
    holder,
    intel_limit,
    missions_needed,
    others_are_revealed,
    right_of,
)

Log: TypeAlias = list[Event[InsideJobEvent]]

_OF_THE_RISK_CLAUSE: Final[tuple[Role, ...]] = ("agent", "paranoid_agent", "risk_agent")
"""The roles whose reveal counts for the Risk Agent's clause (OQ1)."""


def complete_trick(state: InsideJobState) -> tuple[Seat, Log]:
    """Find the winner, judge the mission and pay out the intel; the winner, and what happened."""
    assert state.mission is not None
    laid = lay(state.plays, MISSIONS[state.mission].trump)
    winner = state.plays[laid.winner].seat
    succeeded = succeeds(state.mission, laid)
    (state.succeeded if succeeded else state.failed).append(state.mission)
    intel = _pay_out(state, winner)
    state.last_trick = LastTrick(
        trick=state.trick,
        mission=state.mission,
        plays=state.plays,
        winner=winner,
        succeeded=succeeded,
        intel=intel,
    )
    event = TrickCompleted(
        trick=state.trick,
        mission=state.mission,
        winner=winner,
        succeeded=succeeded,
        intel=intel,
        supply=state.supply,
    )
    state.mission = None
    state.plays = []
    return winner, [openly(event)]


def _pay_out(state: InsideJobState, winner: Seat) -> int:
    """Section 4.7: one token from the supply and all wagered ones; the Accomplice collects none (section 8)."""
    wagered = sum(play.wager for play in state.plays)
    player = state.players[winner]
    if player.role == "accomplice":
        state.supply += wagered
        return 0
    state.supply -= 1
    player.tokens += 1 + wagered
    return 1 + wagered


def check_end(state: InsideJobState, winner: Seat) -> tuple[Ending | None, Log]:
    """Checks 1 to 4 of section 7, in their order; the first that ends the match, and what happened on the way.

    Args:
        winner: the seat that won the trick.
    """
    bugged = holder(state, "bugged_agent")
    if bugged is not None and state.players[bugged].tokens > 1:
        return "bugged_agent_loaded", []
    log: Log = []
    if not state.players[winner].revealed and state.players[winner].tokens >= intel_limit(state):
        ending, log = _reveal(state, winner)
        if ending is not None:
            return ending, log
    professor = holder(state, "prof_no")
    if professor is not None and others_are_revealed(state, professor):
        return "all_others_revealed", log
    if len(state.succeeded) >= missions_needed(state):
        return "missions_accomplished", log
    return None, log


def _reveal(state: InsideJobState, seat: Seat) -> tuple[Ending | None, Log]:
    """Check 2: turn a role card up through intel, with what the role makes of it."""
    player = state.players[seat]
    player.revealed = True
    log: Log = [openly(RoleTurnedUp(seat=seat, role=player.role, cause="intel"))]
    match player.role:
        case "insider":
            return "insider_collected_intel", log
        case "prof_no":
            return "prof_no_revealed", log
        case "tim_shady":
            return None, log + _steal(state, seat)
        case _:
            return "agents_revealed" if _risk_pays(state, player.role) else None, log


def _steal(state: InsideJobState, tim: Seat) -> Log:
    """Tim Shady takes a token from the player on his right, if there is one to take (OQ12, OQ13)."""
    victim = right_of(state, tim)
    if not state.players[victim].tokens:
        return []
    state.players[victim].tokens -= 1
    state.players[tim].tokens += 1
    return [openly(IntelStolen(seat=tim, victim=victim))]


def _risk_pays(state: InsideJobState, revealed: Role) -> bool:
    """Whether this reveal makes the agents win, with the Risk Agent in play (OQ1)."""
    if "risk_agent" not in state.special_roles or revealed not in _OF_THE_RISK_CLAUSE:
        return False
    match state.options.risk_reveal:
        case "any":
            return True
        case "risk_agent_only":
            return revealed == "risk_agent"
        case "all":
            return all(player.revealed for player in state.players if player.role in _OF_THE_RISK_CLAUSE)
